#include "core/hardware/accelerators.h"

namespace commcost {
namespace {

constexpr std::string_view ml_engineering =
    "github.com/stas00/ml-engineering compute/accelerator/README.md @744d01e";
constexpr std::string_view lightning =
    "github.com/Lightning-AI/pytorch-lightning lightning/fabric/utilities/throughput.py @7f0c343";
constexpr std::string_view scaling_book = "github.com/jax-ml/scaling-book tpus.md @0819a7d";
constexpr std::string_view exacomm =
    "ExaComm'24 panel, M. Emani, Table 4 (memory); ml-engineering @744d01e (rates)";

// clang-format off
// id, name, memory GB, HBM GB/s, fp32, tf32, bf16, fp8, achievable bf16 TFLOP/s, link, source
constexpr Accelerator accelerators[] = {
    {"v100-sxm", "V100 SXM2", 32, 900, 15.7, 0, 125, 0, 0, "nvlink2", lightning},
    {"v100-pcie", "V100 PCIe", 32, 900, 14, 0, 112, 0, 0, "pcie3", lightning},
    {"a100-sxm-40gb", "A100 SXM 40 GB", 40, 1555, 19.5, 156, 312, 0, 271.2, "nvlink3", exacomm},
    {"a100-sxm-80gb", "A100 SXM 80 GB", 80, 2039, 19.5, 156, 312, 0, 271.2, "nvlink3", exacomm},
    {"a100-pcie", "A100 PCIe 80 GB", 80, 1940, 19.5, 156, 312, 0, 252.9, "pcie4", ml_engineering},
    {"h100-sxm", "H100 SXM", 80, 3350, 67, 494.5, 989, 1979, 794.5, "nvlink4", ml_engineering},
    {"h100-pcie", "H100 PCIe", 80, 2000, 51, 378, 756, 1513, 0, "pcie5", ml_engineering},
    {"h100-nvl", "H100 NVL", 94, 3930, 60, 417.5, 835.5, 1670.5, 0, "nvlink4-bridge", lightning},
    {"h200-sxm", "H200 SXM", 141, 4800, 67, 494.5, 989, 1979, 794.5, "nvlink4", ml_engineering},
    {"gh200", "GH200", 96, 4000, 67, 494.5, 989, 1979, 0, "nvlink4", ml_engineering},
    {"b200", "B200", 180, 8000, 80, 1125, 2250, 4500, 1745, "nvlink5", ml_engineering},
    {"b300", "B300", 288, 8000, 80, 1125, 2250, 4500, 1769, "nvlink5", ml_engineering},
    {"gb200", "GB200 (one GPU)", 186, 8000, 80, 1250, 2500, 5000, 1822, "nvlink5", ml_engineering},
    {"l40s", "L40S", 48, 864, 91.6, 183, 362, 733, 0, "pcie4", ml_engineering},
    {"rtx4090", "RTX 4090", 24, 1008, 82.6, 82.6, 165.2, 330.3, 0, "pcie4", "waredb.com/processor/nvidia-geforce-rtx-4090 (fp32 accumulate)"},
    {"t4", "T4", 16, 320, 8.1, 0, 65, 0, 0, "pcie3", lightning},
    {"mi250x", "MI250X (two dies)", 128, 3280, 47.9, 0, 383, 0, 0, "infinity-fabric-mi250x", ml_engineering},
    {"mi300x", "MI300X", 192, 5300, 163.4, 653.7, 1307, 2610, 668.4, "infinity-fabric-mi300x", ml_engineering},
    {"mi325x", "MI325X", 256, 6000, 163.4, 653.7, 1300, 2610, 784.9, "infinity-fabric-mi300x", ml_engineering},
    {"mi355x", "MI355X", 288, 8000, 157.3, 0, 2500, 5000, 1565, "infinity-fabric-mi355x", ml_engineering},
    {"gaudi2", "Gaudi 2", 96, 2460, 0, 0, 432, 865, 418.7, "gaudi2", ml_engineering},
    {"gaudi3", "Gaudi 3", 128, 3700, 229, 459, 1677, 1677, 1243, "gaudi3", ml_engineering},
    {"trainium2", "Trainium 2", 96, 2900, 181, 667, 667, 1299, 0, "neuronlink3", ml_engineering},
    {"tpu-v4", "TPU v4", 32, 1200, 0, 0, 275, 0, 0, "ici-v4", scaling_book},
    {"tpu-v5e", "TPU v5e", 16, 820, 0, 0, 197, 0, 0, "ici-v5e", scaling_book},
    {"tpu-v5p", "TPU v5p", 95, 2765, 0, 0, 459, 0, 0, "ici-v5p", scaling_book},
    {"tpu-v6e", "TPU v6e", 32, 1638, 0, 0, 918, 918, 0, "ici-v6e", scaling_book},
};
// clang-format on

}  // namespace

std::span<const Accelerator> all_accelerators() {
  return accelerators;
}

const Accelerator* find_accelerator(std::string_view id) {
  for (const Accelerator& accelerator : accelerators) {
    if (accelerator.id == id) return &accelerator;
  }
  return nullptr;
}

}  // namespace commcost
