#include "core/exercise/drawing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <tuple>

#include "core/calculator/engine.h"
#include "core/exercise/diagnosis.h"

namespace commcost {
namespace {

auto all_of(const TensorParallelInputs& in) {
  return std::make_tuple(in.hidden_size, in.sequence_length, in.batch_size, in.num_gpus, in.num_layers,
                         in.bytes_per_element, in.bandwidth_gb_per_sec, in.allreduces_per_layer);
}

bool is_power_of_two(std::int64_t count) {
  return (count & (count - 1)) == 0;
}

class EveryLevel : public testing::TestWithParam<int> {};

TEST_P(EveryLevel, CanBeAnsweredWhateverTheSeed) {
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    const DrawnExercise drawn = draw(seed, GetParam());
    ASSERT_TRUE(tensor_parallel_allreduce_cost(drawn.inputs)) << seed;
  }
}

TEST_P(EveryLevel, GivesInputsThatTheCalculationTakesAsTheyAre) {
  for (int seed = 0; seed < 200; ++seed) {
    const auto drawn = run("draw_exercise", Value::Object{{"seed", seed}, {"level", GetParam()}});
    ASSERT_TRUE(drawn);
    EXPECT_TRUE(run("tensor_parallel_allreduce_cost", *drawn->find("inputs"))) << seed;
  }
}

TEST_P(EveryLevel, IsTheSameForTheSameSeedAndRarelyForAnother) {
  std::set<decltype(all_of({}))> different;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    EXPECT_EQ(all_of(draw(seed, GetParam()).inputs), all_of(draw(seed, GetParam()).inputs));
    different.insert(all_of(draw(seed, GetParam()).inputs));
  }
  EXPECT_GT(different.size(), 80u);
}

TEST_P(EveryLevel, StatesTheBandwidthItMeans) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const DrawnExercise drawn = draw(seed, GetParam());
    const bool bits = drawn.stated_bandwidth_unit == BandwidthUnit::gigabits;
    EXPECT_EQ(drawn.stated_bandwidth, drawn.inputs.bandwidth_gb_per_sec * (bits ? 8 : 1));
    EXPECT_EQ(drawn.inputs.allreduces_per_layer, 2 * (1 + static_cast<int>(drawn.passes)));
  }
}

// All four answers with one slip in the derivation, carried on as the learner would.
AnsweredExercise with_slip(const TensorParallelInputs& inputs, const Slip& slip) {
  AnsweredExercise answered;
  static_cast<TensorParallelInputs&>(answered) = inputs;
  double results[exercise_result_count];
  results[0] = tensor_parallel_allreduce_cost(inputs)->message_size_bytes;
  for (int result = 0; result < exercise_result_count; ++result) {
    if (result > 0) results[result] = results[result - 1] * step_factor(inputs, result - 1);
    if (slip.result == result) results[result] *= slip.factor(inputs);
  }
  answered.answer_message_size_bytes = results[0];
  answered.answer_comm_volume_per_allreduce_bytes = results[1];
  answered.answer_total_comm_volume_bytes = results[2];
  answered.answer_total_comm_time_ms = results[3];
  return answered;
}

TEST_P(EveryLevel, TellsEveryMistakeApartAndLetsNobodySkipAStep) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const TensorParallelInputs inputs = draw(seed, GetParam()).inputs;
    ASSERT_TRUE(tells_mistakes_apart(inputs)) << seed;
    ASSERT_GT(inputs.num_gpus, 2) << seed;
    for (const Slip& slip : slips()) {
      if (slip.factor(inputs) == 1) continue;  // forgetting a backward pass that nobody asks for
      const auto checked = check_answers(with_slip(inputs, slip)).value().answers;
      for (int result = 0; result < exercise_result_count; ++result) {
        const CheckedAnswer& answer = checked[static_cast<std::size_t>(result)];
        const AnswerVerdict expected = result < slip.result    ? AnswerVerdict::right
                                       : result == slip.result ? AnswerVerdict::mistaken
                                                               : AnswerVerdict::follows;
        ASSERT_EQ(answer.verdict, expected)
            << seed << ' ' << misconception_names[static_cast<int>(slip.mistake)] << ' ' << answer.name;
        if (result != slip.result) continue;
        ASSERT_EQ(answer.mistakes, std::vector{slip.mistake}) << seed;
        ASSERT_TRUE(answer.or_mistakes.empty()) << seed;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, EveryLevel, testing::Range(1, hardest_level + 1));

TEST(FirstLevel, HasTheUsualBytesBandwidthAndSums) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const DrawnExercise drawn = draw(seed, 1);
    EXPECT_EQ(drawn.inputs.bytes_per_element, 2);
    EXPECT_EQ(drawn.inputs.bandwidth_gb_per_sec, 300);
    EXPECT_EQ(drawn.inputs.allreduces_per_layer, 2);
    EXPECT_TRUE(drawn.model.empty());
  }
}

TEST(SecondLevel, IsAboutARealModelOverARealLink) {
  std::set<std::string_view> models;
  std::set<std::string_view> links;
  std::set<std::int64_t> bytes;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const DrawnExercise drawn = draw(seed, 2);
    models.insert(drawn.model);
    links.insert(drawn.link);
    EXPECT_EQ(drawn.passes, ExercisePasses::forward);
    bytes.insert(drawn.inputs.bytes_per_element);
  }
  EXPECT_EQ(models.size(), 17u);
  EXPECT_EQ(links.size(), 7u);
  EXPECT_EQ(models.count("") + links.count(""), 0u);
  EXPECT_EQ(bytes, (std::set<std::int64_t>{2, 4}));
}

TEST(ThirdLevel, HasACatchAlwaysAndEachOftenEnough) {
  int awkward = 0;
  int bits = 0;
  int passes = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const DrawnExercise drawn = draw(seed, 3);
    const bool catches[] = {!is_power_of_two(drawn.inputs.num_gpus),
                            drawn.stated_bandwidth_unit == BandwidthUnit::gigabits,
                            drawn.passes != ExercisePasses::forward};
    EXPECT_TRUE(std::any_of(std::begin(catches), std::end(catches), [](bool holds) { return holds; }))
        << seed;
    awkward += catches[0];
    bits += catches[1];
    passes += catches[2];
  }
  for (const int count : {awkward, bits, passes}) EXPECT_GT(count, 150);
}

// Links to exercises outlive versions: these change only where a change is meant.
TEST(DrawnExercise, StaysTheSameOverTime) {
  EXPECT_EQ(all_of(draw(42, 1).inputs), (std::tuple{8192, 1024, 16, 4, 8, 2, 300.0, 2}));
  EXPECT_EQ(all_of(draw(42, 2).inputs), (std::tuple{4096, 8192, 2, 8, 36, 2, 300.0, 2}));
  EXPECT_EQ(all_of(draw(42, 3).inputs), (std::tuple{4096, 8192, 16, 6, 32, 2, 150.0, 2}));
}

}  // namespace
}  // namespace commcost
