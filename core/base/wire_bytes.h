#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace commcost {

/// Bytes that grow at their end. New bytes are not zeroed before they are written, and where there is room no
/// call is made: a std::string does both, for every number of a result.
class WireBytes {
 public:
  /// Makes room for that many bytes in all.
  void reserve(std::size_t size) {
    if (size > capacity_) enlarge(size);
  }
  /// Adds that many bytes, to be written by the caller.
  char* add(std::size_t size) {
    if (size > capacity_ - size_) enlarge(std::max(size_ + size, 2 * capacity_));
    char* added = bytes_.get() + size_;
    size_ += size;
    return added;
  }
  /// Forgets what was written, and keeps its room.
  void clear() { size_ = 0; }

  char* data() { return bytes_.get(); }
  const char* data() const { return bytes_.get(); }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }

  operator std::string_view() const { return {bytes_.get(), size_}; }
  friend bool operator==(const WireBytes& one, const WireBytes& other) {
    return std::string_view(one) == std::string_view(other);
  }

 private:
  void enlarge(std::size_t capacity) {
    std::unique_ptr<char[]> larger(new char[capacity]);
    if (size_ > 0) std::memcpy(larger.get(), bytes_.get(), size_);
    bytes_ = std::move(larger);
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace commcost
