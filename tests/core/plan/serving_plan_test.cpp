#include "core/plan/serving_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/model/catalog.h"
#include "core/parallel/recipes.h"
#include "core/serving/serving_load.h"

namespace commcost {
namespace {

ServingPlanInputs plan_of(std::string_view model, std::string_view accelerator, std::int64_t gpus = 8) {
  ServingPlanInputs inputs;
  for (const auto& row : all_models())
    if (row.id == model) inputs.job.model = row.shape;
  inputs.job.machine.accelerator = place_of_accelerator(accelerator);
  inputs.cluster_gpus = gpus;
  return inputs;
}

template <class Change>
ServingPlan plan(ServingPlanInputs inputs, Change change) {
  change(inputs);
  const Outcome<ServingPlan> found = plan_serving(inputs);
  EXPECT_TRUE(found);
  return found ? *found : ServingPlan{};
}

ServingPlan plan(const ServingPlanInputs& inputs) {
  return plan(inputs, [](auto&) {});
}

const ServingDeployment* on(const ServingPlan& plan, double tensor, double experts = 1, double stages = 1) {
  for (const ServingDeployment& one : plan.deployments)
    if (one.tensor_parallel == tensor && one.expert_parallel == experts && one.pipeline_parallel == stages)
      return &one;
  return nullptr;
}

// 70B in 16 bits are 131 GiB: two H100 of 78 GiB hold them with little to spare, one does not.
TEST(ServingPlan, SaysWhatDoesNotFit) {
  const ServingPlan found = plan(plan_of("llama-3.1-70b", "h100-sxm"));
  ASSERT_TRUE(found.found);
  EXPECT_EQ(on(found, 1)->verdict, ServingVerdict::does_not_fit);
  EXPECT_NE(on(found, 4)->verdict, ServingVerdict::does_not_fit);
  EXPECT_EQ(found.deployments.back().verdict, ServingVerdict::does_not_fit);
}

// Who takes as long as a limit says keeps it.
TEST(ServingPlan, KeepsALimitThatItMeetsToTheLastBit) {
  ServingPlanInputs inputs = plan_of("llama-3.1-70b", "h100-sxm");
  const double first_token_ms = on(plan(inputs), 8)->first_token_ms;
  inputs.most_first_token_ms = first_token_ms;
  EXPECT_TRUE(meets_targets(*on(plan(inputs), 8)));
  inputs.most_first_token_ms = std::nextafter(first_token_ms, 0);
  EXPECT_FALSE(meets_targets(*on(plan(inputs), 8)));
}

TEST(ServingPlan, RefusesAStackThatDoesNotRunThere) {
  ServingPlanInputs inputs = plan_of("llama-3.1-70b", "mi300x");
  fill(inputs.job, *find_recipe("tensorrt-llm"));
  const Outcome<ServingPlan> found = plan_serving(inputs);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.problems().front().message,
            "recipe (tensorrt-llm) does not run on MI300X: TensorRT-LLM runs on NVIDIA GPUs. Try recipe "
            "vllm, sglang or gpt-fast");
}

// As its launch says: where GPUs share the experts each attends alone. Others have groups of tensor ranks.
TEST(ServingPlan, OffersWhatItsStackCanStart) {
  for (const char* recipe : {"tensorrt-llm", "vllm", "sglang"}) {
    ServingPlanInputs inputs = plan_of("deepseek-v3", "h200-sxm");
    inputs.cluster_gpus = 16;
    fill(inputs.job, *find_recipe(recipe));
    inputs.job.work.weight_bytes_per_element = 1;
    bool groups_of_tensor_ranks = false;
    bool groups = false;
    for (const ServingDeployment& one : plan(inputs, [](auto&) {}).deployments) {
      groups = groups || one.data_parallel > 1;
      groups_of_tensor_ranks = groups_of_tensor_ranks || (one.data_parallel > 1 && one.tensor_parallel > 1);
    }
    EXPECT_TRUE(groups) << recipe;
    EXPECT_EQ(groups_of_tensor_ranks, recipe != std::string_view("tensorrt-llm"));
  }
}

// Without a target few ranks and large batches bring most; the shorter a token must be, the more ranks.
TEST(ServingPlan, ATighterTargetTakesMoreRanks) {
  const auto with = [](double most) {
    return plan(plan_of("llama-3.1-8b", "h100-sxm"), [most](auto& s) { s.most_token_ms = most; });
  };
  const ServingDeployment any = with(0).deployments.front();
  EXPECT_EQ(any.tensor_parallel, 1);
  double ranks = 0;
  double requests = 1e30;
  for (const double most : {100.0, 20.0, 10.0, 5.0}) {
    const ServingPlan found = with(most);
    ASSERT_TRUE(found.found) << most;
    const ServingDeployment& best = found.deployments.front();
    EXPECT_LE(best.token_ms, most);
    EXPECT_GE(best.tensor_parallel, ranks);
    EXPECT_LE(best.requests_per_sec, requests);
    ranks = best.tensor_parallel;
    requests = best.requests_per_sec;
  }
  EXPECT_GT(ranks, 1);
}

TEST(ServingPlan, NothingMeetsWhatNoneCan) {
  const ServingPlan found =
      plan(plan_of("llama-3.1-70b", "h200-sxm"), [](auto& s) { s.most_token_ms = 0.1; });
  EXPECT_FALSE(found.found);
  EXPECT_EQ(on(found, 8)->verdict, ServingVerdict::token_too_slow);
  const ServingPlan prompt =
      plan(plan_of("llama-3.1-70b", "h200-sxm"), [](auto& s) { s.most_first_token_ms = 1; });
  EXPECT_EQ(on(prompt, 8)->verdict, ServingVerdict::first_token_too_slow);
}

// 671B weights of two bytes and steps of less than a millisecond: what is missed by the least stands first.
TEST(ServingPlan, WhatMissesATargetStandsByHowClose) {
  const auto ascends = [](const ServingPlan& found, ServingVerdict verdict,
                          double ServingDeployment::*missed) {
    const auto& all = found.deployments;
    EXPECT_GT(all.size(), 3u);
    for (const ServingDeployment& one : all) EXPECT_EQ(one.verdict, verdict);
    EXPECT_TRUE(std::is_sorted(all.begin(), all.end(), [missed](const auto& one, const auto& other) {
      return one.*missed < other.*missed;
    }));
    EXPECT_LT(all.front().*missed, all.back().*missed);
  };
  const auto quicker = [](auto& s) { s.most_token_ms = 0.1; };
  const auto sooner = [](auto& s) { s.most_first_token_ms = 1; };
  using D = ServingDeployment;
  ascends(plan(plan_of("deepseek-r1", "h200-sxm")), ServingVerdict::does_not_fit, &D::memory_gib);
  ascends(plan(plan_of("llama-3.1-8b", "h200-sxm"), quicker), ServingVerdict::token_too_slow, &D::token_ms);
  ascends(plan(plan_of("llama-3.1-8b", "h200-sxm"), sooner), ServingVerdict::first_token_too_slow,
          &D::first_token_ms);
}

// Requests, users and GPUs are one arithmetic: every sequence brings a request in output_tokens tokens' time.
TEST(ServingPlan, CountsRequestsOnce) {
  const ServingPlanInputs inputs = plan_of("llama-3.1-8b", "h100-sxm", 7);
  for (const ServingDeployment& one : plan(inputs).deployments) {
    const double sequences = one.batch_size * one.expert_parallel * one.replicas;
    EXPECT_NEAR(one.requests_per_sec, sequences * one.tokens_per_sec_per_user / 256, 1e-9);
    EXPECT_NEAR(one.output_tokens_per_sec_per_gpu * 7, one.requests_per_sec * 256, 1e-9);
    EXPECT_EQ(
        one.replicas * one.tensor_parallel * one.pipeline_parallel * one.expert_parallel + one.idle_gpus, 7);
    EXPECT_NEAR(one.tokens_per_sec_per_user, 1e3 / one.token_ms, 1e-9);
  }
}

TEST(ServingPlan, TheBestStandsFirstAndTiesBesideIt) {
  const ServingPlan found = plan(plan_of("deepseek-v3", "b200", 16), [](auto& s) {
    s.job.work.weight_bytes_per_element = 1;
    s.job.work.matmul_precision = MatmulPrecision::fp8;
  });
  ASSERT_TRUE(found.found);
  const double most = found.deployments.front().requests_per_sec;
  EXPECT_EQ(found.deployments.front().verdict, ServingVerdict::best);
  for (const ServingDeployment& one : found.deployments) {
    if (one.verdict == ServingVerdict::tie) {
      EXPECT_GE(one.requests_per_sec * 1.09, most);
    }
    if (one.verdict == ServingVerdict::less_throughput) {
      EXPECT_LT(one.requests_per_sec * 1.09, most);
    }
  }
  EXPECT_TRUE(std::any_of(found.deployments.begin(), found.deployments.end(),
                          [](const auto& one) { return one.expert_parallel > 1; }));
}

// A deployment's batches priced one by one, as serving_step says them: how long a token takes, and whether
// the requests fit at their end.
ServingStep step_of(const ServingPlanInputs& asked, const ServingDeployment& one, std::int64_t batch,
                    std::int64_t tokens, Mode mode) {
  ServingStepInputs step = asked;
  step.job.layout = layout_of(one, asked.job.layout);
  step.job.work.mode = mode;
  step.job.work.batch_size = batch;
  step.job.work.sequence_length = tokens;
  return *serving_step(step);
}

// What a token and a request take at a batch.
struct BatchTimes {
  double token_ms;
  double request_ms;
};

// The same of each batch that fits, priced one by one, as serving_step says it. A prompt that is cut reads
// the weights once more for each further chunk, in a step of its own, and all requests share a step's tokens.
std::vector<BatchTimes> every_batch(const ServingPlanInputs& asked, const ServingDeployment& one,
                                    std::int64_t most, double step_tokens) {
  const std::int64_t output = asked.output_tokens;
  const auto stages = static_cast<std::int64_t>(one.pipeline_parallel);
  const ServingStep prompt = step_of(asked, one, 1, asked.prompt_tokens, Mode::prefill);
  const auto once = [](const ServingStep& step) {
    return 1e-3 * (step.parts.weights_us + step.parts.kernels_us);
  };
  ServingPlanInputs chunked = asked;
  chunked.job.work.step_tokens = static_cast<std::int64_t>(step_tokens);
  std::vector<BatchTimes> found;
  for (std::int64_t batch = 1; batch <= most; ++batch) {
    const auto sequences = static_cast<double>(batch * stages);
    const auto tokens = static_cast<double>(asked.prompt_tokens + output);
    const bool fits = step_of(chunked, one, batch * stages, asked.prompt_tokens + output, Mode::decode).fits;
    if (!fits || (batch > 1 && sequences > step_tokens)) break;  // nor does a larger one
    const ServingStep step = step_of(asked, one, batch, asked.prompt_tokens + output / 2, Mode::decode);
    const double chunks =
        std::ceil(static_cast<double>(asked.prompt_tokens) / std::max(1.0, step_tokens - sequences));
    const double shared = static_cast<double>(stages) * tokens;
    const double prompts =
        std::min(static_cast<double>(batch) / static_cast<double>(output), step_tokens / shared);
    const double token_ms = step.step_time_ms +
                            prompts * (prompt.step_time_ms + (chunks - 1) * once(prompt)) -
                            std::min(prompts * chunks, 1.0) * std::min(once(step), once(prompt));
    const double steps = std::max(static_cast<double>(output) - 1 + chunks, sequences * tokens / step_tokens);
    found.push_back({token_ms, steps * token_ms});
  }
  return found;
}

// Eight deployments, each asked at 81 limits from 5 to 100 ms: batch and tokens of a step are the best of all
// whole batches and all tried steps, one by one, and a longer limit never serves less.
TEST(ServingPlan, FindsTheBestOfAllWholeBatches) {
  struct Case {
    const char* model;
    const char* accelerator;
    double tensor;
    double experts;
    double stages;
    bool fp8;
    std::int64_t prompt = 1024;
    std::int64_t output = 256;
  };
  constexpr Case cases[] = {
      {"llama-3.1-70b", "h200-sxm", 2, 1, 1, false},
      {"llama-3.1-70b", "h200-sxm", 4, 1, 1, true},
      {"llama-3.1-8b", "l40s", 1, 1, 1, true},
      {"llama-3.1-70b", "h100-sxm", 2, 1, 2, true},
      {"mixtral-8x7b", "h100-sxm", 2, 4, 1, false},
      {"gpt-oss-120b", "h100-sxm", 4, 1, 1, true},
      {"llama-3.1-8b", "h200-sxm", 1, 1, 1, true, 20000, 500},
      {"gpt-oss-120b", "h100-sxm", 4, 1, 1, true, 2000, 100},
  };
  for (const Case& one : cases) {
    const std::string what =
        std::string(one.model) + " on " + one.accelerator + ", TP " + std::to_string(one.tensor);
    ServingPlanInputs asked = plan_of(one.model, one.accelerator, 8);
    asked.most_first_token_ms = 0;
    asked.prompt_tokens = one.prompt;
    asked.output_tokens = one.output;
    if (one.fp8) {
      asked.job.work.weight_bytes_per_element = 1;
      asked.job.work.matmul_precision = MatmulPrecision::fp8;
    }
    const ServingPlan any = plan(asked);
    const ServingDeployment* deployment = on(any, one.tensor, one.experts, one.stages);
    ASSERT_NE(deployment, nullptr) << what;
    constexpr std::size_t most = 600;
    std::vector<std::vector<BatchTimes>> steps;
    for (const std::int64_t tokens : tried_step_tokens) {
      const auto& batches =
          steps.emplace_back(every_batch(asked, *deployment, most, static_cast<double>(tokens)));
      ASSERT_GT(batches.size(), 8U) << what;
      for (std::size_t place = 1; place < batches.size(); ++place) {
        EXPECT_GE(batches[place].token_ms, batches[place - 1].token_ms) << what;
        EXPECT_GE(batches[place].request_ms, batches[place - 1].request_ms) << what;
      }
    }
    double before = 0;
    int met = 0;
    for (int limit = 0; limit <= 80; ++limit) {
      asked.most_token_ms = 5 + limit * 95.0 / 80;
      const ServingPlan found = plan(asked);
      const ServingDeployment* chosen = on(found, one.tensor, one.experts, one.stages);
      std::size_t best = 0;
      std::int64_t fewest = 0;
      double rate = 0;
      for (std::size_t step = 0; step < steps.size(); ++step) {
        for (std::size_t place = 0; place < steps[step].size(); ++place) {
          const BatchTimes& time = steps[step][place];
          const double served = static_cast<double>(place + 1) / time.request_ms;
          if (time.token_ms > asked.most_token_ms || served <= rate * (1 + 1e-12)) continue;
          best = place + 1;
          fewest = tried_step_tokens[step];
          rate = served;
        }
      }
      if (best == 0) {
        EXPECT_EQ(chosen->verdict, ServingVerdict::token_too_slow) << what << " at " << asked.most_token_ms;
        continue;
      }
      ++met;
      // Beyond what was tried one by one.
      if (best == most) break;
      EXPECT_EQ(chosen->batch_size, one.stages * static_cast<double>(best))
          << what << " at " << asked.most_token_ms;
      EXPECT_EQ(chosen->step_tokens, static_cast<double>(fewest)) << what << " at " << asked.most_token_ms;
      EXPECT_LE(chosen->token_ms, asked.most_token_ms);
      EXPECT_GE(chosen->requests_per_sec, before);
      before = chosen->requests_per_sec;
    }
    EXPECT_GT(met, 20) << what;
  }
}

// A server that is played with as many requests in flight answers as many as planned: both read prompts in
// steps that decode, and pay weights and kernel starts once for both. Steps of their own answer a sixth
// fewer.
TEST(ServingPlan, AnswersWhatAServerInASteadyStateDoes) {
  struct Case {
    const char* model;
    const char* accelerator;
    std::int64_t tensor;
    std::int64_t stages;
    std::int64_t prompt;
    std::int64_t output;
    bool fp8;
    std::int64_t step_tokens = 0;
  };
  constexpr Case cases[] = {
      {"gpt-oss-120b", "h100-sxm", 2, 1, 2000, 100, true},
      // Cut up, and so few tokens a step that prompts wait for each other.
      {"llama-3.1-70b", "h200-sxm", 2, 1, 8000, 256, true, 2048},
      {"llama-3.1-8b", "h100-sxm", 1, 1, 1024, 256, false, 512},
      {"llama-3.1-8b", "h100-sxm", 1, 1, 4000, 100, false, 1024},
      {"llama-3.1-70b", "h200-sxm", 1, 1, 1024, 256, true},
      {"qwen3-235b-a22b", "h200-sxm", 4, 1, 1024, 256, true},
      {"llama-3.1-8b", "h100-sxm", 1, 1, 1024, 64, false},
      {"llama-3.1-70b", "h100-sxm", 2, 2, 1024, 256, false},
  };
  for (const Case& one : cases) {
    const std::string what = std::string(one.model) + " on " + one.accelerator;
    ServingPlanInputs asked = plan_of(one.model, one.accelerator, one.tensor * one.stages);
    asked.prompt_tokens = one.prompt;
    asked.output_tokens = one.output;
    asked.most_first_token_ms = 0;
    asked.job.work.step_tokens = one.step_tokens;
    if (one.fp8) {
      asked.job.work.weight_bytes_per_element = 1;
      asked.job.work.matmul_precision = MatmulPrecision::fp8;
    }
    const ServingPlan found = plan(asked);
    const ServingDeployment* planned =
        on(found, static_cast<double>(one.tensor), 1, static_cast<double>(one.stages));
    ASSERT_NE(planned, nullptr) << what;
    ServingLoadInputs played;
    static_cast<ServingStepInputs&>(played) = asked;
    played.prompt_tokens = one.prompt;
    played.job.layout.tensor_parallel = one.tensor;
    played.job.layout.pipeline_parallel = one.stages;
    played.job.work.batch_size = played.max_concurrency = static_cast<std::int64_t>(planned->batch_size);
    played.requests = 3000;
    played.job.work.step_tokens = static_cast<std::int64_t>(planned->step_tokens);
    // Answers of one length would end together, and their prompts be read in the same few steps.
    played.length_spread_percent = 50;
    const Outcome<ServingLoad> load = expected_load(played);
    ASSERT_TRUE(load) << what;
    // Prompts that wait for each other do so for less than their share of all steps.
    EXPECT_NEAR(planned->requests_per_sec / load->requests_per_sec, 1, one.step_tokens > 0 ? 0.1 : 0.08)
        << what;
  }
}

// Among all deployments too: what is allowed to take longer serves no less.
TEST(ServingPlan, ALooserLimitNeverServesLess) {
  ServingPlanInputs asked = plan_of("llama-3.1-70b", "h200-sxm");
  asked.job.work.weight_bytes_per_element = 1;
  asked.job.work.matmul_precision = MatmulPrecision::fp8;
  double before = 0;
  for (int limit = 0; limit <= 80; ++limit) {
    asked.most_token_ms = 10 + limit;
    const ServingPlan found = plan(asked);
    if (!found.found) continue;
    const ServingDeployment& best = found.deployments.front();
    EXPECT_GE(best.requests_per_sec, before) << asked.most_token_ms;
    before = best.requests_per_sec;
  }
  EXPECT_GT(before, 0);
}

// As many servers as a rate takes, whatever the GPUs that are there: one fewer answers less.
ServingDeployment told(ServingVerdict verdict, double requests_per_sec, double tensor = 1,
                       double stages = 1) {
  ServingDeployment one;
  one.verdict = verdict;
  one.requests_per_sec = requests_per_sec;
  one.tensor_parallel = tensor;
  one.pipeline_parallel = stages;
  return one;
}

TEST(ServingPlan, JudgesByRateThenByDegrees) {
  const ServingVerdict meets = ServingVerdict::less_throughput;
  std::vector<ServingDeployment> all = {told(meets, 1.0),        told(meets, 1.09, 4, 1),
                                        told(meets, 1.09, 2, 2), told(meets, 1.09, 2, 1),
                                        told(meets, 0.99),       told(meets, 1.09, 1, 2)};
  judge(all);
  const auto degrees = [&all](std::size_t at) {
    return std::pair(all[at].tensor_parallel, all[at].pipeline_parallel);
  };
  EXPECT_EQ(degrees(0), std::pair(2.0, 1.0));
  EXPECT_EQ(degrees(1), std::pair(4.0, 1.0));
  EXPECT_EQ(degrees(2), std::pair(1.0, 2.0));
  EXPECT_EQ(degrees(3), std::pair(2.0, 2.0));
  EXPECT_EQ(all[0].verdict, ServingVerdict::best);
  for (std::size_t at = 1; at < 5; ++at) EXPECT_EQ(all[at].verdict, ServingVerdict::tie) << at;
  EXPECT_EQ(all[5].verdict, meets);
}

TEST(ServingPlan, JudgesWhatMissesALimitByHowFar) {
  const auto missing = [](ServingVerdict verdict, double token_ms, double first_token_ms, double memory_gib) {
    ServingDeployment one = told(verdict, 1);
    one.token_ms = token_ms;
    one.first_token_ms = first_token_ms;
    one.memory_gib = memory_gib;
    return one;
  };
  for (const ServingVerdict verdict :
       {ServingVerdict::token_too_slow, ServingVerdict::first_token_too_slow, ServingVerdict::does_not_fit}) {
    std::vector<ServingDeployment> all = {missing(verdict, 3, 3, 3), missing(verdict, 2, 2, 2)};
    all[0].requests_per_sec = 9;
    judge(all);
    EXPECT_EQ(all[0].token_ms, 2);
    EXPECT_EQ(all[0].verdict, verdict);
  }
}

TEST(ServingPlan, NeedsWholeServersForARate) {
  const auto needed = [](double servers, double longer = 1) {
    ServingDeployment one = told(ServingVerdict::best, 1, 2, 3);
    one.data_parallel = 4;
    one.token_ms = 1;
    one.token_high_ms = longer;
    set_needed(one, servers);
    return one;
  };
  EXPECT_EQ(needed(2).needed_replicas, 2);
  EXPECT_EQ(needed(2.05).needed_replicas, 3);
  EXPECT_EQ(needed(0.05).needed_replicas, 1);
  EXPECT_EQ(needed(2).needed_gpus, 48);
  EXPECT_EQ(needed(2).needed_gpus_high, 48);
  EXPECT_EQ(needed(2, 1.5).needed_gpus_high, 72);
  // 1.3 times 70 are 91, whatever rounding adds.
  EXPECT_EQ(needed(70, 1.3000000000000003).needed_gpus_high, 91 * 24);
  EXPECT_EQ(needed(0.1 * 3 * 10).needed_replicas, 3);
  EXPECT_EQ(needed(1).needed_replicas, 1);
  EXPECT_EQ(needed(0).needed_replicas, 0);
  ServingDeployment late = told(ServingVerdict::token_too_slow, 1);
  set_needed(late, 2);
  EXPECT_EQ(late.needed_replicas, 0);
}

TEST(ServingPlan, CountsTheServersThatARateTakes) {
  for (const double rate : {0.3, 4.0, 40.0, 1234.5}) {
    const ServingPlan found =
        plan(plan_of("llama-3.1-70b", "h200-sxm"), [rate](auto& s) { s.requests_per_sec = rate; });
    for (const ServingDeployment& one : found.deployments) {
      if (!meets_targets(one)) {
        EXPECT_EQ(one.needed_replicas, 0);
        EXPECT_EQ(one.needed_gpus, 0);
        continue;
      }
      const double each = one.requests_per_sec / one.replicas;
      EXPECT_GE(each * one.needed_replicas, rate * (1 - 1e-12));
      EXPECT_LT(each * (one.needed_replicas - 1), rate);
      EXPECT_EQ(one.needed_gpus,
                one.needed_replicas * one.tensor_parallel * one.pipeline_parallel * one.data_parallel);
      const double slow = each * one.token_ms / one.token_high_ms;
      EXPECT_GE(slow * one.needed_gpus_high / one.needed_gpus * one.needed_replicas, rate * (1 - 1e-12));
    }
  }
  for (const ServingDeployment& one : plan(plan_of("llama-3.1-70b", "h200-sxm")).deployments)
    EXPECT_EQ(one.needed_gpus, 0);
}

// A first token waits for each chunk of its prompt, and each reads the weights again; typed tokens hold.
TEST(ServingPlan, TakesLongerForAFirstTokenInMoreChunks) {
  ServingPlanInputs asked = plan_of("llama-3.1-70b", "h200-sxm");
  asked.prompt_tokens = 16000;
  asked.most_first_token_ms = 0;
  double before = 0;
  double served = 1e9;
  for (const std::int64_t tokens : {16384, 8192, 4096, 1000, 100}) {
    asked.job.work.step_tokens = tokens;
    const ServingPlan found = plan(asked);
    const ServingDeployment* one = on(found, 4);
    ASSERT_NE(one, nullptr);
    EXPECT_EQ(one->step_tokens, static_cast<double>(tokens));
    EXPECT_GT(one->first_token_ms, before);
    EXPECT_LE(one->requests_per_sec, served);
    before = one->first_token_ms;
    served = one->requests_per_sec;
  }
  // Even a step of one token is one that a server could take.
  asked.job.work.step_tokens = 1;
  const ServingPlan single = plan(asked);
  EXPECT_GT(on(single, 4)->requests_per_sec, 0);
}

// Activations of a step take room from the cache: where memory is short, more of them serve fewer at once.
TEST(ServingPlan, HoldsFewerSequencesBesideLargerSteps) {
  ServingPlanInputs asked = plan_of("llama-3.1-70b", "h100-sxm");
  asked.most_token_ms = asked.most_first_token_ms = 0;
  const auto with = [&asked](std::int64_t tokens) {
    asked.job.work.step_tokens = tokens;
    return *on(plan(asked), 2);
  };
  const ServingDeployment small = with(512);
  const ServingDeployment large = with(16384);
  // 80 layers have two of eight heads of 128, keys and values of 16 bits, for 1280 tokens of a sequence; a
  // layer has 4 h of a token whole, and of 2.25 h of the attention and 10.5 h of the MLP half.
  const double sequence = 80.0 * 4 * 128 * 2 * 2 * 1280;
  const double room = (16384 - 512) * (4 + (2.25 + 10.5) / 2) * 8192 * 2;
  EXPECT_NEAR(small.batch_size - large.batch_size, room / sequence, 1);
}

// The default limit is one that would be deployed.
TEST(ServingPlan, AsksForWhatSomebodyWouldDeploy) {
  const ServingPlan found = plan(plan_of("llama-3.1-8b", "h100-sxm"));
  ASSERT_TRUE(found.found);
  EXPECT_LE(found.deployments.front().token_ms, 50);
  EXPECT_LE(found.deployments.front().first_token_ms, 1000);
  EXPECT_LT(found.deployments.front().token_low_ms, found.deployments.front().token_ms);
  EXPECT_GT(found.deployments.front().first_token_high_ms, found.deployments.front().first_token_ms);
}

// More for a user means less from a GPU, and no deployment lies beyond the line.
TEST(ServingPlan, ItsFrontierIsBeatenByNothing) {
  for (const char* model : {"llama-3.1-70b", "mixtral-8x7b", "llama-2-7b"}) {
    const ServingPlan found = plan(plan_of(model, "h200-sxm"), [&](auto& s) {
      // Where any latency will do, the answer fills the memory.
      if (model == std::string_view("llama-2-7b")) s.most_token_ms = s.most_first_token_ms = 0;
    });
    ASSERT_GT(found.frontier.size(), 8U);
    for (std::size_t place = 1; place < found.frontier.size(); ++place) {
      EXPECT_LT(found.frontier[place].tokens_per_sec_per_user,
                found.frontier[place - 1].tokens_per_sec_per_user);
      EXPECT_GT(found.frontier[place].output_tokens_per_sec_per_gpu,
                found.frontier[place - 1].output_tokens_per_sec_per_gpu);
    }
    for (const ServingDeployment& one : found.deployments) {
      if (one.verdict == ServingVerdict::does_not_fit) continue;
      const bool reached =
          std::any_of(found.frontier.begin(), found.frontier.end(), [&one](const ServingPoint& point) {
            return point.tokens_per_sec_per_user >= one.tokens_per_sec_per_user * (1 - 1e-12) &&
                   point.output_tokens_per_sec_per_gpu >= one.output_tokens_per_sec_per_gpu * (1 - 1e-12);
          });
      EXPECT_TRUE(reached) << model << " TP " << one.tensor_parallel;
    }
  }
}

// Stages take a token through all of them, but each works on sequences of its own.
TEST(ServingPlan, EveryStageHasABatchOfItsOwn) {
  const ServingPlan found = plan(plan_of("llama-3.1-70b", "h200-sxm"), [](auto& s) {
    s.most_token_ms = 0;
    s.most_first_token_ms = 0;
  });
  const ServingDeployment* staged = on(found, 1, 1, 4);
  const ServingDeployment* whole = on(found, 4);
  ASSERT_NE(staged, nullptr);
  ASSERT_NE(whole, nullptr);
  EXPECT_GT(staged->token_ms / staged->batch_size, 0);
  EXPECT_GT(staged->first_token_ms, 2 * whole->first_token_ms);
  EXPECT_GT(staged->requests_per_sec, 0.5 * whole->requests_per_sec);
}

// Where memory doesn't ask for them, stages only send more: the same TP without them serves no less.
TEST(ServingPlan, StagesWinOnlyWhereMemoryAsksForThem) {
  const ServingPlan found = plan(plan_of("llama-3.1-8b", "h200-sxm"));
  for (const ServingDeployment& one : found.deployments) {
    if (one.pipeline_parallel == 1) continue;
    EXPECT_LE(one.requests_per_sec, on(found, one.tensor_parallel)->requests_per_sec);
  }
}

TEST(ServingPlan, RefusesAModelThatCannotBe) {
  ServingPlanInputs broken = plan_of("llama-3.1-8b", "h100-sxm");
  broken.job.model.num_kv_heads = 7;
  EXPECT_FALSE(plan_serving(broken));
}

}  // namespace
}  // namespace commcost
