#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/problem.h"
#include "core/base/value.h"
#include "core/logs/left_out.h"

namespace commcost {

/// Something in a model's configuration that its shape does not hold, or holds differently.
struct ConfigRemark {
  std::string key;       ///< in the configuration
  std::string says;      ///< what the shape leaves out, or what it is counted as
  std::string left_out;  ///< the same as text of left_out_of(); empty: it is about a guess
};

/// A whole number in a message.
std::string digits_of(std::int64_t number);

/// Names of one quantity, the most usual first; a point leads into an object.
using ConfigNames = std::span<const std::string_view>;

/// Reads a configuration by its keys, and records its problems and what was assumed.
class ConfigKeys {
 public:
  explicit ConfigKeys(const Value& config) : config_(config) {}

  /// The value of that name, or null where there is none or nothing in it.
  const Value* find(std::string_view name) const;
  /// Whether one of the names is given, even as null.
  bool has(ConfigNames names) const;
  /// The first of the names that has a value; empty: none.
  std::string_view given(ConfigNames names) const;

  /// A whole number from `least` on, of a list the mean over layers; nothing where none of the names is
  /// given.
  std::optional<std::int64_t> whole(ConfigNames names, std::int64_t least);
  /// The same of one name, `otherwise` where it is not given.
  std::int64_t whole(std::string_view name, std::int64_t least, std::int64_t otherwise);
  /// The same, `usual` where none is given, which is remarked; a problem where there is no usual one.
  std::int64_t needed(ConfigNames names, std::int64_t usual);
  /// The same, `usual` where none is given, which is remarked unless it is 0; 0 where it is given as nothing.
  std::int64_t optional(ConfigNames names, std::int64_t least, std::int64_t usual);
  bool flag(std::string_view name, bool otherwise);

  void refuse(std::string_view key, const std::string& why);
  void remark(std::string_view key, std::string says) {
    remarks_.push_back({std::string(key), std::move(says), {}});
  }
  void remark(std::string_view key, LeftOut kind, std::initializer_list<std::int64_t> numbers = {}) {
    const std::span<const std::int64_t> all(numbers.begin(), numbers.size());
    remarks_.push_back({std::string(key), left_out_words(kind, all), left_out_code(kind, all)});
  }

  const Problems& problems() const { return problems_; }
  std::vector<ConfigRemark> take_remarks() { return std::move(remarks_); }

 private:
  const Value* member(std::string_view name) const;
  std::int64_t whole_of(std::string_view name, const Value& found, std::int64_t least);
  std::optional<double> mean_of(std::string_view name, const Value& found);

  const Value& config_;
  Problems problems_;
  std::vector<ConfigRemark> remarks_;
};

}  // namespace commcost
