#include "core/exercise/misconceptions.h"

#include <algorithm>
#include <cmath>

#include "core/base/rounding.h"

namespace commcost {
namespace {

constexpr int mistake_count =
    static_cast<int>(Misconception::one_gpu_not_treated);  // the last is no wrong formula
using Made = std::uint32_t;                                // a set of mistakes, a bit each

constexpr Made bit(Misconception mistake) {
  return 1u << static_cast<int>(mistake);
}

// The four results under a set of mistakes. Doubles suffice: they only have to be told apart.
struct Wrong {
  double results[4];

  Wrong(const TensorParallelInputs& in, Made made) {
    const auto is = [made](Misconception mistake) { return (made & bit(mistake)) != 0; };
    const auto gpus = static_cast<double>(in.num_gpus);
    const double unit = is(Misconception::bits_for_bytes) ? 8 : is(Misconception::bytes_for_bits) ? 0.125 : 1;
    const double message =
        static_cast<double>(in.batch_size) * static_cast<double>(in.sequence_length) *
        static_cast<double>(in.hidden_size) * unit *
        (is(Misconception::element_bytes_forgotten) ? 1 : static_cast<double>(in.bytes_per_element));
    const double passes = is(Misconception::missing_factor_2) ? 1 : 2;
    const double share = is(Misconception::missing_ring_fraction) ? 1
                         : is(Misconception::not_divided_by_gpus) ? gpus - 1
                                                                  : (gpus - 1) / gpus;
    const double volume = message * passes * share;
    const double total =
        volume * (is(Misconception::layers_forgotten) ? 1 : static_cast<double>(in.num_layers)) *
        (is(Misconception::allreduces_forgotten) ? 1 : static_cast<double>(in.allreduces_per_layer));
    const double per_second = in.bandwidth_gb_per_sec * (is(Misconception::gb_as_2_30) ? 1073741824.0 : 1e9) *
                              (is(Misconception::both_directions) ? 0.5 : 1);
    results[0] = message;
    results[1] = volume;
    results[2] = total;
    results[3] = total / per_second * (is(Misconception::seconds_for_milliseconds) ? 1 : 1000);
  }
};

// Alternatives of one and the same factor cannot be made together.
bool possible(Made made) {
  const auto both = [made](Misconception a, Misconception b) {
    return (made & bit(a)) != 0 && (made & bit(b)) != 0;
  };
  return !both(Misconception::missing_ring_fraction, Misconception::not_divided_by_gpus) &&
         !both(Misconception::bits_for_bytes, Misconception::bytes_for_bits);
}

/// Half of the fourth decimal.
constexpr double least_tolerance = 0.00005;

bool same(double answer, double candidate, double share) {
  return round_to_four_decimals(answer) == round_to_four_decimals(candidate) ||
         std::fabs(answer - candidate) <= std::max(1e-12, share) * std::fabs(candidate);
}

std::vector<Misconception> listed(Made made) {
  std::vector<Misconception> mistakes;
  for (int i = 0; i < mistake_count; ++i) {
    if ((made >> i & 1) != 0) mistakes.push_back(static_cast<Misconception>(i));
  }
  return mistakes;
}

std::vector<Misconception> explain(const TensorParallelInputs& inputs, int result, double answer,
                                   double share) {
  if (inputs.num_gpus == 1 && result > 0) return {Misconception::one_gpu_not_treated};
  const double right = Wrong(inputs, 0).results[result];
  const auto explains = [&](Made made) {
    if (!possible(made)) return false;
    const double candidate = Wrong(inputs, made).results[result];
    return same(answer, candidate, share) && !same(right, candidate, share);
  };
  for (int i = 0; i < mistake_count; ++i) {
    if (explains(1u << i)) return listed(1u << i);
  }
  for (int i = 0; i < mistake_count; ++i) {
    for (int j = i + 1; j < mistake_count; ++j) {
      if (explains(1u << i | 1u << j)) return listed(1u << i | 1u << j);
    }
  }
  return {};
}

}  // namespace

Outcome<CheckedExercise> check_answers(const AnsweredExercise& exercise) {
  const Outcome<TensorParallelCost> cost = tensor_parallel_allreduce_cost(exercise);
  if (!cost) return cost.problems();
  const TensorParallelCost& expected = *cost;
  const double share = exercise.tolerance_percent / 100;
  const auto row = [share](std::string_view name, double answer, double result) {
    return CheckedAnswer{name, answer, result, std::max(least_tolerance, share * result), false, {}};
  };
  const CheckedAnswer rows[] = {
      row("message_size_bytes", exercise.answer_message_size_bytes, expected.message_size_bytes),
      row("comm_volume_per_allreduce_bytes", exercise.answer_comm_volume_per_allreduce_bytes,
          expected.comm_volume_per_allreduce_bytes),
      row("total_comm_volume_bytes", exercise.answer_total_comm_volume_bytes,
          expected.total_comm_volume_bytes),
      row("total_comm_time_ms", exercise.answer_total_comm_time_ms, expected.total_comm_time_ms),
  };
  CheckedExercise checked;
  for (int result = 0; result < 4; ++result) {
    CheckedAnswer checking = rows[result];
    if (std::isnan(checking.answer)) continue;
    checking.agrees = round_to_four_decimals(checking.answer) == checking.expected ||
                      std::fabs(checking.answer - checking.expected) <= share * checking.expected;
    if (!checking.agrees) checking.mistakes = explain(exercise, result, checking.answer, share);
    checked.answers.push_back(checking);
  }
  return checked;
}

}  // namespace commcost
