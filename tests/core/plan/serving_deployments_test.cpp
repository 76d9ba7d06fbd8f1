// Deployments that people run, and what is published of them: a change of the answer shows, and has to be
// judged anew.

#include <gtest/gtest.h>

#include <set>

#include "core/model/catalog.h"
#include "core/plan/serving_plan.h"
#include "support/csv.h"
#include "support/files.h"

namespace commcost {
namespace {

void set_precision(Work& work, const std::string& precision) {
  if (precision == "fp8") {
    work.weight_bytes_per_element = 1;
    work.matmul_precision = MatmulPrecision::fp8;
  } else if (precision == "mxfp4") {
    work.weight_bytes_per_element = 0.53125;  // 4 bits, and 8 for every 32 numbers
  } else {
    EXPECT_EQ(precision, "bf16");
  }
}

TEST(ServingDeployments, AreThoseThatWereJudged) {
  std::set<std::string> judged;
  int rows = 0;
  for (const test::CsvRow& row : test::read_csv(test::data_file("serving_deployments.csv"))) {
    ++rows;
    const auto number = [&row](const char* column) { return std::stod(row.at(column)); };
    const std::string what = row.at("model") + " on " + row.at("gpus") + " " + row.at("accelerator");
    ServingPlanInputs asked;
    for (const ModelRow& model : all_models())
      if (model.id == row.at("model")) asked.job.model = model.shape;
    const Accelerator* accelerator = find_accelerator(row.at("accelerator"));
    ASSERT_NE(accelerator, nullptr) << what;
    asked.job.machine.accelerator = place_of_accelerator(accelerator->id);
    asked.cluster_gpus = static_cast<std::int64_t>(number("gpus"));
    set_precision(asked.job.work, row.at("precision"));
    const Outcome<ServingPlan> found = plan_serving(asked);
    ASSERT_TRUE(found && found->found) << what;
    const ServingDeployment& best = found->deployments.front();
    EXPECT_EQ(best.tensor_parallel, number("tensor_parallel")) << what;
    EXPECT_EQ(best.pipeline_parallel, number("pipeline_parallel")) << what;
    EXPECT_EQ(best.expert_parallel, number("expert_parallel")) << what;
    EXPECT_EQ(best.replicas, number("replicas")) << what;
    EXPECT_EQ(best.batch_size, number("batch_size")) << what;
    EXPECT_NEAR(best.requests_per_sec / number("requests_per_sec"), 1, 0.005) << what;
    EXPECT_LE(best.token_ms, 50) << what;
    EXPECT_LE(best.first_token_ms, 1000) << what;
    EXPECT_GT(row.at("judgement").size(), 40u) << what;
    EXPECT_FALSE(row.at("source").empty()) << what;
    judged.insert(row.at("judged"));
  }
  EXPECT_EQ(rows, 10);
  for (const std::string& one : judged)
    EXPECT_TRUE(one == "as_published" || one == "otherwise" || one == "unknown") << one;
}

}  // namespace
}  // namespace commcost
