#include "core/serving/serving_fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/model/catalog.h"

namespace commcost {
namespace {

ServingLoadInputs deployment(std::int64_t in_flight) {
  ServingLoadInputs inputs;
  for (const auto& row : all_models())
    if (row.id == "llama-3.1-70b") inputs.job.model = row.shape;
  inputs.job.machine.accelerator = place_of_accelerator("h100-sxm");
  inputs.job.layout.tensor_parallel = 4;
  inputs.requests = 200;
  inputs.max_concurrency = in_flight;
  return inputs;
}

// What a stack whose constants lie elsewhere would have measured.
std::vector<MeasuredLoad> measured_with(double Stack::*scale, double ServingPace::*us, double by) {
  std::vector<MeasuredLoad> loads;
  for (const std::int64_t in_flight : {1, 16, 64, 128, 200}) {
    ServingLoadInputs inputs = deployment(in_flight);
    ServingLoadInputs other = inputs;
    if (scale != nullptr) other.job.stack.*scale *= by;
    if (us != nullptr) other.job.stack.serving.*us += by;
    const Outcome<ServingLoad> found = serving_load(other);
    EXPECT_TRUE(found);
    loads.push_back({inputs, found->token.p50_ms, found->first_token.p50_ms});
  }
  return loads;
}

double moved_value(const ServingFit& fit, std::string_view name) {
  Stack stack = moved(ServingLoadInputs().job.stack, fit.moves);
  for (const ServingKnob& knob : serving_knobs)
    if (knob.name == name) return knob.of(stack);
  return 0;
}

// Each constant is recovered from its effect on the loads, without any guess.
TEST(ServingFit, FindsWhatIsSlower) {
  const double host_before = ServingLoadInputs().job.stack.serving.sequence_host_us;
  const ServingFit host = fit_serving(measured_with(nullptr, &ServingPace::sequence_host_us, 60));
  EXPECT_TRUE(host.moves_help);
  EXPECT_GT(host.error_before_percent, 5);
  EXPECT_LT(host.error_after_percent, 1);
  EXPECT_LT(host.error_left_out_percent, 3);
  EXPECT_NEAR(moved_value(host, "sequence_host_us"), host_before + 60, 20);

  const ServingFit products = fit_serving(measured_with(&Stack::gemm_time_scale, nullptr, 1.3));
  EXPECT_TRUE(products.moves_help);
  EXPECT_LT(products.error_after_percent, 1.5);
  EXPECT_NEAR(moved_value(products, "gemm_time_scale") / ServingLoadInputs().job.stack.gemm_time_scale, 1.3,
              0.12);
}

TEST(ServingFit, LeavesAloneWhatIsRight) {
  const ServingFit fit = fit_serving(measured_with(&Stack::gemm_time_scale, nullptr, 1));
  EXPECT_LT(fit.error_before_percent, 1e-9);
  EXPECT_EQ(moved(ServingLoadInputs().job.stack, fit.moves), ServingLoadInputs().job.stack);
}

// Of prompts alone there is no TPOT: the first token is what predictions are held against.
TEST(ServingFit, OfPromptsAloneIsJudgedByTheirFirstToken) {
  std::vector<MeasuredLoad> loads = measured_with(&Stack::gemm_time_scale, nullptr, 1);
  loads.resize(1);
  loads[0].token_ms = 0;
  loads[0].first_token_ms /= 1.25;
  EXPECT_NEAR(fit_serving(loads).error_before_percent, 25, 1e-6);
}

// Loads that contradict each other are no reason to move anything: a fit to all but one is no nearer to it.
TEST(ServingFit, MovesNothingForChance) {
  std::vector<MeasuredLoad> loads = measured_with(&Stack::gemm_time_scale, nullptr, 1);
  loads.resize(2);
  loads[1] = loads[0];
  loads[0].token_ms *= 1.2;
  loads[1].token_ms /= 1.2;
  const ServingFit fit = fit_serving(loads);
  EXPECT_FALSE(fit.moves_help);
  EXPECT_EQ(fit.error_after_percent, fit.error_before_percent);
  for (const double move : fit.moves) EXPECT_EQ(move, 0);
}

TEST(ServingFit, OneLoadAloneMovesConstantsToo) {
  std::vector<MeasuredLoad> loads = measured_with(&Stack::gemm_time_scale, nullptr, 1.2);
  loads.resize(1);
  const ServingFit fit = fit_serving(loads);
  EXPECT_TRUE(fit.moves_help);
  EXPECT_LT(fit.error_after_percent, 0.5 * fit.error_before_percent);
}

}  // namespace
}  // namespace commcost
