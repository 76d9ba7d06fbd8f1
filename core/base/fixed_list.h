#pragma once

#include <array>
#include <cassert>
#include <cstddef>

namespace commcost {

/// A list of at most `Capacity` plain values, none of which is allocated: searches make millions of them.
template <class T, std::size_t Capacity>
class FixedList {
 public:
  static constexpr std::size_t capacity = Capacity;

  FixedList() {}

  /// The value as it is in the list.
  T& add(const T& value) {
    assert(size_ < Capacity);
    return values_[size_++] = value;
  }
  const T* begin() const { return values_.data(); }
  const T* end() const { return values_.data() + size_; }
  std::size_t size() const { return size_; }
  const T& operator[](std::size_t at) const { return values_[at]; }

 private:
  // A union's member is not filled first, which would take longer than a list does.
  union {
    std::array<T, Capacity> values_;
  };
  std::size_t size_ = 0;
};

}  // namespace commcost
