#include "core/exercise/answer.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "support/csv.h"
#include "support/exercise.h"

namespace commcost {
namespace {

TEST(TensorParallel, AnswersTheExercisesExample) {
  const auto cost = tensor_parallel_allreduce_cost(exercise_example());
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->message_size_bytes, 134217728);
  EXPECT_EQ(cost->comm_volume_per_allreduce_bytes, 234881024.0);
  EXPECT_EQ(cost->total_comm_volume_bytes, 15032385536.0);
  EXPECT_EQ(cost->total_comm_time_ms, 50.108);
}

TEST(TensorParallel, OneGpuSendsNothing) {
  TensorParallelInputs inputs = exercise_example();
  inputs.num_gpus = 1;
  const auto cost = tensor_parallel_allreduce_cost(inputs);
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->message_size_bytes, 134217728);
  EXPECT_EQ(cost->comm_volume_per_allreduce_bytes, 0);
  EXPECT_EQ(cost->total_comm_volume_bytes, 0);
  EXPECT_EQ(cost->total_comm_time_ms, 0);
}

TEST(TensorParallel, VolumeGrowsTowardsTwiceTheMessage) {
  TensorParallelInputs inputs = exercise_example();
  double last = 0;
  for (inputs.num_gpus = 1; inputs.num_gpus <= 1048576; inputs.num_gpus *= 2) {
    const auto cost = tensor_parallel_allreduce_cost(inputs);
    ASSERT_TRUE(cost);
    EXPECT_GE(cost->comm_volume_per_allreduce_bytes, last);
    last = cost->comm_volume_per_allreduce_bytes;
    EXPECT_LT(last, 2 * cost->message_size_bytes);
  }
  EXPECT_NEAR(last, 2 * 134217728.0, 512);
}

TEST(TensorParallel, RefusesAMessageBeyondExactWholeNumbers) {
  TensorParallelInputs inputs = exercise_example();
  inputs.hidden_size = static_cast<std::int64_t>(greatest_exact_whole);
  for (const std::int64_t batch_size : {std::int64_t{8}, inputs.hidden_size}) {
    inputs.batch_size = batch_size;
    const auto cost = tensor_parallel_allreduce_cost(inputs);
    ASSERT_FALSE(cost);
    EXPECT_EQ(cost.problems().front().field, "message_size_bytes");
    EXPECT_EQ(cost.problems().front().code, ProblemCode::overflow);
    EXPECT_NE(cost.problems().front().message.find("9007199254740991"), std::string::npos);
  }
}

TEST(TensorParallel, AcceptsTheLargestMessage) {
  TensorParallelInputs inputs = exercise_example();
  inputs.hidden_size = static_cast<std::int64_t>(greatest_exact_whole);
  inputs.sequence_length = inputs.batch_size = inputs.bytes_per_element = 1;
  EXPECT_EQ(tensor_parallel_allreduce_cost(inputs).value().message_size_bytes, greatest_exact_whole);
}

TEST(TensorParallel, AgreesWithPythonOnGeneratedInputs) {
  const auto rows = test::read_csv(test::oracle_file("tensor_parallel.csv"));
  ASSERT_EQ(rows.size(), 100000u);
  for (const auto& row : rows) {
    TensorParallelInputs inputs;
    inputs.hidden_size = std::stoll(row.at("hidden_size"));
    inputs.sequence_length = std::stoll(row.at("sequence_length"));
    inputs.batch_size = std::stoll(row.at("batch_size"));
    inputs.num_gpus = std::stoll(row.at("num_gpus"));
    inputs.num_layers = std::stoll(row.at("num_layers"));
    inputs.bytes_per_element = std::stoll(row.at("bytes_per_element"));
    inputs.bandwidth_gb_per_sec = row.number("bandwidth_gb_per_sec");
    inputs.allreduces_per_layer = std::stoll(row.at("allreduces_per_layer"));
    const auto cost = tensor_parallel_allreduce_cost(inputs);
    ASSERT_TRUE(cost) << row.line();
    ASSERT_EQ(cost->message_size_bytes, row.number("message_size_bytes")) << row.line();
    ASSERT_EQ(cost->comm_volume_per_allreduce_bytes, row.number("comm_volume_per_allreduce_bytes"))
        << row.line();
    ASSERT_EQ(cost->total_comm_volume_bytes, row.number("total_comm_volume_bytes")) << row.line();
    ASSERT_EQ(cost->total_comm_time_ms, row.number("total_comm_time_ms")) << row.line();
  }
}

}  // namespace
}  // namespace commcost
