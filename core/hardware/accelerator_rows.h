#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "core/hardware/accelerators.h"
#include "core/hardware/link_rows.h"

// Every accelerator, one row each. A header, because the choices of inputs are made from the ids at compile
// time.
namespace commcost {
namespace accelerator_rows_parts {

inline constexpr std::string_view ml_engineering =
    "github.com/stas00/ml-engineering compute/accelerator/README.md @744d01e";
inline constexpr std::string_view lightning =
    "github.com/Lightning-AI/pytorch-lightning lightning/fabric/utilities/throughput.py @7f0c343";
inline constexpr std::string_view lightning_2024 =
    "github.com/Lightning-AI/pytorch-lightning lightning/fabric/utilities/throughput.py @1526f84";
inline constexpr std::string_view scaling_book = "github.com/jax-ml/scaling-book tpus.md @0819a7d";
inline constexpr std::string_view exacomm =
    "ExaComm'24 panel, M. Emani, Table 4 (memory); ml-engineering @744d01e (rates)";
inline constexpr std::string_view networks = "github.com/stas00/ml-engineering network/README.md @744d01e";
inline constexpr std::string_view nccl =
    "github.com/NVIDIA/nccl src/graph @5067397 (NVLS: Hopper and newer with NVSwitch)";

inline constexpr Fabric dgx1_cube{
    .fabric_class = FabricClass::nvlink2,
    .topology = Topology::cube_mesh,
    .mesh_size = 8,
    .quad_boards = true,
    .measured = true,
    .source = "NVLink topology matrix of an 8 x V100 server, as nvidia-smi topo prints it"};
inline constexpr Fabric a100_switch{.fabric_class = FabricClass::nvlink3,
                                    .topology = Topology::switched,
                                    .quad_boards = true,
                                    .measured = true,
                                    .source = nccl};
inline constexpr Fabric hopper_switch{.fabric_class = FabricClass::nvlink4,
                                      .topology = Topology::switched,
                                      .in_network_reduction = true,
                                      .measured = true,
                                      .source = nccl};
inline constexpr Fabric blackwell_switch{.fabric_class = FabricClass::nvlink5,
                                         .topology = Topology::switched,
                                         .in_network_reduction = true,
                                         .measured = true,
                                         .source = nccl};
inline constexpr Fabric through_pcie{
    .fabric_class = FabricClass::pcie, .topology = Topology::host, .measured = true, .source = networks};
inline constexpr Fabric infinity_mesh{.fabric_class = FabricClass::infinity_fabric,
                                      .topology = Topology::mesh,
                                      .mesh_size = 8,
                                      .measured = true,
                                      .source = networks};
inline constexpr Fabric gaudi_mesh{
    .fabric_class = FabricClass::other, .topology = Topology::mesh, .mesh_size = 8, .source = networks};
inline constexpr Fabric torus{
    .fabric_class = FabricClass::other, .topology = Topology::torus, .source = scaling_book};

constexpr Fabric unmeasured(Fabric fabric) {
  fabric.measured = false;
  return fabric;
}

constexpr Fabric with_quad_boards(Fabric fabric) {
  fabric.quad_boards = true;
  return fabric;
}

constexpr Fabric rack_of_72(Fabric fabric) {
  fabric.domain_size = 72;
  fabric.source = networks;
  return fabric;
}

constexpr Fabric through_pcie3() {
  Fabric fabric = through_pcie;
  fabric.fabric_class = FabricClass::pcie3;
  return fabric;
}

/// Chips of the largest slice that ICI joins.
constexpr Fabric tpu_pod(int chips) {
  Fabric fabric = torus;
  fabric.fabric_class = FabricClass::ici;
  fabric.domain_size = chips;
  return fabric;
}

constexpr Fabric mesh_of(int gpus, FabricClass fabric_class, std::string_view source) {
  return {.fabric_class = fabric_class, .topology = Topology::mesh, .mesh_size = gpus, .source = source};
}

constexpr ProductRate as_same_die(std::string_view accelerator) {
  return {.like = accelerator, .source = "the same die"};
}

constexpr ProductRate as_nearest(std::string_view accelerator) {
  return {.like = accelerator, .source = "the nearest of its vendor whose rate was measured"};
}

constexpr ProductRate fitted(double share) {
  return {.share = share, .source = "fit to measured steps: validation steps --fit"};
}

/// The rate of an accelerator that was never measured and resembles no other.
inline constexpr ProductRate unknown_rate{
    .share = 0.75, .source = "the middle of the greatest rates measured on others (ml-engineering @744d01e)"};

template <std::size_t count>
constexpr ProductRate product_rate_of(const Accelerator& row, const std::array<Accelerator, count>& rows) {
  if (row.achievable_tflops > 0)
    return {.share = row.achievable_tflops / row.peak_16_bits_tflops(), .source = ml_engineering};
  if (row.product_rate.like.empty()) return row.product_rate.share > 0 ? row.product_rate : unknown_rate;
  ProductRate rate = row.product_rate;
  for (const Accelerator& other : rows)
    if (other.id == rate.like) rate.share = other.achievable_tflops / other.peak_16_bits_tflops();
  return rate;
}

/// Matrix units of these generations multiply 8-bit integers at twice the rate of 16 bits; NVIDIA's data
/// sheets.
constexpr double int8_tflops_of(const Accelerator& row) {
  using enum Generation;
  const bool has = row.generation == turing || row.generation == ampere || row.generation == ada ||
                   row.generation == hopper;
  return has ? 2 * row.peak_16_bits_tflops() : 0;
}

/// The rows, each with its product rate, and its fabric with the accelerator's id and the rates of its links.
template <std::size_t count>
constexpr std::array<Accelerator, count> completed(std::array<Accelerator, count> rows) {
  for (Accelerator& row : rows) {
    row.product_rate = product_rate_of(row, rows);
    row.int8_tflops = int8_tflops_of(row);
    row.fabric.accelerator = row.id;
    row.fabric.link_gb_per_sec = link_rate_gb_per_sec(row.link);
    row.fabric.host_gb_per_sec = link_rate_gb_per_sec(row.host_link);
  }
  return rows;
}

}  // namespace accelerator_rows_parts

/// Every accelerator, by vendor and age.
inline constexpr auto accelerator_rows = [] {
  using namespace accelerator_rows_parts;
  using enum Generation;
  // clang-format off
  return completed(std::to_array<Accelerator>({
      {.id = "v100-sxm", .name = "V100 SXM2", .generation = volta, .memory_gb = 32, .hbm_gb_per_sec = 900,
       .fp32_tflops = 15.7, .fp16_tflops = 125, .product_rate = as_nearest("a100-sxm-80gb"),
       .multiprocessors = 80, .l2_mb = 6, .clock_ghz = 1.53, .l2_bytes_per_clock = 2048, .power_watts = 300,
       .link = "nvlink2", .host_link = "pcie3", .fabric = dgx1_cube,
       .source = lightning},
      {.id = "v100-pcie", .name = "V100 PCIe", .generation = volta, .memory_gb = 32, .hbm_gb_per_sec = 900,
       .fp32_tflops = 14, .fp16_tflops = 112, .product_rate = as_nearest("a100-sxm-80gb"),
       .multiprocessors = 80, .l2_mb = 6, .power_watts = 250,
       .link = "pcie3", .host_link = "pcie3", .fabric = through_pcie3(),
       .source = lightning},
      {.id = "a100-sxm-40gb", .name = "A100 SXM 40 GB", .generation = ampere, .memory_gb = 40, .hbm_gb_per_sec = 1555,
       .fp32_tflops = 19.5, .tf32_tflops = 156, .bf16_tflops = 312, .fp16_tflops = 312, .achievable_tflops = 271.2,
       .multiprocessors = 108, .l2_mb = 40, .clock_ghz = 1.41, .l2_bytes_per_clock = 5120, .power_watts = 400,
       .link = "nvlink3", .host_link = "pcie4", .fabric = a100_switch,
       .source = exacomm},
      {.id = "a100-sxm-80gb", .name = "A100 SXM 80 GB", .generation = ampere, .memory_gb = 80, .hbm_gb_per_sec = 2039,
       .fp32_tflops = 19.5, .tf32_tflops = 156, .bf16_tflops = 312, .fp16_tflops = 312, .achievable_tflops = 271.2,
       .multiprocessors = 108, .l2_mb = 40, .clock_ghz = 1.41, .l2_bytes_per_clock = 5120, .power_watts = 400,
       .link = "nvlink3", .host_link = "pcie4", .fabric = a100_switch,
       .source = exacomm},
      {.id = "a100-pcie", .name = "A100 PCIe 80 GB", .generation = ampere, .memory_gb = 80, .hbm_gb_per_sec = 1940,
       .fp32_tflops = 19.5, .tf32_tflops = 156, .bf16_tflops = 312, .fp16_tflops = 312, .achievable_tflops = 252.9,
       .multiprocessors = 108, .l2_mb = 40, .clock_ghz = 1.41, .l2_bytes_per_clock = 5120, .power_watts = 300,
       .link = "pcie4", .host_link = "pcie4", .fabric = through_pcie,
       .source = ml_engineering},
      {.id = "a800-sxm-80gb", .name = "A800 SXM 80 GB", .generation = ampere, .memory_gb = 80, .hbm_gb_per_sec = 2039,
       .fp32_tflops = 19.5, .tf32_tflops = 156, .bf16_tflops = 312, .fp16_tflops = 312, .product_rate = as_same_die("a100-sxm-80gb"),
       .multiprocessors = 108, .l2_mb = 40, .clock_ghz = 1.41, .l2_bytes_per_clock = 5120, .power_watts = 400,
       .link = "nvlink3-a800", .host_link = "pcie4", .fabric = unmeasured(a100_switch),
       .source = "aiwiki.ai/wiki/nvidia_a800 (an A100 80 GB but for NVLink); github.com/citsjtu2020/LLM-Prof hardware_spec.md"},
      {.id = "a10", .name = "A10", .generation = ampere, .memory_gb = 24, .hbm_gb_per_sec = 600,
       .fp32_tflops = 31.2, .tf32_tflops = 62.5, .bf16_tflops = 125, .fp16_tflops = 125,
       .multiprocessors = 72, .l2_mb = 6, .power_watts = 150,
       .link = "pcie4", .host_link = "pcie4", .fabric = unmeasured(through_pcie),
       .source = "NVIDIA A10 data sheet; lightning throughput.py @1526f84"},
      {.id = "a10g", .name = "A10G", .generation = ampere, .memory_gb = 24, .hbm_gb_per_sec = 600,
       .fp32_tflops = 35, .tf32_tflops = 35, .bf16_tflops = 70, .fp16_tflops = 70,
       .multiprocessors = 80, .l2_mb = 6, .power_watts = 150,
       .link = "pcie4", .host_link = "pcie4", .fabric = unmeasured(through_pcie),
       .source = "NVIDIA A10G data sheet; baseten.co/blog/nvidia-a10-vs-a10g-for-ml-model-inference"},
      {.id = "rtx3090", .name = "RTX 3090", .generation = ampere, .memory_gb = 24, .hbm_gb_per_sec = 936,
       .fp32_tflops = 35.6, .tf32_tflops = 35.6, .bf16_tflops = 71.2, .fp16_tflops = 71.2,
       .multiprocessors = 82, .l2_mb = 6, .power_watts = 350,
       .link = "pcie4", .host_link = "pcie4", .fabric = unmeasured(through_pcie),
       .source = "NVIDIA GA102 white paper (fp32 accumulate: a quarter of int8); lightning throughput.py @1526f84"},
      {.id = "h100-sxm", .name = "H100 SXM", .generation = hopper, .memory_gb = 80, .hbm_gb_per_sec = 3350,
       .fp32_tflops = 67, .tf32_tflops = 494.5, .bf16_tflops = 989, .fp16_tflops = 989, .fp8_tflops = 1979, .achievable_tflops = 794.5,
       .multiprocessors = 132, .l2_mb = 50, .clock_ghz = 1.83, .power_watts = 700,
       .link = "nvlink4", .host_link = "pcie5", .fabric = with_quad_boards(hopper_switch),
       .source = ml_engineering},
      {.id = "h100-pcie", .name = "H100 PCIe", .generation = hopper, .memory_gb = 80, .hbm_gb_per_sec = 2000,
       .fp32_tflops = 51, .tf32_tflops = 378, .bf16_tflops = 756, .fp16_tflops = 756, .fp8_tflops = 1513, .product_rate = as_same_die("h100-sxm"),
       .multiprocessors = 114, .l2_mb = 50, .clock_ghz = 1.62, .power_watts = 350,
       .link = "pcie5", .host_link = "pcie5", .fabric = unmeasured(through_pcie),
       .source = ml_engineering},
      {.id = "h100-nvl", .name = "H100 NVL", .generation = hopper, .memory_gb = 94, .hbm_gb_per_sec = 3930,
       .fp32_tflops = 60, .tf32_tflops = 417.5, .bf16_tflops = 835.5, .fp16_tflops = 835.5, .fp8_tflops = 1670.5, .product_rate = as_same_die("h100-sxm"),
       .multiprocessors = 132, .l2_mb = 50, .power_watts = 400,
       .link = "nvlink4-bridge", .host_link = "pcie5", .fabric = {.fabric_class = FabricClass::nvlink4, .topology = Topology::bridge_pair, .mesh_size = 2, .source = networks},
       .source = lightning},
      {.id = "h200-sxm", .name = "H200 SXM", .generation = hopper, .memory_gb = 141, .hbm_gb_per_sec = 4800,
       .fp32_tflops = 67, .tf32_tflops = 494.5, .bf16_tflops = 989, .fp16_tflops = 989, .fp8_tflops = 1979, .achievable_tflops = 794.5,
       .multiprocessors = 132, .l2_mb = 50, .clock_ghz = 1.83, .power_watts = 700,
       .link = "nvlink4", .host_link = "pcie5", .fabric = hopper_switch,
       .source = ml_engineering},
      {.id = "h800-sxm", .name = "H800 SXM", .generation = hopper, .memory_gb = 80, .hbm_gb_per_sec = 3350,
       .fp32_tflops = 67, .tf32_tflops = 494.5, .bf16_tflops = 989, .fp16_tflops = 989, .fp8_tflops = 1979, .product_rate = as_same_die("h100-sxm"),
       .multiprocessors = 132, .l2_mb = 50, .clock_ghz = 1.83, .power_watts = 700,
       .link = "nvlink4-h800", .host_link = "pcie5", .fabric = unmeasured(hopper_switch),
       .source = "philisun.com, NVIDIA H800 vs H100 (an H100 but for NVLink and fp64); github.com/citsjtu2020/LLM-Prof hardware_spec.md"},
      // Its limit: nvidia-smi in github.com/NVIDIA/nvtrust issue 128.
      {.id = "h20", .name = "H20", .generation = hopper, .memory_gb = 96, .hbm_gb_per_sec = 4000,
       .fp32_tflops = 44, .tf32_tflops = 74, .bf16_tflops = 148, .fp16_tflops = 148, .fp8_tflops = 296, .product_rate = as_same_die("h100-sxm"),
       .multiprocessors = 78, .l2_mb = 60, .power_watts = 500,
       .link = "nvlink4", .host_link = "pcie5", .fabric = unmeasured(hopper_switch),
       .source = "zangshuxian.com/new/674733024499207168; willitrunai.com/es/gpus/h20-96gb"},
      {.id = "gh200", .name = "GH200", .generation = hopper, .memory_gb = 96, .hbm_gb_per_sec = 4000,
       .fp32_tflops = 67, .tf32_tflops = 494.5, .bf16_tflops = 989, .fp16_tflops = 989, .fp8_tflops = 1979, .product_rate = as_same_die("h100-sxm"),
       .multiprocessors = 132, .l2_mb = 50, .clock_ghz = 1.83, .power_watts = 700,
       .link = "nvlink4", .host_link = "pcie5", .fabric = {.fabric_class = FabricClass::nvlink4, .topology = Topology::mesh, .mesh_size = 4, .measured = true, .source = "github.com/boeschf/nccl-benchmark-on-alps-2025 @897cff4"},
       .source = ml_engineering},
      // Of Blackwell multiprocessors and L2: chipsandcheese.com/p/nvidias-b200-keeping-the-cuda-juggernaut; with Grace
      // 152, four MIG slices of 38 in github.com/NVIDIA/gpu-operator pull request 1303.
      {.id = "b200", .name = "B200", .generation = blackwell, .memory_gb = 180, .hbm_gb_per_sec = 8000,
       .fp32_tflops = 80, .tf32_tflops = 1125, .bf16_tflops = 2250, .fp16_tflops = 2250, .fp8_tflops = 4500, .fp4_tflops = 9000, .achievable_tflops = 1745,
       .multiprocessors = 148, .l2_mb = 126, .power_watts = 1000,
       .link = "nvlink5", .host_link = "pcie5", .fabric = blackwell_switch,
       .source = ml_engineering},
      {.id = "b300", .name = "B300", .generation = blackwell, .memory_gb = 288, .hbm_gb_per_sec = 8000,
       .fp32_tflops = 80, .tf32_tflops = 1125, .bf16_tflops = 2250, .fp16_tflops = 2250, .fp8_tflops = 4500, .fp4_tflops = 13125, .achievable_tflops = 1769,
       .multiprocessors = 148, .l2_mb = 126, .power_watts = 1100, .exponential_rate = 2,
       .link = "nvlink5", .host_link = "pcie5", .fabric = blackwell_switch,
       .source = "ml-engineering @744d01e; fp4: glennklockwood.com/garden/processors/B300"},
      {.id = "gb200", .name = "GB200 (one GPU)", .generation = blackwell, .memory_gb = 186, .hbm_gb_per_sec = 8000,
       .fp32_tflops = 80, .tf32_tflops = 1250, .bf16_tflops = 2500, .fp16_tflops = 2500, .fp8_tflops = 5000, .fp4_tflops = 10000, .achievable_tflops = 1822,
       .multiprocessors = 152, .l2_mb = 126, .power_watts = 1200,
       .link = "nvlink5", .host_link = "pcie5", .fabric = rack_of_72(blackwell_switch),
       .source = ml_engineering},
      {.id = "gb300", .name = "GB300 (one GPU)", .generation = blackwell, .memory_gb = 288, .hbm_gb_per_sec = 8000,
       .fp32_tflops = 80, .tf32_tflops = 1250, .bf16_tflops = 2500, .fp16_tflops = 2500, .fp8_tflops = 5000, .fp4_tflops = 15000, .product_rate = as_same_die("b300"),
       .multiprocessors = 152, .l2_mb = 126, .power_watts = 1400, .exponential_rate = 2,
       .link = "nvlink5", .host_link = "pcie5", .fabric = rack_of_72(blackwell_switch),
       .source = "verda.com/blog/gb300-nvl72-architecture"},
      {.id = "l4", .name = "L4", .generation = ada, .memory_gb = 24, .hbm_gb_per_sec = 300,
       .fp32_tflops = 30.3, .tf32_tflops = 60, .bf16_tflops = 121, .fp16_tflops = 121, .fp8_tflops = 242,
       .multiprocessors = 58, .l2_mb = 48, .power_watts = 72,
       .link = "pcie4", .host_link = "pcie4", .fabric = unmeasured(through_pcie),
       .source = lightning_2024},
      {.id = "l40", .name = "L40", .generation = ada, .memory_gb = 48, .hbm_gb_per_sec = 864,
       .fp32_tflops = 90.5, .tf32_tflops = 90.5, .bf16_tflops = 181, .fp16_tflops = 181, .fp8_tflops = 362,
       .multiprocessors = 142, .l2_mb = 96, .power_watts = 300,
       .link = "pcie4", .host_link = "pcie4", .fabric = unmeasured(through_pcie),
       .source = "mullet.se, NVIDIA L40 and L40S data sheet; lightning throughput.py @1526f84"},
      {.id = "l40s", .name = "L40S", .generation = ada, .memory_gb = 48, .hbm_gb_per_sec = 864,
       .fp32_tflops = 91.6, .tf32_tflops = 183, .bf16_tflops = 362, .fp16_tflops = 362, .fp8_tflops = 733,
       .multiprocessors = 142, .l2_mb = 96, .power_watts = 350,
       .link = "pcie4", .host_link = "pcie4", .fabric = through_pcie,
       .source = ml_engineering},
      {.id = "rtx4090", .name = "RTX 4090", .generation = ada, .memory_gb = 24, .hbm_gb_per_sec = 1008,
       .fp32_tflops = 82.6, .tf32_tflops = 82.6, .bf16_tflops = 165.2, .fp16_tflops = 165.2, .fp8_tflops = 330.3,
       .multiprocessors = 128, .l2_mb = 72, .power_watts = 450,
       .link = "pcie4", .host_link = "pcie4", .fabric = through_pcie,
       .source = "waredb.com/processor/nvidia-geforce-rtx-4090 (fp32 accumulate)"},
      {.id = "rtx6000-ada", .name = "RTX 6000 Ada", .generation = ada, .memory_gb = 48, .hbm_gb_per_sec = 960,
       .fp32_tflops = 91.1, .tf32_tflops = 182.1, .bf16_tflops = 364.2, .fp16_tflops = 364.2, .fp8_tflops = 728.5,
       .multiprocessors = 142, .l2_mb = 96, .power_watts = 300,
       .link = "pcie4", .host_link = "pcie4", .fabric = unmeasured(through_pcie),
       .source = "NVIDIA RTX 6000 Ada data sheet (1457 TFLOP/s of fp8 with sparsity)"},
      {.id = "t4", .name = "T4", .generation = turing, .memory_gb = 16, .hbm_gb_per_sec = 320,
       .fp32_tflops = 8.1, .fp16_tflops = 65,
       .multiprocessors = 40, .l2_mb = 4, .power_watts = 70,
       .link = "pcie3", .host_link = "pcie3", .fabric = through_pcie3(),
       .source = lightning},
      {.id = "mi250x", .name = "MI250X (two dies)", .generation = cdna2, .memory_gb = 128, .hbm_gb_per_sec = 3280,
       .fp32_tflops = 47.9, .bf16_tflops = 383, .fp16_tflops = 383, .product_rate = as_nearest("mi325x"),
       .link = "infinity-fabric-mi250x", .host_link = "pcie5", .fabric = mesh_of(4, FabricClass::die_mesh, networks),
       .source = ml_engineering},
      {.id = "mi250x-gcd", .name = "MI250X (one die)", .generation = cdna2, .memory_gb = 64, .hbm_gb_per_sec = 1640,
       .fp32_tflops = 23.95, .bf16_tflops = 191.5, .fp16_tflops = 191.5, .product_rate = as_nearest("mi325x"),
       .link = "infinity-fabric-mi250x", .host_link = "pcie5", .fabric = mesh_of(8, FabricClass::die_mesh, networks),
       .source = "half of the MI250X; github.com/olcf/olcf-user-docs @2745903 (64 GB a GCD)"},
      {.id = "mi300x", .name = "MI300X", .generation = cdna3, .memory_gb = 192, .hbm_gb_per_sec = 5300,
       .fp32_tflops = 163.4, .tf32_tflops = 653.7, .bf16_tflops = 1307, .fp16_tflops = 1307, .fp8_tflops = 2610, .achievable_tflops = 668.4,
       .link = "infinity-fabric-mi300x", .host_link = "pcie5", .fabric = infinity_mesh,
       .source = ml_engineering},
      {.id = "mi325x", .name = "MI325X", .generation = cdna3, .memory_gb = 256, .hbm_gb_per_sec = 6000,
       .fp32_tflops = 163.4, .tf32_tflops = 653.7, .bf16_tflops = 1307, .fp16_tflops = 1307, .fp8_tflops = 2610, .achievable_tflops = 784.9,
       .link = "infinity-fabric-mi300x", .host_link = "pcie5", .fabric = infinity_mesh,
       .source = "ml-engineering @744d01e; bf16 and fp16, which it rounds to 1300: 304 compute units at 2.1 GHz, as the MI300X"},
      {.id = "mi355x", .name = "MI355X", .generation = cdna4, .memory_gb = 288, .hbm_gb_per_sec = 8000,
       .fp32_tflops = 157.3, .bf16_tflops = 2500, .fp16_tflops = 2500, .fp8_tflops = 5000, .fp4_tflops = 10000, .achievable_tflops = 1565,
       .link = "infinity-fabric-mi355x", .host_link = "pcie5", .fabric = infinity_mesh,
       .source = ml_engineering},
      {.id = "gaudi2", .name = "Gaudi 2", .generation = gaudi, .memory_gb = 96, .hbm_gb_per_sec = 2460,
       .bf16_tflops = 432, .fp16_tflops = 432, .fp8_tflops = 865, .achievable_tflops = 418.7,
       .link = "gaudi2", .host_link = "pcie4", .fabric = gaudi_mesh,
       .source = ml_engineering},
      {.id = "gaudi3", .name = "Gaudi 3", .generation = gaudi, .memory_gb = 128, .hbm_gb_per_sec = 3700,
       .fp32_tflops = 229, .tf32_tflops = 459, .bf16_tflops = 1677, .fp16_tflops = 459, .fp8_tflops = 1677, .achievable_tflops = 1243,
       .link = "gaudi3", .host_link = "pcie5", .fabric = gaudi_mesh,
       .source = ml_engineering},
      {.id = "trainium2", .name = "Trainium 2", .generation = trainium, .memory_gb = 96, .hbm_gb_per_sec = 2900,
       .fp32_tflops = 181, .tf32_tflops = 667, .bf16_tflops = 667, .fp16_tflops = 667, .fp8_tflops = 1299,
       .link = "neuronlink3", .host_link = "pcie5", .fabric = torus,
       .source = ml_engineering},
      {.id = "tpu-v4", .name = "TPU v4", .generation = tpu, .memory_gb = 32, .hbm_gb_per_sec = 1200,
       .bf16_tflops = 275, .product_rate = fitted(0.85),
       .link = "ici-v4", .host_link = "pcie3", .fabric = tpu_pod(4096),
       .source = scaling_book},
      {.id = "tpu-v5e", .name = "TPU v5e", .generation = tpu, .memory_gb = 16, .hbm_gb_per_sec = 820,
       .bf16_tflops = 197, .product_rate = fitted(0.85),
       .link = "ici-v5e", .host_link = "pcie3", .fabric = tpu_pod(256),
       .source = scaling_book},
      {.id = "tpu-v5p", .name = "TPU v5p", .generation = tpu, .memory_gb = 95, .hbm_gb_per_sec = 2765,
       .bf16_tflops = 459, .product_rate = fitted(0.85),
       .link = "ici-v5p", .host_link = "pcie4", .fabric = tpu_pod(8960),
       .source = scaling_book},
      {.id = "tpu-v6e", .name = "TPU v6e", .generation = tpu, .memory_gb = 32, .hbm_gb_per_sec = 1638,
       .bf16_tflops = 918, .fp8_tflops = 918, .product_rate = fitted(0.85),
       .link = "ici-v6e", .host_link = "pcie4", .fabric = tpu_pod(256),
       .source = scaling_book},
      {.id = "tpu-v7x", .name = "TPU v7 (Ironwood)", .generation = tpu, .memory_gb = 192, .hbm_gb_per_sec = 7380,
       .bf16_tflops = 2307, .fp8_tflops = 4614, .product_rate = fitted(0.85),
       .link = "ici-v7", .fabric = tpu_pod(9216),
       .source = "docs.cloud.google.com/tpu/docs/tpu7x"},
  }));
  // clang-format on
}();

/// The ids in the rows' order: choices of inputs.
inline constexpr auto accelerator_ids = [] {
  std::array<std::string_view, accelerator_rows.size()> ids;
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = accelerator_rows[i].id;
  return ids;
}();

static_assert([] {
  for (const Accelerator& row : accelerator_rows) {
    if (row.generation == Generation::none) return false;
    if (row.product_rate.share <= 0 || row.product_rate.share > 1) return false;
    if (row.fabric.link_gb_per_sec <= 0) return false;
    if (!row.host_link.empty() && row.fabric.host_gb_per_sec <= 0) return false;
  }
  return true;
}());

}  // namespace commcost
