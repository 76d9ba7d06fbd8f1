#include "core/step/memory.h"

#include <algorithm>

#include "core/step/constants.h"

namespace commcost {
namespace {

ModelState state_of(const StageParameters& held, const Work& work, const Layout& layout) {
  const auto replicas = static_cast<double>(layout.data_parallel * layout.context_parallel);
  const ModelState shared = model_state(held.shared, work, layout.zero_stage, replicas);
  const ModelState experts =
      model_state(held.experts, work, layout.zero_stage,
                  std::max(1.0, replicas / static_cast<double>(layout.expert_parallel)));
  return {shared.weights + experts.weights, shared.gradients + experts.gradients,
          shared.optimizer + experts.optimizer};
}

// Keys and values of a sequence_length-token cache, one layer.
double cache_bytes(const ModelShape& shape, const Work& work, const Layout& layout) {
  const auto tensor = static_cast<double>(layout.tensor_parallel);
  const double width = shape.kv_rank > 0
                           ? static_cast<double>(shape.kv_rank + shape.rope_head_size)
                           : 2 * std::max(1.0, static_cast<double>(shape.num_kv_heads) / tensor) *
                                 static_cast<double>(shape.head_size);
  return static_cast<double>(work.batch_size) * static_cast<double>(work.sequence_length) * width *
         static_cast<double>(work.bytes_per_element) / static_cast<double>(layout.context_parallel);
}

}  // namespace

LayerMemory layer_memory(const Setting& setting) {
  const auto& [shape, work, layout] = setting;
  const ActivationSplit split{static_cast<double>(layout.tensor_parallel), layout.sequence_parallel,
                              static_cast<double>(layout.context_parallel)};
  const double sparse = static_cast<double>(expert_layers(shape)) / static_cast<double>(shape.num_layers);
  const auto mean = [&setting, &split, sparse](const Work& as) {
    double bytes = layer_activations(setting.shape, as, split, has_experts(setting.shape)).total();
    if (sparse > 0 && sparse < 1) {
      bytes = sparse * bytes + (1 - sparse) * layer_activations(setting.shape, as, split, false).total();
    }
    return bytes;
  };
  LayerMemory memory;
  Work unsaved = work;
  unsaved.recompute = Recompute::none;
  if (work.mode != Mode::training) {
    memory.kept = cache_bytes(shape, work, layout);
    memory.working = mean(unsaved);
    return memory;
  }
  memory.kept = mean(work);
  if (work.recompute != Recompute::full) {
    const double local_tokens = tokens(work) / static_cast<double>(layout.context_parallel);
    const auto element = static_cast<double>(work.bytes_per_element);
    // Gathered inputs of the two column-parallel matrices, unless the backward pass gathers them again.
    if (layout.sequence_parallel && !layout.regather_input) {
      const double gathered = 1 - 1 / static_cast<double>(layout.tensor_parallel);
      memory.kept += 2 * element * local_tokens * static_cast<double>(shape.hidden_size) * gathered;
    }
    // Rotary positions make copies of queries and keys; learned positions do not.
    if (shape.gated_mlp) {
      memory.kept += element * local_tokens *
                     static_cast<double>((shape.num_heads + shape.num_kv_heads) * shape.head_size) /
                     static_cast<double>(layout.tensor_parallel);
    }
  }
  memory.working = mean(unsaved);
  memory.logits = tokens(work) * static_cast<double>(shape.vocab_size) * constants::bytes_kept_per_logit /
                  static_cast<double>(layout.tensor_parallel * layout.context_parallel);
  return memory;
}

StageState stage_state(const Setting& setting, const StageShare& share, const HeldParameters& held) {
  StageState state;
  state.first = state_of(held.first, setting.work, setting.layout);
  state.last = state_of(held.last, setting.work, setting.layout);
  if (setting.layout.zero_stage >= 3) {
    const double layer = share.expert_layers > 0 ? share.expert_layer + share.experts : share.layer;
    state.gathered = 2 * layer * static_cast<double>(setting.work.bytes_per_element);
  }
  return state;
}

StepMemory step_memory(const LayerMemory& layer, const StageState& state, const StageLayers& layers,
                       double stages, double in_flight) {
  const auto of = [&](const ModelState& model, double kept_layers, double logits) {
    return StepMemory{model.weights,   model.gradients,
                      model.optimizer, kept_layers * layer.kept,
                      logits,          layer.working + state.gathered};
  };
  const StepMemory last = of(state.last, layers.last * std::max(1.0, in_flight - stages + 1), layer.logits);
  if (stages <= 1) return last;
  const StepMemory first = of(state.first, layers.first * in_flight, 0);
  return first.total() > last.total() ? first : last;
}

}  // namespace commcost
