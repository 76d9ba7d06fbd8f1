#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <string_view>

#include "core/base/value.h"
#include "core/base/wire.h"

namespace commcost::test {

/// A member that is a number; NaN where there is none.
inline double number(const Value& object, std::string_view name) {
  const Value* found = object.find(name);
  return found == nullptr || found->number() == nullptr ? std::nan("") : *found->number();
}

/// A member that is a text; empty where there is none.
inline std::string text(const Value& object, std::string_view name) {
  const Value* found = object.find(name);
  return found == nullptr || found->text() == nullptr ? "" : *found->text();
}

/// A member that is a list; where there is none the test has failed.
inline const Value::List& rows(const Value& object, std::string_view name) {
  static const Value::List none;
  const Value* found = object.find(name);
  if (found != nullptr && found->list() != nullptr) return *found->list();
  ADD_FAILURE() << "no " << name;
  return none;
}

/// Inputs with others, which replace those of the same name.
inline Value::Object with(Value::Object inputs, const Value::Object& others) {
  for (const Member& other : others) {
    std::erase_if(inputs, [&](const Member& held) { return held.name == other.name; });
    inputs.push_back(other);
  }
  return inputs;
}

/// A value as it crosses the boundary: the same bytes for the same value.
inline WireBytes wire_of(const Value& value) {
  WireBytes wire;
  WireWriter(wire).value(value);
  return wire;
}

/// The same as a text, by which answers can be kept apart.
inline std::string bytes_of(const Value& value) {
  return std::string(std::string_view(wire_of(value)));
}

}  // namespace commcost::test
