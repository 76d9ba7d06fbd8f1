#pragma once

#include "core/parallel/setting.h"
#include "core/step/pricing.h"

namespace commcost {

/// Layers by stage: as even as whole layers allow, what is short is short on the last stage.
struct StageLayers {
  double first = 0;  ///< of every stage but the last
  double last = 0;   ///< of the last stage, which has the LM head
};
StageLayers stage_layers(const Setting& setting, const StageShare& share);

/// Parameters that one GPU holds; experts apart, because fewer ranks hold the same ones.
struct StageParameters {
  double shared = 0;   ///< held by every data and context rank
  double experts = 0;  ///< of routed experts, held by 1/expert_parallel of them

  double total() const { return shared + experts; }
};

/// Those of the first and of the last stage; the same with one stage.
struct HeldParameters {
  StageParameters first;
  StageParameters last;

  /// The stage with more.
  const StageParameters& most() const { return first.total() >= last.total() ? first : last; }
};
HeldParameters held_parameters(const Setting& setting, const StageShare& share);

/// What replicas exchange, and the optimizer: once a step, or with ZeRO-3 for each micro-batch, us.
struct UpdateTime {
  double gradients_us = 0;        ///< gradients, once a step
  double weights_us = 0;          ///< weights after the update, once a step: ZeRO-1 and 2
  double per_micro_batch_us = 0;  ///< ZeRO-3: weights twice, gradients once
  double optimizer_us = 0;        ///< Adam over the parameters that this GPU updates
};

/// Depends on the layout by all degrees but not on work's batch_size, so that a search computes it once for
/// many micro-batches. Of first and last stage the one with more parameters counts.
UpdateTime update_time(const Setting& setting, const HeldParameters& held, const Machine& machine,
                       const ComputeRates& rates, const Pricing& pricing);

}  // namespace commcost
