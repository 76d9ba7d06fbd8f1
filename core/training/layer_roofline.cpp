#include "core/training/layer_roofline.h"

#include "core/compute/matrix_peak.h"
#include "core/parallel/job_kernels.h"
#include "core/training/step_model.h"

namespace commcost {
namespace {

RooflineKernel place_of(Operation operation) {
  switch (operation) {
    case Operation::query_key_value:
      return RooflineKernel::query_key_value;
    case Operation::attention_core:
      return RooflineKernel::attention_core;
    case Operation::attention_output:
      return RooflineKernel::attention_output;
    case Operation::router:
      return RooflineKernel::router;
    case Operation::mlp_in:
      return RooflineKernel::mlp_in;
    case Operation::mlp_out:
      return RooflineKernel::mlp_out;
    default:
      return RooflineKernel::memory_bound;
  }
}

// The forward product of a layer that takes longest, experts' apart: each rank meets others of theirs.
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

std::vector<KernelPoint> roofline_points(const Kernels& kernels, const KernelPricer& rates) {
  std::array<KernelPoint, std::size(roofline_kernel_names)> points;
  for (const Kernel& kernel : kernels) {
    if (kernel.pass != KernelPass::forward) continue;
    KernelPoint& point = points[static_cast<std::size_t>(place_of(kernel.operation))];
    point.kernel = place_of(kernel.operation);
    point.flops += kernel.flops;
    point.hbm_bytes += kernel.bytes;
    point.time_us += rates.time_us(kernel);
  }
  std::vector<KernelPoint> found;
  for (const KernelPoint& point : points)
    if (point.time_us > 0) found.push_back(point);
  return found;
}

LayerRoofline layer_roofline(const Job& job) {
  LayerRoofline roofline;
  roofline.peak_tflops = matrix_peak_tflops(job.machine, job.work);
  roofline.hbm_gb_per_sec = job.machine.hbm_gb_per_sec;
  const Kernels kernels = layer_kernels(job, usual_layer(job.model));
  const StepModel model(job);
  roofline.kernels = roofline_points(kernels, model.rates());
  for (const KernelPoint& point : roofline.kernels) roofline.forward_us += point.time_us;
  if (const Kernel* longest = longest_product(kernels, model.rates()); longest != nullptr) {
    roofline.longest = place_of(longest->operation);
    roofline.traffic = traffic_of(*longest, job, roofline.peak_tflops);
  }
  return roofline;
}

}  // namespace commcost
