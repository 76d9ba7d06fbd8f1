#include "core/exercise/misconceptions.h"

#include <gtest/gtest.h>

#include <ostream>

#include "support/exercise.h"

namespace commcost {

void PrintTo(Misconception mistake, std::ostream* out) {
  *out << misconception_names[static_cast<int>(mistake)];
}

namespace {

constexpr double message = 134217728;
constexpr double volume = 234881024;
constexpr double total = 15032385536;
constexpr double time = total / 300e6;

struct WrongTime {
  const char* name;
  double answer;
  std::vector<Misconception> mistakes;
};

void PrintTo(const WrongTime& wrong, std::ostream* out) {
  *out << wrong.name;
}

class WrongTimes : public testing::TestWithParam<WrongTime> {};

TEST_P(WrongTimes, AreExplained) {
  AnsweredExercise exercise = exercise_example<AnsweredExercise>();
  exercise.answer_total_comm_time_ms = GetParam().answer;
  const auto checked = check_answers(exercise);
  ASSERT_TRUE(checked);
  ASSERT_EQ(checked->answers.size(), 1u);
  EXPECT_FALSE(checked->answers[0].agrees);
  EXPECT_EQ(checked->answers[0].expected, 50.108);
  EXPECT_EQ(checked->answers[0].mistakes, GetParam().mistakes);
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, WrongTimes,
    testing::Values(WrongTime{"missing_factor_2", time / 2, {Misconception::missing_factor_2}},
                    WrongTime{"missing_ring_fraction", time * 8 / 7, {Misconception::missing_ring_fraction}},
                    WrongTime{"not_divided_by_gpus", time * 8, {Misconception::not_divided_by_gpus}},
                    WrongTime{"layers_forgotten", time / 32, {Misconception::layers_forgotten}},
                    WrongTime{"gb_as_2_30", time * 1e9 / 1073741824, {Misconception::gb_as_2_30}},
                    WrongTime{"seconds", time / 1000, {Misconception::seconds_for_milliseconds}},
                    WrongTime{"rounded_seconds", 0.0501, {Misconception::seconds_for_milliseconds}},
                    WrongTime{"bytes_for_bits", time / 8, {Misconception::bytes_for_bits}},
                    WrongTime{"both_directions", time * 2, {Misconception::both_directions}},
                    WrongTime{"two_at_once",
                              time / 2 / 1000,
                              {Misconception::missing_factor_2, Misconception::seconds_for_milliseconds}},
                    WrongTime{"unknown", 123.456, {}}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(CheckAnswers, AgreesToFourDecimals) {
  AnsweredExercise exercise = exercise_example<AnsweredExercise>();
  exercise.answer_message_size_bytes = message;
  exercise.answer_comm_volume_per_allreduce_bytes = volume;
  exercise.answer_total_comm_volume_bytes = total;
  exercise.answer_total_comm_time_ms = time;  // unrounded: 50.10795...
  const auto checked = check_answers(exercise);
  ASSERT_TRUE(checked);
  ASSERT_EQ(checked->answers.size(), 4u);
  for (const CheckedAnswer& answer : checked->answers) EXPECT_TRUE(answer.agrees) << answer.name;
}

TEST(CheckAnswers, AgreesWithinTheToleranceAndExplainsWhatLiesOutsideIt) {
  AnsweredExercise exercise = exercise_example<AnsweredExercise>();
  exercise.tolerance_percent = 1;
  exercise.answer_message_size_bytes = 0.995 * message;
  exercise.answer_comm_volume_per_allreduce_bytes = 1.011 * volume;
  exercise.answer_total_comm_volume_bytes = 7.5e9;  // about half of the total
  exercise.answer_total_comm_time_ms = 57.3;        // about 8/7 of the time
  const auto checked = check_answers(exercise);
  ASSERT_TRUE(checked);
  const auto& answers = checked->answers;
  EXPECT_TRUE(answers[0].agrees);
  EXPECT_EQ(answers[0].tolerance, message / 100);
  EXPECT_FALSE(answers[1].agrees);
  EXPECT_TRUE(answers[1].mistakes.empty());
  EXPECT_EQ(answers[2].mistakes, std::vector{Misconception::missing_factor_2});
  EXPECT_EQ(answers[3].mistakes, std::vector{Misconception::missing_ring_fraction});
}

TEST(CheckAnswers, SaysHowFarAnAnswerMayLie) {
  AnsweredExercise exercise = exercise_example<AnsweredExercise>();
  exercise.answer_total_comm_time_ms = 50.10804;
  const auto checked = check_answers(exercise);
  ASSERT_TRUE(checked);
  EXPECT_TRUE(checked->answers[0].agrees);
  EXPECT_EQ(checked->answers[0].tolerance, 0.00005);
}

TEST(CheckAnswers, TellsEachResultsOwnMistake) {
  AnsweredExercise exercise = exercise_example<AnsweredExercise>();
  exercise.answer_message_size_bytes = message / 2;
  exercise.answer_comm_volume_per_allreduce_bytes = 2 * message * 7;
  exercise.answer_total_comm_volume_bytes = total / 2;
  const auto checked = check_answers(exercise);
  ASSERT_TRUE(checked);
  ASSERT_EQ(checked->answers.size(), 3u);
  EXPECT_EQ(checked->answers[0].mistakes, std::vector{Misconception::element_bytes_forgotten});
  EXPECT_EQ(checked->answers[1].mistakes, std::vector{Misconception::not_divided_by_gpus});
  EXPECT_EQ(checked->answers[2].mistakes, std::vector{Misconception::missing_factor_2});
}

TEST(CheckAnswers, OneGpuSendsNothingWhateverTheFormula) {
  AnsweredExercise exercise = exercise_example<AnsweredExercise>();
  exercise.num_gpus = 1;
  exercise.answer_comm_volume_per_allreduce_bytes = 2 * message;
  exercise.answer_total_comm_time_ms = 0;
  const auto checked = check_answers(exercise);
  ASSERT_TRUE(checked);
  EXPECT_EQ(checked->answers[0].mistakes, std::vector{Misconception::one_gpu_not_treated});
  EXPECT_TRUE(checked->answers[1].agrees);
}

TEST(CheckAnswers, NamesNoMistakeThatWouldChangeNothing) {
  AnsweredExercise exercise = exercise_example<AnsweredExercise>();
  exercise.num_layers = 1;
  exercise.num_gpus = 2;  // (n-1) and (n-1)/n differ by 2 here, as the missing factor 2 does the other way
  exercise.answer_total_comm_volume_bytes = message * 2 * 2;
  const auto checked = check_answers(exercise);
  ASSERT_TRUE(checked);
  EXPECT_EQ(checked->answers[0].mistakes, std::vector{Misconception::missing_ring_fraction});
}

}  // namespace
}  // namespace commcost
