#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/base/units.h"
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
  // Costs of a layer, by what they depend on.
  struct LayerCosts {
    LayerChoice choice;
    LayerTimes layers;
    EndTimes ends;
    LayerMemory memory;
  };
  // What one ZeRO stage costs beside the passes.
  struct Update {
    std::int64_t zero_stage;
    UpdateTimes shared_tokens;  // with sequence parallelism
    UpdateTimes whole_tokens;   // without
    StageStates states;
  };
  // Layers dealt out to stages in one way.
  struct Deal {
    DistinctStages stages;
    WaitingRules waiting;
    std::vector<Update> updates;  // one for each ZeRO stage
  };
  // What layouts with the same degrees share.
  struct Group {
    Degrees degrees;
    Job job;                                // completed, with them
    std::vector<ScheduleChoice> schedules;  // that the stack runs with them
    std::uint32_t layer_degrees;            // which of them a layer sees: a number for each combination
    std::array<Deal, num_dealings> deals;   // by Dealing; empty where no schedule needs it
    const Deal& deal(Dealing dealing) const { return deals[static_cast<std::size_t>(dealing)]; }
  };
  // Layouts that differ in ZeRO stage and schedule alone.
  struct Family {
    std::uint32_t group;
    std::uint32_t costs;
    LayoutCost least;     // no layout of it takes less
    double variants = 0;  // layouts in it
  };

  void prepare();
  Group group_of(const Degrees& degrees) const;
  Family family_of(std::uint32_t group, std::uint32_t costs, const std::vector<ScheduleChoice>& choices,
                   double micro_batches) const;
  void add_families(std::uint32_t group);
  void add_family(std::uint32_t group, const Job& job);
  Deal deal_of(const Job& job) const;
  void evaluate(const Family& family);
  // Those of its schedules that deal layers alike.
  void evaluate(const Family& family, Job& job, const Deal& deal, std::span<const ScheduleChoice> choices);
  PlannedLayout row(const Family& family, std::int64_t zero_stage, const ScheduleChoice& choice) const;

  PlanInputs inputs_;
  const Job base_;         // completed, on one GPU
  const StepModel model_;  // of base_; bound to each layout in turn
  double limit_bytes_;
  Ranking ranking_;
  std::vector<LayerCosts> costs_;
  std::vector<Group> groups_;
  std::unordered_map<std::uint64_t, std::uint32_t> known_costs_;  // by what they depend on, in costs_
  std::vector<Family> order_;                                     // by their bound on time
  std::vector<Family> out_of_memory_;                             // by their bound on memory
  std::size_t next_ = 0;
  SearchCounts counts_;
};

/// Everything wrong with a plan's inputs; a space without any layout is one.
Problems plan_problems(const PlanInputs& inputs);

}  // namespace commcost
