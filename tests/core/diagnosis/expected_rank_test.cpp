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

}  // namespace
}  // namespace commcost
