// What a step leaves for the next never changes it.

#include "core/training/step_memo.h"

#include <gtest/gtest.h>

#include "core/hardware/systems.h"
#include "core/training/training_step.h"
#include "support/random_jobs.h"

namespace commcost {
namespace {

Machine dgx_h100() {
  Machine machine;
  fill(machine, *find_system("dgx-h100"));
  return completed(machine);
}

void expect_same(const TrainingStep& one, const TrainingStep& other) {
  EXPECT_EQ(one.step_time_ms, other.step_time_ms);
  EXPECT_EQ(one.step_time_low_ms, other.step_time_low_ms);
  EXPECT_EQ(one.all_hidden_ms, other.all_hidden_ms);
  EXPECT_EQ(one.none_hidden_ms, other.none_hidden_ms);
  EXPECT_EQ(one.memory_gib, other.memory_gib);
  EXPECT_EQ(one.mfu_percent, other.mfu_percent);
  EXPECT_EQ(one.stack_rule, other.stack_rule);
  EXPECT_EQ(one.beyond_runs, other.beyond_runs);
  ASSERT_EQ(one.traffic.size(), other.traffic.size());
  for (std::size_t row = 0; row < one.traffic.size(); ++row) {
    EXPECT_EQ(one.traffic[row].scale_up_bytes, other.traffic[row].scale_up_bytes);
    EXPECT_EQ(one.traffic[row].network_bytes, other.traffic[row].network_bytes);
    EXPECT_EQ(one.traffic[row].exposed_ms, other.traffic[row].exposed_ms);
  }
}

// One job with one thing changed at a time, now in its machine, now in its work, now in another job whole.
TEST(StepMemo, LeavesEveryStepAsItIs) {
  test::Random random(1729);
  StepMemo memo;
  Machine machine = dgx_h100();
  for (int round = 0; round < 400; ++round) {
    TrainingStepInputs inputs{test::runnable(test::random_training(random), machine)};
    for (int change = 0; change < 8; ++change) {
      switch (random.below(12)) {
        case 0:
          inputs.job.machine.bandwidth_gb_per_sec = 50 + 400 * random.unit();
          break;
        case 1:
          inputs.job.machine.nic_gb_per_sec = 5 + 100 * random.unit();
          break;
        case 2:
          inputs.job.machine.hbm_gb_per_sec = 1000 + 3000 * random.unit();
          break;
        case 3:
          inputs.job.work.sequence_length *= 2;
          break;
        case 4:
          inputs.job.work.global_batch_size *= 2;
          break;
        case 5:
          inputs.job.stack.host_us_per_kernel = 10 * random.unit();
          break;
        case 6:
          inputs.scales.matmul = 0.5 + random.unit();
          break;
        case 7:
          inputs.scales.link = 0.5 + random.unit();
          break;
        case 8:
          inputs.job.work.recompute = random.one_in(2) ? Recompute::full : Recompute::selective;
          break;
        case 9:
          inputs.job.stack.attention_time_scale = 1 + random.unit();
          break;
        case 10:
          inputs.job.model.head_size *= 2;
          break;
        default:
          inputs.job.layout.overlap_data = !inputs.job.layout.overlap_data;
      }
      const Outcome<TrainingStep> alone = training_step(inputs);
      const Outcome<TrainingStep> next = next_training_step(inputs, memo);
      ASSERT_EQ(static_cast<bool>(alone), static_cast<bool>(next));
      if (alone) expect_same(*next, *alone);
      if (testing::Test::HasFailure()) FAIL() << "round " << round << ", change " << change;
    }
  }
}

TEST(StepMemo, BuildsAModelOnceForASpread) {
  test::Random random(7);
  Job job = test::runnable(test::random_training(random), dgx_h100());
  StepMemo memo;
  for (int batch = 1; batch <= 4; ++batch) {
    job.work.global_batch_size =
        2 * batch * job.work.batch_size * job.layout.data_parallel * job.layout.pipeline_parallel;
    job.machine.bandwidth_gb_per_sec = 100.0 * batch;
    ASSERT_TRUE(memo.take(job, {}));
    EXPECT_EQ(memo.models_built(), 1);
  }
  job.machine.hbm_gb_per_sec /= 2;
  ASSERT_TRUE(memo.take(job, {}));
  EXPECT_EQ(memo.models_built(), 2);
}

}  // namespace
}  // namespace commcost
