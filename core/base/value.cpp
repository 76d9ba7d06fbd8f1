#include "core/base/value.h"

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
