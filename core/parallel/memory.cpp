#include "core/parallel/memory.h"

#include <algorithm>

#include "core/model/recomputation.h"

namespace commcost {
namespace {

// Micro-batches in flight on the distinct stage `at`.
inline double held_by(const InFlight& in_flight, std::size_t at, std::size_t stages) {
  return at == 0 ? in_flight.first : at + 1 < stages ? in_flight.inner : in_flight.last;
}

}  // namespace

LayerMemory layer_memory(const Job& job) {
  return layer_memory(job, pass_holdings(job));
}

LayerMemory layer_memory(const Job& job, const PassHoldings& holdings) {
  const auto moe = static_cast<double>(expert_layers(job.model)) / static_cast<double>(job.model.num_layers);
  const auto share_of = [moe](AmongLayers layers) {
    return layers == AmongLayers::all ? 1 : layers == AmongLayers::moe ? moe : 1 - moe;
  };
  constexpr double LayerMemory::*members[] = {&LayerMemory::kept, &LayerMemory::logits, &LayerMemory::cache,
                                              &LayerMemory::working, &LayerMemory::whole};
  LayerMemory memory;
  for (const PassHolding& holding : holdings)
    memory.*members[static_cast<std::size_t>(holding.kind)] += share_of(holding.layers) * holding.bytes;
  memory.apart = repeats_some_layers(job.work);
  return memory;
}

StageStates stage_states(const Job& job, const StageShare& share, const DistinctStages& stages) {
  StageStates states;
  for (std::size_t at = 0; at < stages.size(); ++at) {
    const Holdings holdings = holdings_of(job, share, stages[at]);
    states[at] = {
        model_state(holdings, job.work, job.layout),
        gathered_parameters(holdings, job.layout) * static_cast<double>(job.work.bytes_per_element)};
  }
  return states;
}

StageNeeds stage_needs(const LayerMemory& layer, const DistinctStages& stages) {
  StageNeeds needs;
  for (const Stage& stage : stages) {
    const double logits = stage.is_last ? layer.logits : 0;
    // The loss is done with its logits before any layer's backward pass begins.
    needs.add({layer.kept_on_gpu(stage), logits, stage.layers() * layer.cache,
               std::max(0.0, layer.working - logits)});
  }
  return needs;
}

StageMemories stage_memories(const LayerMemory& layer, const StageStates& states,
                             const DistinctStages& stages, const InFlight& in_flight) {
  const StageNeeds needs = stage_needs(layer, stages);
  StageMemories memories;
  for (std::size_t at = 0; at < stages.size(); ++at) {
    const auto& [model, gathered] = states[at];
    const StageNeed& need = needs[at];
    const double held = held_by(in_flight, at, stages.size());
    memories.add({stages[at],
                  {model.weights, model.gradients, model.optimizer, need.activations.of(held), need.logits,
                   need.cache, need.working + gathered,
                   model.host + held * stages[at].offloaded_share * layer.kept_by(stages[at])}});
  }
  return memories;
}

StageMemories stage_memories(const Job& job) {
  const StageShare share = stage_share(job);
  const DistinctStages stages = distinct_stages(job, share);
  const auto count = static_cast<double>(micro_batches(job.work, job.layout));
  return stage_memories(layer_memory(job), stage_states(job, share, stages), stages,
                        micro_batches_in_flight(job.layout, count));
}

const StageMemory& fullest(const StageMemories& stages) {
  return *std::max_element(stages.begin(), stages.end(),
                           [](const StageMemory& one, const StageMemory& other) {
                             return one.memory.total() < other.memory.total();
                           });
}

double step_bytes(const StageNeeds& needs, const StageStates& states, const InFlight& in_flight) {
  double most = 0;
  for (std::size_t at = 0; at < needs.size(); ++at) {
    const auto& [model, gathered] = states[at];
    const StageNeed& need = needs[at];
    // In the order of StepMemory::total(), so that both give the same number.
    most = std::max(most, model.total() + need.activations.of(held_by(in_flight, at, needs.size())) +
                              need.logits + need.cache + (need.working + gathered));
  }
  return most;
}

}  // namespace commcost
