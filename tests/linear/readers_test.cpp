// Every reader, and every calculation that takes a text or a list, on hostile inputs of n and more.

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "core/calculator/calculations.h"
#include "core/calculator/engine.h"
#include "core/logs/json.h"
#include "linear/shapes.h"
#include "linear/work.h"
#include "support/typical_inputs.h"

namespace commcost::linear {
namespace {

constexpr std::size_t many = 1500;

std::string written(const Value& inputs) {
  WireBytes wire;
  WireWriter(wire).value(inputs);
  return std::string(std::string_view(wire));
}

// The inputs as they cross the boundary: what the page pays for.
Growth growth_of_call(const Calculation& calculation, std::size_t n,
                      const std::function<Value(std::size_t)>& inputs) {
  return growth_of(
      n, [&](std::size_t size) { return written(inputs(size)); },
      [&](const std::string& given) {
        WireBytes results;
        WireWriter to(results);
        (void)run(calculation, WireReader(given), to);
      });
}

Value with(const Value::Object& inputs, std::string_view name, const Value& value) {
  Value::Object changed;
  for (const Member& member : inputs)
    if (member.name != name) changed.push_back(member);
  changed.push_back({std::string(name), value});
  return changed;
}

// Of calculations whose every field is typical, the fields of a kind.
template <class Look>
void for_each_field(FieldKind kind, const Look& look) {
  for (const Calculation* calculation : all_calculations()) {
    for (const FieldIndex::Place& place : fields_of(*calculation).places()) {
      if (place.input->field.kind == kind) look(*calculation, place.input->field);
    }
  }
}

TEST(Linear, Json) {
  for (const TextShape& shape : json_shapes()) {
    expect_linear(std::string("JSON: ") + shape.name, growth_of(many, shape.of, [](const std::string& text) {
                    (void)parse_json("config", text);
                  }));
  }
}

TEST(Linear, EveryText) {
  std::size_t fields = 0;
  for_each_field(FieldKind::text, [&](const Calculation& calculation, const Field& field) {
    if (!field.choices.empty()) return;
    ++fields;
    const Value::Object typical = test::typical_inputs(calculation);
    for (const auto& shapes : {json_shapes(), log_shapes(), launch_shapes()}) {
      for (const TextShape& shape : shapes) {
        expect_linear(std::string(calculation.name) + ": " + shape.name,
                      growth_of_call(calculation, many,
                                     [&](std::size_t n) { return with(typical, field.name, shape.of(n)); }));
      }
    }
  });
  EXPECT_EQ(fields, 7u);
}

// In pieces of one byte, the greatest possible number.
TEST(Linear, EveryTextInPieces) {
  for (const Calculation* calculation : all_calculations()) {
    if (calculation->pieces == nullptr) continue;
    for (const TextShape& shape : log_shapes()) {
      expect_linear(std::string(calculation->name) + " in bytes: " + shape.name,
                    growth_of(many / 4, shape.of, [&](const std::string& text) {
                      const std::unique_ptr<TextReader> reader = calculation->pieces->open();
                      for (const char& byte : text) reader->read({&byte, 1});
                      WireBytes results;
                      WireWriter to(results);
                      (void)run(*calculation, WireReader(written(Value::Object{})), to, reader.get());
                    }));
    }
  }
}

// Lists that are shorter than this by their tables cannot take long: training steps to fit by (256, each left
// out of a fit to the others), degrees of a plan (64), GPU counts, delays of the ranks that a picture shows.
constexpr double bounded = 1024;

TEST(Linear, EveryListOfNumbers) {
  std::size_t fields = 0;
  for_each_field(FieldKind::numbers, [&](const Calculation& calculation, const Field& field) {
    if (field.greatest <= bounded) return;
    ++fields;
    const Value::Object typical = test::typical_inputs(calculation);
    // Sorting costs n log n, which is the nearer to n the more there are.
    const auto n = std::min<std::size_t>(4 * many, static_cast<std::size_t>(field.greatest) / 8);
    for (const NumbersShape& shape : numbers_shapes()) {
      for (const NumbersShape& others : {numbers_shapes()[0], numbers_shapes()[1]}) {
        // Columns of one table are as long as each other.
        const auto inputs = [&](std::size_t size) {
          Value all = typical;
          for (const FieldIndex::Place& place : fields_of(calculation).places()) {
            if (place.input->field.kind == FieldKind::numbers)
              all = with(*all.object(), place.input->field.name, numbers_of(others, size));
          }
          return with(*all.object(), field.name, numbers_of(shape, size));
        };
        expect_linear(std::string(calculation.name) + "." + std::string(field.name) + ": " + shape.name +
                          ", others " + others.name,
                      growth_of_call(calculation, n, inputs));
      }
    }
  });
  EXPECT_EQ(fields, 6u);
}

// What no calculation knows, and what is given again.
TEST(Linear, EveryCalculationOnUnknownInputs) {
  const struct {
    const char* name;
    Value (*of)(std::size_t n);
  } shapes[] = {
      {"unknown keys",
       [](std::size_t n) {
         Value::Object members;
         for (std::size_t at = 0; at < n; ++at) members.push_back({"k" + std::to_string(at), 1});
         return Value(members);
       }},
      {"one key again and again",
       [](std::size_t n) {
         return Value(Value::Object(n, Member{"num_layers", 32}));
       }},
      {"a deep value",
       [](std::size_t n) {
         Value deep;
         for (std::size_t at = 0; at < 30; ++at) deep = Value::List(1, deep);
         return Value(Value::Object{{"num_layers", Value::List(n / 30 + 1, deep)}});
       }},
      {"one long name",
       [](std::size_t n) {
         return Value(Value::Object{{std::string(20 * n, 'x'), 1}});
       }},
      {"one long text",
       [](std::size_t n) {
         return Value(Value::Object{{"num_layers", std::string(20 * n, 'x')}});
       }},
      {"a long list",
       [](std::size_t n) {
         return Value(Value::Object{{"num_layers", Value::List(n, Value("x"))}});
       }},
  };
  for (const Calculation* calculation : all_calculations()) {
    for (const auto& shape : shapes)
      expect_linear(std::string(calculation->name) + ": " + shape.name,
                    growth_of_call(*calculation, many, shape.of));
  }
}

TEST(Linear, ASweepGrowsWithItsPoints) {
  for (const char* name : {"tensor_parallel_allreduce_cost", "collective_cost"}) {
    const Calculation& calculation = *find_calculation(name);
    const auto request = [&](std::size_t n) {
      Value::Numbers sizes;
      for (std::size_t at = 0; at < n; ++at) sizes.push_back(static_cast<double>(at + 1));
      const char* field = calculation.name == "collective_cost" ? "message_size_bytes" : "hidden_size";
      const Value::Object axis = {{"field", field}, {"values", sizes}};
      return written(Value::Object{{"calculation", name},
                                   {"inputs", with(test::typical_inputs(calculation), field, Value())},
                                   {"axes", Value::List{axis}}});
    };
    expect_linear(std::string("sweep of ") + name, growth_of(many, request, [](const std::string& given) {
                    WireBytes results;
                    WireWriter to(results);
                    (void)sweep(WireReader(given), to);
                  }));
  }
}

}  // namespace
}  // namespace commcost::linear
