#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

#include "core/base/value.h"

namespace commcost::parity {

/// A file of values, one after the other, written by one build and read by another.
class Tape {
 public:
  Tape(const char* path, const char* mode) : file_(std::fopen(path, mode)) {}
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;
  ~Tape();

  bool open() const { return file_ != nullptr; }
  std::size_t bytes() const { return bytes_; }

  void write(const Value& value);

  /// Reads the next value beside `mine`: the first difference in words, empty where there is none. Numbers
  /// may differ by `ulps`; `worst` becomes the largest difference seen. After a difference the tape is lost.
  std::string compare(const Value& mine, double ulps, double& worst);

 private:
  void put(const void* from, std::size_t size);
  bool get(void* to, std::size_t size);
  std::string compare_at(const std::string& path, const Value& mine, double ulps, double& worst);

  std::FILE* file_;
  std::size_t bytes_ = 0;
};

}  // namespace commcost::parity
