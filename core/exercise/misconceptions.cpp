#include "core/exercise/misconceptions.h"

#include <cmath>
#include <limits>
#include <map>

#include "core/base/rounding.h"

namespace commcost {
namespace {

using Inputs = TensorParallelInputs;
using enum Misconception;
using enum SlipRate;

constexpr double cannot_be = std::numeric_limits<double>::quiet_NaN();

double gpus_of(const Inputs& in) {
  return static_cast<double>(in.num_gpus);
}

double to_decimal_kib(const Inputs&) {
  return 1e3 / 1024;
}
double to_decimal_mib(const Inputs&) {
  return 1e6 / 1048576;
}
double to_decimal_gib(const Inputs&) {
  return 1e9 / 1073741824;
}
double in_kb(const Inputs&) {
  return 1e-3;
}
double in_mb(const Inputs&) {
  return 1e-6;
}
double in_gb(const Inputs&) {
  return 1e-9;
}
double in_kib(const Inputs&) {
  return 1.0 / 1024;
}
double in_mib(const Inputs&) {
  return 1.0 / 1048576;
}
double in_gib(const Inputs&) {
  return 1.0 / 1073741824;
}
double eightfold(const Inputs&) {
  return 8;
}
double an_eighth(const Inputs&) {
  return 0.125;
}
double twice(const Inputs&) {
  return 2;
}
double half(const Inputs&) {
  return 0.5;
}
double in_seconds(const Inputs&) {
  return 1e-3;
}
double in_microseconds(const Inputs&) {
  return 1e3;
}
double one_byte_an_element(const Inputs& in) {
  return 1 / static_cast<double>(in.bytes_per_element);
}
double a_share_each(const Inputs& in) {
  return 1 / gpus_of(in);
}
double whole_message(const Inputs& in) {
  return gpus_of(in) / (gpus_of(in) - 1);
}
double whole_steps(const Inputs& in) {
  return gpus_of(in);
}
double one_step(const Inputs& in) {
  return 1 / (gpus_of(in) - 1);
}
double one_layer(const Inputs& in) {
  return 1 / static_cast<double>(in.num_layers);
}
double one_call(const Inputs& in) {
  return 1 / static_cast<double>(in.allreduces_per_layer);
}
// A pass over the layers adds up after attention and after the MLP; only where more are asked for can one be
// forgotten.
double one_pass(const Inputs& in) {
  const bool more = in.allreduces_per_layer > 2 && in.allreduces_per_layer % 2 == 0;
  return more ? 2 / static_cast<double>(in.allreduces_per_layer) : cannot_be;
}
double another_pass(const Inputs& in) {
  return in.allreduces_per_layer == 2 ? 2 : cannot_be;
}
double one_sequence(const Inputs& in) {
  return 1 / static_cast<double>(in.batch_size);
}
double one_element(const Inputs& in) {
  return 1 / static_cast<double>(in.hidden_size);
}
double one_token(const Inputs& in) {
  return 1 / static_cast<double>(in.sequence_length);
}
double four_wide(const Inputs&) {
  return 4;
}
double other_precision(const Inputs& in) {
  if (in.bytes_per_element == 2) return 2;
  return in.bytes_per_element == 4 ? 0.5 : cannot_be;
}
double all_gpus(const Inputs& in) {
  return gpus_of(in);
}
double square_matrix(const Inputs& in) {
  return static_cast<double>(in.hidden_size) /
         (static_cast<double>(in.batch_size) * static_cast<double>(in.sequence_length));
}
// What n - 1 of n shares, twice, become.
double of_ring(const Inputs& in, double messages) {
  return messages * gpus_of(in) / (2 * (gpus_of(in) - 1));
}
// Whole, for powers of two alone.
double tree_levels(const Inputs& in) {
  double levels = 0;
  for (std::int64_t ranks = in.num_gpus; ranks > 1; ranks /= 2, ++levels)
    if (ranks % 2 != 0) return cannot_be;
  return levels;
}
double one_tree(const Inputs& in) {
  return of_ring(in, tree_levels(in));
}
double two_trees(const Inputs& in) {
  return of_ring(in, 2 * tree_levels(in));
}
double one_message(const Inputs& in) {
  return of_ring(in, 1);
}
double one_less(const Inputs& in) {
  return (gpus_of(in) - 2) / (gpus_of(in) - 1);
}
double cut_off_to_nothing(const Inputs&) {
  return 0;
}
double one_of_all_calls(const Inputs& in) {
  return one_layer(in) * one_call(in);
}
double bytes_for_gigabytes(const Inputs&) {
  return 1e9;
}
double left_in_bytes(const Inputs&) {
  return 1e6;
}
// In Python and C 10^9 is 3, 10^6 is 12.
double caret_nine(const Inputs&) {
  return 1e9 / 3;
}
double caret_six(const Inputs&) {
  return 1e6 / 12;
}

constexpr Slip all_slips[] = {
    {element_bytes_forgotten, 0, MistakenAspect::elements, one_byte_an_element},
    {message_divided_by_gpus, 0, MistakenAspect::message, a_share_each},
    {bits_for_bytes, 0, MistakenAspect::unit, eightfold},
    {decimal_units, 0, MistakenAspect::unit, to_decimal_kib},
    {decimal_units, 0, MistakenAspect::unit, to_decimal_mib},
    {decimal_units, 0, MistakenAspect::unit, to_decimal_gib},
    {not_in_bytes, 0, MistakenAspect::unit, in_kb},
    {not_in_bytes, 0, MistakenAspect::unit, in_mb},
    {not_in_bytes, 0, MistakenAspect::unit, in_gb},
    {not_in_bytes, 0, MistakenAspect::unit, in_kib},
    {not_in_bytes, 0, MistakenAspect::unit, in_mib},
    {not_in_bytes, 0, MistakenAspect::unit, in_gib},
    {missing_factor_2, 1, MistakenAspect::passes, half},
    {missing_ring_fraction, 1, MistakenAspect::fraction, whole_message},
    {not_divided_by_gpus, 1, MistakenAspect::fraction, whole_steps},
    {steps_forgotten, 1, MistakenAspect::fraction, one_step},
    {decimal_units, 1, MistakenAspect::unit, to_decimal_kib},
    {decimal_units, 1, MistakenAspect::unit, to_decimal_mib},
    {decimal_units, 1, MistakenAspect::unit, to_decimal_gib},
    {not_in_bytes, 1, MistakenAspect::unit, in_mb},
    {not_in_bytes, 1, MistakenAspect::unit, in_gb},
    {not_in_bytes, 1, MistakenAspect::unit, in_mib},
    {not_in_bytes, 1, MistakenAspect::unit, in_gib},
    {layers_forgotten, 2, MistakenAspect::layers, one_layer},
    {allreduces_forgotten, 2, MistakenAspect::calls, one_call},
    {backward_forgotten, 2, MistakenAspect::calls, one_pass},
    {counted_twice, 2, MistakenAspect::again, twice},
    {decimal_units, 2, MistakenAspect::unit, to_decimal_mib},
    {decimal_units, 2, MistakenAspect::unit, to_decimal_gib},
    {not_in_bytes, 2, MistakenAspect::unit, in_mb},
    {not_in_bytes, 2, MistakenAspect::unit, in_gb},
    {not_in_bytes, 2, MistakenAspect::unit, in_mib},
    {not_in_bytes, 2, MistakenAspect::unit, in_gib},
    {gb_as_2_30, 3, MistakenAspect::rate, to_decimal_gib},
    {bits_for_bytes, 3, MistakenAspect::rate, eightfold},
    {bytes_for_bits, 3, MistakenAspect::rate, an_eighth},
    {seconds_for_milliseconds, 3, MistakenAspect::unit, in_seconds},
    {microseconds_for_milliseconds, 3, MistakenAspect::unit, in_microseconds},
    {both_directions, 3, MistakenAspect::direction, twice},
    {bandwidth_doubled, 3, MistakenAspect::direction, half},
    {batch_forgotten, 0, MistakenAspect::shape, one_sequence, common, 2},
    {sequence_forgotten, 0, MistakenAspect::shape, one_token, common, 2},
    {mlp_width, 0, MistakenAspect::shape, four_wide, common, 2},
    {other_element_size, 0, MistakenAspect::elements, other_precision, common, 2},
    {message_times_gpus, 0, MistakenAspect::message, all_gpus, rare, 2},
    {weights_for_activations, 0, MistakenAspect::shape, square_matrix, rare, 2},
    {hidden_forgotten, 0, MistakenAspect::shape, one_element, rare, 2},
    {message_for_volume, 1, MistakenAspect::fraction, one_message, rare, 2},
    {logarithmic_steps, 1, MistakenAspect::fraction, one_tree, rare, 2},
    {logarithmic_steps, 1, MistakenAspect::fraction, two_trees, rare, 2},
    {sent_and_received, 1, MistakenAspect::direction, twice, rare, 2},
    {one_share_too_few, 1, MistakenAspect::fraction, one_less, rare, 2},
    {integer_division, 1, MistakenAspect::fraction, one_message, common, 2},
    {integer_division, 1, MistakenAspect::fraction, cut_off_to_nothing, common, 2},
    {backward_counted, 2, MistakenAspect::again, another_pass, rare, 2},
    {all_gpus_counted, 2, MistakenAspect::again, all_gpus, rare, 2},
    {one_call_counted, 2, MistakenAspect::calls, one_of_all_calls, common, 2},
    {time_divided_by_gpus, 3, MistakenAspect::direction, a_share_each, rare, 2},
    {one_call_timed, 3, MistakenAspect::again, one_of_all_calls, rare, 2},
    {giga_forgotten, 3, MistakenAspect::rate, bytes_for_gigabytes, common, 2},
    {giga_forgotten, 3, MistakenAspect::rate, left_in_bytes, common, 2},
    {caret_for_power, 3, MistakenAspect::rate, caret_nine, rare, 2},
    {caret_for_power, 3, MistakenAspect::rate, caret_six, rare, 2},
};

}  // namespace

std::span<const Slip> slips() {
  return all_slips;
}

double step_factor(const TensorParallelInputs& inputs, int result) {
  switch (result) {
    case 0:
      return 2 * (gpus_of(inputs) - 1) / gpus_of(inputs);
    case 1:
      return static_cast<double>(inputs.num_layers) * static_cast<double>(inputs.allreduces_per_layer);
    default:
      return 1 / (inputs.bandwidth_gb_per_sec * 1e6);
  }
}

bool tells_mistakes_apart(const TensorParallelInputs& inputs, int edition) {
  const Outcome<TensorParallelCost> cost = tensor_parallel_allreduce_cost(inputs);
  if (!cost || inputs.num_gpus == 1) return false;
  const double right[exercise_result_count] = {cost->message_size_bytes,
                                               cost->comm_volume_per_allreduce_bytes,
                                               cost->total_comm_volume_bytes, cost->total_comm_time_ms};
  std::map<double, Misconception> shown[exercise_result_count];
  for (const Slip& slip : slips()) {
    if (slip.edition > edition) continue;
    const double factor = slip.factor(inputs);
    if (std::isnan(factor)) continue;
    const double result = right[slip.result];
    const double wrong = round_to_four_decimals(result * factor);
    if (wrong == result) return false;
    if (slip.rate == SlipRate::rare) continue;
    const auto [other, is_new] = shown[slip.result].emplace(wrong, slip.mistake);
    if (!is_new && other->second != slip.mistake) return false;
  }
  return true;
}

}  // namespace commcost
