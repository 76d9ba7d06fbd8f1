#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/fixed_list.h"
#include "core/parallel/stage_share.h"

namespace commcost {

/// A stage's place in the line.
enum class StagePlace : std::uint8_t { only, first, inner, last };
inline constexpr std::string_view stage_place_names[] = {"only", "first", "inner", "last"};

/// A stage of a pipeline: its layers, and whether it is at an end.
struct Stage {
  double dense_layers = 0;  ///< that a micro-batch passes through, the mean over all
  double moe_layers = 0;    ///< layers with routed experts, likewise
  bool is_first = true;     ///< whether it has the embedding
  bool is_last = true;      ///< whether it has the LM head and the loss
  bool turns = false;       ///< whether DualPipe-V's path turns here, so that no stage comes after it
  double copies = 1;  ///< how many times it holds its layers, each copy for its share of the micro-batches
  StagePlace place = StagePlace::only;
  double repeated_share = 1;   ///< share of the layers that full recomputation repeats
  double offloaded_share = 0;  ///< share of the layers whose activations wait in host memory

  double layers() const { return dense_layers + moe_layers; }
};

/// The stages of a pipeline that differ: the only one, or the first, an inner one where its layers are not
/// those of the first, and the last.
using DistinctStages = FixedList<Stage, 3>;

/// The stage of a completed job at place `at` in the line, from 0: as even as whole layers allow, or by work
/// with the LM head (Layout::balanced_stages), with fewer on the last stage, or with the layout's own numbers
/// for the ends. Dense layers come first. A stage of DualPipe is the mean of the two that it holds, one of
/// DualPipe-V two pieces of the path.
Stage stage_at(const Job& job, const StageShare& share, std::int64_t at);

/// The inner stage of more than two that has most layers with experts.
std::int64_t inner_stage(const Layout& layout);

/// The share of the model's layers that full recomputation repeats, 0 to 1.
double repeated_share(const Job& job, const StageShare& share);

/// Those of them that differ; of the inner stages, the one with most experts.
DistinctStages distinct_stages(const Job& job, const StageShare& share);

}  // namespace commcost
