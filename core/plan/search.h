#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "core/base/fixed_list.h"
#include "core/base/units.h"
#include "core/plan/layer_prices.h"
#include "core/plan/ranking.h"
#include "core/plan/settings.h"

namespace commcost {

/// How much of the space was seen, in layouts. Once a search is done, compared + out_of_memory + dominated
/// are all of it.
struct SearchCounts {
  double layouts = 0;        ///< in the space: everything that can exist
  double evaluated = 0;      ///< whole steps computed, of layouts that fit or not
  double compared = 0;       ///< fit, and their steps were computed
  double out_of_memory = 0;  ///< do not fit, by their own memory or by the bound of their bundle
  double dominated = 0;  ///< skipped: by the bound of their bundle neither among the best nor on the front
  double bundles = 0;    ///< of layouts that share layer costs
  double bundles_done = 0;
};

/// The layouts of one family that fit, with their times and memory.
struct FamilyRange {
  double layouts = 0;
  double fastest_ms = 0;
  double slowest_ms = 0;
  double least_gib = 0;
  double most_gib = 0;
};

/// Prices for each combination of settings that searches over such inputs try; searches may share them.
using SharedPrices = std::vector<std::shared_ptr<LayerPrices>>;
SharedPrices shared_prices(const PlanInputs& inputs);

/// A search that runs in slices: advance() until done(), results at any time.
class LayoutSearch {
 public:
  /// `inputs` must have passed plan_problems().
  explicit LayoutSearch(const PlanInputs& inputs);
  /// The same with prices that other searches have made and may continue to use.
  LayoutSearch(const PlanInputs& inputs, SharedPrices prices);
  LayoutSearch(const LayoutSearch&) = delete;
  LayoutSearch& operator=(const LayoutSearch&) = delete;

  /// Evaluates about that many further layouts.
  void advance(std::int64_t evaluations);
  /// Evaluates all that are left.
  void finish();
  bool done() const { return next_ == order_.size(); }

  /// The best families of all that was evaluated until advance() returned, as Ranking lists them.
  const std::vector<PlannedLayout>& best() const { return best_; }
  /// The fastest layout, of those that leave the headroom if any does; null where none fits yet.
  const PlannedLayout* fastest() const { return ranking_.fastest(); }
  /// How many ways of dividing the GPUs are searched: families, numbered from 0.
  std::uint32_t divisions() const { return divisions_; }
  /// Time and memory of all layouts of a row's family, none skipped.
  FamilyRange range_of(const PlannedLayout& row);
  /// All layouts of a row's family that fit, none skipped, in the order of comes_before.
  std::vector<PlannedLayout> variants_of(const PlannedLayout& row);
  std::vector<PlannedLayout> pareto_front() const { return ranking_.pareto_front(); }
  const PlannedLayout& smallest() const { return ranking_.smallest(); }
  const std::vector<double>& sample() const { return ranking_.sampled(); }
  const SearchCounts& counts() const { return counts_; }
  /// Memory that a layout may take, GiB.
  double limit_gib() const { return limit_bytes_ / gib; }
  /// Memory that the smallest layout lacks, GiB; 0 if one fits, and until everything is searched.
  double deficit_gib() const;
  /// Of all layouts that may fit, the share evaluated or proven to lose: 0 to 1.
  double progress() const;

 private:
  // A bound on layouts, by how a schedule deals layers out.
  struct Bound {
    Dealing dealing;
    PipelineSchedule schedule;
  };
  // The cost of one ZeRO stage in addition to the passes.
  struct Update {
    UpdateTimes shared_tokens;  // with sequence parallelism
    UpdateTimes whole_tokens;   // without
  };
  // Layers dealt out to stages in one way.
  struct Deal {
    DistinctStages stages;
    std::vector<std::int64_t> zero_stages;  // to be tried; DualPipe's second copy is a replica too
    std::vector<StageStates> states;        // one for each of them
    StageStates least_states;               // the least of them at each place
  };
  // What replicas exchange and wait for: priced once a layout with this deal is looked at.
  struct Updates {
    WaitingRules waiting;
    std::vector<Update> by_zero_stage;
  };
  // Settings of the software, and what layers take with them.
  struct Software {
    Combination settings;
    PlanInputs inputs;  // with them
    std::shared_ptr<LayerPrices> prices;
  };
  // What layouts with the same degrees and settings share: a family, or part of one.
  struct Group {
    const Software* software;
    std::uint32_t combination;  // of settings: place of the software
    std::uint32_t division;     // of the GPUs: its family
    Degrees degrees;
    Job job;                                         // completed, with them
    std::vector<ScheduleChoice> schedules;           // that the stack runs with them
    std::uint32_t layer_degrees;                     // which of them a layer sees, as LayerPrices has them
    std::vector<Deal> deals;                         // those that its schedules need
    std::array<std::uint8_t, num_dealings> deal_at;  // which of them, by Dealing
    std::array<Updates, num_dealings> updates;       // by Dealing
    const Deal& deal(Dealing dealing) const { return deals[deal_at[static_cast<std::size_t>(dealing)]]; }
  };
  // The schedules that a number of micro-batches can fill.
  struct Filled {
    std::vector<ScheduleChoice> choices;
    FixedList<Bound, 3> bounds;  // of those that share one, one
    std::uint32_t variants = 0;  // with ZeRO stages
  };
  // Layouts that differ in ZeRO stage and schedule alone.
  struct Bundle {
    LayoutCost least;  // no layout of it takes less
    LayerChoice choice;
    std::uint32_t group;
    std::uint32_t variants;  // layouts in it
    auto place() const {
      return std::tie(group, choice.micro_batch, choice.sequence_parallel, choice.recompute);
    }
  };

  static std::vector<Software> all_software(const PlanInputs& inputs, SharedPrices prices);
  Group group_of(std::uint32_t combination, const Degrees& degrees, const Job& job,
                 std::vector<ScheduleChoice> schedules);
  std::deque<Group> all_groups();
  // The ways in which a layer may work with a group's degrees and settings.
  std::vector<LayerChoice> layer_choices(const Group& group) const;
  Deal deal_of(const Job& job) const;
  void add_bundles(std::uint32_t group);
  // The schedules of a group that this many micro-batches fill: filled_, which the next two functions read.
  const Filled& fill(const Group& group, std::int64_t micro_batches);
  // A lower bound on the time of a bundle's layouts, whose layers take that for each of so many sequences.
  double least_us(const Group& group, const DeviceTimes& times, double sequences, double micro_batches) const;
  // The same of memory, bytes.
  double least_bytes(const Group& group, const LayerMemory& memory, double sequences,
                     double micro_batches) const;
  bool cannot_matter(const Bundle& bundle) const;
  // Orders the next bundles in order_ by their bounds on time; false: there are none.
  bool order_next();
  const Updates& updates_of(Group& group, const ScheduleChoice& choice);
  void evaluate(const Bundle& bundle);
  // Passes `take` the cost of each layout of a bundle, and what makes its row.
  template <class Take>
  void price(const Bundle& bundle, const LayerPrice& layer, Job& job,
             const std::vector<ScheduleChoice>& choices, const Take& take);
  // Those of its schedules that deal layers alike.
  template <class Take>
  void price_alike(const Bundle& bundle, const LayerPrice& layer, Job& job,
                   std::span<const ScheduleChoice> choices, const Take& take);
  // The same for every layout of a family.
  template <class Take>
  void price_all(std::uint32_t division, const Take& take);
  PlannedLayout row(const Bundle& bundle, std::int64_t zero_stage, const ScheduleChoice& choice) const;

  PlanInputs inputs_;
  std::vector<Software> software_;
  double limit_bytes_;
  double roomy_bytes_;
  std::uint32_t divisions_ = 0;
  std::deque<Group> groups_;  // large, and never moved
  Ranking ranking_;
  std::vector<PlannedLayout> best_;
  std::vector<Bundle> order_;  // up to ordered_ by their bound on time, the others in no order
  std::vector<Bundle> out_of_memory_;
  std::size_t next_ = 0;
  std::size_t ordered_ = 0;
  Filled filled_;  // for the bundle at hand: its vector is allocated once
  SearchCounts counts_;
};

/// Everything wrong with a plan's inputs; a space without any layout is one.
Problems plan_problems(const PlanInputs& inputs);

}  // namespace commcost
