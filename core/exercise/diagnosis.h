#pragma once

#include <limits>
#include <string_view>
#include <vector>

#include "core/base/outcome.h"
#include "core/exercise/misconceptions.h"

namespace commcost {

/// The exercise's inputs with a learner's answers, NaN for none, and how exact they must be.
struct AnsweredExercise : TensorParallelInputs {
  double answer_message_size_bytes = std::numeric_limits<double>::quiet_NaN();
  double answer_comm_volume_per_allreduce_bytes = std::numeric_limits<double>::quiet_NaN();
  double answer_total_comm_volume_bytes = std::numeric_limits<double>::quiet_NaN();
  double answer_total_comm_time_ms = std::numeric_limits<double>::quiet_NaN();
  double tolerance_percent = 0;  ///< how far from the result an answer may lie; 0: four decimals
};

/// The verdict on an answer.
enum class AnswerVerdict {
  right,     ///< to four decimals, or within the tolerance
  rounded,   ///< the result in fewer digits than asked for, two at the least
  follows,   ///< correctly derived from an earlier answer that is wrong
  mistaken,  ///< known mistakes give it
  unknown,   ///< no known mistake gives it
};

/// Their names, in their order.
inline constexpr std::string_view answer_verdict_names[] = {"right", "rounded", "follows", "mistaken",
                                                            "unknown"};

/// One answer checked against the result, and against the answers before it.
struct CheckedAnswer {
  std::string_view name;  ///< of the result, as in the exercise
  double answer = 0;      ///< as given
  double expected = 0;    ///< as in tensor_parallel_allreduce_cost
  double tolerance = 0;   ///< how far from it an answer may lie
  bool agrees = false;    ///< whether the verdict is `right`
  AnswerVerdict verdict = AnswerVerdict::unknown;
  bool is_sure =
      false;  ///< whether one common mistake gives the answer in many digits, and nothing else does
  std::string_view based_on;            ///< the earlier wrong answer that it was made from; empty: none
  std::vector<Misconception> mistakes;  ///< that together give the answer: one, or two common ones
  std::vector<Misconception>
      or_mistakes;  ///< others, each of which gives it by itself as well, common ones first
};

/// The answers that were given, each checked.
struct CheckedExercise {
  std::vector<CheckedAnswer> answers;
};

/// Checks the answers together, in order. An answer is first checked as a consequence of the one before it,
/// so that a mistake is named once, where it was made; and no mistake is named that an earlier right answer
/// rules out, or that changes nothing.
Outcome<CheckedExercise> check_answers(const AnsweredExercise& exercise);

}  // namespace commcost
