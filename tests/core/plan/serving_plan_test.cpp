#include "core/plan/serving_plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/model/catalog.h"
#include "core/parallel/recipes.h"
#include "core/plan/server_arguments.h"

namespace commcost {
namespace {

ServingPlanInputs plan_of(std::string_view model, std::string_view accelerator, std::int64_t gpus = 8) {
  ServingPlanInputs inputs;
  for (const auto& row : all_models())
    if (row.id == model) inputs.job.model = row.shape;
  inputs.job.machine.accelerator =
      static_cast<int>(find_accelerator(accelerator) - all_accelerators().data());
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

const ServingDeployment* on(const ServingPlan& plan, double tensor, double experts = 1) {
  for (const ServingDeployment& one : plan.deployments)
    if (one.tensor_parallel == tensor && one.expert_parallel == experts) return &one;
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
  EXPECT_TRUE(found.arguments.empty());
  EXPECT_EQ(on(found, 8)->verdict, ServingVerdict::token_too_slow);
  const ServingPlan prompt =
      plan(plan_of("llama-3.1-70b", "h200-sxm"), [](auto& s) { s.most_first_token_ms = 1; });
  EXPECT_EQ(on(prompt, 8)->verdict, ServingVerdict::first_token_too_slow);
}

// Requests, users and GPUs are one arithmetic: every sequence brings a request in output_tokens tokens' time.
TEST(ServingPlan, CountsRequestsOnce) {
  const ServingPlanInputs inputs = plan_of("llama-3.1-8b", "h100-sxm", 7);
  for (const ServingDeployment& one : plan(inputs).deployments) {
    const double sequences = one.batch_size * one.expert_parallel * one.replicas;
    EXPECT_NEAR(one.requests_per_sec, sequences * one.tokens_per_sec_per_user / 256, 1e-9);
    EXPECT_NEAR(one.output_tokens_per_sec_per_gpu * 7, one.requests_per_sec * 256, 1e-9);
    EXPECT_EQ(one.replicas * one.tensor_parallel * one.expert_parallel + one.idle_gpus, 7);
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

TEST(ServingPlan, SaysTheBestAsStacksAreToldIt) {
  const ServingPlan found = plan(plan_of("llama-3.1-8b", "h100-sxm", 1), [](auto& s) {
    s.most_token_ms = 20;
    s.job.work.matmul_precision = MatmulPrecision::fp8;
    s.job.work.kv_bytes_per_element = 1;
  });
  const std::string batch = std::to_string(static_cast<int>(found.deployments.front().batch_size));
  ASSERT_EQ(found.arguments.size(), 3u);
  EXPECT_EQ(found.arguments[0].stack, "vllm");
  EXPECT_EQ(found.arguments[0].options, "--tensor-parallel-size 1 --max-num-seqs " + batch +
                                            " --max-model-len 1280 --quantization fp8 --kv-cache-dtype fp8");
  EXPECT_EQ(found.arguments[1].options,
            "--tp-size 1 --max-running-requests " + batch +
                " --context-length 1280 --quantization fp8 --kv-cache-dtype fp8_e4m3");
  EXPECT_EQ(found.arguments[2].options, "--tp_size 1 --max_batch_size " + batch + " --max_seq_len 1280");
  EXPECT_EQ(found.arguments[2].file, "kv_cache_config:\n  dtype: fp8\n");
  for (const ServerArguments& one : found.arguments) EXPECT_NE(find_recipe(one.stack), nullptr);
}

// Of SGLang and TensorRT-LLM degrees and requests are those of all groups together, of vLLM those of one.
TEST(ServingPlan, CountsGroupsAsEachStackDoes) {
  ServingPlanInputs inputs = plan_of("deepseek-v3", "b200", 16);
  ServingDeployment wide;
  wide.tensor_parallel = 2;
  wide.expert_parallel = 8;
  wide.batch_size = 32;
  const std::vector<ServerArguments> told = server_arguments(inputs, wide);
  EXPECT_EQ(told[0].options,
            "--tensor-parallel-size 2 --data-parallel-size 8 --enable-expert-parallel --max-num-seqs 32 "
            "--max-model-len 1280");
  EXPECT_EQ(told[1].options,
            "--tp-size 16 --dp-size 8 --enable-dp-attention --ep-size 16 --max-running-requests 256 "
            "--context-length 1280");
  EXPECT_EQ(told[2].options, "--tp_size 16 --ep_size 16 --max_batch_size 32 --max_seq_len 1280");
  EXPECT_EQ(told[2].file, "enable_attention_dp: true\n");
}

TEST(ServingPlan, RefusesAModelThatCannotBe) {
  ServingPlanInputs broken = plan_of("llama-3.1-8b", "h100-sxm");
  broken.job.model.num_kv_heads = 7;
  EXPECT_FALSE(plan_serving(broken));
}

}  // namespace
}  // namespace commcost
