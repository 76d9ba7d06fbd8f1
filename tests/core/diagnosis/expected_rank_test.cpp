#include "core/diagnosis/expected_rank.h"

#include <gtest/gtest.h>

#include "core/parallel/job_problems.h"
#include "support/jobs.h"
#include "support/random_jobs.h"

namespace commcost {
namespace {

// The parts of a step of every stage are its own: whatever is computed, waited for and idle is the step.
TEST(ExpectedRank, AddsUpToTheStepOnEveryStage) {
  test::Random random(20);
  for (int count = 0; count < 200; ++count) {
    const Job job = completed(test::random_training(random));
    if (!can_run(job)) continue;
    const TrainingStep step = *training_step({.job = job});
    for (std::int64_t stage = 0; stage < job.layout.pipeline_parallel; ++stage) {
      const ExpectedRank rank = expected_rank(job, {}, stage);
      double sum = rank.computed_ms() + rank.idle_ms;
      for (const MessageTimes& message : rank.messages) sum += message.exposed_ms;
      EXPECT_NEAR(rank.step_ms, step.step_time_ms, 1e-9 * step.step_time_ms);
      EXPECT_NEAR(sum, step.step_time_ms, 1e-6 * step.step_time_ms) << "stage " << stage;
    }
  }
}

// Stages of as many layers multiply as much, but for the last one's head; the first one's embedding
// multiplies nothing.
TEST(ExpectedRank, IsOfItsOwnStage) {
  Job job = test::plain_job(test::classic_shape(32, 4096, 32, 51200), 2048);
  job.machine = test::of_system("dgx-h100");
  job.work.global_batch_size = 64;
  job.layout = {};
  job.layout.pipeline_parallel = 4;
  job.layout.data_parallel = 4;
  job = completed(job);
  const auto products_ms = [&](std::int64_t stage) { return expected_rank(job, {}, stage).compute_ms[0]; };
  EXPECT_NEAR(products_ms(1) / products_ms(0), 1, 1e-3);
  EXPECT_NEAR(products_ms(2) / products_ms(0), 1, 1e-3);
  // A head's share of products: 51200 columns next to eight layers of 12 h^2.
  EXPECT_NEAR(products_ms(3) / products_ms(0), 1 + 51200.0 / (8 * 12 * 4096), 0.05);
}

}  // namespace
}  // namespace commcost
