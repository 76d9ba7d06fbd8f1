#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/exercise/diagnosis.h"
#include "core/exercise/kind.h"

namespace commcost {

/// The hardest level of a kind.
inline constexpr int hardest_kind_level = 2;

/// An exercise of a kind with its numbers.
struct KindExercise {
  const ExerciseKind* kind = nullptr;
  double inputs[most_exercise_inputs] = {};
  double results[most_exercise_results] = {};
};

/// The exercise of a kind that belongs to `seed`, the same on every machine. Level 1: round numbers; 2 and
/// above: real ones. Redrawn until every known mistake changes its number by more than two percent, and no
/// two give the same; since the second edition also until none changes it by a round factor that may have
/// other reasons, such as a tenth too much.
KindExercise draw_kind(const ExerciseKind& kind, std::uint64_t seed, int level);

/// An answer to one of its results.
struct CheckedKindAnswer {
  AnswerVerdict verdict = AnswerVerdict::unknown;
  std::vector<std::string_view> mistakes;  ///< in words; several where each of them gives the number
};

/// The verdict on each answer (NaN: none given), in order and together, as `check_answers` does it. Right
/// means agreement in three digits or more.
std::vector<CheckedKindAnswer> check_kind(const KindExercise& exercise,
                                          const double (&answers)[most_exercise_results]);

/// Whether units are written behind numbers.
enum class FilledUnits { left_out, written };

/// A text of the kind with the exercise's numbers in place of their names.
std::string filled_in(const KindExercise& exercise, std::string_view text, FilledUnits units);

}  // namespace commcost
