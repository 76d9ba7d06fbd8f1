#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/number_text.h"

namespace commcost {

struct Member;

/// A plain value as it crosses the boundary: nothing, a flag, a number, text, a list, or named members in
/// order.
class Value {
 public:
  using List = std::vector<Value>;
  using Numbers = std::vector<double>;  ///< a list of numbers only; a Float64Array in JavaScript
  using Object = std::vector<Member>;

  Value() = default;
  Value(bool flag) : state_(flag) {}
  Value(double number) : state_(number) {}
  Value(int number) : state_(static_cast<double>(number)) {}
  Value(std::string text) : state_(std::move(text)) {}
  Value(std::string_view text) : state_(std::string(text)) {}
  Value(const char* text) : state_(std::string(text)) {}
  Value(List list) : state_(std::move(list)) {}
  Value(Numbers numbers) : state_(std::move(numbers)) {}
  Value(Object members);

  /// Whether there is nothing: undefined or null in JavaScript.
  bool empty() const { return std::holds_alternative<std::monostate>(state_); }

  /// What is held, or null where it is something else.
  const bool* flag() const { return std::get_if<bool>(&state_); }
  const double* number() const { return std::get_if<double>(&state_); }
  const std::string* text() const { return std::get_if<std::string>(&state_); }
  const List* list() const { return std::get_if<List>(&state_); }
  const Numbers* numbers() const { return std::get_if<Numbers>(&state_); }
  const Object* object() const { return std::get_if<Object>(&state_); }

  /// The member of that name, or null where there is none or this is no object.
  const Value* find(std::string_view name) const;

 private:
  std::variant<std::monostate, bool, double, std::string, List, Numbers, Object> state_;
};

/// A named value of an object.
struct Member {
  std::string name;
  Value value;
};

/// A value in a few words for a message: numbers as text_of, text in quotes and cut short, "a list",
/// "nothing".
std::string text_of(const Value& value);

}  // namespace commcost
