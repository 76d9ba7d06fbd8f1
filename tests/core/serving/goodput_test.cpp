#include "core/serving/goodput.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/model/catalog.h"
#include "core/serving/loaded_server.h"

namespace commcost {
namespace {

ServingLoadInputs four_replicas() {
  ServingLoadInputs inputs;
  for (const auto& row : all_models())
    if (row.id == "llama-3.1-70b") inputs.job.model = row.shape;
  inputs.job.machine.accelerator = place_of_accelerator("h200-sxm");
  inputs.job.layout.tensor_parallel = 2;
  inputs.job.work.weight_bytes_per_element = 1;
  inputs.job.work.matmul_precision = MatmulPrecision::fp8;
  inputs.job.work.batch_size = 81;
  inputs.replicas = 4;
  inputs.requests = 3000;
  return inputs;
}

constexpr double steady_per_sec = 25;
constexpr ServiceLevel level = {0.99, 1000, 50};

// At that rate requests wait as serving_load says, no longer than they may; a little above it they do.
TEST(Goodput, IsTheHighestRateThatIsKept) {
  ServingLoadInputs inputs = four_replicas();
  const Outcome<Goodput> most = goodput(inputs, level, steady_per_sec);
  ASSERT_TRUE(most);
  EXPECT_GT(most->requests_per_sec, 0.4 * steady_per_sec);
  inputs.requests_per_sec = most->requests_per_sec;
  const Outcome<ServingLoad> at = serving_load(inputs);
  ASSERT_TRUE(at);
  EXPECT_TRUE(at->keeps_up);
  EXPECT_EQ(at->first_token.p99_ms, most->load.first_token.p99_ms);
  EXPECT_EQ(at->token.p99_ms, most->load.token.p99_ms);
  EXPECT_LE(at->first_token.p99_ms, level.first_token_ms);
  EXPECT_LE(at->token.p99_ms, level.token_ms);
  inputs.requests_per_sec += steady_per_sec / 100;
  const Outcome<ServingLoad> above = serving_load(inputs);
  EXPECT_TRUE(above->first_token.p99_ms > level.first_token_ms || above->token.p99_ms > level.token_ms);
}

// A level that fewer requests have to keep, or that lets them wait longer, is kept at no lower a rate.
TEST(Goodput, GrowsAsTheLevelLoosens) {
  const ServingLoadInputs inputs = four_replicas();
  double before = 0;
  for (const ServiceLevel& one :
       {ServiceLevel{0.99, 500, 40}, level, {0.95, 1000, 50}, {0.9, 1000, 50}, {0.5, 2000, 60}}) {
    const double now = goodput(inputs, one, steady_per_sec)->requests_per_sec;
    EXPECT_GE(now, before) << one.share << " " << one.token_ms;
    before = now;
  }
  EXPECT_GT(before, 0.85 * steady_per_sec);
  EXPECT_LE(before, steady_per_sec);
}

// The highest of all hundred and twenty-eighths of the rate at which every percentile is in time.
TEST(Goodput, IsWhatTryingEveryRateFinds) {
  ServingLoadInputs inputs = four_replicas();
  inputs.requests = 400;
  inputs.length_spread_percent = 50;
  double kept = 0;
  for (int part = 1; part <= 128; ++part) {
    inputs.requests_per_sec = steady_per_sec * part / 128;
    const Outcome<ServingLoad> at = expected_load(inputs);
    ASSERT_TRUE(at);
    if (at->keeps_up && at->first_token.p99_ms <= level.first_token_ms && at->token.p99_ms <= level.token_ms)
      kept = inputs.requests_per_sec;
  }
  EXPECT_GT(kept, 0);
  EXPECT_EQ(goodput(inputs, level, steady_per_sec)->requests_per_sec, kept);
}

// Settings tried one by one, every eighth batch with every step: none serves a twentieth more than what was
// found, which serves no less than the settings that it began with, and mostly more.
TEST(Goodput, FindsSettingsThatServeAsMuchAsAny) {
  constexpr std::int64_t tokens[] = {512, 1024, 2048, 4096, 8192};
  struct Case {
    std::int64_t prompt;
    std::int64_t output;
    std::int64_t batch;
    double steady_per_sec;
    ServiceLevel level;
  };
  constexpr Case cases[] = {{1024, 256, 80, 25, {0.99, 1000, 50}},
                            {6000, 100, 20, 10, {0.99, 3000, 80}},
                            {1024, 256, 80, 25, {0.9, 300, 50}}};
  int better = 0;
  for (const Case& one : cases) {
    ServingLoadInputs inputs = four_replicas();
    inputs.prompt_tokens = one.prompt;
    inputs.output_tokens = one.output;
    inputs.job.work.batch_size = one.batch;
    inputs.requests = 1500;
    inputs.length_spread_percent = 50;
    const Outcome<Goodput> found = goodput(inputs, one.level, one.steady_per_sec, tokens);
    ASSERT_TRUE(found);
    EXPECT_LE(found->settings.batch_size, one.batch);
    const double given = goodput(inputs, one.level, one.steady_per_sec)->requests_per_sec;
    EXPECT_GE(found->requests_per_sec, given);
    if (found->requests_per_sec > given) ++better;
    ServingLoadInputs again = inputs;
    again.job.work.batch_size = found->settings.batch_size;
    again.job.work.step_tokens = found->settings.step_tokens;
    EXPECT_EQ(goodput(again, one.level, one.steady_per_sec)->requests_per_sec, found->requests_per_sec);
    for (std::int64_t batch = 4; batch <= one.batch; batch += 8) {
      for (const std::int64_t step : tokens) {
        again.job.work.batch_size = batch;
        again.job.work.step_tokens = step;
        EXPECT_LE(goodput(again, one.level, one.steady_per_sec)->requests_per_sec,
                  1.05 * found->requests_per_sec)
            << batch << " " << step;
      }
    }
  }
  EXPECT_GE(better, 2);
}

// Stages take turns at as many sequences each: a smaller batch that serves more has a whole number for each.
TEST(Goodput, MovesABatchOfStagesByAsManyForEach) {
  constexpr std::int64_t tokens[] = {1024, 4096};
  for (const std::int64_t stages : {2, 3, 4}) {
    ServingLoadInputs inputs = four_replicas();
    inputs.job.layout.tensor_parallel = 1;
    inputs.job.layout.pipeline_parallel = stages;
    inputs.job.work.batch_size = 44 * stages;
    inputs.requests = 400;
    const Outcome<Goodput> found = goodput(inputs, {0.9, 1500, 45}, 60, tokens);
    ASSERT_TRUE(found);
    EXPECT_LT(found->settings.batch_size, 44 * stages);
    EXPECT_EQ(found->settings.batch_size % stages, 0) << stages;
  }
}

// So many servers keep the level at the rate, and none of four fewer that have it without a queue.
double counted(ServingLoadInputs inputs, const ServiceLevel& asked, double steady) {
  const double least = std::ceil(inputs.requests_per_sec * static_cast<double>(inputs.replicas) / steady);
  const double needed = goodput(inputs, asked, steady)->needed_replicas;
  const auto kept_by = [&](double replicas) {
    inputs.replicas = static_cast<std::int64_t>(replicas);
    const Outcome<ServingLoad> at = expected_load(inputs);
    const auto late = [&](const RequestTimes& times, double limit_ms) {
      return limit_ms > 0 && (asked.share == 0.5 ? times.p50_ms : times.p99_ms) > limit_ms;
    };
    return at->keeps_up && !late(at->first_token, asked.first_token_ms) && !late(at->token, asked.token_ms);
  };
  EXPECT_TRUE(kept_by(needed)) << inputs.requests_per_sec;
  EXPECT_GE(needed, least) << inputs.requests_per_sec;
  for (double fewer = needed - 1; fewer >= std::max(least, needed - 4); --fewer)
    EXPECT_FALSE(kept_by(fewer)) << fewer << " at " << inputs.requests_per_sec;
  return needed;
}

TEST(Goodput, CountsTheServersThatKeepARate) {
  for (const double rate : {0.5, 5.0, 31.0, 170.0}) {
    ServingLoadInputs inputs = four_replicas();
    inputs.requests_per_sec = rate;
    ASSERT_GE(counted(inputs, level, steady_per_sec), 1) << rate;
  }
  EXPECT_EQ(goodput(four_replicas(), level, steady_per_sec)->needed_replicas, 0);
}

// Where a few requests show no queue, fewer servers do than have a rate that one keeps, but none fewer than
// have it without a queue.
TEST(Goodput, CountsNoServersWhoseQueueWouldGrow) {
  ServingLoadInputs inputs = four_replicas();
  inputs.requests = 200;
  inputs.length_spread = LengthSpread::log_normal;
  inputs.length_spread_percent = 200;
  inputs.requests_per_sec = 2000;
  const ServiceLevel half = {0.5, 150, 0};
  const double more_per_sec = 4 * steady_per_sec;
  const double each = goodput(inputs, half, more_per_sec)->requests_per_sec / 4;
  EXPECT_LT(counted(inputs, half, more_per_sec), 0.9 * inputs.requests_per_sec / each);
  EXPECT_EQ(counted(inputs, {0.5, 0, 0}, steady_per_sec), std::ceil(2000 * 4 / steady_per_sec));
}

// No rate gives a token sooner than one sequence has it.
TEST(Goodput, IsNothingWhereNoRateKeepsTheLevel) {
  const Outcome<Goodput> none = goodput(four_replicas(), {0.99, 1000, 5}, steady_per_sec);
  ASSERT_TRUE(none);
  EXPECT_EQ(none->requests_per_sec, 0);
  EXPECT_GT(none->load.token.p99_ms, 5);
}

TEST(Goodput, RefusesWhatServingLoadRefuses) {
  ServingLoadInputs inputs = four_replicas();
  inputs.prompt_tokens = 1000000;
  const Outcome<Goodput> found = goodput(inputs, level, steady_per_sec);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.problems().front().message, serving_load(inputs).problems().front().message);
}

}  // namespace
}  // namespace commcost
