#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/base/value.h"
#include "core/calculator/calculation.h"

namespace commcost::fuzz {

/// Turns a fuzzer's bytes into values, a byte or some at a time; nothing left reads as zeros.
class Decoder {
 public:
  explicit Decoder(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::uint8_t byte();
  /// All that is left, as it is.
  std::string rest() { return {bytes_.begin(), bytes_.end()}; }
  /// Any value at all, nested at most `depth` deep.
  Value value(int depth = 4);
  /// A value of the kind that the field takes, though not always within its range.
  Value value_for(const Field& field);
  /// Inputs of the calculation: each field typical, absent, of its kind, or anything.
  Value inputs(const Calculation& calculation);
  /// A request to sweep the calculation over one or two axes.
  Value sweep_request(const Calculation& calculation);

 private:
  double number();
  std::string text();

  std::span<const std::uint8_t> bytes_;
};

}  // namespace commcost::fuzz
