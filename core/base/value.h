#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/number_text.h"

namespace commcost {

struct Member;

/// What JavaScript can pass but no field accepts, in words for the message: "a function".
struct Foreign {
  std::string what;
};

/// A plain value as it crosses the boundary: nothing, a flag, a number, text, a list, named members in
/// order, or something foreign.
class Value {
 public:
  using List = std::vector<Value>;
  using Numbers = std::vector<double>;  ///< a list of numbers only; a Float64Array in JavaScript
  using Object = std::vector<Member>;

  Value() = default;
  Value(bool flag);
  Value(double number);
  Value(int number);
  Value(std::string text);
  Value(std::string_view text);
  Value(const char* text);
  Value(List list);
  Value(Numbers numbers);
  Value(Object members);
  Value(Foreign foreign);

  /// Whether there is nothing: undefined or null in JavaScript.
  bool empty() const { return std::holds_alternative<std::monostate>(state_); }

  /// What is held, or null where it is something else.
  const bool* flag() const { return std::get_if<bool>(&state_); }
  const double* number() const { return std::get_if<double>(&state_); }
  const std::string* text() const { return std::get_if<std::string>(&state_); }
  const List* list() const { return std::get_if<List>(&state_); }
  const Numbers* numbers() const { return std::get_if<Numbers>(&state_); }
  const Object* object() const { return std::get_if<Object>(&state_); }
  const Foreign* foreign() const { return std::get_if<Foreign>(&state_); }

  /// The member of that name; null if there is none or this is not an object.
  const Value* find(std::string_view name) const;

 private:
  std::variant<std::monostate, bool, double, std::string, List, Numbers, Object, Foreign> state_;
};

/// A named value of an object.
struct Member {
  std::string name;
  Value value;
};

/// Text cut to some forty bytes, between letters.
std::string shortened(const std::string& text);

/// A value in a few words for a message: numbers as text_of, text in quotes and cut short, "a list",
/// "nothing".
std::string text_of(const Value& value);

}  // namespace commcost
