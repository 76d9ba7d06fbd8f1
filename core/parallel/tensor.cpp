#include "core/parallel/tensor.h"

#include <string>

#include "core/base/exact.h"
#include "core/base/rounding.h"
#include "core/base/units.h"
#include "core/base/value.h"

namespace commcost {
namespace {

constexpr double exact_below = greatest_exact_whole + 1;
constexpr std::uint64_t bytes_a_millisecond_per_gb_per_sec = 1000000;

Problem message_too_large(const TensorParallelInputs& inputs) {
  const std::string limit = text_of(greatest_exact_whole);
  const std::string allowed = "at most " + limit + " (2^53 - 1)";
  std::string product;
  for (const std::int64_t factor :
       {inputs.batch_size, inputs.sequence_length, inputs.hidden_size, inputs.bytes_per_element}) {
    if (!product.empty()) product += " * ";
    product += text_of(static_cast<double>(factor));
  }
  return {"message_size_bytes", ProblemCode::overflow,
          "message_size_bytes must be " + allowed +
              "; batch_size * sequence_length * hidden_size * bytes_per_element is " + product,
          allowed};
}

// The quotient of whole numbers, rounded once to a double and then to four decimals.
double rounded_quotient(Wide numerator, std::int64_t denominator) {
  const auto dividend = static_cast<double>(numerator);
  const auto divisor = static_cast<double>(denominator);
  if (dividend >= exact_below) {
    return round_to_four_decimals(divide_correctly_rounded(numerator, static_cast<Wide>(denominator)));
  }
  // Both are exact, so the machine's own division rounds correctly.
  const double quotient = dividend / divisor;
  const bool whole = quotient == static_cast<double>(static_cast<std::int64_t>(quotient));
  return whole ? quotient : round_to_four_decimals(quotient);
}

double rounded_time_ms(Wide moved, std::int64_t num_gpus, double bandwidth_gb_per_sec) {
  const double per_ms = static_cast<double>(num_gpus) * 1e6 * bandwidth_gb_per_sec;
  // Up to four roundings stand between this quotient and the exact one.
  const double rounded = round_if_certain(static_cast<double>(moved) / per_ms, 4);
  if (rounded >= 0) return rounded;
  const auto [mantissa, exponent] = parts_of(bandwidth_gb_per_sec);
  const Wide denominator =
      static_cast<Wide>(mantissa) * static_cast<std::uint64_t>(num_gpus) * bytes_a_millisecond_per_gb_per_sec;
  return round_to_four_decimals(divide_correctly_rounded(moved, denominator, -exponent));
}

}  // namespace

Outcome<TensorParallelCost> tensor_parallel_allreduce_cost(const TensorParallelInputs& inputs) {
  std::int64_t message = 0;
  if (__builtin_mul_overflow(inputs.batch_size, inputs.sequence_length, &message) ||
      __builtin_mul_overflow(message, inputs.hidden_size, &message) ||
      __builtin_mul_overflow(message, inputs.bytes_per_element, &message) ||
      static_cast<double>(message) > greatest_exact_whole) {
    return message_too_large(inputs);
  }
  TensorParallelCost cost;
  cost.message_size_bytes = static_cast<double>(message);
  if (inputs.num_gpus == 1) return cost;
  // The ring sends (n-1)/n of the message to reduce-scatter and as much to all-gather; n divides only at the
  // end.
  const Wide moved = static_cast<Wide>(message) * static_cast<std::uint64_t>(2 * (inputs.num_gpus - 1));
  const auto calls =
      static_cast<std::uint64_t>(inputs.num_layers) * static_cast<std::uint64_t>(inputs.allreduces_per_layer);
  const Wide total = moved * calls;
  cost.comm_volume_per_allreduce_bytes = rounded_quotient(moved, inputs.num_gpus);
  cost.total_comm_volume_bytes = rounded_quotient(total, inputs.num_gpus);
  cost.total_comm_time_ms = rounded_time_ms(total, inputs.num_gpus, inputs.bandwidth_gb_per_sec);
  return cost;
}

}  // namespace commcost
