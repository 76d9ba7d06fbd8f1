#include "core/exercise/posing.h"

#include <algorithm>
#include <cmath>

#include "core/base/number_text.h"
#include "core/base/split_mix.h"
#include "core/exercise/digits.h"

namespace commcost {
namespace {

/// Mistakes must change a result by more than this to be told apart in three digits.
constexpr double least_difference = 0.02;
/// How far off a full answer in binary digits may be.
constexpr double nearly = 1e-9;
constexpr int least_digits = 3;
/// An answer that is right in this many digits is not called wrong.
constexpr int digits_of_rounded = 2;
constexpr int most_poses = 1000;

bool differ(double a, double b) {
  return std::fabs(a - b) > least_difference * std::fmax(std::fabs(a), std::fabs(b));
}

bool agrees(double answer, double candidate) {
  return std::fabs(answer - candidate) <= nearly * std::fabs(candidate) ||
         is_shortened(answer, candidate, least_digits);
}

/// Whether a mistake changes its number by a two-digit factor that nothing in the exercise accounts for: a
/// learner who is off by as much for another reason would be told of this mistake. Accounted for are whole
/// factors below ten, numbers of the exercise, halves and tenths of halves, and three quarters.
bool may_be_chance(const KindExercise& drawn, double wrong, double right) {
  if (!(wrong > 0)) return false;
  double factor = wrong / right;
  const bool whole = std::round(factor) * right == wrong;
  if (whole && factor < 10) return false;
  for (const double input : drawn.inputs)
    if (std::fabs(factor - input) <= nearly * factor) return false;
  int digits = 0;
  for (; factor >= 100; factor /= 10) ++digits;
  for (; factor < 10; factor *= 10) --digits;
  const double two_digits = std::round(factor);
  const double unit = std::pow(10, digits);
  if (!agrees(right * two_digits * unit, wrong)) return false;
  auto left = static_cast<int>(two_digits);
  if (left == 75) return false;
  for (const int prime : {2, 5})
    while (left % prime == 0) left /= prime;
  return left != 1;
}

/// A readable number, with groups of three digits in front of the point.
std::string readable(double number) {
  std::string text = text_of(number);
  const std::size_t digits = text.find_first_not_of("0123456789");
  if (digits != std::string::npos && text[digits] != '.') return text;
  for (std::size_t at = std::min(digits, text.size()); at > 3;) text.insert(at -= 3, ",");
  return text;
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
    const double right = drawn.results[mistake.result];
    if (!differ(value(mistake), right)) return false;
    const bool is_number = drawn.kind->results[static_cast<std::size_t>(mistake.result)].choices.empty();
    if (drawn.kind->edition > 1 && is_number && may_be_chance(drawn, value(mistake), right)) return false;
    for (const ExerciseMistake& other : drawn.kind->mistakes) {
      if (&other == &mistake || other.result != mistake.result) continue;
      if (std::isnan(value(other)) || (mistake.may_coincide && other.may_coincide)) continue;
      if (!differ(value(mistake), value(other))) return false;
    }
  }
  return true;
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
  // What the learner continues with: their own answer if there is one, otherwise the right one.
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
      if (!row.mistakes.empty()) {
        row.verdict = AnswerVerdict::mistaken;
      } else if (is_shortened(answer, right, digits_of_rounded)) {
        row.verdict = AnswerVerdict::rounded;
      }
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
      filled += readable(exercise.inputs[i]);
      if (units == FilledUnits::left_out || input.unit.empty()) continue;
      filled += ' ';
      filled += input.unit;
    }
    text.remove_prefix(close + 1);
  }
  return filled;
}

}  // namespace commcost
