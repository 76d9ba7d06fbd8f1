#include "core/hardware/systems.h"

namespace commcost {
namespace {

constexpr std::string_view ml_engineering = "github.com/stas00/ml-engineering network/README.md @744d01e";
constexpr std::string_view exacomm = "ExaComm'24 panel, M. Emani, Table 4";
constexpr std::string_view olcf = "github.com/olcf/olcf-user-docs @2745903";

// clang-format off
constexpr System systems[] = {
    {"dgx-1v", "DGX-1V", "v100-sxm", 8, 6.25, "4 x 100 Gb/s EDR", "NVIDIA DGX-1 data sheet"},
    {"summit", "Summit", "v100-sxm", 6, 3.8, "dual EDR, 23 GB/s a node", olcf},
    {"dgx-a100", "DGX A100", "a100-sxm-80gb", 8, 25, "8 x 200 Gb/s HDR", ml_engineering},
    {"aws-p4d", "AWS p4d", "a100-sxm-40gb", 8, 6.25, "4 x 100 Gb/s EFA", ml_engineering},
    {"jean-zay", "Jean Zay A100", "a100-sxm-80gb", 8, 6.25, "4 x 100 Gb/s Omni-Path", "github.com/bigscience-workshop/bigscience @00327f8"},
    {"polaris-2023", "Polaris (before its Slingshot 11)", "a100-sxm-40gb", 4, 6.25, "2 x 100 Gb/s ConnectX-5", exacomm},
    {"polaris", "Polaris", "a100-sxm-40gb", 4, 12.5, "2 x 200 Gb/s Slingshot 11", "github.com/argonne-lcf/user-guides docs/polaris @7d04a3f"},
    {"perlmutter", "Perlmutter", "a100-sxm-40gb", 4, 25, "4 x 200 Gb/s Slingshot 11", "docs.nersc.gov/systems/perlmutter/architecture"},
    {"tg40", "ThetaGPU 40 GB", "a100-sxm-40gb", 8, 25, "8 x 200 Gb/s ConnectX-6", exacomm},
    {"tg80", "ThetaGPU 80 GB", "a100-sxm-80gb", 8, 25, "8 x 200 Gb/s ConnectX-6", exacomm},
    {"a100-pcie-box", "PCIe box, 8 x A100", "a100-pcie", 8, 12.5, "100 Gb/s a GPU", ml_engineering},
    {"dgx-h100", "DGX H100", "h100-sxm", 8, 50, "8 x 400 Gb/s NDR", ml_engineering},
    {"aws-p5", "AWS p5", "h100-sxm", 8, 50, "32 x 100 Gb/s EFA", ml_engineering},
    {"gcp-a3-mega", "GCP A3 Mega", "h100-sxm", 8, 25, "8 x 200 Gb/s", ml_engineering},
    {"gcp-a3-high", "GCP A3 High", "h100-sxm", 8, 12.5, "4 x 200 Gb/s", ml_engineering},
    {"h100-pcie-box", "PCIe box, 8 x H100", "h100-pcie", 8, 25, "200 Gb/s a GPU", ml_engineering},
    {"dgx-h200", "DGX H200", "h200-sxm", 8, 50, "8 x 400 Gb/s NDR", ml_engineering},
    {"aws-p5en", "AWS p5en", "h200-sxm", 8, 50, "16 x 200 Gb/s EFA", ml_engineering},
    {"gh200-node", "GH200, 4 a node", "gh200", 4, 25, "4 x 200 Gb/s Slingshot 11", "Isambard-AI and Alps public documentation"},
    {"dgx-b200", "DGX B200", "b200", 8, 50, "8 x 400 Gb/s NDR", ml_engineering},
    {"aws-p6-b200", "AWS p6-b200", "b200", 8, 50, "8 x 400 Gb/s EFA", ml_engineering},
    {"dgx-b300", "DGX B300", "b300", 8, 100, "8 x 800 Gb/s XDR", ml_engineering},
    {"gb200-nvl72", "GB200 NVL72", "gb200", 72, 50, "400 Gb/s a GPU", ml_engineering},
    {"l40s-box", "PCIe box, 8 x L40S", "l40s", 8, 12.5, "100 Gb/s a GPU", ml_engineering},
    {"rtx4090-box", "PCIe box, 8 x RTX 4090", "rtx4090", 8, 12.5, "100 Gb/s a GPU", ml_engineering},
    {"frontier", "Frontier (MI250X)", "mi250x", 4, 25, "4 x 200 Gb/s Slingshot 11", olcf},
    {"mi300x-node", "MI300X, 8 a node", "mi300x", 8, 50, "8 x 400 Gb/s", ml_engineering},
    {"mi355x-node", "MI355X, 8 a node", "mi355x", 8, 50, "8 x 400 Gb/s", ml_engineering},
    {"hls-gaudi2", "Gaudi 2, 8 a node", "gaudi2", 8, 37.5, "3 x 100 Gb/s a card", ml_engineering},
    {"hls-gaudi3", "Gaudi 3, 8 a node", "gaudi3", 8, 75, "3 x 200 Gb/s a card", ml_engineering},
};
// clang-format on

}  // namespace

std::span<const System> all_systems() {
  return systems;
}

const System* find_system(std::string_view id) {
  for (const System& system : systems) {
    if (system.id == id) return &system;
  }
  return nullptr;
}

}  // namespace commcost
