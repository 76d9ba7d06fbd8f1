#include "core/textbook/sizes_report.h"

#include <gtest/gtest.h>

#include "core/model/catalog.h"
#include "support/jobs.h"

namespace commcost {
namespace {

// Ultra-Scale Playbook, plot zero_memoryusage: 8B over 8 replicas, GiB of weights, gradients, optimizer at 8
// bytes.
TEST(ZeroStages, MatchThePlaybooksPlot) {
  Job job;
  job.model = find_model("llama-3-8b")->shape;
  job.work.sequence_length = 1024;
  job.work.batch_size = 1;
  job.work.optimizer_bytes_per_parameter = 8;
  job.layout.data_parallel = 8;
  const SizesReport report = sizes_report(completed(job));
  const double expected[4][3] = {{15, 15, 60}, {15, 15, 7.5}, {15, 1.875, 7.5}, {1.875, 1.875, 7.5}};
  ASSERT_EQ(report.zero_stages.size(), 4u);
  for (std::size_t stage = 0; stage < 4; ++stage) {
    const ZeroRow& row = report.zero_stages[stage];
    const double gib = 1024.0 * 1024 * 1024;
    EXPECT_NEAR(row.weights_bytes / gib, expected[stage][0], 0.05) << stage;
    EXPECT_NEAR(row.gradients_bytes / gib, expected[stage][1], 0.05) << stage;
    EXPECT_NEAR(row.optimizer_bytes / gib, expected[stage][2], 0.2) << stage;
  }
}

// Mixtral 8x7B over 8 replicas that share its experts: a rank's eighth of these, 12 bytes of optimizer state
// a parameter, is nobody else's (45.1 of 46.7e9 parameters).
TEST(ZeroStages, LeaveExpertsWithoutReplicasWhole) {
  Job job = test::plain_job(completed(find_model("mixtral-8x7b")->shape), 4096);
  job.layout.data_parallel = job.layout.expert_parallel = 8;
  const SizesReport report = sizes_report(completed(job));
  const double experts = 32 * 3 * 4096.0 * 14336;
  const double shared = report.parameters.total - 8 * experts;
  EXPECT_DOUBLE_EQ(report.zero_stages[3].optimizer_bytes, 12 * (experts + shared / 8));
  EXPECT_DOUBLE_EQ(report.zero_stages[3].weights_bytes, 2 * (experts + shared / 8));
  EXPECT_DOUBLE_EQ(report.zero_stages[0].total_bytes, 16 * (experts + shared));
  EXPECT_DOUBLE_EQ(report.zero_stages[0].bytes_per_parameter, 16);
  EXPECT_DOUBLE_EQ(report.zero_stages[0].sent_bytes_per_gpu, 2 * 7 / 8.0 * 2 * shared);
  EXPECT_DOUBLE_EQ(report.zero_stages[3].sent_bytes_per_gpu, 3 * 7 / 8.0 * 2 * shared);
}

TEST(SizesReport, OrdersTheActivationSettingsAsTheyShrink) {
  Job job = test::plain_job(test::classic_shape(96, 12288, 96, 51200), 2048);
  job.layout.tensor_parallel = 8;
  const SizesReport report = sizes_report(completed(job));
  ASSERT_EQ(report.activations.size(), std::size(activation_setting_names));
  const double h = 12288, s = 2048, a = 96, t = 8;
  const double sbh = s * h * 96;
  EXPECT_DOUBLE_EQ(report.activations[0].all_layers_bytes, sbh * (34 + 5 * a * s / h));
  EXPECT_DOUBLE_EQ(report.activations[4].all_layers_bytes, sbh * 34 / t);
  for (const ActivationRow& row : report.activations) {
    EXPECT_DOUBLE_EQ(row.all_layers_bytes, row.rule_of_thumb_bytes);
  }
}

TEST(SizesReport, CountsTheStepsFlopsByGlobalBatch) {
  Job job = test::plain_job(test::classic_shape(96, 12288, 96, 51200), 2048);
  job.work.global_batch_size = 64;
  EXPECT_NEAR(sizes_report(completed(job)).step_flops.model, 1.41092e17, 1e12);
}

}  // namespace
}  // namespace commcost
