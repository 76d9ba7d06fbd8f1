#include "core/model/flops.h"

namespace commcost {
namespace {

// The whole micro-batch on one rank, of so many sequences.
RankShare unsplit(const Work& work, double sequences) {
  RankShare share;
  share.tokens = sequences * (work.mode == Mode::decode ? 1 : static_cast<double>(work.sequence_length));
  return share;
}

void add(StepFlops& sum, const StepFlops& one, double count) {
  for (double StepFlops::*part : {&StepFlops::forward, &StepFlops::backward, &StepFlops::recompute,
                                  &StepFlops::model, &StepFlops::hardware})
    sum.*part += count * (one.*part);
}

}  // namespace

LayerFlops layer_flops(const Kernels& kernels) {
  LayerFlops flops;
  for (const Kernel& kernel : kernels) {
    if (kernel.pass != KernelPass::forward) continue;
    (kernel.sublayer == Sublayer::mlp                  ? flops.mlp
     : kernel.operation == Operation::attention_core   ? flops.attention_core
     : kernel.operation == Operation::attention_output ? flops.attention_output
                                                       : flops.query_key_value) += kernel.model_flops;
  }
  return flops;
}

LayerFlops layer_flops(const ModelShape& shape, const Work& work, LayerKind kind) {
  return layer_flops(layer_kernels(shape, kind, work, unsplit(work, static_cast<double>(work.batch_size))));
}

StepFlops step_flops(const Kernels& kernels) {
  StepFlops flops;
  for (const Kernel& kernel : kernels) {
    (kernel.pass == KernelPass::forward ? flops.forward : flops.backward) += kernel.model_flops;
    const double again = kernel.recomputed * kernel.model_flops;
    flops.recompute += again;
    // arXiv:2205.05198, appendix A, counts a core that is selected three times.
    flops.hardware +=
        kernel.model_flops + (kernel.recomputed_by == RecomputedBy::attention_core ? 3 : 1) * again;
  }
  flops.model = flops.forward + flops.backward;
  return flops;
}

StepFlops step_flops(const ModelShape& shape, const Work& work, double sequences, double repeated_share) {
  const RankShare share = unsplit(work, sequences);
  const auto moe = static_cast<double>(expert_layers(shape));
  const double dense = static_cast<double>(shape.num_layers) - moe;
  StepFlops flops;
  const auto add_layers = [&](LayerKind kind, double count) {
    if (count > 0) add(flops, step_flops(layer_kernels(shape, kind, work, share)), count);
  };
  add_layers(LayerKind::dense, dense);
  add_layers(LayerKind::moe, moe);
  flops.hardware -= (1 - repeated_share) * flops.recompute;
  flops.recompute *= repeated_share;
  add(flops, step_flops(head_kernels(shape, work, share)), 1);
  return flops;
}

double utilization_percent(double flops, double time_ms, double num_gpus, double peak_tflops) {
  return 100 * flops / (time_ms * 1e-3 * num_gpus * peak_tflops * 1e12);
}

}  // namespace commcost
