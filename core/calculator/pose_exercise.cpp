#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"
#include "core/calculator/drawing_fields.h"
#include "core/collective/bus_bandwidth.h"
#include "core/exercise/posing.h"
#include "core/plan/ties.h"

namespace commcost::calculations {
namespace pose_exercise_table {

struct PoseInputs : DrawInputs {
  ExerciseTrack track = ExerciseTrack::ring_rounds;
  double answer_1 = std::numeric_limits<double>::quiet_NaN();
  double answer_2 = std::numeric_limits<double>::quiet_NaN();
  double answer_3 = std::numeric_limits<double>::quiet_NaN();
  double answer_4 = std::numeric_limits<double>::quiet_NaN();
};

struct GivenRow {
  std::string_view name;
  std::string_view label;
  std::string_view unit;
  double value = 0;
};

struct AskedRow {
  std::string_view name;
  std::string_view label;
  std::string_view unit;
  double expected = 0;
  bool answered = false;
  double answer = 0;
  AnswerVerdict verdict = AnswerVerdict::unknown;
  std::string mistake;
  std::string idea;
  std::string formula;
  std::string numbers;
  std::string choices;
};

struct PosedExercise {
  std::string_view title;
  std::string question;
  std::vector<GivenRow> given;
  std::vector<AskedRow> asked;
  double ring_messages = 0;
  double choice_tolerance_percent = 0;
};

using Inputs = PoseInputs;

constexpr double most = 1e300;

constexpr InputField track_field[] = {choice<&Inputs::track>(exercise_track_names, "Kind of exercise")};

constexpr InputField answers[] = {
    real<&Inputs::answer_1>(-most, most, "Your first answer, in its unit").optional(),
    real<&Inputs::answer_2>(-most, most, "Your second answer").optional(),
    real<&Inputs::answer_3>(-most, most, "Your third answer").optional(),
    real<&Inputs::answer_4>(-most, most, "Your fourth answer").optional(),
};

constexpr FieldGroup groups[] = {group<Inputs>(track_field), group<Inputs, DrawInputs>(drawing_fields),
                                 group<Inputs>(answers)};

constexpr ResultField given_columns[] = {
    result<&GivenRow::name>("Its name in the exercise's texts"),
    result<&GivenRow::label>("Its label"),
    result<&GivenRow::unit>("Its unit; empty: a count"),
    result<&GivenRow::value>("The given value"),
};

constexpr ResultField asked_columns[] = {
    result<&AskedRow::name>("Name of the number asked for"),
    result<&AskedRow::label>("Its label"),
    result<&AskedRow::unit>("Its unit; empty: a count or a ratio"),
    result<&AskedRow::expected>("The right number"),
    result<&AskedRow::answered>("Whether an answer was given"),
    result<&AskedRow::answer>("The answer given; 0 without one"),
    choice_result<&AskedRow::verdict>(answer_verdict_names, "The verdict on the answer; unknown without one"),
    result<&AskedRow::mistake>("The known mistake that gives the answer, in words; empty: none"),
    result<&AskedRow::idea>("First hint: the idea"),
    result<&AskedRow::formula>("Second hint: the formula"),
    result<&AskedRow::numbers>("Third hint: the formula with the exercise's numbers"),
    result<&AskedRow::choices>(
        "Choices, separated by |; the answer is the number of one, from 1. Empty: the answer is a quantity"),
};

constexpr ResultField results[] = {
    result<&PosedExercise::title>("The topic of the exercise"),
    result<&PosedExercise::question>("The exercise in words"),
    rows_result<&PosedExercise::given>(given_columns, "The numbers that it gives"),
    rows_result<&PosedExercise::asked>(asked_columns, "The numbers that it asks for, in order"),
    result<&PosedExercise::ring_messages>(
        "Messages that each GPU sends in the ring; 0: the exercise has no ring")
        .in("messages"),
    result<&PosedExercise::choice_tolerance_percent>(
        "Extra step time, over the fastest layout's, at which a chosen layout still counts as right; 0: no "
        "layout is chosen"),
};

// Where several mistakes give the number, all of them.
std::string in_words(const CheckedKindAnswer& checked) {
  std::string words;
  for (const std::string_view mistake : checked.mistakes) {
    if (!words.empty()) words += "; or ";
    words += mistake;
  }
  return words;
}

Outcome<PosedExercise> posed(const Inputs& inputs) {
  const ExerciseKind& kind = exercise_kinds(inputs.edition)[static_cast<std::size_t>(inputs.track)];
  const KindExercise exercise = draw_kind(kind, static_cast<std::uint64_t>(inputs.seed), inputs.level);
  const double given[most_exercise_results] = {inputs.answer_1, inputs.answer_2, inputs.answer_3,
                                               inputs.answer_4};
  const std::vector<CheckedKindAnswer> checked = check_kind(exercise, given);
  PosedExercise posing;
  posing.title = kind.title;
  posing.question = filled_in(exercise, kind.question, FilledUnits::written);
  if (kind.choice == ExerciseChoice::layout) posing.choice_tolerance_percent = 100 * noise_floor_share;
  for (std::size_t i = 0; i < kind.inputs.size(); ++i) {
    const ExerciseInput& input = kind.inputs[i];
    posing.given.push_back({input.name, input.label, input.unit, exercise.inputs[i]});
    if (kind.ring == ExerciseRing::drawn && input.name == "n")
      posing.ring_messages = ring_sent_bytes(Collective::all_reduce, exercise.inputs[i], 1);
  }
  for (std::size_t i = 0; i < kind.results.size(); ++i) {
    const ExerciseResult& asked = kind.results[i];
    AskedRow row;
    row.name = asked.name;
    row.label = asked.label;
    row.unit = asked.unit;
    row.expected = exercise.results[i];
    row.answered = !std::isnan(given[i]);
    row.answer = row.answered ? given[i] : 0;
    row.verdict = checked[i].verdict;
    row.mistake = in_words(checked[i]);
    row.idea = asked.idea;
    row.formula = asked.formula;
    row.numbers = filled_in(exercise, asked.numbers, FilledUnits::left_out);
    for (const std::string_view one : asked.choices) {
      if (!row.choices.empty()) row.choices += '|';
      row.choices += one;
    }
    posing.asked.push_back(std::move(row));
  }
  return posing;
}

constexpr Calculation table = unswept_calculation<Inputs, PosedExercise, posed, results>(
    "pose_exercise", "An exercise of the track, with its hints and a verdict on each answer", groups);

}  // namespace pose_exercise_table

const Calculation pose_exercise = pose_exercise_table::table;

}  // namespace commcost::calculations
