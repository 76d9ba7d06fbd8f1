#include "core/base/value.h"

#include <utility>

namespace commcost {

// Not in the class, where a Member, which holds a Value, is not complete yet.
Value::Value(bool flag) : state_(flag) {}
Value::Value(double number) : state_(number) {}
Value::Value(int number) : state_(static_cast<double>(number)) {}
Value::Value(std::string text) : state_(std::move(text)) {}
Value::Value(std::string_view text) : state_(std::string(text)) {}
Value::Value(const char* text) : state_(std::string(text)) {}
Value::Value(List list) : state_(std::move(list)) {}
Value::Value(Numbers numbers) : state_(std::move(numbers)) {}
Value::Value(Object members) : state_(std::move(members)) {}
Value::Value(Foreign foreign) : state_(std::move(foreign)) {}

const Value* Value::find(std::string_view name) const {
  const Object* members = object();
  if (members == nullptr) return nullptr;
  for (const Member& member : *members) {
    if (member.name == name) return &member.value;
  }
  return nullptr;
}

std::string shortened(const std::string& text) {
  constexpr std::size_t longest = 40;
  if (text.size() <= longest) return text;
  std::size_t length = longest;
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80)
    --length;  // inside a letter
  return text.substr(0, length) + "...";
}

std::string text_of(const Value& value) {
  if (value.empty()) return "nothing";
  if (const bool* flag = value.flag()) return *flag ? "true" : "false";
  if (const double* number = value.number()) return text_of(*number);
  if (const std::string* text = value.text()) return "\"" + shortened(*text) + "\"";
  if (const Foreign* foreign = value.foreign()) return foreign->what;
  return value.object() != nullptr ? "an object" : "a list";
}

}  // namespace commcost
