#pragma once

#include <algorithm>
#include <array>

#include "core/parallel/holdings.h"
#include "core/parallel/pipeline.h"

namespace commcost {

/// Memory of the fullest GPU, bytes, by what it holds.
struct StepMemory {
  double weights = 0;
  double gradients = 0;
  double optimizer = 0;
  double activations = 0;  ///< kept for the backward pass, of all micro-batches in flight
  double logits = 0;       ///< logits, their fp32 copy and gradient, on the last stage
  double cache = 0;        ///< keys and values of the batch that is served
  double working = 0;      ///< what one layer needs while it is computed, and gathered ZeRO-3 weights
  double host = 0;         ///< activations and optimizer state kept in host memory instead

  /// Of the GPU.
  double total() const { return weights + gradients + optimizer + activations + logits + cache + working; }
};

/// Activations that a stage keeps on its GPU.
struct KeptOnGpu {
  double bytes = 0;   ///< of each micro-batch in flight
  double stays = 1;   ///< share of them that does not go to the host
  double moving = 0;  ///< of one layer, on its way to the host or back

  double of(double held) const { return held * bytes * stays + moving; }
};

/// What one micro-batch keeps in one layer and while computing, bytes per GPU: sums over pass_holdings().
struct LayerMemory {
  double kept = 0;     ///< until the backward pass; nothing in inference
  double working = 0;  ///< while a layer is computed
  double logits = 0;   ///< of the LM head and the loss
  double cache = 0;    ///< in inference
  double whole = 0;    ///< as kept, in a layer that full recomputation leaves alone, where it does
  bool apart = false;  ///< whether such layers may exist

  /// What the layers of a stage keep.
  double kept_by(const Stage& stage) const {
    if (!apart) return stage.layers() * kept;
    return stage.layers() * (stage.repeated_share * kept + (1 - stage.repeated_share) * whole);
  }
  KeptOnGpu kept_on_gpu(const Stage& stage) const {
    const double moving = std::min(1.0, stage.offloaded_share * stage.layers()) * std::max(kept, whole);
    return {kept_by(stage), 1 - stage.offloaded_share, moving};
  }
};
LayerMemory layer_memory(const Job& job);
/// The same, given the `holdings`.
LayerMemory layer_memory(const Job& job, const PassHoldings& holdings);

/// What a GPU of each distinct stage keeps of the model, bytes. Depends on the layout by all degrees but not
/// on the micro-batch.
struct StageState {
  ModelState state;
  double gathered = 0;  ///< ZeRO-3: weights of one layer at full size
};
using StageStates = std::array<StageState, DistinctStages::capacity>;
StageStates stage_states(const Job& job, const StageShare& share, const DistinctStages& stages);

/// What a GPU of a stage keeps in addition to its state, bytes: the same in whatever order micro-batches run.
struct StageNeed {
  KeptOnGpu activations;
  double logits = 0;
  double cache = 0;
  double working = 0;  ///< of a layer, beyond the logits
};
using StageNeeds = FixedList<StageNeed, DistinctStages::capacity>;
/// Of each distinct stage.
StageNeeds stage_needs(const LayerMemory& layer, const DistinctStages& stages);

/// What a GPU of one stage holds.
struct StageMemory {
  Stage stage;
  StepMemory memory;  ///< `working` is what a layer needs beyond the logits, which are gone by then
};
using StageMemories = FixedList<StageMemory, DistinctStages::capacity>;
/// Of each distinct stage.
StageMemories stage_memories(const LayerMemory& layer, const StageStates& states,
                             const DistinctStages& stages, const InFlight& in_flight);
/// The same of a completed job without problems.
StageMemories stage_memories(const Job& job);

/// The GPU that holds most: the first stage holds the most activations, the last logits and loss, and those
/// between can have more layers, or more experts, than either.
const StageMemory& fullest(const StageMemories& stages);
/// The same of a completed job without problems.
inline StageMemory fullest_gpu(const Job& job) {
  return fullest(stage_memories(job));
}
/// Its total, bytes; cheap: a search calls it for every layout.
double step_bytes(const StageNeeds& needs, const StageStates& states, const InFlight& in_flight);

}  // namespace commcost
