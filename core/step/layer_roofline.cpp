#include "core/step/layer_roofline.h"

#include "core/model/matrices.h"
#include "core/step/layer_kernels.h"
#include "core/step/step_model.h"

namespace commcost {
namespace {

constexpr double free_of_charge = 1e300;

// The step's own model counts: on a machine where a FLOP takes a microsecond and memory is free, times are
// FLOPs; on one where a byte does, they are bytes.
LayerKernels counted_kernels(const Setting& setting, LayerKind kind, double flops_per_us, double bytes_per_us,
                             const ComputeRates& rates) {
  Setting plain = setting;
  plain.pace.expert_efficiency_percent = 100;
  ComputeRates counting = rates;
  counting.flops_per_us = counting.wide_flops_per_us = counting.flash_flops_per_us = flops_per_us;
  counting.hbm_bytes_per_us = bytes_per_us;
  counting.matrix_traffic_weight = 1;
  return layer_kernels(plain, counting, kind);
}

// A fused core is priced by its FLOPs alone; it reads queries, keys and values once and writes its outputs.
double fused_core_bytes(const Setting& setting, LayerKind kind) {
  const auto& [shape, work, layout, pace] = setting;
  const AttentionWidths attention = layer_matrices(shape, kind, matrix_ranks(layout)).attention;
  const double elements = attention.all() + attention.heads * attention.value_head;
  return tokens(work) / static_cast<double>(layout.context_parallel) * elements *
         static_cast<double>(work.bytes_per_element);
}

}  // namespace

LayerRoofline layer_roofline(const Setting& setting, const Machine& machine) {
  const LayerKind kind = setting.shape.num_experts > 1 ? LayerKind::moe : LayerKind::dense;
  const StepModel model(machine, setting);
  const LayerKernels times = layer_kernels(setting, model.rates(), kind);
  const LayerKernels flops = counted_kernels(setting, kind, 1, free_of_charge, model.rates());
  LayerKernels bytes = counted_kernels(setting, kind, free_of_charge, 1, model.rates());
  if (bytes.core_forward_us < 1) bytes.core_forward_us = fused_core_bytes(setting, kind);

  LayerRoofline roofline;
  roofline.peak_tflops = matrix_peak_tflops(machine, setting.work);
  roofline.hbm_gb_per_sec = machine.hbm_gb_per_sec;
  const auto add = [&](RooflineKernel kernel, double LayerKernels::*part) {
    if (!(times.*part > 0)) return;
    const double multiplied = kernel == RooflineKernel::memory_bound ? 0 : flops.*part;
    roofline.kernels.push_back({kernel, multiplied, bytes.*part, times.*part});
    roofline.forward_us += times.*part;
  };
  add(RooflineKernel::query_key_value, &LayerKernels::query_key_value_us);
  add(RooflineKernel::attention_core, &LayerKernels::core_forward_us);
  add(RooflineKernel::attention_output, &LayerKernels::attention_output_us);
  add(RooflineKernel::router, &LayerKernels::router_us);
  add(RooflineKernel::mlp_in, &LayerKernels::mlp_in_us);
  add(RooflineKernel::mlp_out, &LayerKernels::mlp_out_us);
  add(RooflineKernel::memory_bound, &LayerKernels::bound_forward_us);
  return roofline;
}

}  // namespace commcost
