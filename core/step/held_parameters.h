#pragma once

#include "core/parallel/stage.h"

namespace commcost {

/// Parameters that one GPU holds; experts apart, because fewer ranks hold the same ones.
struct StageParameters {
  double shared = 0;   ///< held by every data and context rank
  double experts = 0;  ///< of routed experts, held by those of expert_data_ranks

  double total() const { return shared + experts; }
};

/// Those of a GPU of the stage.
StageParameters parameters_of(const StageShare& share, const Stage& stage);

/// Parameters of the first stage, of those between, and of the last; the same with one stage.
struct HeldParameters {
  StageParameters first;
  StageParameters inner;
  StageParameters last;
};
HeldParameters held_parameters(const Setting& setting, const StageShare& share);

}  // namespace commcost
