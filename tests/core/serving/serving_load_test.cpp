#include "core/serving/serving_load.h"

#include <gtest/gtest.h>

#include "core/model/catalog.h"
#include "core/serving/loaded_server.h"
#include "core/serving/priced_server.h"

namespace commcost {
namespace {

ServingLoadInputs deployment() {
  ServingLoadInputs inputs;
  for (const auto& row : all_models())
    if (row.id == "llama-3.1-70b") inputs.job.model = row.shape;
  inputs.job.machine.accelerator = place_of_accelerator("h100-sxm");
  inputs.job.layout.tensor_parallel = 4;
  inputs.requests_per_sec = 4;
  inputs.requests = 4000;
  return inputs;
}

ServingLoad load(const ServingLoadInputs& inputs) {
  const Outcome<ServingLoad> found = serving_load(inputs);
  EXPECT_TRUE(found);
  return found ? *found : ServingLoad{};
}

double step_ms(ServingLoadInputs inputs, Mode mode, std::int64_t batch, std::int64_t tokens) {
  inputs.job.work.mode = mode;
  inputs.job.work.batch_size = batch;
  inputs.job.work.sequence_length = tokens;
  return serving_step(inputs)->step_time_ms;
}

// At places of its grid a step is serving_step's own, between them near it.
TEST(PlayedLoad, KeepsUpWhileFewerThanATwentiethOfAllRequestsWait) {
  const auto keeps_up = [](double waiting, std::size_t requests) {
    PlayedLoad played;
    played.requests.resize(requests);
    played.load.left_waiting = waiting;
    return played.keeps_up();
  };
  EXPECT_TRUE(keeps_up(20, 410));
  EXPECT_FALSE(keeps_up(20, 400));
}

TEST(ServingLoad, StepsTakeWhatServingStepSays) {
  const ServingLoadInputs inputs = deployment();
  const PricedServer server(completed(inputs.job), {256, 4096, 8192});
  for (const double batch : {1.0, 4.0, 8.0}) {
    const double us = server.step_us({batch, batch * 1024, 0, 0, 0});
    EXPECT_DOUBLE_EQ(us * 1e-3, step_ms(inputs, Mode::decode, static_cast<std::int64_t>(batch), 1024));
  }
  for (const std::int64_t batch : {37, 100, 201})
    for (const std::int64_t context : {700, 1500, 3000}) {
      const auto sequences = static_cast<double>(batch);
      const double ms = server.step_us({sequences, sequences * static_cast<double>(context), 0, 0, 0}) * 1e-3;
      EXPECT_NEAR(ms / step_ms(inputs, Mode::decode, batch, context), 1, 0.02) << batch << " " << context;
    }
  for (const std::int64_t tokens : {300, 1000, 2500}) {
    const double ms = server.step_us({0, 0, 1, static_cast<double>(tokens), 0}) * 1e-3;
    EXPECT_NEAR(ms / step_ms(inputs, Mode::prefill, 1, tokens), 1, 0.05) << tokens;
  }
}

// A prompt in two chunks takes what it takes whole, but for reading the weights twice.
TEST(ServingLoad, ChunksOfAPromptAttendToThoseBefore) {
  const ServingLoadInputs inputs = deployment();
  const PricedServer server(completed(inputs.job), {8, 65536, 65536});
  const double whole = server.step_us({0, 0, 1, 65536, 0});
  const double first = server.step_us({0, 0, 1, 32768, 0});
  const double second = server.step_us({0, 0, 1, 32768, server.attention_us(32768, 32768)});
  EXPECT_GT(second, 1.1 * first);
  EXPECT_NEAR((first + second) / whole, 1, 0.03);
}

// Almost no request waits at one a minute: TTFT is that of a prompt alone, TPOT a step of one sequence.
TEST(ServingLoad, AloneIsServingStep) {
  ServingLoadInputs inputs = deployment();
  inputs.requests_per_sec = 1.0 / 60;
  const ServingLoad found = load(inputs);
  EXPECT_NEAR(found.first_token.p50_ms / step_ms(inputs, Mode::prefill, 1, 1024), 1, 0.05);
  EXPECT_NEAR(found.token.p50_ms / step_ms(inputs, Mode::decode, 1, 1024 + 128), 1, 0.02);
  EXPECT_TRUE(found.keeps_up);
  EXPECT_EQ(found.left_waiting_percent, 0);
  EXPECT_NEAR(found.requests_per_sec, 1.0 / 60, 0.002);
}

// More requests never bring shorter waits, and beyond what a server can do most of them wait when the last
// one arrives.
TEST(ServingLoad, LatencyGrowsWithTheRate) {
  ServingLoadInputs inputs = deployment();
  double first = 0;
  double token = 0;
  for (const double rate : {0.5, 1.0, 2.0, 4.0, 8.0}) {
    inputs.requests_per_sec = rate;
    const ServingLoad found = load(inputs);
    EXPECT_GE(found.first_token.p99_ms, first) << rate;
    EXPECT_GE(found.token.p99_ms, token) << rate;
    EXPECT_LE(found.first_token.p50_ms, found.first_token.p99_ms);
    EXPECT_LT(found.first_token.p99_low_ms, found.first_token.p99_ms);
    EXPECT_GT(found.first_token.p99_high_ms, 1.25 * found.first_token.p99_ms);
    first = found.first_token.p99_ms;
    token = found.token.p99_ms;
  }
  inputs.requests_per_sec = 1000;
  const ServingLoad beyond = load(inputs);
  EXPECT_FALSE(beyond.keeps_up);
  EXPECT_GT(beyond.left_waiting_percent, 90);
  EXPECT_LT(beyond.requests_per_sec, 100);
  EXPECT_GT(beyond.first_token.p99_ms, 10 * first);
}

// Two servers share the requests between them, each with Poisson arrivals where either may get any.
TEST(ServingLoad, ServersShareTheRate) {
  ServingLoadInputs inputs = deployment();
  inputs.request_routing = RequestRouting::random;
  const ServingLoad one = load(inputs);
  inputs.replicas = 2;
  inputs.requests_per_sec = 8;
  const ServingLoad two = load(inputs);
  EXPECT_DOUBLE_EQ(two.first_token.p99_ms, one.first_token.p99_ms);
  EXPECT_DOUBLE_EQ(two.requests_per_sec, 2 * one.requests_per_sec);
  EXPECT_DOUBLE_EQ(two.output_tokens_per_sec_per_gpu, one.output_tokens_per_sec_per_gpu);
  EXPECT_EQ(two.cluster_gpus, 8);
}

// Servers that take turns have their requests more evenly, and so shorter queues: the more of them, the
// closer to one that comes every so often. With one server there is nothing to choose.
TEST(ServingLoad, TurnsEvenOutTheQueue) {
  ServingLoadInputs inputs = deployment();
  const double alone = load(inputs).first_token.p99_ms;
  inputs.request_routing = RequestRouting::random;
  EXPECT_EQ(load(inputs).first_token.p99_ms, alone);
  inputs.request_routing = RequestRouting::round_robin;
  double before = alone;
  for (const std::int64_t servers : {2, 8, 64}) {
    inputs.replicas = servers;
    inputs.requests_per_sec = 4.0 * static_cast<double>(servers);
    const ServingLoad found = load(inputs);
    EXPECT_LT(found.first_token.p99_ms, before) << servers;
    EXPECT_NEAR(found.requests_per_sec / inputs.requests_per_sec, 1, 0.03) << servers;
    before = found.first_token.p99_ms;
  }
}

// A client that keeps n in flight sees a steady batch of n: TPOT is a step of it, with prompts in between.
TEST(ServingLoad, ConcurrencyIsTheBatch) {
  ServingLoadInputs inputs = deployment();
  inputs.requests_per_sec = 0;
  inputs.requests = 400;
  double before = 0;
  for (const std::int64_t in_flight : {1, 8, 32}) {
    inputs.max_concurrency = in_flight;
    const ServingLoad found = load(inputs);
    EXPECT_LE(found.mean_sequences, static_cast<double>(in_flight) + 1e-9);
    EXPECT_GT(found.mean_sequences, 0.85 * static_cast<double>(in_flight));
    EXPECT_GE(found.token.p50_ms, 0.99 * step_ms(inputs, Mode::decode, in_flight, 1024 + 128)) << in_flight;
    EXPECT_GT(found.token.p50_ms, before);
    before = found.token.p50_ms;
  }
  const Outcome<ServingLoad> quick = expected_load(inputs);
  ASSERT_TRUE(quick);
  EXPECT_EQ(quick->token.p50_ms, before);
  EXPECT_EQ(quick->token.p99_high_ms, quick->token.p99_ms);
}

// Long answers on two H100 leave a cache that fills: sequences are put back, and users wait for it.
TEST(ServingLoad, AFullCacheShowsInTheTail) {
  ServingLoadInputs inputs = deployment();
  inputs.job.layout.tensor_parallel = 2;
  inputs.job.work.weight_bytes_per_element = 1;
  inputs.job.work.matmul_precision = MatmulPrecision::fp8;
  inputs.output_tokens = 4096;
  inputs.requests_per_sec = 0.6;
  inputs.requests = 2000;
  const ServingLoad wide = load(inputs);
  EXPECT_GT(wide.preemptions, 0);
  inputs.job.work.kv_bytes_per_element = 1;
  const ServingLoad narrow = load(inputs);
  EXPECT_LT(narrow.preemptions, wide.preemptions);
  EXPECT_LT(narrow.first_token.p99_ms, wide.first_token.p99_ms);
}

// Near what a server can do, one whose steps take as long as they may falls behind a rate that stays, and not
// one that follows: there every time is as much longer as its steps are.
TEST(ServingLoad, BandsKnowWhetherTheRateFollows) {
  ServingLoadInputs inputs = deployment();
  inputs.requests_per_sec = 0;
  inputs.requests = 2000;
  const ServingLoad most = load(inputs);
  EXPECT_NEAR(most.first_token.p99_high_ms / most.first_token.p99_ms, 1.3, 0.05);
  inputs.requests_per_sec = 0.9 * most.requests_per_sec;
  const ServingLoad fixed = load(inputs);
  EXPECT_TRUE(fixed.keeps_up);
  EXPECT_FALSE(fixed.surely_keeps_up);
  inputs.rate_follows_steps = true;
  const ServingLoad follows = load(inputs);
  EXPECT_TRUE(follows.surely_keeps_up);
  EXPECT_EQ(follows.first_token.p99_ms, fixed.first_token.p99_ms);
  EXPECT_LT(follows.first_token.p99_high_ms, 0.5 * fixed.first_token.p99_high_ms);
  EXPECT_DOUBLE_EQ(follows.token.p50_high_ms / follows.token.p50_ms,
                   follows.first_token.p99_high_ms / follows.first_token.p99_ms);
  inputs.requests_per_sec = 0.3 * most.requests_per_sec;
  inputs.rate_follows_steps = false;
  EXPECT_TRUE(load(inputs).surely_keeps_up);
}

TEST(ServingLoad, SpreadAndPrefixesAct) {
  const ServingLoad even = load(deployment());
  ServingLoadInputs spread = deployment();
  spread.length_spread_percent = 100;
  spread.length_spread = LengthSpread::log_normal;
  EXPECT_GT(load(spread).first_token.p99_ms, even.first_token.p99_ms);
  ServingLoadInputs hits = deployment();
  hits.prefix_hit_percent = 90;
  EXPECT_LT(load(hits).first_token.p50_ms, even.first_token.p50_ms);
}

// All at once: a full batch from the first step to where the queue ends.
TEST(ServingLoad, WithoutARateAllComeAtOnce) {
  ServingLoadInputs inputs = deployment();
  inputs.requests_per_sec = 0;
  inputs.requests = 1000;
  inputs.job.work.batch_size = 50;
  const ServingLoad found = load(inputs);
  EXPECT_FALSE(found.keeps_up);
  EXPECT_GT(found.mean_sequences, 40);
  EXPECT_LE(found.mean_sequences, 50);
  ASSERT_GE(found.moments.size(), 60U);
  EXPECT_LE(found.moments.size(), 120U);
  EXPECT_GT(found.moments.front().waiting, 900);
  EXPECT_NEAR(found.moments.back().time_s, 1000 / found.requests_per_sec, 1e-6);
}

TEST(ServingLoad, RefusesARequestThatNoCacheHolds) {
  ServingLoadInputs inputs = deployment();
  inputs.prompt_tokens = 1000000;
  const Outcome<ServingLoad> found = serving_load(inputs);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.problems().front().field, "prompt_tokens");
  inputs = deployment();
  inputs.job.layout.tensor_parallel = 1;
  EXPECT_FALSE(serving_load(inputs));
}

// In the name of what was typed: groups of tensor ranks follow from it.
TEST(ServingLoad, RefusesDegreesThatDoNotDivideByTheirNames) {
  ServingLoadInputs inputs = deployment();
  for (const auto& row : all_models())
    if (row.id == "mixtral-8x7b") inputs.job.model = row.shape;
  inputs.job.layout.tensor_parallel = 8;
  for (const std::int64_t experts : {3, 12}) {
    inputs.job.layout.expert_parallel = experts;
    const Outcome<ServingLoad> found = serving_load(inputs);
    ASSERT_FALSE(found);
    ASSERT_EQ(found.problems().size(), 1u);
    EXPECT_EQ(found.problems()[0].message,
              "expert_parallel must be a divisor or a multiple of "
              "tensor_parallel (8); got " +
                  std::to_string(experts));
  }
  for (const std::int64_t experts : {1, 2, 8}) {
    inputs.job.layout.expert_parallel = experts;
    EXPECT_TRUE(serving_load(inputs)) << experts;
  }
}

// A token of a prompt in each step, of hundreds of thousands of tokens: refused, not played for hours.
TEST(ServingLoad, RefusesWhatTakesTooManySteps) {
  ServingLoadInputs inputs = deployment();
  inputs.prompt_tokens = 100000;
  inputs.job.work.step_tokens = 1;
  inputs.requests = 1000;
  const Outcome<ServingLoad> found = serving_load(inputs);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.problems().front().field, "step_tokens");
}

}  // namespace
}  // namespace commcost
