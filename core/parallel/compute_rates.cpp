#include "core/parallel/compute_rates.h"

#include "core/compute/constants.h"
#include "core/compute/matrix_peak.h"

namespace commcost {
namespace {

constexpr double teraflops_per_us = 1e6;
constexpr double gb_per_sec_in_bytes_per_us = 1e3;

// Of the rate that was measured for a moment, at full clock.
double sustained_share(const Accelerator& accelerator) {
  return accelerator.generation == Generation::blackwell ? constants::blackwell_sustained_share : 1;
}

}  // namespace

ComputeRates compute_rates(const Job& job, const MachineScales& scales) {
  constexpr double percent = 0.01;
  const auto& [shape, work, layout, stack, machine] = job;
  const Accelerator& accelerator = accelerator_of(machine);
  const double reached =
      teraflops_per_us * scales.matmul * accelerator.product_rate.share * sustained_share(accelerator);
  const double products = matrix_peak_tflops(machine, work) * reached;
  const double wide = wide_peak_tflops(machine, work) * reached;
  const double hbm = machine.hbm_gb_per_sec > 0 ? machine.hbm_gb_per_sec : accelerator.hbm_gb_per_sec;
  ComputeRates rates;
  rates.flops_per_us = products * stack.compute_efficiency_percent * percent;
  rates.wide_flops_per_us = wide * stack.compute_efficiency_percent * percent;
  rates.flash_flops_per_us = wide * stack.attention_efficiency_percent * percent;
  rates.grouped_share = stack.expert_efficiency_percent * percent;
  rates.hbm_bytes_per_us = hbm * gb_per_sec_in_bytes_per_us * constants::hbm_share * scales.hbm;
  rates.matrix_traffic_weight = constants::matrix_traffic_weight * scales.matrix_traffic;
  rates.launch_us = stack.host_us_per_kernel / scales.launch;
  return rates;
}

}  // namespace commcost
