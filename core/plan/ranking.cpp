#include "core/plan/ranking.h"

#include <algorithm>
#include <array>

#include "core/base/units.h"

namespace commcost {
namespace {

constexpr std::size_t most_sample_values = 8192;

double ms(const LayoutCost& cost) {
  return cost.step_us * 1e-3;
}

double as_gib(const LayoutCost& cost) {
  return cost.bytes / gib;
}

// Which of two layouts comes first: the one that leaves headroom, then the quicker, of equals the smaller,
// then the plainer. An order without ties, so that the result does not depend on the order of the search.
bool comes_before(const PlannedLayout& one, const PlannedLayout& other) {
  if (one.is_tight != other.is_tight) return other.is_tight;
  if (one.step_time_ms != other.step_time_ms) return one.step_time_ms < other.step_time_ms;
  if (one.memory_gib != other.memory_gib) return one.memory_gib < other.memory_gib;
  const auto rank = [](const PlannedLayout& row) {
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
  };
  return rank(one) < rank(other);
}

}  // namespace

bool Ranking::is_among_best(const LayoutCost& cost) const {
  if (best_.size() < wanted_) return true;
  const PlannedLayout& worst = best_.back();
  return is_tight(cost.bytes) == worst.is_tight ? ms(cost) <= worst.step_time_ms : worst.is_tight;
}

// Behind all that are as quick.
std::size_t Ranking::place_on_front(double time_ms) const {
  const auto behind =
      std::upper_bound(pareto_front_.begin(), pareto_front_.end(), time_ms,
                       [](double time, const PlannedLayout& other) { return time < other.step_time_ms; });
  return static_cast<std::size_t>(behind - pareto_front_.begin());
}

bool Ranking::is_on_front(const LayoutCost& cost) const {
  const std::size_t place = place_on_front(ms(cost));
  return place == 0 || pareto_front_[place - 1].memory_gib > as_gib(cost);
}

bool Ranking::cannot_matter(const LayoutCost& least) const {
  if (is_among_best(least)) return false;
  // A layout of the Pareto front that is as quick and no larger outdoes all of them.
  const double least_ms = ms(least);
  const double least_gib = as_gib(least);
  for (const PlannedLayout& row : pareto_front_) {
    if (row.step_time_ms > least_ms) break;
    if (row.memory_gib <= least_gib) return true;
  }
  return false;
}

void Ranking::keep(const LayoutCost& cost, PlannedLayout row) {
  row.step_time_ms = ms(cost);
  row.memory_gib = as_gib(cost);
  row.is_tight = is_tight(cost.bytes);
  const bool among_best = is_among_best(cost);
  keep_on_front(row);
  if (!among_best) return;
  best_.insert(std::upper_bound(best_.begin(), best_.end(), row, comes_before), row);
  if (best_.size() > wanted_) best_.pop_back();
}

void Ranking::keep_on_front(const PlannedLayout& row) {
  const auto behind = pareto_front_.begin() + static_cast<std::ptrdiff_t>(place_on_front(row.step_time_ms));
  if (behind == pareto_front_.begin() || (behind - 1)->memory_gib > row.memory_gib) {
    // Whoever is as slow and as large is off; so is an equally quick and larger one before.
    auto from = behind;
    while (from != pareto_front_.begin() && (from - 1)->step_time_ms == row.step_time_ms) --from;
    auto to = from;
    while (to != pareto_front_.end() && to->memory_gib >= row.memory_gib) ++to;
    pareto_front_.insert(pareto_front_.erase(from, to), row);
    return;
  }
  PlannedLayout& before = *(behind - 1);
  if (before.step_time_ms == row.step_time_ms && before.memory_gib == row.memory_gib &&
      comes_before(row, before))
    before = row;
}

void Ranking::keep_smallest(const LayoutCost& cost, PlannedLayout row) {
  row.memory_gib = as_gib(cost);
  row.step_time_ms = ms(cost);
  if (cost.bytes == smallest_bytes_ && !comes_before(row, smallest_)) return;
  smallest_bytes_ = cost.bytes;
  smallest_ = row;
}

void Ranking::sample(const LayoutCost& cost) {
  if (++sample_skipped_ < sample_stride_) return;
  sample_skipped_ = 0;
  if (sample_.size() >= most_sample_values) {
    for (std::size_t i = 0; i < sample_.size() / 4; ++i) {
      sample_[2 * i] = sample_[4 * i];
      sample_[2 * i + 1] = sample_[4 * i + 1];
    }
    sample_.resize(sample_.size() / 2);
    sample_stride_ *= 2;
  }
  sample_.push_back(ms(cost));
  sample_.push_back(as_gib(cost));
}

}  // namespace commcost
