#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/plan/space.h"

namespace commcost {

/// One layout with what it takes: a row of a plan.
struct PlannedLayout {
  Job job;  ///< as training_step takes it
  StepParts parts;
  double step_time_ms = 0;
  double memory_gib = 0;
  bool is_tight = false;  ///< whether it leaves less memory than the headroom that is wanted
};

/// What a layout costs, before it is known whether it is kept.
struct LayoutCost {
  double step_us = 0;
  double bytes = 0;
};

/// Which layouts are worth keeping of millions.
class Ranking {
 public:
  /// Keeps the `wanted` quickest of those that take at most `limit_bytes`; those of more than `roomy_bytes`
  /// are tight.
  Ranking(std::size_t wanted, double limit_bytes, double roomy_bytes)
      : wanted_(wanted), limit_bytes_(limit_bytes), roomy_bytes_(roomy_bytes) {}

  /// Keeps a layout if it is worth it: then `row` gives its job and parts. Whether it fits.
  template <class Row>
  bool consider(const LayoutCost& cost, const Row& row) {
    if (smallest_bytes_ == 0 || cost.bytes <= smallest_bytes_) keep_smallest(cost, row());
    if (cost.bytes > limit_bytes_) return false;
    sample(cost);
    if (is_among_best(cost) || is_on_front(cost)) keep(cost, row());
    return true;
  }

  /// Whether nothing that takes as long and as much as that, or more, is worth keeping.
  bool cannot_matter(const LayoutCost& least) const;

  /// The quickest layouts that fit, quickest first, those that leave the headroom before those that do not.
  const std::vector<PlannedLayout>& best() const { return best_; }
  /// Layouts that none beats in both time and memory, quickest first.
  const std::vector<PlannedLayout>& pareto_front() const { return pareto_front_; }
  /// The layout that needs least memory, whether it fits or not; of equals the quickest.
  const PlannedLayout& smallest() const { return smallest_; }
  /// Its memory, bytes; 0 where there is none yet.
  double smallest_bytes() const { return smallest_bytes_; }
  /// A sample of all that fit: pairs of time (ms) and memory (GiB).
  const std::vector<double>& sampled() const { return sample_; }

 private:
  bool is_tight(double bytes) const { return bytes > roomy_bytes_; }
  bool is_among_best(const LayoutCost& cost) const;
  bool is_on_front(const LayoutCost& cost) const;
  std::size_t place_on_front(double time_ms) const;
  void keep(const LayoutCost& cost, PlannedLayout row);
  void keep_smallest(const LayoutCost& cost, PlannedLayout row);
  void keep_on_front(const PlannedLayout& row);
  void sample(const LayoutCost& cost);

  std::size_t wanted_;
  double limit_bytes_;
  double roomy_bytes_;
  std::vector<PlannedLayout> best_;
  std::vector<PlannedLayout> pareto_front_;
  PlannedLayout smallest_;
  double smallest_bytes_ = 0;
  std::vector<double> sample_;
  std::int64_t sample_stride_ = 1;
  std::int64_t sample_skipped_ = 0;
};

}  // namespace commcost
