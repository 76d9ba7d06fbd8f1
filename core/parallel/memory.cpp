#include "core/parallel/memory.h"

#include <algorithm>

#include "core/model/activations.h"
#include "core/model/recomputation.h"

namespace commcost {
namespace {

ActivationSplit activation_split(const Layout& layout) {
  return {matrix_ranks(layout), layout.sequence_parallel, static_cast<double>(layout.context_parallel),
          routes_own_tokens(layout)};
}

// What a layer's matrices need for its backward pass.
double kept_bytes(const Job& job, Recompute recompute, const ActivationSplit& split,
                  const LayerMatrices& layer) {
  Work as = job.work;
  as.recompute = recompute;
  return layer_activations(job.model, as, split, layer).total();
}

// What it keeps besides, as copies.
double copied_bytes(const Job& job, const ActivationSplit& split, const LayerMatrices& layer) {
  const auto& [shape, work, layout, stack, machine] = job;
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

// Hands on what a GPU of each distinct stage holds.
template <class Visit>
inline void for_each_stage(const LayerMemory& layer, const StageStates& states, const DistinctStages& stages,
                           const InFlight& in_flight, const Visit& visit) {
  for (std::size_t at = 0; at < stages.size(); ++at) {
    const Stage& stage = stages[at];
    const auto& [model, gathered] = states[at];
    const double held = at == 0 ? in_flight.first : at + 1 < stages.size() ? in_flight.inner : in_flight.last;
    const double logits = stage.is_last ? layer.logits : 0;
    // The loss is done with its logits before any layer is at work on the way back.
    visit(stage,
          StepMemory{model.weights, model.gradients, model.optimizer, held * stage.layers() * layer.kept,
                     logits, std::max(0.0, layer.working - logits) + gathered});
  }
}

}  // namespace

LayerMemory layer_memory(const Job& job) {
  const auto& [shape, work, layout, stack, machine] = job;
  const bool training = work.mode == Mode::training;
  const ActivationSplit split = activation_split(layout);
  LayerMemory memory;
  const auto add = [&](LayerKind kind, double layers) {
    if (layers <= 0) return;
    const LayerMatrices layer = layer_matrices(job.model, kind, split.ranks);
    const double share = layers / static_cast<double>(job.model.num_layers);
    const double all = kept_bytes(job, Recompute::none, split, layer);
    memory.working += share * all;
    if (!training) return;
    const Recompute recompute = job.work.recompute;
    const double kept = recompute == Recompute::none ? all : kept_bytes(job, recompute, split, layer);
    const double copied = recomputes_all(job.work) ? 0 : copied_bytes(job, split, layer);
    memory.kept += share * (kept + copied);
  };
  const auto moe = static_cast<double>(expert_layers(shape));
  add(LayerKind::dense, static_cast<double>(shape.num_layers) - moe);
  add(LayerKind::moe, moe);
  if (!training) return memory;
  const auto ranks = static_cast<double>(layout.tensor_parallel);
  memory.logits = tokens(work) * head_matrix(shape, ranks).outputs * stack.held_bytes_per_logit /
                  static_cast<double>(layout.context_parallel);
  return memory;
}

StageStates stage_states(const Job& job, const StageShare& share, const DistinctStages& stages) {
  StageStates states;
  for (std::size_t at = 0; at < stages.size(); ++at) {
    const Holdings holdings = holdings_of(job, share, stages[at]);
    states[at] = {
        model_state(holdings, job.work, job.layout),
        gathered_parameters(holdings, job.layout) * bytes_per_parameter(job.work, StateKind::weights)};
  }
  return states;
}

FullestGpu fullest_gpu(const LayerMemory& layer, const StageStates& states, const DistinctStages& stages,
                       const InFlight& in_flight) {
  FullestGpu fullest;
  for_each_stage(layer, states, stages, in_flight, [&fullest](const Stage& stage, const StepMemory& memory) {
    if (memory.total() > fullest.memory.total()) fullest = {stage, memory};
  });
  return fullest;
}

FullestGpu fullest_gpu(const Job& job) {
  const StageShare share = stage_share(job);
  const DistinctStages stages = distinct_stages(job, share);
  const auto count = static_cast<double>(micro_batches(job.work, job.layout));
  return fullest_gpu(layer_memory(job), stage_states(job, share, stages), stages,
                     micro_batches_in_flight(job.layout, count));
}

double step_bytes(const LayerMemory& layer, const StageStates& states, const DistinctStages& stages,
                  const InFlight& in_flight) {
  double most = 0;
  for_each_stage(layer, states, stages, in_flight,
                 [&most](const Stage&, const StepMemory& memory) { most = std::max(most, memory.total()); });
  return most;
}

}  // namespace commcost
