// What is pinned is kept in every row of a search, and nothing else is lost by it.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <ostream>
#include <string>

#include "core/base/units.h"
#include "core/model/catalog.h"
#include "core/parallel/layout_problems.h"
#include "core/parallel/recipes.h"
#include "core/parallel/stacks.h"
#include "core/plan/search.h"
#include "support/plans.h"
#include "support/random_inputs.h"

namespace commcost {
namespace {

PlanInputs drawn_plan(test::Random& random) {
  static constexpr test::Training trainings[] = {
      {"llama-2-7b", 8, 8}, {"llama-3.1-8b", 16, 16}, {"gpt3-175b", 24, 12}, {"mixtral-8x7b", 8, 8}};
  static constexpr std::string_view stacks[] = {"megatron-core", "megatron-lm", "megatron-2021",
                                                "nanotron",      "fsdp",        "torchtitan",
                                                "deepspeed",     "hai-llm",     "other"};
  const test::Training& one = random.one_of(trainings);
  return test::plan_of(one, "b200", random.one_of(stacks));
}

// A layout by all that a search decides.
using Decided = std::array<std::int64_t, 12>;
Decided decided(const Job& job) {
  Decided values{};
  for (std::size_t at = 0; at < values.size(); ++at) values[at] = searched_fields()[at].of(job);
  return values;
}

// The same layout may say its expert-tensor degree in two ways.
Decided plainly(Decided layout) {
  if (layout[9] == layout[0]) layout[9] = 0;
  return layout;
}

struct Priced {
  double step_time_ms = 0;
  double memory_gib = 0;
};

struct Listed : std::map<Decided, Priced> {
  explicit Listed(const PlanInputs& inputs) {
    LayoutSearch search(inputs);
    PlannedLayout of;
    for (of.division = 0; of.division < search.divisions(); ++of.division) {
      const std::size_t before = size();
      for (const PlannedLayout& row : search.variants_of(of))
        emplace(decided(row.job), Priced{row.step_time_ms, row.memory_gib});
      EXPECT_EQ(static_cast<double>(size() - before), search.range_of(of).layouts);
    }
    layouts = search.counts().layouts;
  }
  double layouts = 0;
};

// Pins a few fields to what a layout has, or, seldom, to something else.
void pin_some(PlanInputs& inputs, const Decided& layout, test::Random& random) {
  const int seldom = 1 + random.below(5);
  for (std::size_t at = 0; at < layout.size(); ++at) {
    if (!random.one_in(seldom)) continue;
    const std::int64_t other = random.one_in(12) ? layout[at] + 1 : layout[at];
    (inputs.allowed.*searched_fields()[at].allowed).pinned = static_cast<double>(other);
  }
}

TEST(Pins, AreKeptInEveryRowAndLoseNothingElse) {
  test::Random random(28);
  int found = 0;
  int refused = 0;
  int smaller = 0;
  for (int draw = 0; draw < 120; ++draw) {
    PlanInputs inputs = drawn_plan(random);
    if (!plan_problems(inputs).empty()) continue;
    const Listed all(inputs);
    if (all.empty()) continue;
    auto drawn = all.begin();
    std::advance(drawn, random.below(all.size()));
    const PlanInputs unpinned = inputs;
    pin_some(inputs, drawn->first, random);
    if (!plan_problems(inputs).empty()) {
      ++refused;
      for (const auto& [layout, taken] : all) {
        EXPECT_FALSE(std::equal(layout.begin(), layout.end(), searched_fields().begin(),
                                [&](std::int64_t value, const SearchedField& field) {
                                  const AllowedValues& values = inputs.allowed.*field.allowed;
                                  return !values.is_pinned() || values.allows(value);
                                }));
      }
      continue;
    }
    ++found;
    const Listed kept(inputs);
    smaller += kept.layouts < all.layouts ? 1 : 0;
    const auto keeps = [&](const Decided& layout) {
      Job job = inputs.job;
      for (std::size_t at = 0; at < layout.size(); ++at) searched_fields()[at].put(job, layout[at]);
      return std::pair(keeps_pins(inputs.allowed, job), completed(job));
    };
    // Each that keeps the pins is there, with the same time and memory.
    for (const auto& [layout, taken] : all) {
      if (!keeps(layout).first) continue;
      const auto same = kept.find(layout);
      ASSERT_NE(same, kept.end()) << draw;
      EXPECT_EQ(same->second.step_time_ms, taken.step_time_ms);
      EXPECT_EQ(same->second.memory_gib, taken.memory_gib);
    }
    // Others are there only because a pin asks for what no search tries, or for what has no effect.
    for (const auto& [layout, taken] : kept) {
      const auto [kept_pins, job] = keeps(layout);
      EXPECT_TRUE(kept_pins) << draw;
      EXPECT_TRUE(all.contains(plainly(layout)) || !is_searched(unpinned, job)) << draw;
      EXPECT_EQ(broken_ability(job), nullptr);
      EXPECT_TRUE(is_searched(inputs, job)) << draw;
    }
    // The fastest is that of all.
    LayoutSearch search(inputs);
    search.finish();
    const double least = search.fastest() == nullptr ? 0 : search.fastest()->step_time_ms;
    for (const auto& [layout, taken] : kept) {
      const bool tight = taken.memory_gib > 0.92 * search.limit_gib();
      if (!search.best().front().is_tight && tight) continue;
      EXPECT_GE(taken.step_time_ms, least);
    }
    EXPECT_EQ(search.best().empty(), kept.empty());
  }
  EXPECT_GE(found, 60);
  EXPECT_GE(refused, 5);
  EXPECT_GE(smaller, 50);
}

// One replica of DualPipe's holds each stage twice: its two copies share state by each ZeRO stage.
TEST(Pins, OfDualPipeLeaveAllZeroStagesToOneReplica) {
  PlanInputs inputs;
  inputs.job.model = find_model("llama-3.1-8b")->shape;
  inputs.job.layout.cluster_gpus = 8;
  inputs.job.work.global_batch_size = 64;
  inputs.job.work.sequence_length = 4096;
  inputs.job.machine.accelerator = place_of_accelerator("b200");
  fill(inputs.job, *find_recipe("hai-llm"));
  inputs.allowed.data_parallel.pinned = 1;
  inputs.allowed.context_parallel.pinned = 1;
  inputs.allowed.pipeline_parallel.pinned = 8;
  inputs.allowed.pipeline_schedule.pinned = static_cast<double>(PipelineSchedule::dualpipe);
  std::map<std::int64_t, double> gib_by_stage;
  for (const auto& [layout, taken] : Listed(inputs)) {
    double& least = gib_by_stage[layout[6]];
    least = least == 0 ? taken.memory_gib : std::min(least, taken.memory_gib);
  }
  ASSERT_EQ(gib_by_stage.size(), 4u);
  EXPECT_LT(gib_by_stage[1], gib_by_stage[0]);
  EXPECT_LT(gib_by_stage[2], gib_by_stage[1]);
}

// With everything pinned there is one layout, which is the training step of the same inputs.
TEST(Pins, OfEverythingLeaveTheStepThatTheySay) {
  test::Random random(29);
  int steps = 0;
  for (int draw = 0; draw < 60; ++draw) {
    PlanInputs inputs = drawn_plan(random);
    if (!plan_problems(inputs).empty()) continue;
    const Listed all(inputs);
    if (all.empty()) continue;
    auto drawn = all.begin();
    std::advance(drawn, random.below(all.size()));
    Decided layout = drawn->first;
    // What one rank leaves without effect may be said all the same.
    const auto at = [](std::string_view name) {
      const auto place = std::find_if(searched_fields().begin(), searched_fields().end(),
                                      [name](const SearchedField& field) { return field.name == name; });
      return static_cast<std::size_t>(place - searched_fields().begin());
    };
    // DualPipe's second copy of a stage is a replica.
    const bool twice =
        layout[at("pipeline_parallel")] > 1 &&
        layout[at("pipeline_schedule")] == static_cast<std::int64_t>(PipelineSchedule::dualpipe);
    if (!twice && layout[at("data_parallel")] * layout[at("context_parallel")] == 1)
      layout[at("zero_stage")] = 3;
    if (layout[at("pipeline_parallel")] == 1)
      layout[at("pipeline_schedule")] = static_cast<std::int64_t>(random.below(7));
    for (std::size_t field = 0; field < layout.size(); ++field)
      (inputs.allowed.*searched_fields()[field].allowed).pinned = static_cast<double>(layout[field]);
    ASSERT_TRUE(plan_problems(inputs).empty()) << plan_problems(inputs).front().message;
    LayoutSearch search(inputs);
    search.finish();
    EXPECT_EQ(search.counts().layouts, 1);
    ASSERT_EQ(search.best().size(), 1u);
    const PlannedLayout& row = search.best().front();
    EXPECT_EQ(decided(row.job), layout);
    const Outcome<TrainingStep> step = training_step({with_pins(inputs.allowed, inputs.job)});
    ASSERT_TRUE(step) << step.problems().front().message;
    EXPECT_NEAR(step->step_time_ms, row.step_time_ms, 1e-9 * row.step_time_ms);
    EXPECT_NEAR(step->memory_gib, row.memory_gib, 1e-9 * row.memory_gib);
    ++steps;
  }
  EXPECT_GE(steps, 40);
}

PlanInputs llama70b_on_64() {
  PlanInputs inputs;
  inputs.job.model = find_model("llama-3.1-70b")->shape;
  inputs.job.layout.cluster_gpus = 64;
  inputs.job.work.global_batch_size = 128;
  inputs.job.work.sequence_length = 8192;
  inputs.job.machine.accelerator = place_of_accelerator("h100-sxm");
  fill(inputs.job, *find_recipe("megatron-core"));
  return inputs;
}

std::vector<std::string> messages(const PlanInputs& inputs) {
  std::vector<std::string> all;
  for (const Problem& problem : plan_problems(inputs)) all.push_back(problem.field + ": " + problem.message);
  return all;
}
using Messages = std::vector<std::string>;

TEST(Pins, ThatContradictAreNamedAllAtOnce) {
  PlanInputs inputs = llama70b_on_64();
  AllowedLayouts& allowed = inputs.allowed;
  allowed.tensor_parallel.pinned = 7;
  allowed.tensor_parallel.listed = {2, 4};
  allowed.pipeline_parallel.pinned = 128;
  allowed.expert_parallel.pinned = 2;
  EXPECT_EQ(
      messages(inputs),
      (Messages{
          "tensor_parallel: tensor_parallel (7) must be one of allowed_tensor_degrees",
          "tensor_parallel: tensor_parallel must be a divisor of num_heads (64); got 7; try 4 or 8",
          "tensor_parallel: tensor_parallel must be a divisor or a multiple of num_kv_heads (8); got 7; "
          "try 4 or 8",
          "pipeline_parallel: pipeline_parallel must be at most num_layers (80); got 128",
          "expert_parallel: expert_parallel must be 1 for a model without experts; got 2",
          "cluster_gpus: tensor_parallel * pipeline_parallel (7 * 128) must divide cluster_gpus "
          "(64): change one of them, or leave one out"}));
}

TEST(Pins, ThatDoNotMultiplyToTheClusterSayWhatTheyMultiplyTo) {
  PlanInputs inputs = llama70b_on_64();
  inputs.allowed.tensor_parallel.pinned = 8;
  inputs.allowed.data_parallel.pinned = 3;
  EXPECT_EQ(messages(inputs),
            Messages{"cluster_gpus: tensor_parallel * data_parallel (8 * 3 = 24) must divide "
                     "cluster_gpus (64); try data_parallel 2 or 4"});
  inputs.allowed.pipeline_parallel.pinned = 3;
  inputs.allowed.data_parallel = {};
  inputs.allowed.context_parallel.pinned = 1;
  EXPECT_EQ(messages(inputs),
            Messages{"cluster_gpus: tensor_parallel * pipeline_parallel (8 * 3 = 24) must divide "
                     "cluster_gpus (64); try pipeline_parallel 2 or 4"});
  inputs.allowed.pipeline_parallel = {};
  inputs.allowed.data_parallel.pinned = 4;
  EXPECT_TRUE(messages(inputs).empty());
  inputs.allowed.pipeline_parallel.pinned = 1;
  EXPECT_EQ(messages(inputs),
            Messages{"cluster_gpus: tensor_parallel * context_parallel * pipeline_parallel * data_parallel "
                     "(8 * 1 * 1 * 4 = 32) must be cluster_gpus (64); try data_parallel 8"});
}

// A list of schedules says nothing of one stage, a list of ZeRO's stages nothing of one replica.
TEST(Lists, HoldWhatHasAnEffect) {
  using enum PipelineSchedule;
  PlanInputs inputs = llama70b_on_64();
  inputs.allowed.pipeline_schedule.listed = {static_cast<std::int64_t>(zero_bubble)};
  inputs.allowed.zero_stage.listed = {3};
  const auto used = [&](std::int64_t stages, std::int64_t replicas, PipelineSchedule schedule,
                        std::int64_t zero_stage) {
    Job job = inputs.job;
    job.layout.pipeline_parallel = stages;
    job.layout.data_parallel = replicas;
    job.layout.pipeline_schedule = schedule;
    job.layout.zero_stage = zero_stage;
    return may_use(inputs, job);
  };
  EXPECT_TRUE(used(1, 1, one_f_one_b, 0));
  EXPECT_FALSE(used(2, 1, one_f_one_b, 0));
  EXPECT_TRUE(used(2, 1, zero_bubble, 0));
  EXPECT_FALSE(used(1, 2, one_f_one_b, 0));
  EXPECT_TRUE(used(1, 2, one_f_one_b, 3));
}

// Pins that cannot go together say what a step of them would.
TEST(Pins, ThatNoLayoutHasSayWhatTheClosestLacks) {
  PlanInputs inputs = llama70b_on_64();
  inputs.allowed.tensor_parallel.pinned = 1;
  inputs.allowed.pipeline_parallel.pinned = 1;
  inputs.allowed.context_parallel.pinned = 1;
  inputs.allowed.batch_size.pinned = 3;
  EXPECT_EQ(messages(inputs),
            Messages{"global_batch_size: global_batch_size must be a multiple of batch_size * data_parallel "
                     "(192); got 128; try 192"});
  // Whatever the search decides, a micro-batch has to divide the batch.
  inputs = llama70b_on_64();
  inputs.job.work.global_batch_size = 100;
  inputs.allowed.batch_size.pinned = 8;
  EXPECT_EQ(messages(inputs),
            Messages{"global_batch_size: global_batch_size must be a multiple of batch_size * data_parallel "
                     "(8); got 100; try 96 or 104"});
  for (const std::int64_t batch : {96, 104}) {
    inputs.job.work.global_batch_size = batch;
    EXPECT_TRUE(messages(inputs).empty()) << batch;
  }
  inputs = llama70b_on_64();
  inputs.allowed.virtual_stages.pinned = 4;
  inputs.allowed.pipeline_schedule.pinned = static_cast<double>(PipelineSchedule::one_f_one_b);
  EXPECT_EQ(messages(inputs), Messages{"virtual_stages: virtual_stages must be 1 unless pipeline_schedule is "
                                       "interleaved; got 4; set pipeline_schedule to interleaved"});
}

TEST(Pins, ThatTheStackCannotRunSayWhichRulesTheyBreak) {
  PlanInputs inputs = llama70b_on_64();
  inputs.allowed.pipeline_parallel.pinned = 4;
  inputs.allowed.pipeline_schedule.pinned = static_cast<double>(PipelineSchedule::zero_bubble);
  inputs.allowed.zero_stage.pinned = 3;
  EXPECT_EQ(
      messages(inputs),
      Messages{"recipe: recipe (megatron-core) can run no layout of cluster_gpus (64) that is allowed: "
               "Megatron-Core runs 1F1B and the interleaved schedule; Megatron-Core is not known to run "
               "ZeRO-2 or ZeRO-3 (Megatron-FSDP) with PP. Try recipe other"});
}

// A schedule of one stage, a ZeRO stage of one replica and shared tokens of one tensor rank have no effect:
// they are kept, and exclude nothing.
TEST(Pins, WithoutEffectExcludeNothing) {
  PlanInputs inputs = llama70b_on_64();
  inputs.allowed.pipeline_parallel.pinned = 1;
  inputs.allowed.tensor_parallel.pinned = 1;
  const Listed plain(inputs);
  inputs.allowed.pipeline_schedule.pinned = static_cast<double>(PipelineSchedule::dualpipe);
  inputs.allowed.sequence_parallel.pinned = 1;
  const Listed kept(inputs);
  ASSERT_EQ(kept.size(), plain.size());
  ASSERT_FALSE(kept.empty());
  for (const auto& [layout, taken] : kept) {
    EXPECT_EQ(layout[4], static_cast<std::int64_t>(PipelineSchedule::dualpipe));
    EXPECT_EQ(layout[1], 1);
  }
}

}  // namespace
}  // namespace commcost
