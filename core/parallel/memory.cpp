#include "core/parallel/memory.h"

#include <algorithm>

#include "core/model/recomputation.h"

namespace commcost {
namespace {

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
          StepMemory{model.weights, model.gradients, model.optimizer, layer.kept_on_gpu(stage, held), logits,
                     stage.layers() * layer.cache, std::max(0.0, layer.working - logits) + gathered,
                     model.host + held * stage.offloaded_share * layer.kept_by(stage)});
  }
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

StageMemories stage_memories(const LayerMemory& layer, const StageStates& states,
                             const DistinctStages& stages, const InFlight& in_flight) {
  StageMemories memories;
  for_each_stage(layer, states, stages, in_flight, [&memories](const Stage& stage, const StepMemory& memory) {
    memories.add({stage, memory});
  });
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

double step_bytes(const LayerMemory& layer, const StageStates& states, const DistinctStages& stages,
                  const InFlight& in_flight) {
  double most = 0;
  for_each_stage(layer, states, stages, in_flight,
                 [&most](const Stage&, const StepMemory& memory) { most = std::max(most, memory.total()); });
  return most;
}

}  // namespace commcost
