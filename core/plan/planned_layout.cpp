#include "core/plan/planned_layout.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace commcost {
namespace {

auto plainness(const PlannedLayout& row) {
  const Layout& layout = row.job.layout;
  const Work& work = row.job.work;
  return std::array<std::int64_t, 11>{layout.tensor_parallel,
                                      layout.pipeline_parallel,
                                      layout.context_parallel,
                                      layout.expert_parallel,
                                      layout.expert_tensor_parallel,
                                      layout.zero_stage,
                                      static_cast<std::int64_t>(layout.pipeline_schedule),
                                      layout.virtual_stages,
                                      work.batch_size,
                                      static_cast<std::int64_t>(work.recompute),
                                      layout.sequence_parallel};
}

// Number of ways in which a replica is divided: replicas themselves add none.
int dimensions(const Layout& layout) {
  int count = expert_tensor_degree(layout) != layout.tensor_parallel ? 1 : 0;
  for (const std::int64_t degree :
       {layout.tensor_parallel, layout.context_parallel, layout.expert_parallel, layout.pipeline_parallel})
    count += degree > 1 ? 1 : 0;
  return count;
}

// ZeRO stages beyond sharding the optimizer, which every stack can do at no cost.
std::int64_t sharded_beyond_optimizer(const Layout& layout) {
  return std::max<std::int64_t>(0, layout.zero_stage - 1);
}

// How demanding a pipeline is to run: one chunk a stage in turn, several, then schedules that split the
// backward pass, or feed the pipeline from both ends.
int demands(PipelineSchedule schedule) {
  switch (schedule) {
    case PipelineSchedule::one_f_one_b:
    case PipelineSchedule::gpipe:
      return 0;
    case PipelineSchedule::interleaved:
      return 1;
    case PipelineSchedule::zero_bubble:
    case PipelineSchedule::zero_bubble_2p:
      return 2;
    case PipelineSchedule::dualpipe:
    case PipelineSchedule::dualpipe_v:
      return 3;
  }
  return 0;
}

}  // namespace

bool comes_before(const PlannedLayout& one, const PlannedLayout& other) {
  if (one.is_tight != other.is_tight) return other.is_tight;
  if (one.step_time_ms != other.step_time_ms) return one.step_time_ms < other.step_time_ms;
  if (one.memory_gib != other.memory_gib) return one.memory_gib < other.memory_gib;
  const auto own = [](const PlannedLayout& row) { return std::pair(plainness(row), row.combination); };
  return own(one) < own(other);
}

bool is_simpler(const PlannedLayout& one, const PlannedLayout& other) {
  const auto effort = [](const PlannedLayout& row) {
    const Layout& layout = row.job.layout;
    return std::tuple(dimensions(layout), demands(layout.pipeline_schedule), layout.virtual_stages,
                      sharded_beyond_optimizer(layout), row.changes, row.memory_gib, row.step_time_ms,
                      plainness(row), row.combination);
  };
  return effort(one) < effort(other);
}

}  // namespace commcost
