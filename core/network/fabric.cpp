#include "core/network/fabric.h"

#include <iterator>

namespace commcost {
namespace {

constexpr std::string_view ml_engineering = "github.com/stas00/ml-engineering network/README.md @744d01e";
constexpr std::string_view dgx1 =
    "NVLink topology matrix of an 8 x V100 server, as nvidia-smi topo prints it";
constexpr std::string_view nccl =
    "github.com/NVIDIA/nccl src/graph @5067397 (NVLS: Hopper and newer with NVSwitch)";
constexpr std::string_view scaling_book = "github.com/jax-ml/scaling-book tpus.md @0819a7d";

using enum FabricClass;
using enum Topology;

// clang-format off
// accelerator, class, topology, mesh size, domain, quad boards, in-network, link GB/s, host GB/s, measured, source
constexpr Fabric fabrics[] = {
    {"v100-sxm", nvlink2, cube_mesh, 8, 1, true, false, 150, 15.75, true, dgx1},
    {"v100-pcie", pcie, host, 0, 1, false, false, 15.75, 15.75, true, ml_engineering},
    {"a100-sxm-40gb", nvlink3, switched, 0, 1, true, false, 300, 31.5, true, nccl},
    {"a100-sxm-80gb", nvlink3, switched, 0, 1, true, false, 300, 31.5, true, nccl},
    {"a100-pcie", pcie, host, 0, 1, false, false, 31.5, 31.5, true, ml_engineering},
    {"h100-sxm", nvlink4, switched, 0, 1, true, true, 450, 63, true, nccl},
    {"h100-pcie", pcie, host, 0, 1, false, false, 63, 63, false, ml_engineering},
    {"h100-nvl", nvlink4, bridge_pair, 2, 1, false, false, 300, 63, false, ml_engineering},
    {"h200-sxm", nvlink4, switched, 0, 1, false, true, 450, 63, true, nccl},
    {"gh200", nvlink4, mesh, 4, 1, false, false, 450, 63, true, "github.com/boeschf/nccl-benchmark-on-alps-2025 @897cff4"},
    {"b200", nvlink5, switched, 0, 1, false, true, 900, 63, true, nccl},
    {"b300", nvlink5, switched, 0, 1, false, true, 900, 63, true, nccl},
    {"gb200", nvlink5, switched, 0, 72, false, true, 900, 63, true, ml_engineering},
    {"l40s", pcie, host, 0, 1, false, false, 31.5, 31.5, true, ml_engineering},
    {"rtx4090", pcie, host, 0, 1, false, false, 31.5, 31.5, true, ml_engineering},
    {"t4", pcie, host, 0, 1, false, false, 15.75, 15.75, true, ml_engineering},
    {"mi250x", die_mesh, mesh, 8, 1, false, false, 350, 63, false, ml_engineering},
    {"mi300x", infinity_fabric, mesh, 8, 1, false, false, 448, 63, true, ml_engineering},
    {"mi325x", infinity_fabric, mesh, 8, 1, false, false, 448, 63, true, ml_engineering},
    {"mi355x", infinity_fabric, mesh, 8, 1, false, false, 535.5, 63, true, ml_engineering},
    {"gaudi2", other, mesh, 8, 1, false, false, 262.5, 31.5, false, ml_engineering},
    {"gaudi3", other, mesh, 8, 1, false, false, 525, 63, false, ml_engineering},
    {"trainium2", other, torus, 0, 1, false, false, 640, 63, false, ml_engineering},
    {"tpu-v4", other, torus, 0, 1, false, false, 90, 15.75, false, scaling_book},
    {"tpu-v5e", other, torus, 0, 1, false, false, 90, 15.75, false, scaling_book},
    {"tpu-v5p", other, torus, 0, 1, false, false, 180, 31.5, false, scaling_book},
    {"tpu-v6e", other, torus, 0, 1, false, false, 180, 31.5, false, scaling_book},
};
// clang-format on

static_assert([] {
  if (std::size(fabrics) != std::size(fabric_accelerator_ids)) return false;
  for (std::size_t i = 0; i < std::size(fabrics); ++i) {
    if (fabrics[i].accelerator != fabric_accelerator_ids[i]) return false;
  }
  return true;
}());

}  // namespace

std::span<const Fabric> all_fabrics() {
  return fabrics;
}

const Fabric* find_fabric(std::string_view accelerator) {
  for (const Fabric& fabric : fabrics) {
    if (fabric.accelerator == accelerator) return &fabric;
  }
  return nullptr;
}

}  // namespace commcost
