#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/base/value.h"

namespace commcost::linear {

/// A hostile text of a size.
struct TextShape {
  const char* name;
  std::string (*of)(std::size_t n);
};

/// Texts that a reader of JSON, or of a configuration, is given; not all are JSON.
std::span<const TextShape> json_shapes();
/// Texts that a reader of logs is given.
std::span<const TextShape> log_shapes();

/// Texts that a reader of launches is given.
std::span<const TextShape> launch_shapes();

/// A hostile list of numbers of a size.
struct NumbersShape {
  const char* name;
  double (*at)(std::size_t place, std::size_t n);
};

std::span<const NumbersShape> numbers_shapes();
Value::Numbers numbers_of(const NumbersShape& shape, std::size_t n);

}  // namespace commcost::linear
