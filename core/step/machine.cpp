#include "core/step/machine.h"

#include "core/base/value.h"
#include "core/parallel/layout_problems.h"
#include "core/step/constants.h"

namespace commcost {
namespace {

constexpr double teraflops_per_us = 1e6;
constexpr double gb_per_sec_in_bytes_per_us = 1e3;
constexpr double network_unknown_gb_per_sec = 25;
// Where the matrix unit has no 32 bits: XLA's highest precision multiplies six pairs of 16-bit parts.
constexpr double bf16_passes_for_fp32 = 6;

// What the attention core and the LM head are multiplied in: never in fewer than 16 bits, but where
// everything is kept so.
double wide_peak_tflops(const Accelerator& accelerator, const Work& work) {
  return work.matmul_precision == MatmulPrecision::stored
             ? matrix_peak_tflops(accelerator, work.bytes_per_element)
             : accelerator.peak_16_bits_tflops();
}

double layer_peak_tflops(const Accelerator& accelerator, const Work& work) {
  return work.matmul_precision == MatmulPrecision::stored
             ? matrix_peak_tflops(accelerator, work.bytes_per_element)
             : matrix_peak_tflops(accelerator, work.matmul_precision);
}

// "bf16, fp16 and fp8".
std::string in_words(const std::vector<std::string_view>& names, std::string_view last) {
  std::string text;
  for (std::size_t at = 0; at < names.size(); ++at) {
    if (at > 0) text += at + 1 == names.size() ? last : ", ";
    text += names[at];
  }
  return text;
}

}  // namespace

const Accelerator& accelerator_of(const Machine& machine) {
  return all_accelerators()[static_cast<std::size_t>(machine.accelerator)];
}

const System* usual_system(const Accelerator& accelerator) {
  const System* usual = nullptr;
  for (const System& system : all_systems()) {
    if (system.accelerator != accelerator.id) continue;
    if (usual == nullptr || system.nic_gb_per_sec > usual->nic_gb_per_sec) usual = &system;
  }
  return usual;
}

Machine completed(Machine machine) {
  const Accelerator& accelerator = accelerator_of(machine);
  if (machine.bandwidth_gb_per_sec <= 0) machine.bandwidth_gb_per_sec = accelerator.fabric.link_gb_per_sec;
  if (machine.hbm_gb_per_sec <= 0) machine.hbm_gb_per_sec = accelerator.hbm_gb_per_sec;
  if (machine.peak_tflops <= 0) machine.peak_tflops = accelerator.peak_16_bits_tflops();
  if (machine.nic_gb_per_sec > 0 && machine.network >= 0) return machine;
  const System* usual = usual_system(accelerator);
  if (machine.nic_gb_per_sec <= 0) {
    const bool known = usual != nullptr && usual->nic_gb_per_sec > 0;
    machine.nic_gb_per_sec = known ? usual->nic_gb_per_sec : network_unknown_gb_per_sec;
  }
  if (machine.network < 0) {
    const bool known = usual != nullptr && usual->network.has_value();
    machine.network = static_cast<int>(known ? *usual->network : NetworkKind::infiniband);
  }
  return machine;
}

std::vector<Assumption> assumptions_of(const Machine& machine) {
  const System* usual = usual_system(accelerator_of(machine));
  const Machine whole = completed(machine);
  const std::string why = usual == nullptr ? "no system with this accelerator is known"
                                           : "as " + std::string(usual->name) + " has it";
  std::vector<Assumption> assumed;
  if (machine.nic_gb_per_sec <= 0) assumed.push_back({"nic_gb_per_sec", text_of(whole.nic_gb_per_sec), why});
  if (machine.network < 0)
    assumed.push_back(
        {"network", std::string(network_kind_names[static_cast<std::size_t>(whole.network)]), why});
  return assumed;
}

Fabric fabric_of(const Machine& machine) {
  Fabric fabric = accelerator_of(machine).fabric;
  // Sixteen V100s behind NVSwitch, the DGX-2: the one V100 machine whose links are switched.
  constexpr std::int64_t dgx2_gpus = 16;
  if (fabric.topology == Topology::cube_mesh && machine.gpus_per_node >= dgx2_gpus) {
    fabric.topology = Topology::switched;
    fabric.source = "NVIDIA DGX-2 data sheet: 16 V100, 12 NVSwitches, 6 links each";
  }
  if (machine.bandwidth_gb_per_sec > 0) fabric.link_gb_per_sec = machine.bandwidth_gb_per_sec;
  return fabric;
}

void fill(Machine& machine, const System& system) {
  machine.accelerator = static_cast<int>(find_accelerator(system.accelerator) - all_accelerators().data());
  machine.gpus_per_node = system.gpus_per_node;
  machine.nic_gb_per_sec = system.nic_gb_per_sec;
  machine.network = system.network.has_value() ? static_cast<int>(*system.network) : -1;
  if (system.launch.has_value()) machine.launch = *system.launch;
}

double matrix_peak_tflops(const Accelerator& accelerator, std::int64_t bytes_per_element) {
  if (bytes_per_element <= 1 && accelerator.fp8_tflops > 0) return accelerator.fp8_tflops;
  if (bytes_per_element >= 4) {
    if (accelerator.tf32_tflops > 0) return accelerator.tf32_tflops;
    if (accelerator.fp32_tflops > 0) return accelerator.fp32_tflops;
    return accelerator.peak_16_bits_tflops() / bf16_passes_for_fp32;
  }
  return accelerator.peak_16_bits_tflops();
}

double matrix_peak_tflops(const Accelerator& accelerator, MatmulPrecision precision) {
  switch (precision) {
    case MatmulPrecision::nvfp4:
      return accelerator.fp4_tflops;
    case MatmulPrecision::mxfp8:
      return accelerator.scales_blocks() ? accelerator.fp8_tflops : 0;
    case MatmulPrecision::fp8:
      return accelerator.fp8_tflops;
    case MatmulPrecision::fp16:
      return accelerator.fp16_tflops;
    case MatmulPrecision::bf16:
      return accelerator.bf16_tflops;
    case MatmulPrecision::stored:
      break;
  }
  return accelerator.peak_16_bits_tflops();
}

std::vector<std::string_view> matmul_precisions(const Accelerator& accelerator) {
  std::vector<std::string_view> found;
  for (const MatmulPrecision one : {MatmulPrecision::bf16, MatmulPrecision::fp16, MatmulPrecision::fp8,
                                    MatmulPrecision::mxfp8, MatmulPrecision::nvfp4}) {
    if (matrix_peak_tflops(accelerator, one) > 0)
      found.push_back(matmul_precision_names[static_cast<std::size_t>(one)]);
  }
  return found;
}

bool can_exist(const Setting& setting, const Machine& machine) {
  return can_exist(setting) && matrix_peak_tflops(accelerator_of(machine), setting.work.matmul_precision) > 0;
}

Problems problems_of(const Setting& setting, const Machine& machine) {
  Problems problems = problems_of(setting);
  const Accelerator& accelerator = accelerator_of(machine);
  const MatmulPrecision asked = setting.work.matmul_precision;
  if (matrix_peak_tflops(accelerator, asked) > 0) return problems;
  const std::string name(matmul_precision_names[static_cast<std::size_t>(asked)]);
  const std::vector<std::string_view> has = matmul_precisions(accelerator);
  problems.push_back({"matmul_precision", ProblemCode::inconsistent,
                      "matmul_precision must be one that the hardware has: " + std::string(accelerator.name) +
                          " multiplies in " + in_words(has, " and ") + ", not " + name,
                      "stored, " + in_words(has, " or ")});
  return problems;
}

double matrix_peak_tflops(const Machine& machine, const Work& work) {
  const Accelerator& accelerator = accelerator_of(machine);
  const double listed = layer_peak_tflops(accelerator, work);
  // In this order: the accelerator's own peak, given or not, is the listed one to the last bit.
  return machine.peak_tflops > 0 ? listed * (machine.peak_tflops / accelerator.peak_16_bits_tflops())
                                 : listed;
}

namespace {

// Of the rate that was measured for a moment, at full clock.
double sustained_share(const Accelerator& accelerator) {
  return accelerator.generation == Generation::blackwell ? constants::blackwell_sustained_share : 1;
}

}  // namespace

ComputeRates compute_rates(const Machine& machine, const Setting& setting, const MachineScales& scales) {
  constexpr double percent = 0.01;
  const Accelerator& accelerator = accelerator_of(machine);
  const Pace& pace = setting.pace;
  const double reached =
      teraflops_per_us * scales.matmul * accelerator.product_rate.share * sustained_share(accelerator);
  const double layers = matrix_peak_tflops(machine, setting.work);
  const double wide =
      layers * wide_peak_tflops(accelerator, setting.work) / layer_peak_tflops(accelerator, setting.work);
  const double hbm = machine.hbm_gb_per_sec > 0 ? machine.hbm_gb_per_sec : accelerator.hbm_gb_per_sec;
  ComputeRates rates;
  rates.flops_per_us = layers * reached * pace.compute_efficiency_percent * percent;
  rates.wide_flops_per_us = wide * reached * pace.compute_efficiency_percent * percent;
  rates.flash_flops_per_us = wide * reached * pace.attention_efficiency_percent * percent;
  rates.grouped_share = pace.expert_efficiency_percent * percent;
  rates.hbm_bytes_per_us = hbm * gb_per_sec_in_bytes_per_us * constants::hbm_share * scales.hbm;
  rates.matrix_traffic_weight = constants::matrix_traffic_weight * scales.matrix_traffic;
  rates.launch_us = pace.host_us_per_kernel / scales.launch;
  return rates;
}

}  // namespace commcost
