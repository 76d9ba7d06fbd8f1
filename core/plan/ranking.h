#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/plan/planned_layout.h"

namespace commcost {

/// A layout's cost before it is known whether the layout is kept.
struct LayoutCost {
  double step_us = 0;
  double bytes = 0;
};

/// Which of millions of layouts are worth keeping. Layouts that divide the GPUs alike are a family.
class Ranking {
 public:
  /// Keeps the `wanted` best families out of that many divisions, with layouts that take at most
  /// `limit_bytes`; those of more than `roomy_bytes` are tight. With a Pareto front or without.
  Ranking(std::size_t wanted, std::size_t divisions, double limit_bytes, double roomy_bytes,
          bool has_front = true)
      : wanted_(wanted),
        limit_bytes_(limit_bytes),
        roomy_bytes_(roomy_bytes),
        has_front_(has_front),
        families_(divisions) {}

  /// Keeps a layout of a division, `row()`, if it is worth it. Returns whether it fits.
  template <class Row>
  bool consider(std::uint32_t division, const LayoutCost& cost, const Row& row) {
    if (smallest_bytes_ == 0 || cost.bytes <= smallest_bytes_) keep_smallest(cost.bytes, row());
    if (cost.bytes > limit_bytes_) return false;
    sample(cost);
    if (is_worth_it(division, cost)) keep(row());
    return true;
  }

  /// Whether no layout of a division with at least this time and memory is worth keeping.
  bool cannot_matter(std::uint32_t division, const LayoutCost& least) const {
    return !is_worth_it(division, least);
  }

  /// The best families, each as its simplest layout among those that tie with its fastest: first those that
  /// tie with the fastest of all, the simplest first, then the others by their fastest; families that leave
  /// the headroom before those that do not.
  std::vector<PlannedLayout> best() const;
  /// The fastest layout that fits, among those with headroom if there are any; null if none fits.
  const PlannedLayout* fastest() const {
    return leaders_.empty() ? nullptr : &families_[leaders_.front()].front();
  }
  /// Layouts that none beats in both time and memory, fastest first.
  std::vector<PlannedLayout> pareto_front() const;
  /// The layout that needs least memory, whether it fits or not; the fastest of equals.
  const PlannedLayout& smallest() const { return smallest_; }
  /// Its memory, bytes; 0 if there is none yet.
  double smallest_bytes() const { return smallest_bytes_; }
  /// A sample of all that fit: pairs of time (ms) and memory (GiB).
  const std::vector<double>& sampled() const { return sample_; }

 private:
  // The layouts of a family of which none is both faster and simpler than another, fastest first, all within
  // a tie of the first.
  using Family = std::vector<PlannedLayout>;
  // What decides whether a layout gets on the front is kept close together: nearly every layout asks.
  struct OnFront {
    double step_time_ms;
    double memory_gib;
    std::unique_ptr<PlannedLayout> row;
  };

  bool is_tight(double bytes) const { return bytes > roomy_bytes_; }
  bool may_be_listed(std::uint32_t division, double time_ms, bool tight) const;
  bool is_on_front(const LayoutCost& cost) const;
  bool is_worth_it(std::uint32_t division, const LayoutCost& cost) const {
    return may_be_listed(division, cost.step_us * 1e-3, is_tight(cost.bytes)) || is_on_front(cost);
  }
  std::size_t place_on_front(double time_ms) const;
  void keep(const PlannedLayout& row);
  void keep_smallest(double bytes, const PlannedLayout& row);
  void keep_on_front(const PlannedLayout& row);
  void keep_in_family(const PlannedLayout& row);
  void lead(std::uint32_t division);
  void sample(const LayoutCost& cost);

  std::size_t wanted_;
  double limit_bytes_;
  double roomy_bytes_;
  bool has_front_;
  std::vector<Family> families_;        // by division
  std::vector<std::uint32_t> leaders_;  // divisions of the `wanted_` fastest families, the fastest first
  std::vector<OnFront> pareto_front_;
  PlannedLayout smallest_;
  double smallest_bytes_ = 0;
  std::vector<double> sample_;
  std::int64_t sample_stride_ = 1;
  std::int64_t sample_skipped_ = 0;
};

}  // namespace commcost
