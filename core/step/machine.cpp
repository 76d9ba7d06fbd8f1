#include "core/step/machine.h"

#include "core/hardware/systems.h"
#include "core/step/constants.h"

namespace commcost {
namespace {

constexpr double teraflops_per_us = 1e6;
constexpr double gb_per_sec_in_bytes_per_us = 1e3;
// Where neither steps nor GEMMs were measured: about what the middle of the others reach.
constexpr double share_unmeasured = 0.6;
constexpr double network_unknown_gb_per_sec = 25;
// Where the matrix unit has no 32 bits: XLA's highest precision multiplies six pairs of 16-bit parts.
constexpr double bf16_passes_for_fp32 = 6;

const MatmulShare* fitted(std::string_view id) {
  for (const MatmulShare& row : fitted_matmul_shares()) {
    if (id.starts_with(row.accelerator_prefix)) return &row;
  }
  return nullptr;
}

// What the newest fitted accelerator reaches in training of its greatest measured GEMM rate.
double training_share_of_achievable() {
  const Accelerator* reference = find_accelerator("h100-sxm");
  return fitted(reference->id)->share / (reference->achievable_tflops / reference->bf16_tflops);
}

}  // namespace

const Accelerator& accelerator_of(const Machine& machine) {
  return all_accelerators()[static_cast<std::size_t>(machine.accelerator)];
}

Machine completed(Machine machine) {
  if (machine.nic_gb_per_sec > 0) return machine;
  machine.nic_gb_per_sec = network_unknown_gb_per_sec;
  // The largest network sold with the accelerator.
  double best = 0;
  for (const System& system : all_systems()) {
    if (system.accelerator == accelerator_of(machine).id && system.nic_gb_per_sec > best)
      best = system.nic_gb_per_sec;
  }
  if (best > 0) machine.nic_gb_per_sec = best;
  return machine;
}

double matrix_peak_tflops(const Accelerator& accelerator, std::int64_t bytes_per_element) {
  if (bytes_per_element <= 1 && accelerator.fp8_tflops > 0) return accelerator.fp8_tflops;
  if (bytes_per_element >= 4) {
    if (accelerator.tf32_tflops > 0) return accelerator.tf32_tflops;
    if (accelerator.fp32_tflops > 0) return accelerator.fp32_tflops;
    return accelerator.bf16_tflops / bf16_passes_for_fp32;
  }
  return accelerator.bf16_tflops;
}

double matmul_share(const Accelerator& accelerator) {
  if (const MatmulShare* row = fitted(accelerator.id)) return row->share;
  if (accelerator.achievable_tflops <= 0) return share_unmeasured;
  return training_share_of_achievable() * accelerator.achievable_tflops / accelerator.bf16_tflops;
}

ComputeRates compute_rates(const Machine& machine, std::int64_t bytes_per_element,
                           const MachineScales& scales) {
  const Accelerator& accelerator = accelerator_of(machine);
  const double peak = matrix_peak_tflops(accelerator, bytes_per_element) * teraflops_per_us * scales.matmul;
  ComputeRates rates;
  rates.flops_per_us = peak * matmul_share(accelerator);
  rates.flash_flops_per_us = peak * constants::flash_attention_share;
  rates.hbm_bytes_per_us =
      accelerator.hbm_gb_per_sec * gb_per_sec_in_bytes_per_us * constants::hbm_share * scales.hbm;
  rates.matrix_traffic_weight = constants::matrix_traffic_weight * scales.matrix_traffic;
  rates.launch_us = constants::launch_us / scales.launch;
  return rates;
}

}  // namespace commcost
