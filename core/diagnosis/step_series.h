#pragma once

#include <span>

namespace commcost {

/// What the step times of a run show by themselves. All in ms; parts are of the mean step.
struct StepSeries {
  double steps = 0;          ///< all but the first, which includes start-up
  double mean_ms = 0;        ///< of these
  double usual_ms = 0;       ///< a step that neither starts, nor stalls, nor has drifted
  double low_ms = 0;         ///< a tenth of the counted steps is faster
  double high_ms = 0;        ///< a tenth is slower
  double first_ms = 0;       ///< the first step
  double warm_up_steps = 0;  ///< slow steps at the start, not counting the first
  double warm_up_ms = 0;     ///< their cost for the mean step
  double stalled_steps = 0;  ///< that took half as long again as usual, or longer
  double stall_every = 0;    ///< steps from one to the next if these are regular; 0: they are not
  double stalls_ms = 0;      ///< their cost for the mean step
  double longest_stall = 0;  ///< place of the longest, from 1, among all steps; 0: none
  double longest_stall_ms = 0;
  double drift_percent = 0;  ///< how much slower the last third is than the first; 0: by no more than chance
  double drift_ms = 0;       ///< its cost for the mean step
};

/// Of the times of all steps in their order, ms, > 0; all zeros for none.
StepSeries step_series(std::span<const double> times_ms);

}  // namespace commcost
