#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/model/shape.h"

namespace commcost {

/// The model according to a log's dump of arguments, as Megatron-LM prints it before its first step.
class LoggedShape {
 public:
  /// Reads a line of the log; lines outside a dump are ignored.
  void read(std::string_view line, double number);

  /// The completed shape; nothing if a part is missing, or if its attention or layers are of a kind that the
  /// dump does not describe.
  std::optional<ModelShape> shape() const;

  /// The first line of the last dump, from 1; 0: there is none.
  double line() const { return line_; }

 private:
  ModelShape shape_;
  std::int64_t query_groups_ = 0;
  std::int64_t positions_ = 0;
  std::int64_t shared_width_ = 0;
  std::int64_t expert_width_ = 0;
  std::int64_t padded_vocab_ = 0;
  bool shares_heads_ = false;
  bool learns_positions_ = false;
  bool is_other_ = false;
  bool in_dump_ = false;
  double line_ = 0;
};

}  // namespace commcost
