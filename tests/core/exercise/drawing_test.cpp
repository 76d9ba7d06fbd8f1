#include "core/exercise/drawing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
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

struct LevelAndEdition {
  int level;
  int edition;
};

class EveryLevel : public testing::TestWithParam<LevelAndEdition> {
 protected:
  static DrawnExercise drawn(std::uint64_t seed) { return draw(seed, GetParam().level, GetParam().edition); }
};

TEST_P(EveryLevel, CanBeAnsweredWhateverTheSeed) {
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    ASSERT_TRUE(tensor_parallel_allreduce_cost(drawn(seed).inputs)) << seed;
  }
}

TEST_P(EveryLevel, GivesInputsThatTheCalculationTakesAsTheyAre) {
  for (int seed = 0; seed < 200; ++seed) {
    const auto exercise =
        run("draw_exercise",
            Value::Object{{"seed", seed}, {"level", GetParam().level}, {"edition", GetParam().edition}});
    ASSERT_TRUE(exercise);
    EXPECT_TRUE(run("tensor_parallel_allreduce_cost", *exercise->find("inputs"))) << seed;
  }
}

TEST_P(EveryLevel, IsTheSameForTheSameSeedAndRarelyForAnother) {
  std::set<decltype(all_of({}))> different;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    EXPECT_EQ(all_of(drawn(seed).inputs), all_of(drawn(seed).inputs));
    different.insert(all_of(drawn(seed).inputs));
  }
  EXPECT_GT(different.size(), 60u);
}

TEST_P(EveryLevel, StatesTheBandwidthItMeans) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const DrawnExercise exercise = drawn(seed);
    const bool bits = exercise.stated_bandwidth_unit == BandwidthUnit::gigabits;
    EXPECT_EQ(exercise.stated_bandwidth, exercise.inputs.bandwidth_gb_per_sec * (bits ? 8 : 1));
    EXPECT_EQ(exercise.inputs.allreduces_per_layer, 2 * (1 + static_cast<int>(exercise.passes)));
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

// Everything that is said to have given an answer, if it is one mistake.
std::vector<Misconception> named(const CheckedAnswer& answer) {
  std::vector<Misconception> all = answer.or_mistakes;
  if (answer.mistakes.size() == 1) all.push_back(answer.mistakes[0]);
  return all;
}

TEST_P(EveryLevel, TellsEveryMistakeApartAndLetsNobodySkipAStep) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const TensorParallelInputs inputs = drawn(seed).inputs;
    ASSERT_TRUE(tells_mistakes_apart(inputs, GetParam().edition)) << seed;
    ASSERT_GT(inputs.num_gpus, 2) << seed;
    for (const Slip& slip : slips()) {
      if (slip.edition > GetParam().edition || std::isnan(slip.factor(inputs))) continue;
      SCOPED_TRACE(testing::Message() << seed << ' ' << misconception_names[static_cast<int>(slip.mistake)]);
      const auto checked = check_answers(with_slip(inputs, slip)).value().answers;
      for (int result = 0; result < exercise_result_count; ++result) {
        const CheckedAnswer& answer = checked[static_cast<std::size_t>(result)];
        const AnswerVerdict expected = result < slip.result    ? AnswerVerdict::right
                                       : result == slip.result ? AnswerVerdict::mistaken
                                                               : AnswerVerdict::follows;
        ASSERT_EQ(answer.verdict, expected) << answer.name;
        if (result != slip.result) continue;
        // The common one first; others may be asked about.
        if (slip.rate == SlipRate::common) {
          ASSERT_EQ(answer.mistakes, std::vector{slip.mistake});
        }
        const std::vector<Misconception> all = named(answer);
        ASSERT_EQ(std::count(all.begin(), all.end(), slip.mistake), 1);
      }
    }
  }
}

// Slips that the tutor does not know, each in one result.
struct UnknownSlip {
  int result;
  double (*factor)(const TensorParallelInputs& in);
};
using In = const TensorParallelInputs&;
double gpus(In in) {
  return static_cast<double>(in.num_gpus);
}
double layers(In in) {
  return static_cast<double>(in.num_layers);
}
constexpr UnknownSlip unknown_slips[] = {
    {0, [](In) { return 3.0; }},
    {0, [](In) { return 1.5; }},
    {0, [](In) { return 1 / 3.0; }},
    {0, [](In) { return 6.0; }},
    {0, [](In) { return 12.0; }},
    {0, [](In in) { return (gpus(in) + 1) / gpus(in); }},
    {0, [](In in) { return 0.35 * gpus(in) / gpus(in); }},
    {0, [](In) { return 0.7; }},
    {1, [](In in) { return (gpus(in) + 1) / (gpus(in) - 1); }},
    {1, [](In in) { return (gpus(in) - 1) / gpus(in); }},
    {1, [](In in) { return gpus(in) / (gpus(in) + 1); }},
    {1, [](In in) { return gpus(in) * (gpus(in) - 1); }},
    {1, [](In) { return 3.0; }},
    {1, [](In) { return 1.5; }},
    {1, [](In in) { return (gpus(in) - 1) * (gpus(in) - 1); }},
    {1, [](In) { return 0.75; }},
    {2, [](In in) { return (layers(in) + 1) / layers(in); }},
    {2, [](In in) { return (layers(in) - 1) / layers(in); }},
    {2, [](In in) { return layers(in) * layers(in); }},
    {2, [](In) { return 1.5; }},
    {2, [](In) { return 3.0; }},
    {2, [](In) { return 0.75; }},
    {2, [](In in) { return 1 / (layers(in) + 1); }},
    {2, [](In) { return 5.0; }},
    {3, [](In) { return 3600.0; }},
    {3, [](In) { return 1 / 60.0; }},
    {3, [](In) { return 0.9; }},
    {3, [](In) { return 1.1; }},
    {3, [](In) { return 3.0; }},
    {3, [](In in) { return 1 / (gpus(in) + 1.5); }},
};

TEST(Tutor, ProclaimsNoReasonForASlipThatItDoesNotKnow) {
  int asked = 0;
  int all = 0;
  for (int level = 1; level <= hardest_level; ++level) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const TensorParallelInputs inputs = draw(seed, level, newest_edition).inputs;
      for (const UnknownSlip& slip : unknown_slips) {
        const auto checked = check_answers(with_slip(inputs, {{}, slip.result, {}, slip.factor})).value();
        const CheckedAnswer& answer = checked.answers[static_cast<std::size_t>(slip.result)];
        ++all;
        if (answer.verdict == AnswerVerdict::unknown) continue;
        // What is not sure is asked; the rest would be proclaimed.
        ASSERT_EQ(answer.verdict, AnswerVerdict::mistaken);
        ASSERT_FALSE(answer.is_sure) << "level " << level << " seed " << seed << " slip "
                                     << (&slip - unknown_slips) << ": "
                                     << misconception_names[static_cast<int>(answer.mistakes[0])];
        ++asked;
      }
    }
  }
  EXPECT_LT(asked, all / 50) << "few are asked about by chance";
}

// With nothing known of the steps before, a slip in any of them may have given the number.
TEST(Tutor, ProclaimsOfAnAnswerAloneOnlyTheSlipThatWasMade) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  int sure = 0;
  for (int level = 1; level <= hardest_level; ++level) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const TensorParallelInputs inputs = draw(seed, level, newest_edition).inputs;
      for (const Slip& slip : slips()) {
        if (std::isnan(slip.factor(inputs))) continue;
        AnsweredExercise answered = with_slip(inputs, slip);
        answered.answer_message_size_bytes = answered.answer_comm_volume_per_allreduce_bytes = none;
        answered.answer_total_comm_volume_bytes = none;
        const CheckedAnswer answer = check_answers(answered).value().answers.at(0);
        if (!answer.is_sure) continue;
        ++sure;
        // A message in GB is one slip, whose number of milliseconds is another's.
        if (slip.mistake == Misconception::not_in_bytes) continue;
        ASSERT_EQ(answer.mistakes, std::vector{slip.mistake})
            << "level " << level << " seed " << seed << ' '
            << misconception_names[static_cast<int>(slip.mistake)];
      }
    }
  }
  EXPECT_GT(sure, 0);
}

INSTANTIATE_TEST_SUITE_P(Levels, EveryLevel,
                         testing::Values(LevelAndEdition{1, 1}, LevelAndEdition{2, 1}, LevelAndEdition{3, 1},
                                         LevelAndEdition{1, 2}, LevelAndEdition{2, 2},
                                         LevelAndEdition{3, 2}));

TEST(SecondEdition, SplitsHeadsEvenlyOverGpusThatItsLinkJoins) {
  for (int level = 2; level <= hardest_level; ++level) {
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
      const DrawnExercise drawn = draw(seed, level, 2);
      EXPECT_EQ(drawn.num_heads % drawn.inputs.num_gpus, 0) << drawn.model;
      if (drawn.link.starts_with("NVLink 4")) {
        EXPECT_LE(drawn.inputs.num_gpus, 8);
      }
    }
  }
}

TEST(SecondEdition, LeavesNoInputThatMayBeForgotten) {
  for (int level = 1; level <= hardest_level; ++level) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const TensorParallelInputs in = draw(seed, level, 2).inputs;
      EXPECT_GT(in.batch_size, 1);
      EXPECT_NE(in.batch_size * in.sequence_length, in.hidden_size);
    }
  }
}

TEST(FirstLevel, HasTheUsualBytesBandwidthAndSums) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const DrawnExercise drawn = draw(seed, 1, 1);
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
    const DrawnExercise drawn = draw(seed, 2, 1);
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
    const DrawnExercise drawn = draw(seed, 3, 1);
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
  EXPECT_EQ(all_of(draw(42, 1, 1).inputs), (std::tuple{8192, 1024, 16, 4, 8, 2, 300.0, 2}));
  EXPECT_EQ(all_of(draw(42, 2, 1).inputs), (std::tuple{4096, 8192, 2, 8, 36, 2, 300.0, 2}));
  EXPECT_EQ(all_of(draw(42, 3, 1).inputs), (std::tuple{4096, 8192, 16, 6, 32, 2, 150.0, 2}));
}

}  // namespace
}  // namespace commcost
