#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "core/base/problem.h"

namespace commcost {

/// A value, or every problem that prevented it; never both, never neither.
template <class T>
class [[nodiscard]] Outcome {
 public:
  Outcome(T value) : value_(std::move(value)) {}
  Outcome(Problems problems) : problems_(std::make_unique<Problems>(std::move(problems))) {}
  Outcome(Problem problem) : problems_(std::make_unique<Problems>(1, std::move(problem))) {}

  /// Whether there is a value.
  explicit operator bool() const { return value_.has_value(); }
  /// The value; only where there is one.
  const T& value() const& { return *value_; }
  /// The value moved out; only where there is one.
  T&& value() && { return *std::move(value_); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }
  /// The problems, at least one; only where there is no value.
  const Problems& problems() const { return *problems_; }

 private:
  // No std::variant: it destroys through a table of functions, which slows a sweep. Nor a vector as a plain
  // member, whose destructor costs a call.
  std::optional<T> value_;
  std::unique_ptr<Problems> problems_;
};

/// The problems of all of these, in order; empty where each has a value.
template <class... T>
Problems problems_of(const Outcome<T>&... outcomes) {
  Problems all;
  const auto add = [&](const auto& outcome) {
    if (!outcome) all.insert(all.end(), outcome.problems().begin(), outcome.problems().end());
  };
  (add(outcomes), ...);
  return all;
}

}  // namespace commcost
