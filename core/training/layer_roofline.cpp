#include "core/training/layer_roofline.h"

#include "core/parallel/job_kernels.h"
#include "core/training/step_model.h"

namespace commcost {
namespace {

// The longest forward product of a layer, apart from experts, of which each rank has different ones.
const Kernel* longest_product(const Kernels& kernels, const KernelPricer& rates) {
  const Kernel* longest = nullptr;
  for (const Kernel& kernel : kernels) {
    if (kernel.routine != Routine::product || kernel.pass != KernelPass::forward) continue;
    if (longest == nullptr || rates.time_us(kernel) > rates.time_us(*longest)) longest = &kernel;
  }
  return longest;
}

ProductTraffic traffic_of(const Kernel& kernel, const Job& job, double peak) {
  const auto kept = static_cast<double>(job.work.bytes_per_element);
  const double narrow = operand_bytes(kernel.precision);
  const double operand = narrow > 0 ? narrow : kept;
  const GemmCall call{.m = kernel.gemm.rows,
                      .n = kernel.gemm.columns,
                      .k = kernel.gemm.inner,
                      .input_bytes = operand,
                      .weight_bytes = operand,
                      .output_bytes = kept};
  return product_traffic(call, kernel.gemm.batch, product_format(job.work), KernelLibrary::any,
                         accelerator_of(job.machine),
                         {.tflops = peak,
                          .hbm_gb_per_sec = job.machine.hbm_gb_per_sec,
                          .host_gb_per_sec = job.machine.host_gb_per_sec,
                          .file_gb_per_sec = job.machine.file_gb_per_sec});
}

}  // namespace

LayerRoofline layer_roofline(const Job& job) {
  const Kernels kernels = layer_kernels(job, usual_layer(job.model));
  const StepModel model(job);
  LayerRoofline roofline;
  static_cast<Roofline&>(roofline) = roofline_of(kernels, model.rates(), job.machine, job.work);
  if (const Kernel* longest = longest_product(kernels, model.rates()); longest != nullptr) {
    roofline.longest = roofline_kernel(longest->operation);
    roofline.traffic = traffic_of(*longest, job, roofline.peak_tflops);
  }
  return roofline;
}

}  // namespace commcost
