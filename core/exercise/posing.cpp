#include "core/exercise/posing.h"

#include <cmath>

#include "core/base/number_text.h"
#include "core/base/split_mix.h"
#include "core/exercise/digits.h"

namespace commcost {
namespace {

/// Mistakes must change a result by more than this to be told apart in three digits.
constexpr double least_difference = 0.02;
/// What a full answer in binary digits may be off.
constexpr double nearly = 1e-9;
constexpr int least_digits = 3;
constexpr int most_poses = 1000;

bool differ(double a, double b) {
  return std::fabs(a - b) > least_difference * std::fmax(std::fabs(a), std::fabs(b));
}

KindExercise drawn_once(const ExerciseKind& kind, SplitMix& random, int level) {
  KindExercise drawn;
  drawn.kind = &kind;
  int index = 0;
  for (const ExerciseInput& input : kind.inputs) {
    const std::span<const double> choices = level <= 1 ? input.round : input.real;
    const double chosen =
        choices.empty() ? 0 : choices[random.below(static_cast<std::uint32_t>(choices.size()))];
    drawn.inputs[index] = input.made != nullptr ? input.made(drawn.inputs, chosen) : chosen;
    ++index;
  }
  index = 0;
  for (const ExerciseResult& result : kind.results) {
    drawn.results[index] = result.value(drawn.inputs, drawn.results);
    ++index;
  }
  return drawn;
}

// Whether each mistake has a number of its own.
bool tells_apart(const KindExercise& drawn) {
  const auto value = [&](const ExerciseMistake& mistake) {
    return mistake.value(drawn.inputs, drawn.results);
  };
  if (drawn.kind->asks != nullptr && !drawn.kind->asks(drawn.inputs)) return false;
  for (const ExerciseMistake& mistake : drawn.kind->mistakes) {
    if (std::isnan(value(mistake))) continue;
    if (!differ(value(mistake), drawn.results[mistake.result])) return false;
    for (const ExerciseMistake& other : drawn.kind->mistakes) {
      if (&other == &mistake || other.result != mistake.result) continue;
      if (std::isnan(value(other)) || (mistake.may_coincide && other.may_coincide)) continue;
      if (!differ(value(mistake), value(other))) return false;
    }
  }
  return true;
}

bool agrees(double answer, double candidate) {
  return std::fabs(answer - candidate) <= nearly * std::fabs(candidate) ||
         is_shortened(answer, candidate, least_digits);
}

}  // namespace

KindExercise draw_kind(const ExerciseKind& kind, std::uint64_t seed, int level) {
  // Seeds stay below 2^53: levels have sequences of their own.
  SplitMix random(seed + (static_cast<std::uint64_t>(level) << 56));
  KindExercise drawn = drawn_once(kind, random, level);
  for (int again = 1; again < most_poses && !tells_apart(drawn); ++again) {
    drawn = drawn_once(kind, random, level);
  }
  return drawn;
}

std::vector<CheckedKindAnswer> check_kind(const KindExercise& exercise,
                                          const double (&answers)[most_exercise_results]) {
  std::vector<CheckedKindAnswer> checked;
  // What the learner goes on with: an own answer where there is one, else what is right.
  double own[most_exercise_results] = {};
  int result = 0;
  for (const ExerciseResult& asked : exercise.kind->results) {
    const double right = exercise.results[result];
    const double answer = answers[result];
    CheckedKindAnswer row;
    own[result] = std::isnan(answer) ? right : answer;
    if (agrees(answer, right)) {
      row.verdict = AnswerVerdict::right;
      own[result] = right;
    } else if (agrees(answer, asked.value(exercise.inputs, own))) {
      row.verdict = AnswerVerdict::follows;
    } else {
      for (const ExerciseMistake& mistake : exercise.kind->mistakes) {
        if (mistake.result != result) continue;
        const bool gives = agrees(answer, mistake.value(exercise.inputs, exercise.results)) ||
                           agrees(answer, mistake.value(exercise.inputs, own));
        if (gives) row.mistakes.push_back(mistake.words);
      }
      if (!row.mistakes.empty()) row.verdict = AnswerVerdict::mistaken;
    }
    checked.push_back(std::move(row));
    ++result;
  }
  return checked;
}

std::string filled_in(const KindExercise& exercise, std::string_view text, FilledUnits units) {
  std::string filled;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    filled += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find('}', open);
    const std::string_view name = text.substr(open + 1, close - open - 1);
    for (std::size_t i = 0; i < exercise.kind->inputs.size(); ++i) {
      const ExerciseInput& input = exercise.kind->inputs[i];
      if (input.name != name) continue;
      filled += text_of(exercise.inputs[i]);
      if (units == FilledUnits::left_out || input.unit.empty()) continue;
      filled += ' ';
      filled += input.unit;
    }
    text.remove_prefix(close + 1);
  }
  return filled;
}

}  // namespace commcost
