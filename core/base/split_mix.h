#pragma once

#include <cstddef>
#include <cstdint>

namespace commcost {

/// Numbers that look random and are the same on every machine, which the standard's distributions do not
/// guarantee: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
class SplitMix {
 public:
  /// The sequence that belongs to `seed`.
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}

  /// The next 64 bits.
  std::uint64_t next() {
    std::uint64_t bits = state_ += 0x9e3779b97f4a7c15;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
    return bits ^ bits >> 31;
  }

  /// A whole number from 0 to `count` - 1 (`count` at least 1), uniform to within 2^-32.
  std::uint32_t below(std::uint32_t count) {
    return static_cast<std::uint32_t>((next() >> 32) * count >> 32);
  }

  /// One of `choices`.
  template <class T, std::size_t Size>
  const T& one_of(const T (&choices)[Size]) {
    return choices[below(Size)];
  }

 private:
  std::uint64_t state_;
};

}  // namespace commcost
