#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/units.h"
#include "core/plan/layer_prices.h"
#include "core/plan/ranking.h"

namespace commcost {

/// How much of the space was seen, in layouts. Once a search is done, compared + out_of_memory + dominated
/// are all.
struct SearchCounts {
  double layouts = 0;        ///< in the space: everything that can exist
  double evaluated = 0;      ///< whole steps computed, of layouts that fit or not
  double compared = 0;       ///< fit, and their steps were computed
  double out_of_memory = 0;  ///< do not fit, by themselves or by the bound of their family
  double dominated = 0;  ///< skipped: by the bound of their family neither among the best nor on the front
  double families = 0;   ///< groups of layouts that share layer costs
  double families_done = 0;
};

/// A search that runs in slices: advance() until done(), results at any time.
class LayoutSearch {
 public:
  /// `inputs` must have passed plan_problems().
  explicit LayoutSearch(const PlanInputs& inputs);
  /// The same by prices that other searches have made, and may go on with.
  LayoutSearch(const PlanInputs& inputs, std::shared_ptr<LayerPrices> prices);
  LayoutSearch(const LayoutSearch&) = delete;
  LayoutSearch& operator=(const LayoutSearch&) = delete;

  /// Evaluates about that many layouts more.
  void advance(std::int64_t evaluations);
  /// Evaluates all that are left.
  void finish();
  bool done() const { return next_ == order_.size(); }

  /// What is worth keeping of all that was evaluated so far.
  const std::vector<PlannedLayout>& best() const { return ranking_.best(); }
  const std::vector<PlannedLayout>& pareto_front() const { return ranking_.pareto_front(); }
  const PlannedLayout& smallest() const { return ranking_.smallest(); }
  const std::vector<double>& sample() const { return ranking_.sampled(); }
  const SearchCounts& counts() const { return counts_; }
  /// Memory that a layout may take, GiB.
  double limit_gib() const { return limit_bytes_ / gib; }
  /// Memory that the smallest layout lacks, GiB; 0 where one fits, and until everything is searched.
  double deficit_gib() const;
  /// Of all layouts that may fit, how many are evaluated or proven to lose: 0 to 1.
  double progress() const;

 private:
  // What one ZeRO stage costs beside the passes.
  struct Update {
    UpdateTimes shared_tokens;  // with sequence parallelism
    UpdateTimes whole_tokens;   // without
  };
  // Layers dealt out to stages in one way.
  struct Deal {
    DistinctStages stages;
    std::vector<StageStates> states;  // one for each ZeRO stage
    StageStates least_states;         // the least of them at each place
  };
  // What replicas exchange and wait for: priced once a layout that deals layers out so is looked at.
  struct Updates {
    WaitingRules waiting;
    std::vector<Update> by_zero_stage;
  };
  // What layouts with the same degrees share.
  struct Group {
    Degrees degrees;
    Job job;                                // completed, with them
    std::vector<ScheduleChoice> schedules;  // that the stack runs with them
    std::vector<std::int64_t> zero_stages;  // that may be tried
    std::uint32_t layer_degrees;            // which of them a layer sees, as LayerPrices has them
    std::array<Deal, num_dealings> deals;   // by Dealing; empty where no schedule needs it
    std::array<Updates, num_dealings> updates;
    const Deal& deal(Dealing dealing) const { return deals[static_cast<std::size_t>(dealing)]; }
  };
  // Layouts that differ in ZeRO stage and schedule alone.
  struct Family {
    LayoutCost least;  // no layout of it takes less
    LayerChoice choice;
    std::uint32_t group;
    std::uint32_t variants;  // layouts in it
  };

  Group group_of(const Degrees& degrees);
  Deal deal_of(const Group& group, const Job& job) const;
  void add_families(std::uint32_t group);
  // No layout of a family takes less, whose layers take that for each of so many sequences.
  LayoutCost least_of(const Group& group, const std::vector<ScheduleChoice>& choices, const LayerPrice& price,
                      double sequences, double micro_batches) const;
  const Updates& updates_of(Group& group, const ScheduleChoice& choice);
  void evaluate(const Family& family);
  // Those of its schedules that deal layers alike.
  void evaluate(const Family& family, const LayerPrice& price, Job& job,
                std::span<const ScheduleChoice> choices);
  PlannedLayout row(const Family& family, std::int64_t zero_stage, const ScheduleChoice& choice) const;

  PlanInputs inputs_;
  std::shared_ptr<LayerPrices> prices_;
  double limit_bytes_;
  Ranking ranking_;
  std::vector<Group> groups_;
  std::vector<Family> order_;          // by their bound on time
  std::vector<Family> out_of_memory_;  // by their bound on memory
  std::size_t next_ = 0;
  SearchCounts counts_;
};

/// Everything wrong with a plan's inputs; a space without any layout is one.
Problems plan_problems(const PlanInputs& inputs);

}  // namespace commcost
