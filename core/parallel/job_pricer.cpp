#include "core/parallel/job_pricer.h"

namespace commcost {

KernelPricer kernel_pricer(const Job& job, const MachineScales& scales) {
  const auto& [shape, work, layout, stack, machine] = job;
  // Tables are of serving libraries; what trains calls cuBLAS, cuDNN and their like.
  return {machine,
          work,
          {.gemm_time_scale = stack.gemm_time_scale * stack.time_scale,
           .grouped_gemm_time_scale = stack.grouped_gemm_time_scale * stack.time_scale,
           .attention_time_scale = stack.attention_time_scale * stack.time_scale,
           .elementwise_time_scale = stack.elementwise_time_scale * stack.time_scale,
           .flash_attention_2 = stack.flash_attention_2,
           .library = work.mode == Mode::training ? KernelLibrary::any : stack.serving.kernel_library},
          scales};
}

}  // namespace commcost
