#pragma once

#include "core/model/activations.h"
#include "core/model/model_state.h"
#include "core/parallel/pipeline.h"
#include "core/step/held_parameters.h"

namespace commcost {

/// Memory of the fullest GPU, bytes, by what it holds.
struct StepMemory {
  double weights = 0;
  double gradients = 0;
  double optimizer = 0;
  double activations = 0;  ///< kept for the backward pass, of all micro-batches in flight
  double logits = 0;       ///< logits, their fp32 copy and gradient, on the last stage
  double working = 0;      ///< what one layer needs while it is computed, and gathered ZeRO-3 weights

  double total() const { return weights + gradients + optimizer + activations + logits + working; }
};

/// What one micro-batch keeps in one layer and while computing, bytes per GPU. Depends on the layout only by
/// tensor, sequence and context parallelism.
struct LayerMemory {
  double kept = 0;     ///< until the backward pass
  double working = 0;  ///< while a layer is computed
  double logits = 0;   ///< of the LM head and the loss
};
LayerMemory layer_memory(const Setting& setting);

/// Weights, gradients and optimizer state of the first stage, of those between, and of the last. Depends on
/// the layout by all degrees but not on the micro-batch.
struct StageState {
  ModelState first;
  ModelState inner;
  ModelState last;
  double gathered = 0;  ///< ZeRO-3: weights of one layer at full size
};
StageState stage_state(const Setting& setting, const StageShare& share, const HeldParameters& held);

/// What a pipeline's stages hold at once.
struct PipelineHolds {
  double stages = 1;
  InFlight in_flight;
  bool logits_on_first = false;  ///< whether the first of several stages has the LM head: the ends meet
  bool logits_on_last = true;    ///< whether the last has it
};
PipelineHolds pipeline_holds(const Layout& layout, double micro_batches);

/// Memory of the fullest stage: the first holds the most activations, the last logits and loss, and those
/// between can have more layers than either. `working` is what a layer needs beyond the logits, which are
/// gone when one is at work again.
StepMemory step_memory(const LayerMemory& layer, const StageState& state, const StageLayers& layers,
                       const PipelineHolds& holds);
/// Its total, bytes; cheap: a search calls it for every layout.
double step_bytes(const LayerMemory& layer, const StageState& state, const StageLayers& layers,
                  const PipelineHolds& holds);

}  // namespace commcost
