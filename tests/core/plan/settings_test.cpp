// A search that decides settings of the software finds what searches of every combination of their values
// find, each by itself.

#include "core/plan/settings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/model/catalog.h"
#include "core/parallel/recipes.h"
#include "core/parallel/stacks.h"
#include "core/plan/alternatives.h"
#include "support/plans.h"
#include "support/random_inputs.h"

namespace commcost {
namespace {

using test::plan_of;

constexpr test::Training settled_trainings[] = {
    {"llama-3.1-8b", 16, 16}, {"mixtral-8x7b", 8, 16}, {"llama-2-7b", 8, 8}};
constexpr std::string_view settled_stacks[] = {"megatron-core", "megatron-lm", "torchtitan", "deepspeed",
                                               "maxtext",       "hai-llm",     "fsdp"};
constexpr std::string_view settled_accelerators[] = {"h100-sxm", "b200", "a100-sxm-80gb"};

std::uint32_t bit_of(std::string_view name) {
  const auto at = std::find(std::begin(setting_names), std::end(setting_names), name);
  return std::uint32_t{1} << (at - std::begin(setting_names));
}

// Every value that an input takes, whether it means something else than another or not.
std::vector<std::int64_t> all_values(std::string_view name) {
  if (name == "matmul_precision") return {0, 1, 2, 3, 4, 5};
  if (name == "gradient_bytes_per_element") return {0, 2, 4};
  if (name == "expert_exchange") return {0, 1, 2, 3};
  if (name == "context_scheme") return {0, 1, 2};
  // Every model here has 32 layers.
  if (name == "recomputed_layers") return {0, 1, 2, 4, 8, 16};
  if (name == "offloaded_layers") return {0, 1, 2, 4, 8, 16, 31};
  if (name == "offloaded_optimizer_percent") return {0, 50, 100};
  return {0, 1};
}

// Searches of every combination, none of which decides a setting itself.
std::vector<PlanInputs> each_by_itself(const PlanInputs& inputs) {
  std::vector<PlanInputs> all{inputs};
  all.front().searched_settings = 0;
  for (std::size_t at = 0; at < std::size(setting_names); ++at) {
    if ((inputs.searched_settings >> at & 1) == 0) continue;
    const Setting& setting = all_settings()[at];
    std::vector<PlanInputs> more;
    for (const PlanInputs& one : all) {
      for (const std::int64_t value : all_values(setting.name)) {
        PlanInputs other = one;
        setting.put(other.job, value);
        const bool own = value == setting.of(inputs.job);
        if (own || can_switch(other.job, setting.name)) more.push_back(other);
      }
    }
    all = more;
  }
  std::erase_if(all, [](const PlanInputs& one) { return !plan_problems(one).empty(); });
  return all;
}

// What a layout costs, that it may be found whichever settings it has.
using Cost = std::pair<double, double>;
Cost cost_of(const PlannedLayout& row) {
  return {row.step_time_ms, row.memory_gib};
}

std::vector<Cost> costs_of(const std::vector<PlannedLayout>& rows) {
  std::vector<Cost> costs;
  for (const PlannedLayout& row : rows) costs.push_back(cost_of(row));
  return costs;
}

auto division_of(const Job& job) {
  const Layout& layout = job.layout;
  return std::array{layout.tensor_parallel, layout.context_parallel,  layout.expert_parallel,
                    layout.data_parallel,   layout.pipeline_parallel, layout.expert_tensor_parallel};
}

// Of all combinations: the fastest, which none beats in time and memory, and each family's limits.
struct Found {
  std::vector<Cost> front;
  std::pair<bool, double> fastest{true, 0};
  std::map<std::array<std::int64_t, 6>, Cost> least;

  explicit Found(const std::vector<PlanInputs>& searches) {
    for (const PlanInputs& inputs : searches) {
      LayoutSearch search(inputs);
      search.finish();
      for (const PlannedLayout& row : search.pareto_front()) front.push_back(cost_of(row));
      if (const PlannedLayout* own = search.fastest()) {
        const std::pair<bool, double> this_one{own->is_tight, own->step_time_ms};
        fastest = fastest.second == 0 ? this_one : std::min(fastest, this_one);
      }
      add_families(search);
    }
    std::sort(front.begin(), front.end());
    std::vector<Cost> kept;
    for (const Cost& cost : front)
      if (kept.empty() || cost.second < kept.back().second) kept.push_back(cost);
    front = kept;
  }

  void add_families(LayoutSearch& search) {
    PlannedLayout of;
    for (of.division = 0; of.division < search.divisions(); ++of.division) {
      for (const PlannedLayout& row : search.variants_of(of)) {
        const auto [place, fresh] = least.try_emplace(division_of(row.job), cost_of(row));
        place->second.first = std::min(place->second.first, row.step_time_ms);
        place->second.second = std::min(place->second.second, row.memory_gib);
      }
    }
  }
};

TEST(Settings, AreSearchedAsEachCombinationByItself) {
  test::Random random(281);
  int changed = 0;
  for (int draw = 0; draw < 60;) {
    PlanInputs inputs = plan_of(random.one_of(settled_trainings), random.one_of(settled_accelerators),
                                random.one_of(settled_stacks));
    if (random.one_in(4)) inputs.allowed.tensor_parallel.pinned = 4;
    if (random.one_in(5)) inputs.allowed.recompute.pinned = static_cast<double>(Recompute::selective);
    for (std::size_t at = 0; at < std::size(setting_names); ++at)
      if (random.one_in(5)) inputs.searched_settings |= std::uint32_t{1} << at;
    if (!plan_problems(inputs).empty()) continue;
    SCOPED_TRACE(++draw);
    SCOPED_TRACE(inputs.searched_settings);
    const std::vector<PlanInputs> searches = each_by_itself(inputs);
    if (searches.size() > 100) continue;
    const Found expected(searches);
    LayoutSearch search(inputs);
    search.finish();
    EXPECT_EQ(costs_of(search.pareto_front()), expected.front);
    ASSERT_EQ(search.fastest() == nullptr, expected.front.empty());
    if (search.fastest() == nullptr) continue;
    EXPECT_EQ(std::pair(search.fastest()->is_tight, search.fastest()->step_time_ms), expected.fastest);
    std::size_t families = 0;
    PlannedLayout of;
    for (of.division = 0; of.division < search.divisions(); ++of.division) {
      const std::vector<PlannedLayout> variants = search.variants_of(of);
      const FamilyRange range = search.range_of(of);
      ASSERT_EQ(static_cast<double>(variants.size()), range.layouts);
      if (variants.empty()) continue;
      ++families;
      const auto least = expected.least.find(division_of(variants.front().job));
      ASSERT_NE(least, expected.least.end());
      EXPECT_EQ(Cost(range.fastest_ms, range.least_gib), least->second);
    }
    EXPECT_EQ(families, expected.least.size());
    for (const PlannedLayout& row : search.best()) {
      changed += row.changes > 0 ? 1 : 0;
      EXPECT_EQ(broken_ability(completed(row.job)), nullptr);
      const Outcome<TrainingStep> step = training_step({row.job});
      ASSERT_TRUE(step) << step.problems().front().message;
      EXPECT_NEAR(step->step_time_ms, row.step_time_ms, 1e-9 * row.step_time_ms);
      EXPECT_NEAR(step->memory_gib, row.memory_gib, 1e-9 * row.memory_gib);
    }
  }
  EXPECT_GE(changed, 20);
}

// Each setting changes some step where it is said to matter, and none where it is said not to.
TEST(Settings, MatterWhereTheyAreSaidTo) {
  test::Random random(282);
  std::map<std::string_view, int> felt;
  for (int draw = 0; draw < 400; ++draw) {
    PlanInputs inputs = plan_of(random.one_of(settled_trainings), "b200", "other");
    inputs.job.stack.recipe = -1;
    for (std::size_t at = 0; at < std::size(setting_names); ++at)
      if (random.one_in(3)) all_settings()[at].put(inputs.job, all_values(setting_names[at]).back());
    LayoutSearch search(inputs);
    const std::vector<Degrees> degrees = all_degrees(inputs);
    Job job = job_of(inputs, degrees[random.below(degrees.size())]);
    const std::vector<LayerChoice> choices = all_layer_choices(inputs, completed(job));
    choices[random.below(choices.size())].apply(job);
    job.layout.zero_stage = static_cast<std::int64_t>(random.below(4));
    const Outcome<TrainingStep> own = training_step({job});
    if (!own) continue;
    for (const Setting& setting : all_settings()) {
      const bool matters = setting.matters(completed(job));
      for (const std::int64_t value : setting.others(job)) {
        Job other = job;
        setting.put(other, value);
        const Outcome<TrainingStep> step = training_step({other});
        if (!step) continue;
        const bool same = step->step_time_ms == own->step_time_ms && step->memory_gib == own->memory_gib;
        EXPECT_TRUE(matters || same) << setting.name << ' ' << draw;
        felt[setting.name] += matters && !same ? 1 : 0;
      }
    }
  }
  for (const std::string_view name : setting_names)
    EXPECT_GT(felt[name], name == "recompute_latent_projections" ? -1 : 0) << name;
}

std::vector<std::string> reasons(const PlanInputs& inputs) {
  std::vector<std::string> all;
  for (const SearchedSetting& one : searched_settings(inputs))
    all.push_back(std::string(setting_names[one.place]) + ' ' + std::to_string(one.values.size()) + ' ' +
                  one.reason);
  return all;
}
using Reasons = std::vector<std::string>;

TEST(Settings, SayWhyNothingElseIsTried) {
  PlanInputs inputs = plan_of(settled_trainings[0], "a100-sxm-80gb", "megatron-core");
  inputs.searched_settings = bit_of("matmul_precision") | bit_of("expert_exchange") | bit_of("cuda_graphs");
  EXPECT_EQ(reasons(inputs),
            (Reasons{"matmul_precision 1 A100 SXM 80 GB has no other",
                     "expert_exchange 1 changes no layout of this model within the pins", "cuda_graphs 2 "}));
  inputs = plan_of(settled_trainings[1], "b200", "megatron-2021");
  inputs.searched_settings = bit_of("matmul_precision") | bit_of("gradient_bytes_per_element");
  EXPECT_EQ(reasons(inputs), (Reasons{"matmul_precision 1 Megatron-LM of 2021 has no other",
                                      "gradient_bytes_per_element 1 Megatron-LM of 2021 has no other"}));
  inputs = plan_of(settled_trainings[0], "b200", "megatron-core");
  inputs.searched_settings = bit_of("overlap_tensor") | bit_of("matmul_precision");
  inputs.allowed.tensor_parallel.pinned = 1;
  EXPECT_EQ(reasons(inputs), (Reasons{"matmul_precision 4 ",
                                      "overlap_tensor 1 changes no layout of this model within the pins"}));
}

TEST(Settings, OfTooManyCombinationsAreRefusedWithWhatToLeaveOut) {
  PlanInputs inputs = plan_of(settled_trainings[1], "b200", "megatron-core");
  inputs.searched_settings = (std::uint32_t{1} << std::size(setting_names)) - 1;
  const Problems problems = plan_problems(inputs);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems.front().field, "searched_settings");
  EXPECT_EQ(
      problems.front().message,
      "searched_settings must leave at most 64 combinations of values to try; these have 2322432: leave out "
      "offloaded_layers, recomputed_layers, matmul_precision, expert_exchange, context_scheme, "
      "offloaded_optimizer_percent, gradient_bytes_per_element, overlap_tensor and overlap_tensor_forward");
  inputs.searched_settings &=
      ~(bit_of("offloaded_layers") | bit_of("recomputed_layers") | bit_of("offloaded_optimizer_percent") |
        bit_of("matmul_precision") | bit_of("expert_exchange") | bit_of("context_scheme") |
        bit_of("gradient_bytes_per_element") | bit_of("overlap_tensor") | bit_of("overlap_tensor_forward"));
  EXPECT_TRUE(plan_problems(inputs).empty());
}

// Among layouts that tie the one that runs the software as it is comes first.
TEST(Settings, StayAsTheyAreWhereNothingIsGained) {
  PlanInputs inputs = plan_of({"llama-3.1-70b", 64, 256}, "h100-sxm", "megatron-core");
  inputs.searched_settings = bit_of("cuda_graphs");
  LayoutSearch search(inputs);
  search.finish();
  ASSERT_FALSE(search.best().empty());
  EXPECT_EQ(search.best().front().changes, 0u);
  inputs.searched_settings = bit_of("matmul_precision");
  LayoutSearch narrower(inputs);
  narrower.finish();
  EXPECT_EQ(narrower.best().front().job.work.matmul_precision, MatmulPrecision::fp8);
  EXPECT_EQ(narrower.best().front().changes, 1u);
}

// The winner with one setting otherwise: what a step of it takes.
TEST(Settings, AreDecisionsWithAlternatives) {
  PlanInputs inputs = plan_of({"mixtral-8x7b", 16, 32}, "h100-sxm", "megatron-core");
  inputs.searched_settings = bit_of("matmul_precision") | bit_of("overlap_data");
  LayoutSearch search(inputs);
  search.finish();
  ASSERT_FALSE(search.best().empty());
  const PlannedLayout& best = search.best().front();
  int otherwise = 0;
  for (const Alternative& one : alternatives(inputs, best, search.limit_gib())) {
    if (one.decision < Decision::first_setting) continue;
    const auto place =
        static_cast<std::size_t>(one.decision) - static_cast<std::size_t>(Decision::first_setting);
    const Setting& setting = all_settings()[place];
    EXPECT_EQ(decision_names[static_cast<std::size_t>(one.decision)], setting.name);
    Job job = best.job;
    EXPECT_NE(setting.of(job), static_cast<std::int64_t>(one.value));
    setting.put(job, static_cast<std::int64_t>(one.value));
    EXPECT_NEAR(one.step_time_ms, training_step({job})->step_time_ms, 1e-9 * one.step_time_ms);
    ++otherwise;
  }
  EXPECT_GE(otherwise, 2);
}

// DeepSpeed has neither FP8 nor a choice of dispatchers: both are decisions with their time, and never
// chosen.
TEST(Settings, ThatTheStackLacksAreAlternativesWithTheReason) {
  PlanInputs inputs = plan_of({"mixtral-8x7b", 16, 32}, "h100-sxm", "deepspeed");
  inputs.searched_settings = bit_of("matmul_precision") | bit_of("expert_exchange") | bit_of("cuda_graphs");
  inputs.allowed.expert_parallel.pinned = 8;
  LayoutSearch search(inputs);
  search.finish();
  ASSERT_FALSE(search.best().empty());
  const PlannedLayout& best = search.best().front();
  std::map<std::string_view, int> lacked;
  for (const Alternative& one : alternatives(inputs, best, search.limit_gib())) {
    if (one.decision < Decision::first_setting) continue;
    EXPECT_FALSE(one.stack_rule.empty());
    EXPECT_GT(one.step_time_ms, 0);
    ++lacked[one.stack_rule];
  }
  EXPECT_EQ(lacked["multiplies in BF16, FP16 or the precision of its weights"], 1);
  EXPECT_EQ(lacked["sends tokens by all-to-all"], 3);
  EXPECT_EQ(lacked["has no such setting"], 1);
  EXPECT_EQ(best.changes, 0u);
}

}  // namespace
}  // namespace commcost
