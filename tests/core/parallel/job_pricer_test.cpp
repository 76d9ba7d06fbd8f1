#include "core/parallel/job_pricer.h"

#include <gtest/gtest.h>

namespace commcost {
namespace {

Kernel product() {
  Kernel kernel;
  kernel.routine = Routine::product;
  kernel.precision = MatmulPrecision::bf16;
  kernel.gemm = {4096, 4096, 4096};
  kernel.flops = kernel.gemm.flops();
  kernel.bytes = 3 * 2 * 4096.0 * 4096;
  return kernel;
}

TEST(JobPricer, StacksHaveFactorsOnTheTimesOfKernels) {
  Job job;
  job.machine.accelerator = place_of_accelerator("a100-sxm-80gb");
  job.work.matmul_precision = MatmulPrecision::bf16;
  const KernelPricer usual = kernel_pricer(job);
  job.stack.gemm_time_scale = 3;
  EXPECT_DOUBLE_EQ(kernel_pricer(job).time_us(product()), 3 * usual.time_us(product()));
}

// Kernels of serving libraries differ; what trains calls none of them.
TEST(JobPricer, ServersHaveKernelsOfTheirLibrary) {
  Job job;
  job.machine.accelerator = place_of_accelerator("b200");
  job.work.matmul_precision = MatmulPrecision::bf16;
  for (const Mode mode : {Mode::training, Mode::prefill}) {
    job.work.mode = mode;
    job.stack.serving.kernel_library = KernelLibrary::any;
    const double usual_us = kernel_pricer(job).time_us(product());
    job.stack.serving.kernel_library = KernelLibrary::sglang;
    EXPECT_EQ(kernel_pricer(job).time_us(product()) == usual_us, mode == Mode::training);
  }
}

}  // namespace
}  // namespace commcost
