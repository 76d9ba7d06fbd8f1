#include "core/compute/roofline.h"

#include <algorithm>
#include <array>

#include "core/compute/matrix_peak.h"

namespace commcost {

RooflineKernel roofline_kernel(Operation operation) {
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

std::vector<KernelPoint> roofline_points(const Kernels& kernels, const KernelPricer& rates) {
  std::array<KernelPoint, std::size(roofline_kernel_names)> points;
  std::array<double, std::size(roofline_kernel_names)> longest_us{};
  for (const Kernel& kernel : kernels) {
    if (kernel.pass != KernelPass::forward) continue;
    const RooflineKernel place = roofline_kernel(kernel.operation);
    const KernelPrice price = rates.price(kernel);
    KernelPoint& point = points[static_cast<std::size_t>(place)];
    point.kernel = place;
    point.flops += kernel.flops;
    point.hbm_bytes += kernel.bytes;
    point.time_us += price.time_us;
    point.low_us += price.low_us;
    point.high_us += price.high_us;
    point.basis = std::max(point.basis, price.basis);
    double& longest = longest_us[static_cast<std::size_t>(place)];
    if (price.time_us > longest) point.limit = price.limit;
    longest = std::max(longest, price.time_us);
  }
  std::vector<KernelPoint> found;
  for (const KernelPoint& point : points)
    if (point.time_us > 0) found.push_back(point);
  return found;
}

Roofline roofline_of(const Kernels& kernels, const KernelPricer& rates, const Machine& machine,
                     const Work& work) {
  Roofline roofline{.kernels = roofline_points(kernels, rates),
                    .product_format = product_format(work),
                    .peak_tflops = matrix_peak_tflops(machine, work),
                    .hbm_gb_per_sec = machine.hbm_gb_per_sec};
  for (const KernelPoint& point : roofline.kernels) roofline.forward_us += point.time_us;
  return roofline;
}

}  // namespace commcost
