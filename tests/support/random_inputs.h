#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/split_mix.h"
#include "core/base/value.h"
#include "core/calculator/calculation.h"

namespace commcost::test {

/// Random numbers that are the same on every platform: a seed gives the same sequence natively and in wasm.
class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}

  std::uint64_t next() { return bits_.next(); }
  /// 0 to below `end`.
  template <class Whole>
  Whole below(Whole end) {
    return static_cast<Whole>(next() % static_cast<std::uint64_t>(end));
  }
  /// Whether one of `count` came up.
  bool one_in(int count) { return below(count) == 0; }
  /// One of them.
  template <std::size_t N, class T>
  const T& one_of(const T (&all)[N]) {
    return all[below(N)];
  }
  /// 0 to below 1.
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  SplitMix bits_;
};

/// A value of the field: within its range, at its ends, or (one in fifty) refused.
Value random_value(const Field& field, Random& random);

/// Inputs of the calculation by its field table: typical ones with some replaced by random ones, some left
/// out, and now and then one too many; most are accepted.
Value::Object random_inputs(const Calculation& calculation, Random& random);

}  // namespace commcost::test
