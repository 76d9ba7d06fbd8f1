#include "core/base/value.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace commcost {

Value::Value(Object members) : state_(std::move(members)) {}

const Value* Value::find(std::string_view name) const {
  const Object* members = object();
  if (members == nullptr) return nullptr;
  for (const Member& member : *members) {
    if (member.name == name) return &member.value;
  }
  return nullptr;
}

std::string text_of(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "Infinity" : "-Infinity";
  constexpr double largest_plain = 1e17;
  char text[40];
  if (std::fabs(number) < largest_plain && number == std::trunc(number)) {
    std::snprintf(text, sizeof text, "%.0f", number);
    return text;
  }
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, number);
    if (std::strtod(text, nullptr) == number) break;
  }
  return text;
}

std::string text_of(const Value& value) {
  if (value.empty()) return "nothing";
  if (const bool* flag = value.flag()) return *flag ? "true" : "false";
  if (const double* number = value.number()) return text_of(*number);
  if (const std::string* text = value.text()) {
    constexpr std::size_t longest = 40;
    std::string shown = "\"";
    shown += text->size() <= longest ? *text : text->substr(0, longest) + "...";
    return shown + "\"";
  }
  return value.object() != nullptr ? "an object" : "a list";
}

}  // namespace commcost
