#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "core/base/outcome.h"
#include "core/exercise/answer.h"

namespace commcost {

/// What learners get wrong in the exercise; each alone changes a result in its own way.
enum class Misconception {
  missing_factor_2,         ///< all-reduce taken as one pass over the ring, not reduce-scatter and all-gather
  missing_ring_fraction,    ///< (n-1)/n left out: the whole message twice
  not_divided_by_gpus,      ///< (n-1) without /n: shards taken for messages
  element_bytes_forgotten,  ///< elements counted, not bytes
  layers_forgotten,         ///< one layer counted, not all
  allreduces_forgotten,     ///< one all-reduce a layer counted, not all
  gb_as_2_30,               ///< 1 GB taken as 2^30 bytes
  bits_for_bytes,           ///< bytes sent at a rate in bits, or the reverse: eight times too much
  bytes_for_bits,           ///< the same the other way: eight times too little
  seconds_for_milliseconds,  ///< the time in seconds
  both_directions,           ///< the sum of both directions taken for the bandwidth of one
  one_gpu_not_treated,       ///< something sent though there is nobody to send to
};

/// The mistakes' names, in their order.
inline constexpr std::string_view misconception_names[] = {
    "missing_factor_2", "missing_ring_fraction",    "not_divided_by_gpus", "element_bytes_forgotten",
    "layers_forgotten", "allreduces_forgotten",     "gb_as_2_30",          "bits_for_bytes",
    "bytes_for_bits",   "seconds_for_milliseconds", "both_directions",     "one_gpu_not_treated",
};

/// A learner's answers to the exercise beside its inputs, NaN where there is none, and how exact they must
/// be.
struct AnsweredExercise : TensorParallelInputs {
  double answer_message_size_bytes = std::numeric_limits<double>::quiet_NaN();
  double answer_comm_volume_per_allreduce_bytes = std::numeric_limits<double>::quiet_NaN();
  double answer_total_comm_volume_bytes = std::numeric_limits<double>::quiet_NaN();
  double answer_total_comm_time_ms = std::numeric_limits<double>::quiet_NaN();
  double tolerance_percent = 0;  ///< how far from the result an answer may lie; 0: four decimals
};

/// One answer held against the result.
struct CheckedAnswer {
  std::string_view name;  ///< of the result, as the exercise has it
  double answer = 0;      ///< as given
  double expected = 0;    ///< as tensor_parallel_allreduce_cost has it
  double tolerance = 0;   ///< how far from it an answer may lie
  bool agrees = false;    ///< to four decimals, or within the tolerance
  std::vector<Misconception>
      mistakes;  ///< that together give the answer: the fewest, at most two; empty: none known
};

/// The answers that were given, each checked.
struct CheckedExercise {
  std::vector<CheckedAnswer> answers;
};

/// Whether each answer agrees to four decimals, or within the tolerance, and where not, which one or two
/// known mistakes give it.
Outcome<CheckedExercise> check_answers(const AnsweredExercise& exercise);

}  // namespace commcost
