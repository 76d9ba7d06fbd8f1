#include "core/plan/serving_plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/model/catalog.h"
#include "core/parallel/recipes.h"

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

TEST(ServingPlan, RefusesAModelThatCannotBe) {
  ServingPlanInputs broken = plan_of("llama-3.1-8b", "h100-sxm");
  broken.job.model.num_kv_heads = 7;
  EXPECT_FALSE(plan_serving(broken));
}

}  // namespace
}  // namespace commcost
