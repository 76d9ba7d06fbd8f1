#include "core/parallel/job_pricer.h"

namespace commcost {

KernelRates kernel_rates(const Job& job, const MachineScales& scales) {
  const auto& [shape, work, layout, stack, machine] = job;
  const double slower = time_scale(job);
  // Tables are for serving libraries; training stacks call cuBLAS, cuDNN and the like.
  return {{.accelerator = machine.accelerator,
           .hbm_gb_per_sec = machine.hbm_gb_per_sec,
           .peak_tflops = machine.peak_tflops},
          {.bytes_per_element = work.bytes_per_element,
           .weight_bytes_per_element = work.weight_bytes_per_element,
           .kv_bytes_per_element = work.kv_bytes_per_element,
           .matmul_precision = work.matmul_precision,
           .fp8_scaling = work.fp8_scaling,
           .mode = work.mode},
          {.gemm_time_scale = stack.gemm_time_scale * slower,
           .grouped_gemm_time_scale = stack.grouped_gemm_time_scale * slower,
           .attention_time_scale = stack.attention_time_scale * slower,
           .elementwise_time_scale = stack.elementwise_time_scale * slower,
           .flash_attention_2 = stack.flash_attention_2,
           .library = work.mode == Mode::training ? KernelLibrary::any : stack.serving.kernel_library},
          {.matmul = scales.matmul, .hbm = scales.hbm, .power = scales.power}};
}

KernelPricer kernel_pricer(const Job& job, const MachineScales& scales) {
  const KernelRates rates = kernel_rates(job, scales);
  return {rates.machine, rates.work, rates.habits, rates.scales};
}

}  // namespace commcost
