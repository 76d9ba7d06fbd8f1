#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/parallel/layout.h"

namespace commcost {

/// What a stage does with a micro-batch in one chunk of layers.
enum class StageWork {
  forward,
  backward,         ///< with its weight gradients, unless these are delayed
  weight_gradient,  ///< delayed to fill the bubble
};
inline constexpr std::string_view stage_work_names[] = {"forward", "backward", "weight_gradient"};

/// How a pass is worked on.
enum class PassKind {
  alone,
  beside_next,  ///< both start when both have their inputs, and pass results on when both have ended
  put_off,      ///< a backward pass whose weight gradients come later
};

/// One pass of a stage.
struct StagePassOrder {
  StageWork work = StageWork::forward;
  std::int64_t micro_batch = 0;  ///< from 0; in DualPipe the second half goes the other way
  std::int64_t chunk = 0;  ///< of the stage's layers; in DualPipe the direction, 1 from the last stage on
  PassKind kind = PassKind::alone;
};

/// A pipeline whose passes are to be ordered.
struct PipelineShape {
  PipelineSchedule schedule = PipelineSchedule::one_f_one_b;
  std::int64_t stages = 1;
  std::int64_t chunks = 1;  ///< a stage: chunks_of_a_stage()
  std::int64_t micro_batches = 1;

  /// Whether passes come from both ends, or turn round in the middle: DualPipe and DualPipe-V.
  bool ends_meet() const {
    return stages > 1 && (schedule == PipelineSchedule::dualpipe || schedule == PipelineSchedule::dualpipe_v);
  }
  /// Chunks that a stage tells apart: those, or the two directions of DualPipe.
  std::int64_t lanes() const { return schedule == PipelineSchedule::dualpipe && stages > 1 ? 2 : chunks; }
};

/// A micro-batch's place on its path.
struct PipelinePlace {
  std::int64_t stage = 0;
  std::int64_t chunk = 0;
};
/// The place that a forward pass comes from, and the one that it goes on to; none at the ends.
std::optional<PipelinePlace> place_before(const PipelineShape& shape, const PipelinePlace& place);
std::optional<PipelinePlace> place_after(const PipelineShape& shape, const PipelinePlace& place);

/// The passes of a stage in the order in which its schedule works on them.
std::vector<StagePassOrder> passes_in_order(const PipelineShape& shape, std::int64_t stage);

/// How many passes all stages have.
double number_of_passes(const PipelineShape& shape);

}  // namespace commcost
