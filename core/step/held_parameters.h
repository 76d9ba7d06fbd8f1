#pragma once

#include "core/parallel/stage.h"

namespace commcost {

/// Parameters that one GPU holds; experts apart, because fewer ranks hold the same ones.
struct StageParameters {
  double shared = 0;   ///< held by every data and context rank
  double experts = 0;  ///< of routed experts, held by 1/expert_parallel of them

  double total() const { return shared + experts; }
};

/// Those of a GPU of the stage.
StageParameters parameters_of(const StageShare& share, const Stage& stage);

/// Layers by stage: of every stage but the last, and of the last, which has the LM head.
struct StageLayers {
  double first = 0;
  double last = 0;
};
StageLayers stage_layers(const Setting& setting, const StageShare& share);

/// Parameters of the first and of the last stage; the same with one stage.
struct HeldParameters {
  StageParameters first;
  StageParameters last;
};
HeldParameters held_parameters(const Setting& setting, const StageShare& share);

}  // namespace commcost
