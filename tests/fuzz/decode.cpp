#include "fuzz/decode.h"

#include <array>
#include <cmath>
#include <cstring>

#include "support/typical_inputs.h"

namespace commcost::fuzz {

std::uint8_t Decoder::byte() {
  if (bytes_.empty()) return 0;
  const std::uint8_t first = bytes_.front();
  bytes_ = bytes_.subspan(1);
  return first;
}

// A small whole number, a power of two, a fraction, or the eight bytes as they are.
double Decoder::number() {
  const std::uint8_t how = byte();
  if (how < 96) return how;
  if (how < 192) return std::ldexp(1, how - 96) + (byte() % 3 - 1);
  if (how < 224) return byte() / 16.0 - 4;
  std::array<std::uint8_t, sizeof(double)> raw{};
  for (std::uint8_t& part : raw) part = byte();
  double number = 0;
  std::memcpy(&number, raw.data(), sizeof number);
  return number;
}

std::string Decoder::text() {
  std::size_t length = byte();
  if (length == 255) length = 4096;  // long enough for a log
  std::string text;
  while (text.size() < length && !bytes_.empty()) text += static_cast<char>(byte());
  return text;
}

Value Decoder::value(int depth) {
  const int kind = byte() % (depth > 0 ? 8 : 5);
  const int length = kind > 4 ? byte() % 8 : 0;
  Value::List list;
  Value::Numbers numbers;
  Value::Object members;
  switch (kind) {
    case 0:
      return {};
    case 1:
      return byte() % 2 == 0;
    case 2:
      return number();
    case 3:
      return text();
    case 4:
      return Foreign{"a function"};
    case 5:
      for (int i = 0; i < length; ++i) list.push_back(value(depth - 1));
      return list;
    case 6:
      for (int i = 0; i < length; ++i) numbers.push_back(number());
      return numbers;
    default:
      for (int i = 0; i < length; ++i) {
        std::string name = text();
        members.push_back({std::move(name), value(depth - 1)});
      }
      return members;
  }
}

Value Decoder::value_for(const Field& field) {
  Value::Numbers numbers;
  switch (field.kind) {
    case FieldKind::whole:
    case FieldKind::real:
      return number();
    case FieldKind::choice:
      return field.choices[byte() % field.choices.size()];
    case FieldKind::flag:
      return byte() % 2 == 0;
    case FieldKind::text:
      return text();
    case FieldKind::numbers:
      for (int length = byte() % 16; length > 0; --length) numbers.push_back(number());
      return numbers;
    case FieldKind::list:
    case FieldKind::object:
    case FieldKind::lists:
      return value();
  }
  return {};
}

Value Decoder::inputs(const Calculation& calculation) {
  Value::Object members;
  for (const FieldGroup& group : calculation.inputs) {
    for (const InputField& input : group.fields) {
      const Field& field = input.field;
      const int how = byte() % 8;
      if (how == 0) continue;
      const Value chosen = how == 1 ? value() : how < 5 ? value_for(field) : test::typical_value(field);
      members.push_back({std::string(field.name), chosen});
    }
  }
  if (byte() == 1) return value();
  if (byte() == 1) members.push_back({text(), value()});
  return members;
}

Value Decoder::sweep_request(const Calculation& calculation) {
  Value::List axes;
  for (int left = 1 + byte() % 2; left > 0; --left) {
    std::size_t number = byte();
    for (const FieldGroup& group : calculation.inputs) {
      for (const InputField& input : group.fields) {
        if (number-- != 0) continue;
        Value::List values;
        for (int length = byte() % 8; length > 0; --length) values.push_back(value_for(input.field));
        axes.emplace_back(Value::Object{{"field", input.field.name}, {"values", values}});
      }
    }
  }
  if (byte() == 1) axes.push_back(value());
  return Value::Object{{"calculation", calculation.name}, {"inputs", inputs(calculation)}, {"axes", axes}};
}

}  // namespace commcost::fuzz
