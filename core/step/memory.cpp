#include "core/step/memory.h"

#include <algorithm>

#include "core/model/recomputation.h"
#include "core/parallel/ranks.h"

namespace commcost {
namespace {

ModelState state_of(const StageParameters& held, const Work& work, const Layout& layout) {
  // Gradients that are added up whole are held whole, as under ZeRO-1.
  const std::int64_t stage = layout.zero_stage == 2 && !keeps_gradient_shards(layout) ? 1 : layout.zero_stage;
  const ModelState shared = model_state(held.shared, work, stage, data_groups(layout).shards.size);
  const ModelState experts = model_state(held.experts, work, stage, expert_data_groups(layout).shards.size);
  return {shared.weights + experts.weights, shared.gradients + experts.gradients,
          shared.optimizer + experts.optimizer};
}

ActivationSplit activation_split(const Layout& layout) {
  return {matrix_ranks(layout), layout.sequence_parallel, static_cast<double>(layout.context_parallel),
          routes_own_tokens(layout)};
}

// What a layer's matrices need for its backward pass.
double kept_bytes(const Setting& setting, Recompute recompute, LayerKind kind) {
  const auto& [shape, work, layout, pace] = setting;
  Work as = work;
  as.recompute = recompute;
  return layer_activations(shape, as, activation_split(layout), kind).total();
}

// What it keeps besides, as copies.
double copied_bytes(const Setting& setting, LayerKind kind) {
  const auto& [shape, work, layout, pace] = setting;
  const ActivationSplit split = activation_split(layout);
  const LayerMatrices layer = layer_matrices(shape, kind, split.ranks);
  double width = 0;
  // Gathered inputs of the column-parallel matrices, unless the backward pass gathers them again, as it does
  // not for experts.
  for (const Matrix& matrix : layer) {
    const bool routed = matrix.owner == MatrixOwner::routed_expert;
    if (matrix.split != MatrixSplit::column || (layout.regather_input && !routed)) continue;
    width += matrix.inputs * matrix.passes() * (1 - (routed ? split.brought() : split.between()));
  }
  // Rotary positions make copies of queries and keys; learned positions do not.
  if (shape.gated_mlp && !recomputes(work, &Work::recompute_elementwise)) width += layer.attention.rotated;
  return static_cast<double>(work.bytes_per_element) * tokens(work) /
         static_cast<double>(layout.context_parallel) * width;
}

// Hands on what each of the stages holds that may hold most.
template <class Visit>
inline void for_each_stage(const LayerMemory& layer, const StageState& state, const StageLayers& layers,
                           const PipelineHolds& holds, const Visit& visit) {
  // The loss is done with its logits before any layer is at work on the way back.
  const auto stage = [&](const ModelState& model, double kept_layers, double logits) {
    visit(StepMemory{model.weights, model.gradients, model.optimizer, kept_layers * layer.kept, logits,
                     std::max(0.0, layer.working - logits) + state.gathered});
  };
  const InFlight& in_flight = holds.in_flight;
  stage(state.last, layers.last * in_flight.last, holds.logits_on_last ? layer.logits : 0);
  if (holds.stages <= 1) return;
  stage(state.first, layers.first * in_flight.first, holds.logits_on_first ? layer.logits : 0);
  const bool as_the_first = !holds.logits_on_first && layers.inner <= layers.first;
  if (holds.stages > 2 && !as_the_first) stage(state.inner, layers.inner * in_flight.inner, 0);
}

}  // namespace

LayerMemory layer_memory(const Setting& setting) {
  const auto& [shape, work, layout, pace] = setting;
  const auto mean = [&shape = setting.shape](const auto& of) {
    return over_layers(shape, of) / static_cast<double>(shape.num_layers);
  };
  LayerMemory memory;
  memory.working = mean([&](LayerKind kind) { return kept_bytes(setting, Recompute::none, kind); });
  const auto ranks = static_cast<double>(layout.tensor_parallel);
  memory.kept = mean([&](LayerKind kind) {
    const double kept = kept_bytes(setting, setting.work.recompute, kind);
    return setting.work.recompute == Recompute::full ? kept : kept + copied_bytes(setting, kind);
  });
  memory.logits = tokens(work) * head_matrix(shape, ranks).outputs * pace.held_bytes_per_logit /
                  static_cast<double>(layout.context_parallel);
  return memory;
}

StageState stage_state(const Setting& setting, const StageShare& share, const HeldParameters& held) {
  StageState state;
  state.first = state_of(held.first, setting.work, setting.layout);
  state.inner = state_of(held.inner, setting.work, setting.layout);
  state.last = state_of(held.last, setting.work, setting.layout);
  if (setting.layout.zero_stage >= 3) {
    const double layer = share.expert_layers > 0 ? share.expert_layer + share.experts : share.layer;
    state.gathered = layer * static_cast<double>(setting.work.bytes_per_element);
  }
  return state;
}

PipelineHolds pipeline_holds(const Layout& layout, double micro_batches) {
  const bool meet = ends_meet(layout);
  return {static_cast<double>(layout.pipeline_parallel), micro_batches_in_flight(layout, micro_batches), meet,
          !meet || held_copies(layout) > 1};
}

StepMemory step_memory(const LayerMemory& layer, const StageState& state, const StageLayers& layers,
                       const PipelineHolds& holds) {
  StepMemory fullest;
  for_each_stage(layer, state, layers, holds, [&fullest](const StepMemory& stage) {
    if (stage.total() > fullest.total()) fullest = stage;
  });
  return fullest;
}

double step_bytes(const LayerMemory& layer, const StageState& state, const StageLayers& layers,
                  const PipelineHolds& holds) {
  double most = 0;
  for_each_stage(layer, state, layers, holds,
                 [&most](const StepMemory& stage) { most = std::max(most, stage.total()); });
  return most;
}

}  // namespace commcost
