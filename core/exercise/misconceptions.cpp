#include "core/exercise/misconceptions.h"

#include <map>

#include "core/base/rounding.h"

namespace commcost {
namespace {

using Inputs = TensorParallelInputs;
using enum Misconception;

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
// A pass over the layers adds up after attention and after the MLP.
double one_pass(const Inputs& in) {
  const bool more = in.allreduces_per_layer > 2 && in.allreduces_per_layer % 2 == 0;
  return more ? 2 / static_cast<double>(in.allreduces_per_layer) : 1;
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

bool tells_mistakes_apart(const TensorParallelInputs& inputs) {
  const Outcome<TensorParallelCost> cost = tensor_parallel_allreduce_cost(inputs);
  if (!cost || inputs.num_gpus == 1) return false;
  const double right[exercise_result_count] = {cost->message_size_bytes,
                                               cost->comm_volume_per_allreduce_bytes,
                                               cost->total_comm_volume_bytes, cost->total_comm_time_ms};
  std::map<double, Misconception> shown[exercise_result_count];
  for (const Slip& slip : slips()) {
    const double factor = slip.factor(inputs);
    // Only where more passes are asked for can one be forgotten.
    if (slip.mistake == backward_forgotten && factor == 1) continue;
    const double result = right[slip.result];
    const double wrong = round_to_four_decimals(result * factor);
    if (wrong == result) return false;
    const auto [other, is_new] = shown[slip.result].emplace(wrong, slip.mistake);
    if (!is_new && other->second != slip.mistake) return false;
  }
  return true;
}

}  // namespace commcost
