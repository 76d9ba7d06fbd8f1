#include "core/exercise/diagnosis.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>

#include "core/base/rounding.h"
#include "core/exercise/digits.h"

namespace commcost {
namespace {

/// Half of the fourth decimal.
constexpr double least_tolerance = 0.00005;
/// How far a learner's own order of multiplying and dividing may shift large results.
constexpr double few_roundings = 1e-15;
/// The same between a learner's number and one that a mistake gives.
constexpr double many_roundings = 1e-12;

/// Digits with which an answer counts as right, or as one that a mistake gives: fewer may agree by chance. A
/// mistake that gives fewer digits than the last of these is only offered as a question.
constexpr int digits_of_right = 2;
constexpr int digits_of_mistakes = 3;
constexpr int digits_of_certainty = 5;

enum class Precision { exact, fewer_digits };

/// What an answer may have been derived from: the answer to result `from`; -1: the inputs.
struct Origin {
  int from;
  bool own;  // the learner's wrong answer; otherwise the right one
};

bool near(double answer, double candidate, double share) {
  return std::fabs(answer - candidate) <= share * std::fabs(candidate);
}

/// Equal to four decimals, or as close.
bool agrees(double answer, double result, double share) {
  return round_to_four_decimals(answer) == round_to_four_decimals(result) || near(answer, result, share);
}

/// Zero matches only zero: a number that rounds to it is something else.
bool same(double answer, double candidate) {
  return candidate == 0 ? answer == 0 : agrees(answer, candidate, many_roundings);
}

bool matches(double answer, double candidate, Precision precision) {
  return precision == Precision::exact ? same(answer, candidate)
                                       : is_shortened(answer, candidate, digits_of_mistakes);
}

/// The right result in fewer digits; bytes also in KiB to TiB, as they may have been typed. Whole bytes that
/// are few digits of a larger unit are often chance.
bool is_rounded(int result, double answer, double right) {
  if (is_shortened(answer, right, digits_of_right)) return true;
  if (result == exercise_result_count - 1) return false;
  const int digits = answer == std::floor(answer) ? digits_of_mistakes : digits_of_right;
  for (const double unit : {0x1p10, 0x1p20, 0x1p30, 0x1p40})
    if (is_shortened(answer / unit, right / unit, digits)) return true;
  return false;
}

/// Nothing else is likely to give this many digits; a zero may come from anywhere.
bool is_certain(double answer, double candidate) {
  return answer != 0 &&
         (near(answer, candidate, many_roundings) || is_shortened(answer, candidate, digits_of_certainty));
}

/// What may have been done: one mistake, or two at once.
struct Explanation {
  SlipRate rate;
  std::vector<Misconception> mistakes;
  bool is_certain;  // as the only explanation

  bool operator==(const Explanation& other) const { return mistakes == other.mistakes; }
  /// Common ones first.
  bool operator<(const Explanation& other) const {
    return rate != other.rate ? rate < other.rate : mistakes < other.mistakes;
  }
};

/// The four answers of one exercise, checked against each other.
class Diagnosis {
 public:
  Diagnosis(const AnsweredExercise& exercise, const TensorParallelCost& cost)
      : inputs_(exercise),
        share_(exercise.tolerance_percent / 100),
        answers_{exercise.answer_message_size_bytes, exercise.answer_comm_volume_per_allreduce_bytes,
                 exercise.answer_total_comm_volume_bytes, exercise.answer_total_comm_time_ms},
        right_{cost.message_size_bytes, cost.comm_volume_per_allreduce_bytes, cost.total_comm_volume_bytes,
               cost.total_comm_time_ms} {}

  std::vector<CheckedAnswer> checked() {
    std::vector<CheckedAnswer> rows;
    for (int result = 0; result < exercise_result_count; ++result) {
      if (std::isnan(answers_[result])) continue;
      CheckedAnswer row;
      row.name = names[result];
      row.answer = answers_[result];
      row.expected = right_[result];
      row.tolerance = std::max(least_tolerance, share_ * right_[result]);
      judge(result, row);
      row.agrees = row.verdict == AnswerVerdict::right;
      if (row.agrees) {
        last_right_ = result;
      }
      last_ = {result, !row.agrees};
      rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  static constexpr std::string_view names[exercise_result_count] = {
      "message_size_bytes", "comm_volume_per_allreduce_bytes", "total_comm_volume_bytes",
      "total_comm_time_ms"};

  // Each verdict has its own evidence: the surer ones first.
  void judge(int result, CheckedAnswer& row) {
    if (agrees(row.answer, row.expected, std::max(few_roundings, share_))) {
      row.verdict = AnswerVerdict::right;
      return;
    }
    for (const Precision precision : {Precision::exact, Precision::fewer_digits}) {
      if (precision == Precision::fewer_digits && is_rounded(result, row.answer, row.expected)) {
        row.verdict = AnswerVerdict::rounded;
        return;
      }
      if (follows_from_own(result, row, precision) || slipped(result, row, 1, precision)) return;
    }
    if (inputs_.num_gpus == 1 && result > 0 && row.answer != 0) {
      row.verdict = AnswerVerdict::mistaken;
      row.mistakes = {Misconception::one_gpu_not_treated};
      row.is_sure = true;
      return;
    }
    slipped(result, row, 2, Precision::exact);
  }

  bool follows_from_own(int result, CheckedAnswer& row, Precision precision) const {
    const double next = carried(last_, result);
    if (!last_.own ||
        !(matches(row.answer, next, precision) || agrees(row.answer, next, std::max(many_roundings, share_))))
      return false;
    row.verdict = AnswerVerdict::follows;
    row.based_on = names[last_.from];
    return true;
  }

  // What the right steps turn an origin into by the time of `result`.
  double carried(const Origin& origin, int result) const {
    // Not from rounded results: mistakes multiply what rounding leaves.
    const int from = origin.own ? origin.from : 0;
    double value = origin.own ? answers_[from] : right_[0];
    for (int step = from; step < result; ++step) value *= step_factor(inputs_, step);
    return value;
  }

  // Mistakes made since the previous answer, whether based on that one or on the right one; or since the last
  // right answer.
  bool slipped(int result, CheckedAnswer& row, int count, Precision precision) const {
    if (inputs_.num_gpus == 1 && result > 0) return false;
    const Origin origins[] = {last_, {last_.from, false}, {last_right_, false}};
    for (const Origin& origin : origins) {
      const auto found = explanations(origin, result, row.answer, count, precision);
      // Among several pairs any choice would be a guess.
      if (found.empty() || (count > 1 && found.size() > 1)) continue;
      row.verdict = AnswerVerdict::mistaken;
      row.mistakes = found[0].mistakes;
      row.is_sure = found.size() == 1 && found[0].is_certain &&
                    std::all_of(std::begin(origins), std::end(origins), [&](const Origin& other) {
                      const auto also = explanations(other, result, row.answer, count, precision);
                      return also.empty() || also == found;
                    });
      for (std::size_t other = 1; other < found.size(); ++other)
        row.or_mistakes.push_back(found[other].mistakes[0]);
      if (origin.own) row.based_on = names[origin.from];
      return true;
    }
    return false;
  }

  std::vector<Explanation> explanations(const Origin& origin, int result, double answer, int count,
                                        Precision precision) const {
    std::vector<Explanation> found;
    const double base = carried(origin, result);
    const auto made_since = [&](const Slip& slip) {
      return slip.result > origin.from && slip.result <= result;
    };
    const auto add = [&](double factor, SlipRate rate, std::vector<Misconception> mistakes) {
      const double candidate = base * factor;
      // Some slips divide by something that is 0 with one GPU or no share.
      if (!std::isfinite(candidate)) return;
      if (!matches(answer, candidate, precision) || same(base, candidate)) return;
      std::sort(mistakes.begin(), mistakes.end());
      const bool sure = mistakes.size() == 1 && rate == SlipRate::common && is_certain(answer, candidate);
      const Explanation explanation{rate, std::move(mistakes), sure};
      if (std::find(found.begin(), found.end(), explanation) == found.end()) found.push_back(explanation);
    };
    const std::span<const Slip> all = slips();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Slip& first = all[i];
      if (!made_since(first)) continue;
      // Bytes given in a larger unit leave the time's unit as it is.
      if (first.mistake == Misconception::not_in_bytes && first.result != result && result == 3) continue;
      const double factor = first.factor(inputs_);
      if (count == 1) {
        add(factor, first.rate, {first.mistake});
        continue;
      }
      if (first.rate == SlipRate::rare) continue;
      for (std::size_t j = i + 1; j < all.size(); ++j) {
        const Slip& second = all[j];
        if (!made_since(second) || second.rate == SlipRate::rare) continue;
        if (second.aspect == first.aspect || second.mistake == first.mistake) continue;
        add(factor * second.factor(inputs_), SlipRate::common, {first.mistake, second.mistake});
      }
    }
    std::stable_sort(found.begin(), found.end());
    return found;
  }

  const TensorParallelInputs& inputs_;
  double share_;
  double answers_[exercise_result_count];
  double right_[exercise_result_count];
  int last_right_ = -1;
  Origin last_{-1, false};
};

}  // namespace

Outcome<CheckedExercise> check_answers(const AnsweredExercise& exercise) {
  const Outcome<TensorParallelCost> cost = tensor_parallel_allreduce_cost(exercise);
  if (!cost) return cost.problems();
  return CheckedExercise{Diagnosis(exercise, *cost).checked()};
}

}  // namespace commcost
