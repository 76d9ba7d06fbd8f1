#include "core/exercise/answer.h"

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

// The quotient of two whole numbers below 2^53, rounded once to a double, then to four decimals.
double rounded_quotient(double numerator, double denominator) {
  // Both are exact, so the machine's own division rounds correctly.
  const double quotient = numerator / denominator;
  const bool whole = quotient == static_cast<double>(static_cast<std::int64_t>(quotient));
  return whole ? quotient : round_to_four_decimals(quotient);
}

double rounded_quotient(Wide numerator, Wide denominator) {
  return round_to_four_decimals(divide_correctly_rounded(numerator, denominator));
}

// message * shares * calls, also where a double could not hold it exactly.
Wide exact_product(double message, std::int64_t shares, std::int64_t calls) {
  return static_cast<Wide>(static_cast<std::uint64_t>(message)) * static_cast<std::uint64_t>(shares) *
         static_cast<std::uint64_t>(calls);
}

}  // namespace

Outcome<TensorParallelCost> tensor_parallel_allreduce_cost(const TensorParallelInputs& inputs) {
  // No factor is below 1: as long as the product is below 2^53 each part of it is exact, and so is this.
  const double message =
      static_cast<double>(inputs.batch_size) * static_cast<double>(inputs.sequence_length) *
      static_cast<double>(inputs.hidden_size) * static_cast<double>(inputs.bytes_per_element);
  if (message > greatest_exact_whole) return message_too_large(inputs);
  TensorParallelCost cost;
  cost.message_size_bytes = message;
  if (inputs.num_gpus == 1) return cost;
  // The ring sends (n-1)/n of the message to reduce-scatter and as much to all-gather; n divides only at the
  // end.
  const std::int64_t shares = 2 * (inputs.num_gpus - 1);
  const std::int64_t calls = inputs.num_layers * inputs.allreduces_per_layer;
  const auto num_gpus = static_cast<double>(inputs.num_gpus);
  const double sent = message * static_cast<double>(shares);
  const double total = sent * static_cast<double>(calls);
  const auto wide_num_gpus = static_cast<Wide>(inputs.num_gpus);
  cost.comm_volume_per_allreduce_bytes =
      sent < exact_below ? rounded_quotient(sent, num_gpus)
                         : rounded_quotient(exact_product(message, shares, 1), wide_num_gpus);
  cost.total_comm_volume_bytes = total < exact_below
                                     ? rounded_quotient(total, num_gpus)
                                     : rounded_quotient(exact_product(message, shares, calls), wide_num_gpus);
  // Four roundings at the most stand between this quotient and the exact one: two in `total`.
  const double rounded = round_if_certain(total / (num_gpus * 1e6 * inputs.bandwidth_gb_per_sec), 4);
  if (rounded >= 0) {
    cost.total_comm_time_ms = rounded;
    return cost;
  }
  const auto [mantissa, exponent] = parts_of(inputs.bandwidth_gb_per_sec);
  const Wide denominator = wide_num_gpus * mantissa * bytes_a_millisecond_per_gb_per_sec;
  cost.total_comm_time_ms = round_to_four_decimals(
      divide_correctly_rounded(exact_product(message, shares, calls), denominator, -exponent));
  return cost;
}

}  // namespace commcost
