#include "core/plan/search.h"
#include "core/parallel/layout_problems.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <ostream>
#include <set>
#include <sstream>

#include "core/base/units.h"
#include "core/base/value.h"
#include "core/launches/exported_launch.h"
#include "core/model/catalog.h"
#include "core/parallel/recipes.h"
#include "core/parallel/stacks.h"
#include "core/plan/rules_of_thumb.h"
#include "core/plan/settings.h"
#include "core/plan/ties.h"
#include "support/csv.h"
#include "support/plans.h"

namespace commcost {
namespace {

using test::expect_same;

struct SearchCase {
  const char* name;
  const char* model;
  std::int64_t cluster_gpus;
  std::int64_t batch;
  std::int64_t sequence;
  const char* accelerator;
  const char* recipe = "megatron-core";
};
void PrintTo(const SearchCase& one, std::ostream* out) {
  *out << one.name;
}

PlanInputs inputs_of(const SearchCase& one) {
  return test::plan_of({one.model, one.cluster_gpus, one.batch, one.sequence}, one.accelerator, one.recipe);
}

// A search that is done, in slices of so many layouts.
struct Finished : LayoutSearch {
  explicit Finished(const PlanInputs& inputs, std::int64_t slice = 1000000) : LayoutSearch(inputs) {
    while (!done()) advance(slice);
    advance(slice);
  }
};

// Every layout that fits, family by family.
std::vector<PlannedLayout> every_layout(LayoutSearch& search) {
  std::vector<PlannedLayout> all;
  PlannedLayout of;
  for (of.division = 0; of.division < search.divisions(); ++of.division)
    for (const PlannedLayout& row : search.variants_of(of)) all.push_back(row);
  return all;
}

class Search : public testing::TestWithParam<SearchCase> {};

// A sample of a large space is thinned out by pairs.
TEST(Plan, DrawsOnlyWhatALayoutTakes) {
  PlanInputs inputs = inputs_of({"", "llama-3.1-70b", 512, 512, 8192, "h100-sxm"});
  inputs.prune = false;
  const Finished search(inputs);
  const auto space = search.sample();
  ASSERT_GT(search.counts().compared, 8192);
  ASSERT_GT(space.size(), 2000u);
  const double least_ms = search.pareto_front().front().step_time_ms;
  for (std::size_t i = 0; i < space.size(); i += 2) {
    ASSERT_GE(space[i], least_ms);
    ASSERT_LE(space[i + 1], search.limit_gib());
  }
}

TEST_P(Search, FindsWhatTrainingStepSays) {
  const Finished search(inputs_of(GetParam()));
  for (const PlannedLayout& row : search.best()) {
    const Outcome<TrainingStep> step = training_step({row.job});
    ASSERT_TRUE(step) << step.problems().front().message;
    EXPECT_NEAR(step->step_time_ms, row.step_time_ms, 1e-9 * row.step_time_ms);
    EXPECT_NEAR(step->memory_gib, row.memory_gib, 1e-9 * row.memory_gib);
    EXPECT_TRUE(step->fits);
  }
}

// What a search does not decide holds for every layout that it tries, and its bounds know of it: shards in
// groups of 8, a first stage of half a share, and everything else that a layout may be given.
TEST(Plan, TakesWhatIsGivenOfALayout) {
  PlanInputs inputs = inputs_of({"7b", "llama-2-7b", 64, 128, 4096, "h100-sxm"});
  Layout& given = inputs.job.layout;
  given.shard_group_size = 8;
  given.first_stage_layers = 4;
  given.last_stage_layers = 4;
  given.zero_gradients = ZeroGradients::all_reduce;
  given.context_scheme = ContextScheme::all_gather;
  given.accumulate_whole_gradients = true;
  given.bucket_size_bytes = 0;
  given.gradient_wire_bytes_per_element = 1;
  const Finished pruned(inputs);
  ASSERT_FALSE(pruned.best().empty());
  for (const PlannedLayout& row : pruned.best()) {
    const Layout& layout = row.job.layout;
    EXPECT_EQ(layout.shard_group_size, 8);
    EXPECT_EQ(layout.data_parallel * layout.context_parallel % 8, 0);
    EXPECT_EQ(layout.first_stage_layers, 4);
    const Outcome<TrainingStep> step = training_step({row.job});
    ASSERT_TRUE(step) << step.problems().front().message;
    EXPECT_NEAR(step->step_time_ms, row.step_time_ms, 1e-9 * row.step_time_ms);
    EXPECT_NEAR(step->memory_gib, row.memory_gib, 1e-9 * row.memory_gib);
  }
  inputs.prune = false;
  const Finished whole(inputs);
  expect_same(pruned.best(), whole.best());
  expect_same(pruned.pareto_front(), whole.pareto_front());
}

TEST_P(Search, SlicesFindTheSame) {
  const PlanInputs inputs = inputs_of(GetParam());
  expect_same(Finished(inputs, 100).best(), Finished(inputs).best());
}

// compared + out_of_memory + dominated are all layouts, pruned or not; what an unfinished search has not seen
// is the rest.
TEST_P(Search, CountsAddUp) {
  PlanInputs inputs = inputs_of(GetParam());
  for (const bool prune : {true, false}) {
    inputs.prune = prune;
    const SearchCounts counts = Finished(inputs).counts();
    EXPECT_GT(counts.compared, 0);
    EXPECT_EQ(counts.compared + counts.out_of_memory + counts.dominated, counts.layouts);
    LayoutSearch begun(inputs);
    begun.advance(500);
    const SearchCounts& part = begun.counts();
    EXPECT_LE(part.compared + part.out_of_memory + part.dominated, part.layouts);
  }
}

// Families whose layouts leave the headroom come first; the headroom wanted changes no layout.
TEST_P(Search, HeadroomRanksAndNothingElse) {
  PlanInputs inputs = inputs_of(GetParam());
  inputs.best = 1000;
  Finished search(inputs);
  const std::vector<PlannedLayout>& best = search.best();
  for (std::size_t i = 0; i < best.size(); ++i) {
    EXPECT_EQ(best[i].is_tight, best[i].memory_gib > 0.92 * search.limit_gib()) << i;
    EXPECT_LE(best[i].memory_gib, search.limit_gib());
    if (i > 0) {
      EXPECT_LE(best[i - 1].is_tight, best[i].is_tight) << i;
    }
  }
  inputs.memory_headroom_percent = 0;
  Finished without(inputs);
  EXPECT_EQ(without.fastest()->step_time_ms, search.pareto_front().front().step_time_ms);
  EXPECT_FALSE(without.best().front().is_tight);
  EXPECT_EQ(every_layout(without).size(), every_layout(search).size());
}

// A family's range is that of its layouts, and counts them.
TEST_P(Search, FamiliesSayWhatTheirLayoutsTake) {
  Finished search(inputs_of(GetParam()));
  ASSERT_FALSE(search.best().empty());
  for (const PlannedLayout& row : search.best()) {
    const FamilyRange range = search.range_of(row);
    const std::vector<PlannedLayout> variants = search.variants_of(row);
    ASSERT_EQ(range.layouts, static_cast<double>(variants.size()));
    double slowest = 0;
    double least = variants.front().memory_gib;
    int as_listed = 0;
    for (const PlannedLayout& one : variants) {
      EXPECT_EQ(one.job.layout.tensor_parallel, row.job.layout.tensor_parallel);
      EXPECT_EQ(one.job.layout.pipeline_parallel, row.job.layout.pipeline_parallel);
      EXPECT_EQ(one.job.layout.data_parallel, row.job.layout.data_parallel);
      slowest = std::max(slowest, one.step_time_ms);
      least = std::min(least, one.memory_gib);
      as_listed += !comes_before(one, row) && !comes_before(row, one) ? 1 : 0;
    }
    EXPECT_EQ(as_listed, 1);
    EXPECT_EQ(range.slowest_ms, slowest);
    EXPECT_EQ(range.least_gib, least);
    EXPECT_LE(range.fastest_ms, row.step_time_ms);
    EXPECT_TRUE(are_a_tie(row.step_time_ms, row.is_tight == variants.front().is_tight
                                                ? variants.front().step_time_ms
                                                : row.step_time_ms));
  }
}

// Alternatives are layouts that the search tries, no others.
TEST_P(Search, AlternativesAreOfTheSpace) {
  PlanInputs inputs = inputs_of(GetParam());
  const PlannedLayout winner = Finished(inputs).best().front();
  Finished search(inputs);
  const std::vector<PlannedLayout> all = every_layout(search);
  for (const PlannedLayout& row : all) EXPECT_TRUE(is_searched(inputs, row.job));
  for (const Alternative& other : alternatives(inputs, winner, search.limit_gib())) {
    if (!other.fits || !other.stack_rule.empty()) continue;
    EXPECT_TRUE(std::any_of(all.begin(), all.end(),
                            [&other](const PlannedLayout& row) {
                              return std::abs(row.step_time_ms - other.step_time_ms) <=
                                         1e-9 * row.step_time_ms &&
                                     std::abs(row.memory_gib - other.memory_gib) <= 1e-9 * row.memory_gib;
                            }))
        << decision_names[static_cast<std::size_t>(other.decision)] << " " << other.value;
  }
}

// Every other number of chunks that the layers suffice for.
TEST(Plan, TriesOtherNumbersOfChunks) {
  const PlanInputs inputs = inputs_of({"", "llama-3.1-70b", 64, 1024, 8192, "h100-sxm"});
  Finished search(inputs);
  PlannedLayout winner = search.best().front();
  winner.job.layout.pipeline_parallel = 2;
  winner.job.layout.data_parallel = 64 / (2 * winner.job.layout.tensor_parallel);
  winner.job.layout.context_parallel = 1;
  winner.job.layout.pipeline_schedule = PipelineSchedule::interleaved;
  winner.job.layout.virtual_stages = 3;
  std::set<double> chunks;
  for (const Alternative& other : alternatives(inputs, winner, search.limit_gib()))
    if (other.decision == Decision::virtual_stages) chunks.insert(other.value);
  EXPECT_EQ(chunks.count(3), 0u);
  EXPECT_EQ(chunks.count(2), 1u);
  EXPECT_EQ(chunks.count(4), 1u);
}

// Two tensor ranks and more have regions to split by sequence.
TEST(Plan, TriesTheOtherSequenceParallelismOfTensorRanks) {
  const PlanInputs inputs = inputs_of({"", "llama-3.1-8b", 8, 64, 8192, "h100-sxm"});
  Finished search(inputs);
  for (const std::int64_t ranks : {1, 2, 4}) {
    PlannedLayout winner = search.best().front();
    Layout& layout = winner.job.layout;
    layout.pipeline_parallel = layout.context_parallel = 1;
    layout.tensor_parallel = ranks;
    layout.data_parallel = 8 / ranks;
    const auto others = alternatives(inputs, winner, search.limit_gib());
    const auto tried = std::count_if(others.begin(), others.end(), [](const Alternative& one) {
      return one.decision == Decision::sequence_parallel;
    });
    EXPECT_EQ(tried, ranks > 1 ? 1 : 0) << ranks;
  }
}

TEST_P(Search, ReasonsAddUpToTheWholeDifference) {
  const PlanInputs inputs = inputs_of(GetParam());
  const Finished search(inputs);
  const PlannedLayout& winner = search.best().front();
  for (const Alternative& other : alternatives(inputs, winner, search.limit_gib())) {
    EXPECT_NEAR(other.more.total_us() * 1e-3, other.lost_ms, 1e-9 * other.step_time_ms)
        << decision_names[static_cast<std::size_t>(other.decision)] << " " << other.value;
    EXPECT_EQ(other.reason == does_not_fit, !other.fits);
    EXPECT_EQ(other.deficit_gib > 0, !other.fits);
    EXPECT_EQ(other.is_tie, other.fits && are_a_tie(other.step_time_ms, winner.step_time_ms));
  }
}

TEST_P(Search, TheFrontIsOne) {
  const Finished search(inputs_of(GetParam()));
  const std::vector<PlannedLayout> front = search.pareto_front();
  for (std::size_t i = 1; i < front.size(); ++i) {
    EXPECT_LT(front[i - 1].step_time_ms, front[i].step_time_ms);
    EXPECT_GT(front[i - 1].memory_gib, front[i].memory_gib);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Plan, Search,
    testing::Values(SearchCase{"llama8b_on_16_h100", "llama-3.1-8b", 16, 64, 4096, "h100-sxm"},
                    SearchCase{"llama70b_on_64_h100", "llama-3.1-70b", 64, 32, 8192, "h100-sxm"},
                    SearchCase{"gpt3_on_64_a100_classic", "gpt3-175b", 64, 64, 2048, "a100-sxm-80gb",
                               "megatron-2021"},
                    SearchCase{"gpt3_on_60_a100", "gpt3-175b", 60, 60, 2048, "a100-sxm-80gb"},
                    SearchCase{"mixtral_on_16_h100", "mixtral-8x7b", 16, 16, 4096, "h100-sxm"}));

TEST(Plan, SaysWhatIsShortWhereNothingFits) {
  PlanInputs inputs = inputs_of({"", "llama-3.1-405b", 8, 64, 8192, "h100-sxm"});
  Finished search(inputs);
  EXPECT_TRUE(search.best().empty());
  inputs.prune = false;
  const Finished whole(inputs);
  EXPECT_EQ(search.smallest().memory_gib, whole.smallest().memory_gib);
  // 405.85 G parameters of 2 + 2 + 12 bytes on eight GPUs.
  EXPECT_GT(search.smallest().memory_gib, 405.85e9 * 16 / 8 / gib);
  EXPECT_GT(search.smallest().memory_gib, search.limit_gib());
}

TEST(Plan, NamesASpaceWithoutLayouts) {
  const Problems problems = plan_problems(inputs_of({"", "llama-3.1-8b", 7919, 64, 8192, "h100-sxm"}));
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].field, "cluster_gpus");
}

// Whether a reason says what to write, rather than only what the stack does.
bool has_step(std::string_view why) {
  const std::array steps{"set ", "wrap ", "add ", "turn them on ", "list them ", "chooses "};
  return std::any_of(steps.begin(), steps.end(),
                     [&](std::string_view step) { return why.find(step) != std::string_view::npos; });
}

// Launches of a recipe's layouts.
std::vector<LaunchFormat> launches_of(const Recipe& recipe) {
  if (recipe.id == "megatron-core") return {LaunchFormat::megatron_lm, LaunchFormat::megatron_bridge};
  if (recipe.id == "megatron-lm") return {LaunchFormat::megatron_lm};
  if (recipe.id == "torchtitan") return {LaunchFormat::torchtitan};
  if (recipe.id == "deepspeed") return {LaunchFormat::deepspeed};
  return {};
}

// Each row keeps the rules of its stack, and can be said in its options, or where they are not, it is said
// what to write.
void expect_all_start(const PlanInputs& inputs, const ModelRow* model) {
  const Recipe& recipe = all_recipes()[static_cast<std::size_t>(inputs.job.stack.recipe)];
  const Finished search(inputs);
  std::vector<PlannedLayout> rows = search.best();
  for (const PlannedLayout& row : search.pareto_front()) rows.push_back(row);
  for (const PlannedLayout& row : rows) {
    const Job job = completed(row.job);
    const Ability* broken = broken_ability(job);
    EXPECT_EQ(broken, nullptr) << model->id << ' ' << recipe.id << ' ' << (broken ? broken->name : "");
    for (const LaunchFormat format : launches_of(recipe)) {
      for (const NotExported& left : exported_launch({job, model}, format).not_exported) {
        // torchtitan has configurations of some models alone, whatever their layout.
        const bool says_how = left.field == "model" || has_step(left.why);
        EXPECT_TRUE(says_how) << model->id << ' ' << recipe.id << ' ' << left.field << ": " << left.why;
      }
    }
  }
}

// Over models, clusters and every recipe.
TEST(Plan, EveryRowStarts) {
  struct Cluster {
    const char* model;
    std::int64_t gpus;
    std::int64_t batch;
  };
  constexpr Cluster clusters[] = {
      {"llama-3.1-8b", 8, 64},     {"llama-3.1-8b", 64, 256},    {"llama-3.1-70b", 64, 128},
      {"llama-3.1-70b", 256, 512}, {"mixtral-8x7b", 64, 256},    {"gpt3-175b", 128, 512},
      {"qwen3-30b-a3b", 64, 512},  {"llama-3.1-405b", 512, 512}, {"llama-2-7b", 16, 64},
      {"mixtral-8x22b", 128, 256}, {"deepseek-v3", 256, 2048}};
  int plans = 0;
  for (const Cluster& one : clusters) {
    for (const Recipe& recipe : all_recipes()) {
      if (recipe.use != RecipeUse::training) continue;
      for (const char* accelerator : {"h100-sxm", "a100-sxm-80gb", "b200"}) {
        PlanInputs inputs =
            inputs_of({"", one.model, one.gpus, one.batch, 8192, accelerator, recipe.id.data()});
        if (!plan_problems(inputs).empty()) continue;
        ++plans;
        expect_all_start(inputs, find_model(one.model));
      }
    }
  }
  EXPECT_GE(plans, 200);
}

// With software that the search decides, too.
TEST(Plan, EveryRowStartsWithSearchedSettings) {
  constexpr std::string_view searched[] = {"gradient_bytes_per_element", "expert_exchange", "overlap_tensor",
                                           "overlap_tensor_forward", "cuda_graphs"};
  for (const char* model : {"llama-3.1-70b", "mixtral-8x7b"}) {
    for (const char* recipe : {"megatron-core", "torchtitan", "deepspeed"}) {
      PlanInputs inputs = inputs_of({"", model, 32, 128, 8192, "h100-sxm", recipe});
      for (std::size_t at = 0; at < std::size(setting_names); ++at) {
        if (std::find(std::begin(searched), std::end(searched), setting_names[at]) != std::end(searched))
          inputs.searched_settings |= std::uint32_t{1} << at;
      }
      ASSERT_TRUE(plan_problems(inputs).empty());
      expect_all_start(inputs, find_model(model));
    }
  }
}

TEST(Plan, NamesAStackThatCanRunNoLayout) {
  PlanInputs inputs = inputs_of({"", "llama-3.1-70b", 64, 64, 8192, "h100-sxm", "megatron-core"});
  inputs.allowed.pipeline_schedule.listed = {static_cast<double>(PipelineSchedule::zero_bubble)};
  inputs.allowed.tensor_parallel.listed = {1};
  inputs.allowed.context_parallel.listed = {1};
  inputs.allowed.zero_stage.listed = {3};
  EXPECT_TRUE(plan_problems(inputs).empty());  // FSDP over all 64 starts
  fill(inputs.job, *find_recipe("nanotron"));
  const Problems problems = plan_problems(inputs);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].field, "recipe");
  inputs = inputs_of({"", "deepseek-v3", 64, 256, 4096, "h100-sxm", "nanotron"});
  EXPECT_EQ(
      plan_problems(inputs).front().message,
      "recipe (nanotron) can run no layout of cluster_gpus (64) that is allowed: nanotron has no latent "
      "attention in models with experts. Try recipe megatron-core, megatron-lm, megatron-2021, maxtext, "
      "fsdp, torchtitan or deepspeed");
  inputs = inputs_of({"", "llama-3.1-70b", 64, 256, 4096, "tpu-v5p"});
  EXPECT_EQ(
      plan_problems(inputs).front().message,
      "recipe (megatron-core) does not run on TPU v5p: Megatron-Core runs on NVIDIA GPUs, and by a fork or "
      "plugin on AMD GPUs and Gaudi. Try recipe maxtext");
}

TEST(Plan, GivesAReasonForEveryLoser) {
  const PlanInputs inputs = inputs_of({"", "llama-3.1-70b", 64, 32, 8192, "h100-sxm"});
  const Finished search(inputs);
  ASSERT_FALSE(search.best().empty());
  const std::vector<Alternative> others = alternatives(inputs, search.best().front(), search.limit_gib());
  ASSERT_GT(others.size(), 10u);
  for (const Alternative& other : others) {
    // What the stack lacks may be quicker.
    if (other.reason != does_not_fit && other.reason != too_tight && !other.is_tie &&
        other.stack_rule.empty()) {
      EXPECT_GE(other.lost_ms, 0) << decision_names[static_cast<std::size_t>(other.decision)] << " "
                                  << other.value;
    }
    if (!other.is_tie) {
      EXPECT_NE(other.reason, no_loss);
    }
  }
  const std::vector<RuleVerdict> verdicts = rules_of_thumb(search.best().front(), others);
  EXPECT_EQ(verdicts.size(), all_rules().size());
  // A million tokens a step against what the model's layers hold: above one, so that the rule applies.
  const RuleVerdict& data = verdicts.back();
  EXPECT_EQ(data.rule, Rule::data_before_tensor);
  EXPECT_TRUE(std::isfinite(data.condition));
  EXPECT_GT(data.condition, 0);
  EXPECT_TRUE(!data.applies || data.condition > 1);
}

// What a search may not use is neither found nor listed as quicker than what was found.
TEST(Plan, UsesOnlyWhatIsAllowed) {
  PlanInputs inputs = inputs_of({"", "mixtral-8x7b", 32, 32, 4096, "h100-sxm"});
  inputs.allowed.pipeline_schedule.listed = {static_cast<double>(PipelineSchedule::one_f_one_b)};
  inputs.allowed.recompute.listed = {static_cast<double>(Recompute::none)};
  inputs.allowed.zero_stage.listed = {1};
  inputs.allowed.tensor_parallel.listed = {2, 4};
  inputs.allowed.context_parallel.listed = {1, 2};
  inputs.allowed.expert_parallel.listed = {8};
  inputs.best = 1000;
  const Finished search(inputs);
  ASSERT_FALSE(search.best().empty());
  for (const PlannedLayout& row : search.best()) {
    EXPECT_EQ(row.job.layout.pipeline_schedule, PipelineSchedule::one_f_one_b);
    EXPECT_EQ(row.job.work.recompute, Recompute::none);
    EXPECT_EQ(row.job.layout.zero_stage, 1);
    EXPECT_TRUE(row.job.layout.tensor_parallel == 2 || row.job.layout.tensor_parallel == 4);
    EXPECT_LE(row.job.layout.context_parallel, 2);
    EXPECT_EQ(row.job.layout.expert_parallel, 8);
  }
  for (const Alternative& other : alternatives(inputs, search.best().front(), search.limit_gib())) {
    EXPECT_TRUE(other.reason <= too_tight || other.is_tie || other.lost_ms >= 0)
        << decision_names[static_cast<std::size_t>(other.decision)];
    EXPECT_NE(other.decision, Decision::pipeline_schedule);
    EXPECT_NE(other.decision, Decision::zero_stage);
    EXPECT_NE(other.decision, Decision::recompute);
    EXPECT_NE(other.decision, Decision::expert_parallel);
    EXPECT_TRUE(other.decision != Decision::context_parallel || other.value <= 2);
  }
}

// The allowed ZeRO stage does not concern one replica, which shares with no other.
TEST(Plan, AllowedZeroStagesExcludeNoSingleReplica) {
  PlanInputs inputs = inputs_of({"", "llama-3.1-8b", 8, 8, 4096, "h100-sxm"});
  const auto single = [&] {
    const Finished search(inputs);
    bool found = false;
    for (const Alternative& other : alternatives(inputs, search.best().front(), search.limit_gib()))
      found = found || (other.decision == Decision::tensor_parallel && other.value == 8);
    return found;
  };
  EXPECT_TRUE(single());
  inputs.allowed.zero_stage.listed = {3};
  EXPECT_TRUE(single());
}

// Mixtral over tensor ranks with experts on one rank each, and shared by the ranks: both are searched, and
// what may not be used is not found.
TEST(Plan, FoldsExpertsOverTensorRanks) {
  PlanInputs inputs = inputs_of({"", "mixtral-8x7b", 32, 32, 4096, "h100-sxm"});
  inputs.allowed.tensor_parallel.listed = {4};
  inputs.allowed.expert_parallel.listed = {8};
  inputs.best = 1000;
  const auto degrees = [&] {
    std::set<std::int64_t> found;
    const Finished search(inputs);
    for (const PlannedLayout& row : search.best()) {
      EXPECT_TRUE(can_exist(completed(row.job)));
      found.insert(expert_tensor_degree(row.job.layout));
    }
    return found;
  };
  EXPECT_EQ(degrees(), (std::set<std::int64_t>{1, 4}));
  inputs.allowed.expert_tensor_parallel.listed = {1};
  EXPECT_EQ(degrees(), (std::set<std::int64_t>{1}));
  // Other degrees of the best are alternatives, as far as they may be used.
  inputs.allowed.expert_tensor_parallel.listed = {1, 2};
  inputs.allowed.pipeline_parallel.listed = {1};
  const Finished search(inputs);
  std::set<double> others{static_cast<double>(expert_tensor_degree(search.best().front().job.layout))};
  for (const Alternative& other : alternatives(inputs, search.best().front(), search.limit_gib()))
    if (other.decision == Decision::expert_tensor_parallel) others.insert(other.value);
  EXPECT_EQ(others, (std::set<double>{1, 2}));
}

// Llama 3 405B on 16,384 H100 as arXiv:2407.21783, table 4, ran it: nothing that was searched is quicker than
// the best, and this is among it.
TEST(Plan, FindsNothingSlowerThanThePublishedLayoutOf405b) {
  PlanInputs inputs = inputs_of({"405b", "llama-3.1-405b", 16384, 2048, 8192, "h100-sxm"});
  const Finished search(inputs);
  ASSERT_FALSE(search.best().empty());
  TrainingStepInputs published{search.best().front().job};
  published.job.work.batch_size = 1;
  published.job.work.recompute = Recompute::none;
  published.job.layout.tensor_parallel = 8;
  published.job.layout.sequence_parallel = true;
  published.job.layout.pipeline_parallel = 16;
  published.job.layout.first_stage_layers = published.job.layout.last_stage_layers = 7;
  published.job.layout.pipeline_schedule = PipelineSchedule::interleaved;
  published.job.layout.virtual_stages = 4;
  published.job.layout.context_parallel = 1;
  published.job.layout.data_parallel = 128;
  published.job.layout.zero_stage = 2;
  published.job.layout.accumulate_whole_gradients = true;
  const Outcome<TrainingStep> step = training_step(published);
  ASSERT_TRUE(step);
  EXPECT_LE(search.fastest()->step_time_ms, step->step_time_ms);
}

TEST(Divisors, AreAllAndInOrder) {
  EXPECT_EQ(divisors(1), std::vector<std::int64_t>{1});
  EXPECT_EQ(divisors(60), (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60}));
  EXPECT_EQ(divisors(7919), (std::vector<std::int64_t>{1, 7919}));
}

// How much of what could exist each stack refuses: with rules that nobody keeps this would be 0, and a rule
// that refuses too much shows here first. COMMCOST_RECORD=1 writes the table again.
TEST(Plan, HasTheShareOfLayoutsThatEachStackRefuses) {
  constexpr SearchCase trainings[] = {{"", "llama-3.1-8b", 8, 128, 8192, "h100-sxm"},
                                      {"", "llama-3.1-70b", 64, 256, 8192, "h100-sxm"},
                                      {"", "mixtral-8x7b", 64, 256, 4096, "h100-sxm"},
                                      {"", "deepseek-v3", 512, 4096, 4096, "h100-sxm"}};
  std::string table = "recipe";
  for (const SearchCase& one : trainings)
    table += "," + std::string(one.model) + " on " + text_of(static_cast<double>(one.cluster_gpus)) + " H100";
  for (const Recipe& recipe : all_recipes()) {
    if (recipe.use != RecipeUse::training || rules_of(recipe) == nullptr) continue;
    table += "\n" + std::string(recipe.id);
    for (SearchCase one : trainings) {
      one.recipe = recipe.id.data();
      PlanInputs inputs = inputs_of(one);
      const double kept = plan_problems(inputs).empty() ? LayoutSearch(inputs).counts().layouts : 0;
      inputs.job.stack.recipe = -1;
      const double all = LayoutSearch(inputs).counts().layouts;
      table += "," + text_of(std::round(1000 * (1 - kept / all)) / 10);
    }
  }
  table += "\n";
  const auto file = test::data_file("refused_layouts.csv");
  if (std::getenv("COMMCOST_RECORD") != nullptr) std::ofstream(file) << table;
  std::stringstream recorded;
  recorded << std::ifstream(file).rdbuf();
  EXPECT_EQ(table, recorded.str());
}

}  // namespace
}  // namespace commcost