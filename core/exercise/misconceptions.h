#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/exercise/answer.h"

namespace commcost {

/// What learners get wrong in the exercise.
enum class Misconception {
  element_bytes_forgotten,  ///< elements counted, not bytes
  message_divided_by_gpus,  ///< the message split, though each GPU holds a partial sum of all of it
  missing_factor_2,         ///< all-reduce taken as one pass over the ring, not reduce-scatter and all-gather
  missing_ring_fraction,    ///< (n-1)/n left out: the whole message twice
  not_divided_by_gpus,      ///< (n-1) without /n: shards taken for messages, or all GPUs' bytes added up
  steps_forgotten,          ///< /n without (n-1): one step of each pass counted
  layers_forgotten,         ///< one layer counted, not all
  allreduces_forgotten,     ///< one all-reduce a layer counted, not all
  backward_forgotten,       ///< the forward pass's all-reduces alone, where more passes are asked for
  counted_twice,            ///< a factor 2 too many: it is in the volume already
  decimal_units,            ///< 1 MiB taken as 10^6 bytes, or another binary unit as its decimal one
  not_in_bytes,             ///< in KiB, MB, GiB or the like
  gb_as_2_30,               ///< 1 GB taken as 2^30 bytes
  bits_for_bytes,           ///< bits taken for bytes: eight times too much
  bytes_for_bits,           ///< the same the other way: eight times too little
  seconds_for_milliseconds,       ///< the time in seconds
  microseconds_for_milliseconds,  ///< the time in microseconds
  both_directions,                ///< the sum of both directions taken for the bandwidth of one
  bandwidth_doubled,              ///< twice the bandwidth: sending and receiving added up
  one_gpu_not_treated,            ///< something sent although there is no other GPU
  batch_forgotten,                ///< one sequence, not the batch
  sequence_forgotten,             ///< one token of each sequence
  mlp_width,                      ///< 4h for h: what lies between an MLP's matrices, which is not sent
  other_element_size,             ///< four bytes for two, or two for four
  message_times_gpus,             ///< the messages of all GPUs added up
  weights_for_activations,        ///< a matrix of h by h taken for the activations
  logarithmic_steps,              ///< log2 n messages, once or twice, as a tree without chunks would send
  sent_and_received,              ///< what a GPU receives added to what it sends
  one_share_too_few,              ///< n-2 shares for n-1
  integer_division,               ///< 2(n-1)//n, or (n-1)//n, cut off to a whole number
  all_gpus_counted,               ///< the volume of all GPUs, where one GPU's is asked for
  one_call_counted,               ///< one all-reduce for those of all layers
  time_divided_by_gpus,           ///< the time shared out to the GPUs, which all send at once
  one_call_timed,                 ///< the time of one all-reduce
  giga_forgotten,                 ///< GB/s divided by as if it were bytes
  caret_for_power,                ///< 10^9 in a language where ^ is no power
  hidden_forgotten,               ///< one element of each token
  message_for_volume,             ///< the message itself, not what a ring sends of it
  backward_counted,  ///< the backward pass's all-reduces too, where the forward pass is asked for
};

/// The mistakes' names, in their order.
inline constexpr std::string_view misconception_names[] = {
    "element_bytes_forgotten",
    "message_divided_by_gpus",
    "missing_factor_2",
    "missing_ring_fraction",
    "not_divided_by_gpus",
    "steps_forgotten",
    "layers_forgotten",
    "allreduces_forgotten",
    "backward_forgotten",
    "counted_twice",
    "decimal_units",
    "not_in_bytes",
    "gb_as_2_30",
    "bits_for_bytes",
    "bytes_for_bits",
    "seconds_for_milliseconds",
    "microseconds_for_milliseconds",
    "both_directions",
    "bandwidth_doubled",
    "one_gpu_not_treated",
    "batch_forgotten",
    "sequence_forgotten",
    "mlp_width",
    "other_element_size",
    "message_times_gpus",
    "weights_for_activations",
    "logarithmic_steps",
    "sent_and_received",
    "one_share_too_few",
    "integer_division",
    "all_gpus_counted",
    "one_call_counted",
    "time_divided_by_gpus",
    "one_call_timed",
    "giga_forgotten",
    "caret_for_power",
    "hidden_forgotten",
    "message_for_volume",
    "backward_counted",
};

/// The exercise's results, each made from the one before.
inline constexpr int exercise_result_count = 4;

/// What a mistake is about: two of one aspect cannot be made together.
enum class MistakenAspect {
  elements,
  shape,
  message,
  passes,
  fraction,
  layers,
  calls,
  again,
  unit,
  rate,
  direction
};

/// How often a mistake is made: if several give a number, the commoner is named first, and two at once are
/// considered only if both are common.
enum class SlipRate { common, rare };

/// A mistake in one step of the derivation, as a factor on that step's result.
struct Slip {
  Misconception mistake;
  int result;  ///< 0 to 3, of the step in which it is made
  MistakenAspect aspect;
  double (*factor)(const TensorParallelInputs& inputs);  ///< 1 where it changes nothing; NaN: cannot be made
  SlipRate rate = SlipRate::common;
  int edition = 1;  ///< of exercises, since which draws keep clear of it
};

/// The newest edition of exercises.
inline constexpr int newest_edition = 2;

/// Every known way to go wrong with two GPUs or more. One mistake may have several rows.
std::span<const Slip> slips();

/// The factor that rightly leads from a result, 0 to 2, to the next one.
double step_factor(const TensorParallelInputs& inputs, int result);

/// Whether each mistake that this edition knows shows in the answer of its own step, in four decimals, and
/// each common one as no other common one does.
bool tells_mistakes_apart(const TensorParallelInputs& inputs, int edition);

}  // namespace commcost
