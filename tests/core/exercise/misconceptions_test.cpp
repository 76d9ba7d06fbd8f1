#include "core/exercise/misconceptions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace commcost {
namespace {

using enum Misconception;
// By which factors a mistake makes one of the four results wrong.
using Factors = std::map<std::pair<int, Misconception>, std::vector<double>>;

Factors factors_of(const TensorParallelInputs& inputs) {
  Factors found;
  for (const Slip& slip : slips()) found[{slip.result, slip.mistake}].push_back(slip.factor(inputs));
  return found;
}

TensorParallelInputs exercise() {
  TensorParallelInputs inputs;
  inputs.hidden_size = 512;
  inputs.sequence_length = 1000;
  inputs.batch_size = 3;
  inputs.num_gpus = 16;
  inputs.num_layers = 24;
  inputs.bytes_per_element = 4;
  inputs.allreduces_per_layer = 6;
  return inputs;
}

// By hand: right are 512 x 1000 x 3 x 4 bytes, times 2 x 15 / 16, times 24 x 6, over the bandwidth.
TEST(Misconceptions, AreOffByTheirFactors) {
  constexpr double kib = 1024, mib = kib * kib, gib = kib * mib;
  const Factors by_hand = {
      {{0, element_bytes_forgotten}, {1 / 4.0}},
      {{0, message_divided_by_gpus}, {1 / 16.0}},
      {{0, bits_for_bytes}, {8}},
      {{0, decimal_units}, {1e3 / kib, 1e6 / mib, 1e9 / gib}},
      {{0, not_in_bytes}, {1e-3, 1e-6, 1e-9, 1 / kib, 1 / mib, 1 / gib}},
      {{0, batch_forgotten}, {1 / 3.0}},
      {{0, sequence_forgotten}, {1 / 1000.0}},
      {{0, mlp_width}, {4}},
      {{0, other_element_size}, {1 / 2.0}},
      {{0, message_times_gpus}, {16}},
      {{0, weights_for_activations}, {512 / 3000.0}},
      {{0, hidden_forgotten}, {1 / 512.0}},
      {{1, missing_factor_2}, {1 / 2.0}},
      {{1, missing_ring_fraction}, {16 / 15.0}},
      {{1, not_divided_by_gpus}, {16}},
      {{1, steps_forgotten}, {1 / 15.0}},
      {{1, decimal_units}, {1e3 / kib, 1e6 / mib, 1e9 / gib}},
      {{1, not_in_bytes}, {1e-6, 1e-9, 1 / mib, 1 / gib}},
      {{1, message_for_volume}, {16 / 30.0}},
      {{1, logarithmic_steps}, {4 * 16 / 30.0, 8 * 16 / 30.0}},
      {{1, sent_and_received}, {2}},
      {{1, one_share_too_few}, {14 / 15.0}},
      {{1, integer_division}, {16 / 30.0, 0}},
      {{2, layers_forgotten}, {1 / 24.0}},
      {{2, allreduces_forgotten}, {1 / 6.0}},
      {{2, backward_forgotten}, {2 / 6.0}},
      {{2, counted_twice}, {2}},
      {{2, decimal_units}, {1e6 / mib, 1e9 / gib}},
      {{2, not_in_bytes}, {1e-6, 1e-9, 1 / mib, 1 / gib}},
      {{2, backward_counted}, {std::nan("")}},  // there is one already
      {{2, all_gpus_counted}, {16}},
      {{2, one_call_counted}, {1 / 144.0}},
      {{3, gb_as_2_30}, {1e9 / gib}},
      {{3, bits_for_bytes}, {8}},
      {{3, bytes_for_bits}, {1 / 8.0}},
      {{3, seconds_for_milliseconds}, {1e-3}},
      {{3, microseconds_for_milliseconds}, {1e3}},
      {{3, both_directions}, {2}},
      {{3, bandwidth_doubled}, {1 / 2.0}},
      {{3, time_divided_by_gpus}, {1 / 16.0}},
      {{3, one_call_timed}, {1 / 144.0}},
      {{3, giga_forgotten}, {1e9, 1e6}},
      {{3, caret_for_power}, {1e9 / 3, 1e6 / 12}},  // 10 xor 9, 10 xor 6
  };
  const Factors found = factors_of(exercise());
  ASSERT_EQ(found.size(), by_hand.size());
  for (const auto& [key, factors] : by_hand) {
    const char* name = misconception_names[static_cast<int>(key.second)].data();
    ASSERT_TRUE(found.contains(key)) << name;
    ASSERT_EQ(found.at(key).size(), factors.size()) << name;
    for (std::size_t at = 0; at < factors.size(); ++at) {
      EXPECT_EQ(std::isnan(found.at(key)[at]), std::isnan(factors[at])) << name;
      if (!std::isnan(factors[at])) {
        EXPECT_DOUBLE_EQ(found.at(key)[at], factors[at]) << name;
      }
    }
  }
}

// A tree over twelve has no whole number of levels; without a backward pass two sums are a pass.
TEST(Misconceptions, AreLeftOutWhereTheyCannotBe) {
  TensorParallelInputs inputs = exercise();
  const auto factor = [&inputs](int result, Misconception mistake) {
    return factors_of(inputs).at({result, mistake}).at(0);
  };
  inputs.num_gpus = 12;
  inputs.allreduces_per_layer = 2;
  inputs.bytes_per_element = 2;
  EXPECT_TRUE(std::isnan(factor(1, logarithmic_steps)));
  EXPECT_TRUE(std::isnan(factor(2, backward_forgotten)));
  EXPECT_EQ(factor(2, backward_counted), 2);
  EXPECT_EQ(factor(0, other_element_size), 2);
  inputs.bytes_per_element = 1;
  inputs.allreduces_per_layer = 3;
  EXPECT_TRUE(std::isnan(factor(0, other_element_size)));
  EXPECT_TRUE(std::isnan(factor(2, backward_forgotten)));
  inputs.allreduces_per_layer = 4;
  EXPECT_EQ(factor(2, backward_forgotten), 0.5);
}

}  // namespace
}  // namespace commcost
