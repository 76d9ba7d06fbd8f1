#include "core/plan/goodput_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/model/catalog.h"

namespace commcost {
namespace {

GoodputPlanInputs asked(std::string_view model = "llama-3.1-70b") {
  GoodputPlanInputs inputs;
  for (const auto& row : all_models())
    if (row.id == model) inputs.job.model = row.shape;
  inputs.job.machine.accelerator = place_of_accelerator("h200-sxm");
  inputs.job.work.weight_bytes_per_element = 1;
  inputs.job.work.matmul_precision = MatmulPrecision::fp8;
  inputs.requests = 1000;
  return inputs;
}

GoodputPlan plan(const GoodputPlanInputs& inputs) {
  SimulatedDeployments none;
  const Outcome<GoodputPlan> found = plan_goodput(inputs, 0, none);
  EXPECT_TRUE(found);
  return found ? *found : GoodputPlan{};
}

std::string name(const ServingDeployment& one) {
  return std::to_string(one.tensor_parallel) + " " + std::to_string(one.pipeline_parallel) + " " +
         std::to_string(one.expert_parallel);
}

double served(const GoodputPlan& plan) {
  return plan.found ? plan.deployments.front().requests_per_sec : 0;
}

ServingPlan without_queue(const GoodputPlanInputs& inputs) {
  ServingPlanInputs steady;
  static_cast<ServingStepInputs&>(steady) = inputs;
  steady.cluster_gpus = inputs.cluster_gpus;
  steady.prompt_tokens = inputs.prompt_tokens;
  steady.most_token_ms = inputs.most_token_ms;
  steady.most_first_token_ms = inputs.most_first_token_ms;
  return *plan_serving(steady);
}

ServingLoadInputs served_by(const GoodputPlanInputs& inputs, const ServingDeployment& one) {
  ServingLoadInputs load = inputs;
  load.job.layout = layout_of(one, inputs.job.layout);
  load.job.work.batch_size = static_cast<std::int64_t>(one.batch_size);
  load.job.work.step_tokens = static_cast<std::int64_t>(one.step_tokens);
  load.replicas = static_cast<std::int64_t>(one.replicas);
  return load;
}

TEST(GoodputPlan, ServesNoMoreThanWithoutAQueueAndInTime) {
  const GoodputPlanInputs inputs = asked();
  const GoodputPlan found = plan(inputs);
  ASSERT_TRUE(found.found);
  EXPECT_EQ(found.progress, 1);
  ASSERT_EQ(found.deployments.size(), found.loads.size());
  EXPECT_EQ(found.deployments.size(), without_queue(inputs).deployments.size());
  for (std::size_t place = 0; place < found.deployments.size(); ++place) {
    const ServingDeployment& one = found.deployments[place];
    const DeploymentLoad& load = found.loads[place];
    EXPECT_LE(one.requests_per_sec, load.capacity_per_sec);
    if (!load.simulated || !meets_targets(one)) continue;
    EXPECT_GT(one.requests_per_sec, 0);
    EXPECT_LE(one.requests_per_sec, served(found));
    EXPECT_EQ(one.token_ms, load.token.p99_ms);
    EXPECT_EQ(one.first_token_ms, load.first_token.p99_ms);
    EXPECT_LE(load.token.p50_ms, load.token.p99_ms);
    EXPECT_LE(one.token_ms, 50);
    EXPECT_LE(one.first_token_ms, 1000);
    EXPECT_EQ(one.token_low_ms, load.token.p99_low_ms);
    EXPECT_EQ(one.first_token_high_ms, load.first_token.p99_high_ms);
    EXPECT_LE(one.token_low_ms, 0.8 * one.token_ms);
    EXPECT_GE(one.token_high_ms, 1.3 * one.token_ms);
  }
}

// Each deployment simulated by itself, whatever its capacity.
TEST(GoodputPlan, LosesNoneThatCouldBeTheBestOrATie) {
  GoodputPlanInputs many = asked("qwen3-30b-a3b");
  many.cluster_gpus = 4;
  GoodputPlanInputs random = asked();
  random.request_routing = RequestRouting::random;
  GoodputPlanInputs long_prompts = asked("llama-3.1-8b");
  long_prompts.prompt_tokens = 8192;
  long_prompts.cluster_gpus = 4;
  int skipped = 0;
  for (const GoodputPlanInputs& inputs : {asked(), many, random, long_prompts}) {
    const GoodputPlan found = plan(inputs);
    ASSERT_TRUE(found.found);
    double most = 0;
    for (const ServingDeployment& one : without_queue(inputs).deployments) {
      if (!meets_targets(one)) continue;
      const Outcome<Goodput> alone =
          goodput(served_by(inputs, one), {0.99, inputs.most_first_token_ms, inputs.most_token_ms},
                  one.requests_per_sec, tried_step_tokens);
      ASSERT_TRUE(alone);
      most = std::max(most, alone->requests_per_sec);
      const auto same = [&one](const ServingDeployment& other) { return name(other) == name(one); };
      const auto at =
          std::find_if(found.deployments.begin(), found.deployments.end(), same) - found.deployments.begin();
      const auto place = static_cast<std::size_t>(at);
      if (found.loads[place].simulated) {
        EXPECT_EQ(found.deployments[place].requests_per_sec, alone->requests_per_sec) << name(one);
        continue;
      }
      ++skipped;
      EXPECT_FALSE(within_error(alone->requests_per_sec, served(found))) << name(one);
      EXPECT_EQ(found.deployments[place].verdict, ServingVerdict::less_throughput);
    }
    EXPECT_EQ(served(found), most);
  }
  EXPECT_GT(skipped, 8);
}

TEST(GoodputPlan, ServesNoLessWithinLooserLimits) {
  for (const std::string_view model : {"llama-3.1-70b", "llama-3.1-8b"}) {
    GoodputPlanInputs inputs = asked(model);
    inputs.cluster_gpus = 2;
    double before = 0;
    for (const double limit_ms : {12, 16, 20, 25, 30, 35, 40, 44, 45, 50, 60, 80, 120, 0}) {
      inputs.most_token_ms = limit_ms;
      const double now = served(plan(inputs));
      EXPECT_GE(now, before) << model << ", TPOT " << limit_ms;
      before = now;
    }
    inputs.most_token_ms = 50;
    before = 0;
    for (const double limit_ms : {100, 150, 200, 300, 500, 1000, 2000, 5000, 0}) {
      inputs.most_first_token_ms = limit_ms;
      const double now = served(plan(inputs));
      EXPECT_GE(now, before) << model << ", TTFT " << limit_ms;
      before = now;
    }
    inputs.most_first_token_ms = 1000;
    before = 0;
    for (const LatencyPercentile one :
         {LatencyPercentile::p99, LatencyPercentile::p95, LatencyPercentile::p90, LatencyPercentile::p50}) {
      inputs.latency_percentile = one;
      const double now = served(plan(inputs));
      EXPECT_GE(now, before) << model << ", " << latency_percentile_names[static_cast<std::size_t>(one)];
      before = now;
    }
    EXPECT_GT(before, 0);
  }
}

// A small server may answer a low rate on fewer GPUs than those which serve most: none that could is left
// out.
TEST(GoodputPlan, FindsTheFewestGpusForARate) {
  int beyond_ties = 0;
  for (const double rate : {0.5, 3.0, 40.0}) {
    GoodputPlanInputs inputs = asked();
    inputs.requests_per_sec = rate;
    // TP 1 keeps it with small batches alone.
    inputs.most_token_ms = 24;
    const GoodputPlan found = plan(inputs);
    ASSERT_TRUE(found.found);
    double fewest = 1e9;
    for (std::size_t place = 0; place < found.deployments.size(); ++place) {
      const ServingDeployment& one = found.deployments[place];
      EXPECT_EQ(one.needed_gpus > 0, found.loads[place].simulated && meets_targets(one)) << name(one);
      if (one.needed_gpus > 0) fewest = std::min(fewest, one.needed_gpus);
      if (one.needed_gpus > 0 && one.verdict == ServingVerdict::less_throughput) ++beyond_ties;
    }
    for (const ServingDeployment& one : without_queue(inputs).deployments) {
      if (!meets_targets(one)) continue;
      const Outcome<Goodput> alone = goodput(served_by(inputs, one), {0.99, 1000, inputs.most_token_ms},
                                             one.requests_per_sec, tried_step_tokens);
      ASSERT_TRUE(alone);
      if (alone->needed_replicas == 0) continue;
      EXPECT_LE(fewest,
                alone->needed_replicas * one.tensor_parallel * one.pipeline_parallel * one.data_parallel)
          << name(one) << " at " << rate;
    }
  }
  EXPECT_GT(beyond_ties, 0);
}

// Its first deployments first, and then what a search at once finds.
TEST(GoodputPlan, GoesOnWhereItEnded) {
  const GoodputPlanInputs inputs = asked();
  const GoodputPlan whole = plan(inputs);
  SimulatedDeployments known;
  double progress = 0;
  std::int64_t simulations = 0;
  while (progress < 1) {
    const Outcome<GoodputPlan> found = plan_goodput(inputs, ++simulations, known);
    ASSERT_TRUE(found);
    EXPECT_GT(found->progress, progress);
    progress = found->progress;
    const auto simulated = std::count_if(found->loads.begin(), found->loads.end(),
                                         [](const DeploymentLoad& one) { return one.simulated; });
    EXPECT_EQ(simulated, simulations);
    EXPECT_TRUE(found->loads.front().simulated);
    if (progress < 1) continue;
    EXPECT_EQ(served(*found), served(whole));
    EXPECT_EQ(name(found->deployments.front()), name(whole.deployments.front()));
  }
  EXPECT_GT(simulations, 1);
  // What is known of one question does not answer another.
  GoodputPlanInputs other = inputs;
  other.prompt_tokens = 2048;
  EXPECT_EQ(served(*plan_goodput(other, 0, known)), served(plan(other)));
}

TEST(GoodputPlan, FollowsItsSeedAlone) {
  GoodputPlanInputs inputs = asked("llama-3.1-8b");
  inputs.cluster_gpus = 1;
  inputs.most_first_token_ms = 100;
  const double first = served(plan(inputs));
  EXPECT_EQ(served(plan(inputs)), first);
  inputs.arrivals_seed = 2;
  EXPECT_NE(served(plan(inputs)), first);
}

// A prompt that is mostly kept costs less time: capacity without a queue knows of it too.
TEST(GoodputPlan, ServesMoreWithPrefixesKept) {
  GoodputPlanInputs inputs = asked();
  inputs.cluster_gpus = 4;
  inputs.prompt_tokens = 4096;
  const double none = served(plan(inputs));
  inputs.prefix_hit_percent = 90;
  EXPECT_GT(served(plan(inputs)), 1.5 * none);
}

// Prompts of twice the mean take longer than a limit which the mean just keeps, however few come.
TEST(GoodputPlan, SaysWhichLimitNoRateKeeps) {
  GoodputPlanInputs inputs = asked();
  double soonest = 1e9;
  for (const ServingDeployment& one : without_queue(inputs).deployments)
    soonest = std::min(soonest, one.first_token_ms);
  inputs.most_first_token_ms = 1.1 * soonest;
  inputs.length_spread = LengthSpread::log_normal;
  inputs.length_spread_percent = 100;
  const GoodputPlan found = plan(inputs);
  EXPECT_FALSE(found.found);
  bool simulated = false;
  for (std::size_t place = 0; place < found.deployments.size(); ++place) {
    if (!found.loads[place].simulated) continue;
    simulated = true;
    EXPECT_EQ(found.deployments[place].verdict, ServingVerdict::first_token_too_slow);
    EXPECT_EQ(found.deployments[place].requests_per_sec, 0);
    EXPECT_GT(found.deployments[place].first_token_ms, inputs.most_first_token_ms);
  }
  EXPECT_TRUE(simulated);
}

TEST(GoodputPlan, RefusesAModelThatCannotBe) {
  GoodputPlanInputs inputs = asked();
  inputs.job.model.num_heads = 7;
  SimulatedDeployments none;
  EXPECT_FALSE(plan_goodput(inputs, 0, none));
}

}  // namespace
}  // namespace commcost
