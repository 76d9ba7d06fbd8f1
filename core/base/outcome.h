#pragma once

#include <utility>
#include <variant>

#include "core/base/problem.h"

namespace commcost {

/// A value, or every problem that stood in its way; never both, never neither.
template <class T>
class [[nodiscard]] Outcome {
 public:
  Outcome(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Outcome(Problems problems) : state_(std::in_place_index<1>, std::move(problems)) {}
  Outcome(Problem problem) : state_(std::in_place_index<1>, Problems{std::move(problem)}) {}

  /// Whether there is a value.
  explicit operator bool() const { return state_.index() == 0; }
  /// The value; only where there is one.
  const T& value() const& { return *std::get_if<0>(&state_); }
  /// The value moved out; only where there is one.
  T&& value() && { return std::move(*std::get_if<0>(&state_)); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }
  /// The problems, at least one; only where there is no value.
  const Problems& problems() const { return *std::get_if<1>(&state_); }

 private:
  std::variant<T, Problems> state_;
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
