#include "core/plan/ranking.h"

#include <algorithm>

#include "core/base/units.h"
#include "core/plan/ties.h"

namespace commcost {
namespace {

constexpr std::size_t most_sample_values = 8192;

double ms(const LayoutCost& cost) {
  return cost.step_us * 1e-3;
}

double as_gib(const LayoutCost& cost) {
  return cost.bytes / gib;
}

// Whether a layout with that time may tie with one that leads a family, or lead it instead.
bool reaches(double time_ms, bool is_tight, const PlannedLayout& leader) {
  if (is_tight != leader.is_tight) return leader.is_tight;
  return time_ms <= leader.step_time_ms || are_a_tie(time_ms, leader.step_time_ms);
}

}  // namespace

// A family is listed as a layout that ties with its fastest, and only if that is among the fastest.
bool Ranking::may_be_listed(std::uint32_t division, double time_ms, bool tight) const {
  const Family& own = families_[division];
  if (!own.empty() && !reaches(time_ms, tight, own.front())) return false;
  return leaders_.size() < wanted_ || reaches(time_ms, tight, families_[leaders_.back()].front());
}

// Inserted after all that are as fast.
std::size_t Ranking::place_on_front(double time_ms) const {
  const auto behind =
      std::upper_bound(pareto_front_.begin(), pareto_front_.end(), time_ms,
                       [](double time, const OnFront& other) { return time < other.step_time_ms; });
  return static_cast<std::size_t>(behind - pareto_front_.begin());
}

bool Ranking::is_on_front(const LayoutCost& cost) const {
  if (!has_front_) return false;
  const std::size_t place = place_on_front(ms(cost));
  return place == 0 || pareto_front_[place - 1].memory_gib > as_gib(cost);
}

void Ranking::keep(const PlannedLayout& row) {
  if (has_front_) keep_on_front(row);
  if (may_be_listed(row.division, row.step_time_ms, row.is_tight)) keep_in_family(row);
}

void Ranking::keep_in_family(const PlannedLayout& row) {
  Family& family = families_[row.division];
  if (!family.empty() && family.front().is_tight && !row.is_tight) family.clear();
  const auto place = std::upper_bound(family.begin(), family.end(), row, comes_before);
  if (place != family.begin() && !is_simpler(row, *(place - 1))) return;
  // Drop slower layouts that this one is simpler than.
  const auto simpler = std::find_if(place, family.end(),
                                    [&row](const PlannedLayout& other) { return is_simpler(other, row); });
  const bool leads = place == family.begin();
  family.insert(family.erase(place, simpler), row);
  if (!leads) return;
  while (!are_a_tie(family.back().step_time_ms, row.step_time_ms)) family.pop_back();
  lead(row.division);
}

// Puts a family whose fastest layout is new among the fastest families.
void Ranking::lead(std::uint32_t division) {
  leaders_.erase(std::remove(leaders_.begin(), leaders_.end(), division), leaders_.end());
  const auto faster = [this](std::uint32_t one, std::uint32_t other) {
    return comes_before(families_[one].front(), families_[other].front());
  };
  leaders_.insert(std::upper_bound(leaders_.begin(), leaders_.end(), division, faster), division);
  if (leaders_.size() > wanted_) leaders_.pop_back();
}

std::vector<PlannedLayout> Ranking::best() const {
  if (fastest() == nullptr) return {};
  const auto ties = [this](const PlannedLayout& row) {
    return row.is_tight == fastest()->is_tight && are_a_tie(row.step_time_ms, fastest()->step_time_ms);
  };
  std::vector<PlannedLayout> listed;
  // Any family may tie with the fastest, even if it is not among the `wanted_` fastest itself.
  for (const Family& family : families_) {
    if (!family.empty() && ties(family.front()))
      listed.push_back(*std::find_if(family.rbegin(), family.rend(), ties));
  }
  std::sort(listed.begin(), listed.end(), is_simpler);
  for (const std::uint32_t division : leaders_) {
    if (!ties(families_[division].front())) listed.push_back(families_[division].back());
  }
  if (listed.size() > wanted_) listed.resize(wanted_);
  return listed;
}

std::vector<PlannedLayout> Ranking::pareto_front() const {
  std::vector<PlannedLayout> rows;
  rows.reserve(pareto_front_.size());
  for (const OnFront& one : pareto_front_) rows.push_back(*one.row);
  return rows;
}

void Ranking::keep_on_front(const PlannedLayout& row) {
  const auto behind = pareto_front_.begin() + static_cast<std::ptrdiff_t>(place_on_front(row.step_time_ms));
  if (behind == pareto_front_.begin() || (behind - 1)->memory_gib > row.memory_gib) {
    // Drops layouts that this one beats, and an equally fast and larger one before it.
    auto from = behind;
    while (from != pareto_front_.begin() && (from - 1)->step_time_ms == row.step_time_ms) --from;
    auto to = from;
    while (to != pareto_front_.end() && to->memory_gib >= row.memory_gib) ++to;
    pareto_front_.insert(pareto_front_.erase(from, to),
                         {row.step_time_ms, row.memory_gib, std::make_unique<PlannedLayout>(row)});
    return;
  }
  const OnFront& before = *(behind - 1);
  if (before.step_time_ms == row.step_time_ms && before.memory_gib == row.memory_gib &&
      comes_before(row, *before.row))
    *before.row = row;
}

void Ranking::keep_smallest(double bytes, const PlannedLayout& row) {
  if (bytes == smallest_bytes_ && !comes_before(row, smallest_)) return;
  smallest_bytes_ = bytes;
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
