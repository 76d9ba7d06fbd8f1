// What a search skips, and what it prices only once it may matter, loses nothing: over models, clusters,
// stacks and pins it finds what the search of every layout finds.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "core/model/catalog.h"
#include "core/parallel/recipes.h"
#include "core/plan/search.h"
#include "core/plan/ties.h"
#include "support/plans.h"
#include "support/random_inputs.h"
#include "support/random_jobs.h"

namespace commcost {
namespace {

using test::expect_same;

PlanInputs drawn_inputs(test::Random& random) {
  static constexpr test::Training trainings[] = {
      {"llama-2-7b", 8, 32},     {"llama-3.1-8b", 16, 64},     {"llama-3.1-70b", 64, 128},
      {"gpt3-175b", 96, 48},     {"llama-3.1-405b", 256, 128}, {"mixtral-8x7b", 16, 32},
      {"mixtral-8x7b", 32, 128}, {"qwen3-30b-a3b", 16, 32},    {"deepseek-v3", 128, 128},
  };
  // The last is none that is known, which any schedule is tried for.
  static constexpr std::string_view stacks[] = {"megatron-core", "megatron-2021", "nanotron",
                                                "fsdp",          "torchtitan",    "deepspeed",
                                                "hai-llm",       "maxtext",       "none"};
  static constexpr std::string_view accelerators[] = {"h100-sxm", "a100-sxm-80gb", "b200",
                                                      "mi300x",   "l40s",          "tpu-v5p"};
  test::Training one = random.one_of(trainings);
  one.sequence = random.one_in(2) ? 4096 : 8192;
  const std::string_view accelerator = random.one_of(accelerators);
  PlanInputs inputs = test::plan_of(one, accelerator, random.one_of(stacks));
  inputs.memory_headroom_percent = random.one_in(4) ? 0 : 8;
  inputs.memory_limit_gib = random.one_in(6) ? 40 : 0;
  inputs.zero_bubble_2p = random.one_in(4);
  AllowedLayouts& allowed = inputs.allowed;
  if (random.one_in(4)) allowed.tensor_parallel.pinned = 8;
  if (random.one_in(4)) allowed.pipeline_parallel.pinned = 4;
  if (random.one_in(6)) allowed.batch_size.pinned = 2;
  if (random.one_in(6)) allowed.recompute.pinned = static_cast<double>(Recompute::full);
  if (random.one_in(6)) allowed.context_parallel.listed = {1, 2};
  if (random.one_in(6)) allowed.zero_stage.listed = {0, 1};
  if (random.one_in(3)) inputs.best = 1 + static_cast<std::int64_t>(random.below(20));
  return inputs;
}

// The families of all layouts, from a list of all: of each division those that leave the headroom, if any
// does; of these the simplest that ties with the fastest; families that tie with the fastest first.
std::vector<PlannedLayout> families_of(LayoutSearch& search, const PlanInputs& inputs) {
  std::map<std::uint32_t, std::vector<PlannedLayout>> divisions;
  for (std::uint32_t division = 0; division < search.divisions(); ++division) {
    PlannedLayout of;
    of.division = division;
    for (const PlannedLayout& row : search.variants_of(of)) divisions[division].push_back(row);
  }
  std::vector<std::vector<PlannedLayout>> families;
  for (auto& [division, rows] : divisions) {
    const bool roomy = !rows.front().is_tight;
    std::erase_if(rows, [roomy](const PlannedLayout& row) { return roomy && row.is_tight; });
    families.push_back(rows);
  }
  std::sort(families.begin(), families.end(),
            [](const auto& one, const auto& other) { return comes_before(one.front(), other.front()); });
  const auto simplest = [](const std::vector<PlannedLayout>& rows, double fastest_ms) {
    const PlannedLayout* found = &rows.front();
    for (const PlannedLayout& row : rows)
      if (are_a_tie(row.step_time_ms, fastest_ms) && is_simpler(row, *found)) found = &row;
    return *found;
  };
  std::vector<PlannedLayout> tied;
  std::vector<PlannedLayout> others;
  for (const auto& rows : families) {
    const PlannedLayout& first = families.front().front();
    const PlannedLayout& own = rows.front();
    if (own.is_tight == first.is_tight && are_a_tie(own.step_time_ms, first.step_time_ms))
      tied.push_back(simplest(rows, first.step_time_ms));
    else
      others.push_back(simplest(rows, own.step_time_ms));
  }
  std::sort(tied.begin(), tied.end(), is_simpler);
  tied.insert(tied.end(), others.begin(), others.end());
  if (static_cast<std::int64_t>(tied.size()) > inputs.best)
    tied.resize(static_cast<std::size_t>(inputs.best));
  return tied;
}

TEST(Pruning, LosesNothing) {
  test::Random random(29);
  int plans = 0;
  int without_room = 0;
  double evaluated = 0;
  double layouts = 0;
  while (plans < 120) {
    PlanInputs inputs = drawn_inputs(random);
    if (!plan_problems(inputs).empty()) continue;
    SCOPED_TRACE(++plans);
    LayoutSearch pruned(inputs);
    pruned.finish();
    LayoutSearch for_best(inputs.for_best());
    for_best.finish();
    inputs.prune = false;
    LayoutSearch whole(inputs);
    whole.finish();
    EXPECT_EQ(whole.counts().evaluated, whole.counts().layouts);
    EXPECT_EQ(pruned.counts().layouts, whole.counts().layouts);
    EXPECT_LE(pruned.counts().evaluated, whole.counts().evaluated);
    // What is said not to fit does not, and what is said to lose is of the others.
    EXPECT_LE(pruned.counts().out_of_memory, whole.counts().out_of_memory);
    EXPECT_LE(pruned.counts().compared, whole.counts().compared);
    expect_same(pruned.best(), whole.best());
    expect_same(pruned.best(), families_of(whole, inputs));
    ASSERT_EQ(pruned.fastest() == nullptr, whole.fastest() == nullptr);
    if (whole.fastest() != nullptr) expect_same(*pruned.fastest(), *whole.fastest());
    expect_same(pruned.pareto_front(), whole.pareto_front());
    EXPECT_EQ(pruned.deficit_gib(), whole.deficit_gib());
    EXPECT_EQ(for_best.counts().layouts, whole.counts().layouts);
    EXPECT_EQ(for_best.deficit_gib(), whole.deficit_gib());
    ASSERT_EQ(for_best.best().empty(), whole.best().empty());
    if (!whole.best().empty()) expect_same(for_best.best().front(), whole.best().front());
    if (whole.best().empty()) {
      ++without_room;
      expect_same(pruned.smallest(), whole.smallest());
      continue;
    }
    evaluated += pruned.counts().evaluated;
    layouts += pruned.counts().layouts;
  }
  EXPECT_GE(without_room, 5);
  EXPECT_LE(without_room, 60);
  EXPECT_LT(evaluated, 0.3 * layouts);
}

// Where nothing can fit, memory alone says so.
TEST(Pruning, PricesTheTimesOfWhatMayFitAlone) {
  test::Random random(31);
  for (int plans = 0; plans < 20;) {
    PlanInputs inputs = drawn_inputs(random);
    if (!plan_problems(inputs).empty()) continue;
    SCOPED_TRACE(++plans);
    inputs.memory_limit_gib = 1e-3;
    const SharedPrices prices = shared_prices(inputs);
    LayoutSearch search(inputs, prices);
    ASSERT_EQ(search.counts().out_of_memory, search.counts().layouts);
    for (const auto& one : prices) EXPECT_EQ(one->times_priced(), 0);
    search.finish();
    EXPECT_GT(search.deficit_gib(), 0);
    EXPECT_GT(prices.front()->times_priced(), 0);
  }
}

// On every kind of machine and job: no micro-batch is below what is said to be the least.
TEST(LayerPrices, AreNeverBelowTheLeast) {
  test::Random random(30);
  for (int draw = 0; draw < 4000; ++draw) {
    Machine machine = completed({.accelerator = static_cast<int>(random.below(all_accelerators().size()))});
    const Job job = test::runnable(test::random_training(random), machine);
    PlanInputs inputs;
    inputs.job = job;
    inputs.job.machine = machine;
    LayerPrices prices(inputs);
    for (const std::int64_t sequences : {1, 2, 3, 5, 16, 24, 512}) {
      Job one = inputs.job;
      one.work.batch_size = sequences;
      one = completed(one);
      const std::uint32_t degrees = prices.degrees_of(one.layout);
      const LayerPrice& price = prices.of(one, degrees);
      const LayerMemory& memory = prices.least_memory(one, degrees);
      const DeviceTimes& times = prices.least_times(one, degrees);
      const auto count = static_cast<double>(sequences);
      for (DeviceTime DeviceTimes::*part :
           {&DeviceTimes::dense, &DeviceTimes::moe, &DeviceTimes::first, &DeviceTimes::last}) {
        const DeviceTime& known = price.times.*part;
        const DeviceTime& bound = times.*part;
        EXPECT_GE(known.device_us, count * bound.device_us) << draw << ' ' << sequences;
        EXPECT_EQ(known.launch_us, bound.launch_us) << draw << ' ' << sequences;
      }
      EXPECT_GE(price.memory.kept, count * memory.kept);
      EXPECT_GE(price.memory.working, count * memory.working);
      EXPECT_GE(price.memory.logits, count * memory.logits);
    }
  }
}

}  // namespace
}  // namespace commcost
