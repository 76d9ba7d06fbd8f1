#include "core/training/step_fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/statistics.h"
#include "core/parallel/layout_problems.h"
#include "core/parallel/recipes.h"
#include "support/jobs.h"
#include "support/models.h"
#include "support/random_jobs.h"

namespace commcost {
namespace {

// A Llama of 8B on nodes of eight H100, on so many replicas.
Job llama(std::int64_t replicas, std::int64_t sequence, std::int64_t tensor, std::int64_t batch) {
  Job job;
  fill(job, *find_recipe("fsdp"));
  job.model = {.num_layers = 32,
               .hidden_size = 4096,
               .num_heads = 32,
               .num_kv_heads = 8,
               .ffn_hidden_size = 14336,
               .gated_mlp = true,
               .vocab_size = 128256};
  job.work.sequence_length = sequence;
  job.work.batch_size = batch;
  job.layout.data_parallel = replicas;
  job.layout.tensor_parallel = tensor;
  job.layout.zero_stage = 3;
  job.machine.accelerator = place_of_accelerator("h100-sxm");
  return completed(job);
}

// Different in what they wait for: compute, host, replicas, tensor ranks.
std::vector<Job> varied() {
  return {llama(8, 8192, 1, 2), llama(64, 4096, 1, 1),  llama(512, 2048, 1, 1), llama(16, 512, 1, 1),
          llama(8, 4096, 4, 1), llama(32, 16384, 2, 1), llama(128, 1024, 1, 4), llama(256, 8192, 1, 1)};
}

// Steps as a stack with those factors takes them, each longer by `chance` of its place.
std::vector<TimedStep> timed(const std::vector<Job>& jobs, const StackFactors& truth, double chance = 0) {
  std::vector<TimedStep> steps;
  for (const Job& job : jobs) {
    const double sign = steps.size() % 2 == 0 ? 1 : -1;
    steps.push_back({job, moved_step_ms(job, truth) * (1 + sign * chance)});
  }
  return steps;
}

std::size_t place_of(double Stack::*field) {
  std::size_t at = 0;
  while (stack_knobs[at].field != field) ++at;
  return at;
}

StackFactors truth_of(double compute, double host) {
  StackFactors truth = unmoved();
  truth[place_of(&Stack::gemm_time_scale)] = compute;
  truth[place_of(&Stack::host_us_per_kernel)] = host;
  return truth;
}

double percent_off(const Job& job, const StackFactors& found, const StackFactors& truth) {
  return 100 * std::fabs(moved_step_ms(job, found) / moved_step_ms(job, truth) - 1);
}

TEST(StepFit, MovesNothingWhereTheRecipeIsRight) {
  const StepFit fit = fit_steps(timed(varied(), unmoved()));
  EXPECT_EQ(fit.choice, FitChoice::recipe);
  EXPECT_EQ(fit.factors, unmoved());
  EXPECT_EQ(fit.error_percent(), 0);
  EXPECT_TRUE(fit.contradictions.empty());
}

TEST(StepFit, FindsOneScale) {
  StackFactors truth = unmoved();
  truth[place_of(&Stack::time_scale)] = 1.4;
  const StepFit fit = fit_steps(timed(varied(), truth));
  EXPECT_EQ(fit.choice, FitChoice::one_scale);
  EXPECT_NEAR(fit.factors[place_of(&Stack::time_scale)], 1.4, 0.002);
  EXPECT_LT(fit.error_percent(), 0.2);
}

TEST(StepFit, OneStepMovesTheScaleAlone) {
  const std::vector<TimedStep> steps = timed({llama(8, 8192, 1, 2)}, truth_of(0.6, 1));
  const StepFit fit = fit_steps(steps);
  EXPECT_EQ(fit.choice, FitChoice::one_scale);
  EXPECT_NEAR(moved_step_ms(steps[0].job, fit.factors), steps[0].measured_ms, 0.002 * steps[0].measured_ms);
  EXPECT_EQ(fit.error_percent(), 0);
}

// Slower matrices and a slower host: no single scale explains both, and a step of another kind reveals it.
TEST(StepFit, FindsTheConstantsThatMadeTheSteps) {
  const StackFactors truth = truth_of(0.7, 4);
  const StepFit fit = fit_steps(timed(varied(), truth));
  EXPECT_EQ(fit.choice, FitChoice::constants);
  EXPECT_LT(fit.error_percent(), 2);
  EXPECT_GT(fit.one_scale_error_percent, 2 * fit.error_percent());
  EXPECT_LT(percent_off(llama(128, 2048, 2, 2), fit.factors, truth), 4);
  EXPECT_LT(percent_off(llama(8, 256, 1, 1), fit.factors, truth), 15);
}

// Many micro-batches on a GPU alone, whose steps wait for the host by shares from most to nothing: with few
// words, as the gradients of many take longer than the host.
TEST(StepFit, FewStepsMoveConstantsLessThanMany) {
  const StackFactors truth = truth_of(1, 3);
  std::vector<Job> all;
  for (const std::int64_t sequence : {128, 8192, 256, 1024, 512, 2048}) {
    all.push_back(llama(1, sequence, 1, 1));
    all.back().model.vocab_size = 16000;
    all.back().layout.zero_stage = 0;
    all.back().work.global_batch_size = 64;
  }
  const auto host_after = [&](std::ptrdiff_t count) {
    const std::vector<Job> seen(all.begin(), all.begin() + count);
    return fit_steps(timed(seen, truth, 0.01)).factors[place_of(&Stack::host_us_per_kernel)];
  };
  EXPECT_LT(host_after(2), host_after(6));
  EXPECT_NEAR(host_after(6), 3, 0.6);
}

// ln(measured / predicted by the recipe): what a scale would have to be.
std::vector<double> asked_scales(const std::vector<TimedStep>& steps) {
  std::vector<double> logs;
  for (const TimedStep& step : steps)
    logs.push_back(std::log(step.measured_ms / moved_step_ms(step.job, unmoved())));
  return logs;
}

// Settings of every kind, each so many times as long as predicted, give or take `chance`.
std::vector<TimedStep> random_steps(test::Random& random, std::size_t count, double scale, double chance) {
  std::vector<TimedStep> steps;
  while (steps.size() < count) {
    const Job job = test::runnable(test::random_job(random), Machine{});
    const double times = scale * (1 + chance * (2 * random.unit() - 1));
    steps.push_back({job, moved_step_ms(job, unmoved()) * times});
  }
  return steps;
}

// Whatever the steps say: on steps left out nothing that is chosen errs more than the middle one of the
// others' scales does.
TEST(StepFit, IsNeverWorseThanOnePlainScaleOnStepsLeftOut) {
  test::Random random(16);
  for (int round = 0; round < 40; ++round) {
    const std::vector<TimedStep> steps = random_steps(random, 5, 1, 0.3);
    const StepFit fit = fit_steps(steps);
    const std::vector<double> scales = asked_scales(steps);
    double chosen = 0;
    double plain = 0;
    for (std::size_t at = 0; at < steps.size(); ++at) {
      ASSERT_TRUE(std::isfinite(fit.left_out_ms[at])) << round;
      std::vector<double> others = scales;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(at));
      chosen += std::pow(std::log(fit.left_out_ms[at] / steps[at].measured_ms), 2);
      plain += std::pow(median(others) - scales[at], 2);
    }
    EXPECT_LE(chosen, plain * (1 + 1e-6)) << round;
  }
}

// Chance is no constant: where nothing but chance tells steps apart, the scale is the middle one.
TEST(StepFit, TakesOnePlainScaleForChance) {
  test::Random random(18);
  int scaled = 0;
  for (int round = 0; round < 40; ++round) {
    const std::vector<TimedStep> steps = random_steps(random, 3, 1.4, 0.05);
    const StepFit fit = fit_steps(steps);
    if (fit.choice != FitChoice::one_scale) continue;
    ++scaled;
    StackFactors plain = unmoved();
    plain[place_of(&Stack::time_scale)] = std::exp(median(asked_scales(steps)));
    for (std::size_t knob = 0; knob < stack_knob_count; ++knob)
      EXPECT_NEAR(fit.factors[knob], plain[knob], 1e-8) << round;
  }
  EXPECT_GT(scaled, 28);
}

// A step that was measured twice is left out with its other self, so that it cannot vouch for constants: what
// is left is one step of another job, by whose scale it is judged.
TEST(StepFit, LeavesOutASettingWhole) {
  std::vector<TimedStep> steps = timed({varied()[0], varied()[0], varied()[3]}, truth_of(0.8, 3));
  const StepFit fit = fit_steps(steps);
  const std::vector<double> scales = asked_scales(steps);
  ASSERT_EQ(fit.choice, FitChoice::one_scale);
  for (const std::size_t twice : {0u, 1u})
    EXPECT_NEAR(std::log(fit.left_out_ms[twice] / moved_step_ms(steps[0].job, unmoved())), scales[2], 1e-6);
  EXPECT_NEAR(std::log(fit.left_out_ms[2] / moved_step_ms(steps[2].job, unmoved())), scales[0], 1e-6);
}

TEST(StepFit, NamesStepsOfOneSettingThatDiffer) {
  std::vector<TimedStep> steps = timed(varied(), unmoved(), 0.01);
  steps.push_back(steps[3]);
  steps.back().measured_ms *= 1.05;
  EXPECT_TRUE(fit_steps(steps).contradictions.empty());
  steps.back().measured_ms *= 1.25;
  const StepFit fit = fit_steps(steps);
  ASSERT_EQ(fit.contradictions.size(), 1u);
  EXPECT_EQ(fit.contradictions[0].one, 3u);
  EXPECT_EQ(fit.contradictions[0].other, 8u);
  EXPECT_NEAR(fit.contradictions[0].difference_percent, 100 * (1.05 * 1.25 - 1), 1e-9);
}

TEST(StepFit, NamesAStepThatTheOthersDoNotExplain) {
  std::vector<TimedStep> steps = timed(varied(), unmoved(), 0.01);
  steps[5].measured_ms *= 1.6;
  const StepFit fit = fit_steps(steps);
  for (std::size_t at = 0; at < steps.size(); ++at) EXPECT_EQ(fit.far_off[at], at == 5) << at;
  // And it barely changes the predictions of the others.
  EXPECT_LT(percent_off(steps[0].job, fit.factors, unmoved()), 4);
}

// Everything that a step consists of takes as many times as long.
TEST(TimeScale, ScalesEveryPartOfAStep) {
  test::Random random(17);
  for (int round = 0; round < 200; ++round) {
    Job job = test::runnable(test::random_job(random), Machine{});
    job.stack = find_recipe("nanotron")->stack;
    const StepParts before = step_summary(job).parts;
    job.stack.time_scale = 1.7;
    const StepParts after = step_summary(job).parts;
    for (const StepPart& part : all_step_parts)
      ASSERT_NEAR(after.*part.us, 1.7 * before.*part.us, 1e-9 * after.total_us()) << part.name;
  }
}

TEST(OverlapPercent, HidesLessOrMore) {
  Job job = llama(64, 4096, 1, 1);
  const auto total_us = [&](double percent) {
    job.stack.overlap_percent = percent;
    return step_summary(job).parts.total_us();
  };
  EXPECT_GT(total_us(50), total_us(100));
  EXPECT_GT(total_us(0), total_us(50));
  EXPECT_LE(total_us(150), total_us(100));
}

}  // namespace
}  // namespace commcost
