#include "core/textbook/partition_schemes.h"

#include <gtest/gtest.h>

#include "core/model/catalog.h"
#include "support/jobs.h"

namespace commcost {
namespace {

Work work_of(std::int64_t sequence_length, std::int64_t batch_size) {
  Work work;
  work.sequence_length = sequence_length;
  work.batch_size = batch_size;
  return completed(work);
}

PartitionRow row_of(PartitionScheme scheme, std::int64_t num_gpus, std::int64_t depth = 0) {
  PartitionInputs inputs;
  inputs.num_gpus = num_gpus;
  inputs.depth = depth;
  const auto rows = partition_schemes(test::classic_shape(48, 8192, 64), work_of(512, 16), inputs);
  return rows[static_cast<std::size_t>(scheme)];
}

constexpr double tokens = 512 * 16;
constexpr double hidden = 8192;

TEST(Partition, InOneDimensionIsMegatrons) {
  const PartitionRow row = row_of(PartitionScheme::one_d, 8);
  EXPECT_DOUBLE_EQ(row.forward_elements, 4 * tokens * hidden * 7 / 8);
  EXPECT_DOUBLE_EQ(row.backward_elements, 4 * tokens * hidden * 7 / 8);
  EXPECT_EQ(row.steps, 4 * 14);
  EXPECT_EQ(row.weight_elements, 12 * hidden * hidden / 8);
}

struct NeedCase {
  const char* name;
  PartitionScheme scheme;
  std::int64_t num_gpus;
  bool possible;
  double side;
  double depth;
};

void PrintTo(const NeedCase& need, std::ostream* out) {
  *out << need.name;
}

class PartitionNeeds : public testing::TestWithParam<NeedCase> {};

TEST_P(PartitionNeeds, ARightNumberOfGpus) {
  const PartitionRow row = row_of(GetParam().scheme, GetParam().num_gpus);
  EXPECT_EQ(row.possible, GetParam().possible);
  EXPECT_EQ(row.side, GetParam().side);
  EXPECT_EQ(row.depth, GetParam().depth);
}

INSTANTIATE_TEST_SUITE_P(
    All, PartitionNeeds,
    testing::Values(NeedCase{"square", PartitionScheme::two_d, 64, true, 8, 1},
                    NeedCase{"no_square", PartitionScheme::two_d, 32, false, 0, 0},
                    NeedCase{"grids", PartitionScheme::two_and_a_half_d, 32, true, 4, 2},
                    NeedCase{"cube_as_grids", PartitionScheme::two_and_a_half_d, 64, true, 4, 4},
                    NeedCase{"too_deep", PartitionScheme::two_and_a_half_d, 12, false, 0, 0},
                    NeedCase{"cube", PartitionScheme::three_d, 512, true, 8, 8},
                    NeedCase{"no_cube", PartitionScheme::three_d, 16, false, 0, 0},
                    NeedCase{"any", PartitionScheme::one_d, 7, true, 7, 1}),
    [](const auto& need) { return std::string(need.param.name); });

TEST(Partition, SendsNothingOnOneGpu) {
  for (const PartitionScheme scheme :
       {PartitionScheme::one_d, PartitionScheme::two_d, PartitionScheme::three_d}) {
    const PartitionRow row = row_of(scheme, 1);
    EXPECT_EQ(row.sent_bytes_per_gpu, 0);
    EXPECT_EQ(row.steps, 0);
    EXPECT_EQ(row.time_us, 0);
  }
}

// Colossal-AI's docs print factors of one matrix; on a matrix whose tensors are of one size, ours must give
// them.
TEST(Partition, AgreesWithColossalsPrintedFactors) {
  const PartitionRow one = row_of(PartitionScheme::one_d, 16);
  EXPECT_EQ(one.printed_bandwidth, 2 * 15.0 / 16);
  EXPECT_DOUBLE_EQ(one.forward_elements + one.backward_elements, 4 * one.printed_bandwidth * tokens * hidden);
  EXPECT_EQ(one.steps, 4 * one.printed_latency);

  // Inputs and weights of all four matrices: at tokens = hidden both are sums of the same widths.
  const double inputs = tokens * (hidden + hidden + hidden + 4 * hidden);
  const double weights = 12 * hidden * hidden;
  const PartitionRow two = row_of(PartitionScheme::two_d, 16);
  EXPECT_EQ(two.printed_bandwidth, 6 * 3.0 / 4);
  EXPECT_DOUBLE_EQ(two.forward_elements + two.backward_elements,
                   two.printed_bandwidth / 2 * (inputs + weights) / 4);
  EXPECT_EQ(two.steps, 4 * two.printed_latency);

  const PartitionRow three = row_of(PartitionScheme::three_d, 64);
  const double outputs = tokens * (3 * hidden + hidden + 4 * hidden + hidden);
  EXPECT_DOUBLE_EQ(three.forward_elements + three.backward_elements,
                   three.printed_bandwidth / 3 * (inputs + weights + outputs));
  EXPECT_EQ(three.steps, 4 * three.printed_latency);
}

// arXiv:2104.05343, table 1, at b 16, s 512, h 8192 on 64 GPUs: 2D moves more, since it moves weights too.
TEST(Partition, AgreesWithOptimusPrintedForms) {
  const double state = tokens * hidden;
  EXPECT_DOUBLE_EQ(row_of(PartitionScheme::one_d, 64).optimus_elements, 12 * 63.0 / 64 * state);
  EXPECT_DOUBLE_EQ(row_of(PartitionScheme::two_d, 64).optimus_elements,
                   6.0 / 16 * (28 * state + 48 * hidden * hidden));
  EXPECT_GT(row_of(PartitionScheme::two_d, 64).optimus_elements,
            row_of(PartitionScheme::one_d, 64).optimus_elements);
}

TEST(Partition, InMoreDimensionsSendsLessToManyGpus) {
  const auto sent = [](PartitionScheme scheme) { return row_of(scheme, 4096).sent_bytes_per_gpu; };
  EXPECT_LT(sent(PartitionScheme::two_d), sent(PartitionScheme::one_d));
  EXPECT_LT(sent(PartitionScheme::three_d), sent(PartitionScheme::two_d));
}

TEST(Partition, WithOneGridIsTwoDimensional) {
  // Depth 1 is not offered as 2.5D; depth 2 on twice the GPUs shares the tokens, not the weights.
  const PartitionRow flat = row_of(PartitionScheme::two_d, 16);
  const PartitionRow deep = row_of(PartitionScheme::two_and_a_half_d, 32, 2);
  EXPECT_LT(deep.forward_elements, flat.forward_elements);
  // Grids of 4 by 4 pass inputs and weights; backward twice, and sum the weights' gradients over both grids.
  const double inputs = tokens * (hidden + hidden + hidden + 4 * hidden);
  const double weights = 12 * hidden * hidden;
  const double pass = 3.0 / 16 * (inputs / 2 + weights);
  EXPECT_DOUBLE_EQ(deep.forward_elements, pass);
  EXPECT_DOUBLE_EQ(deep.backward_elements, 2 * pass + 2 * 1.0 / 2 * weights / 16);
  EXPECT_EQ(deep.weight_elements, flat.weight_elements);
  EXPECT_EQ(deep.activation_elements, flat.activation_elements / 2);
}

// A layer of DeepSeek-V3 without experts has seven products (arXiv:2412.19437, section 4.2).
TEST(Partition, OfLatentAttentionHasItsProducts) {
  PartitionInputs inputs;
  inputs.num_gpus = 16;
  const auto rows = partition_schemes(completed(find_model("deepseek-v3")->shape), work_of(512, 1), inputs);
  const PartitionRow& two = rows[static_cast<std::size_t>(PartitionScheme::two_d)];
  EXPECT_EQ(two.steps, 7 * 6 * 3);
  const double attention = 7168.0 * (1536 + 576) + 1536.0 * 24576 + 512.0 * 32768 + 16384.0 * 7168;
  EXPECT_DOUBLE_EQ(two.weight_elements, (attention + 3 * 7168.0 * 18432) / 16);
  const double read = 512.0 * (7168 + 1536 + 7168 + 512 + 16384 + 7168 + 18432);
  EXPECT_DOUBLE_EQ(two.activation_elements, read / 16);
  const PartitionRow& one = rows[static_cast<std::size_t>(PartitionScheme::one_d)];
  EXPECT_EQ(one.steps, 4 * 2 * 15);
  // What a row-parallel matrix reads is dealt out, everything else is whole.
  EXPECT_DOUBLE_EQ(one.activation_elements, read - 512.0 * (16384 + 18432) * 15 / 16);
}

}  // namespace
}  // namespace commcost
