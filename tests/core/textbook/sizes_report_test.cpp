#include "core/textbook/sizes_report.h"

#include <gtest/gtest.h>

#include "core/model/catalog.h"
#include "support/settings.h"

namespace commcost {
namespace {

TEST(DataParallelBytes, MatchThePublishedVolumes) {
  for (const test::CsvRow& row : test::read_csv(test::data_file("data_parallel_volumes.csv"))) {
    const double sent = data_parallel_bytes(row.number("parameters"), row.number("bytes"),
                                            row.number("replicas"), test::whole(row, "zero_stage"));
    EXPECT_NEAR(sent / 1e9, row.number("gigabytes"), 1e-9) << row.line();
  }
}

// Ultra-Scale Playbook, plot zero_memoryusage: 8B over 8 replicas, GiB of weights, gradients, optimizer at 8
// bytes.
TEST(ZeroStages, MatchThePlaybooksPlot) {
  Setting setting;
  setting.shape = find_model("llama-3-8b")->shape;
  setting.work.sequence_length = 1024;
  setting.work.batch_size = 1;
  setting.work.optimizer_bytes_per_parameter = 8;
  setting.layout.data_parallel = 8;
  const SizesReport report = sizes_report(completed(setting));
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

TEST(SizesReport, OrdersTheActivationSettingsAsTheyShrink) {
  Setting setting = test::plain_setting(test::classic_shape(96, 12288, 96, 51200), 2048);
  setting.layout.tensor_parallel = 8;
  const SizesReport report = sizes_report(completed(setting));
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
  Setting setting = test::plain_setting(test::classic_shape(96, 12288, 96, 51200), 2048);
  setting.work.global_batch_size = 64;
  EXPECT_NEAR(sizes_report(completed(setting)).step_flops.model, 1.41092e17, 1e12);
}

}  // namespace
}  // namespace commcost
