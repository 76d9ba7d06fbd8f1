#include "support/typical_inputs.h"

#include <cmath>
#include <string_view>

namespace commcost::test {
namespace {

struct Typical {
  std::string_view name;
  double number;
};

// A quantity has one name everywhere, so one value each will do: a Llama 3.1 8B trained on nodes of eight.
constexpr Typical typical_numbers[] = {
    {"hidden_size", 4096},
    {"sequence_length", 2048},
    {"batch_size", 8},
    {"num_gpus", 8},
    {"tensor_parallel", 8},
    {"num_layers", 32},
    {"num_heads", 32},
    {"num_kv_heads", 8},
    {"head_size", 128},
    {"ffn_hidden_size", 14336},
    {"vocab_size", 128256},
    {"bandwidth_gb_per_sec", 300},
    {"ranks", 8},
    {"message_size_bytes", 1048576},
    {"latency_us", 5},
};

}  // namespace

Value typical_value(const Field& field) {
  const bool defaulted = !field.required && !std::isnan(field.default_value);
  for (const Typical& typical : typical_numbers) {
    if (typical.name == field.name) return typical.number;
  }
  switch (field.kind) {
    case FieldKind::whole:
    case FieldKind::real:
      return defaulted ? field.default_value : field.least;
    case FieldKind::choice:
      return field.choices[static_cast<std::size_t>(defaulted ? field.default_value : 0)];
    case FieldKind::flag:
      return defaulted && field.default_value != 0;
    case FieldKind::text:
      return "";
    case FieldKind::numbers:
      return Value::Numbers(static_cast<std::size_t>(field.least), 1.0);
    case FieldKind::list:
      return Value::List(static_cast<std::size_t>(field.least), Value::Object{});
    case FieldKind::object:
      return Value::Object{};
  }
  return {};
}

Value::Object typical_inputs(const Calculation& calculation) {
  Value::Object inputs;
  for (const FieldGroup& group : calculation.inputs) {
    for (const InputField& input : group.fields) {
      inputs.push_back({std::string(input.field.name), typical_value(input.field)});
    }
  }
  return inputs;
}

}  // namespace commcost::test
