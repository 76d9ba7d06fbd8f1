#pragma once

#include <array>

#include "core/parallel/communications.h"
#include "core/parallel/stage.h"

namespace commcost {

/// What a step is made of, whatever its times: its distinct stages, what these hold, and what is sent.
struct StepLists {
  /// Of a completed job without problems.
  explicit StepLists(const Job& job);

  DistinctStages stages;
  Communications of_layers;                                      ///< what layers send
  Communications of_ends;                                        ///< what the ends of the model send
  Communications of_boundaries;                                  ///< what stages send to their neighbours
  std::array<Holdings, DistinctStages::capacity> held;           ///< by each of the stages
  std::array<Communications, DistinctStages::capacity> updates;  ///< what each sends for the update
};

}  // namespace commcost
