#include "support/recorded_lines.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "core/calculator/calculations.h"
#include "core/calculator/engine.h"
#include "core/logs/json.h"
#include "support/files.h"

namespace commcost::test {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char letter : text) {
    if (letter == '\n') {
      out += "\\n";
      continue;
    }
    if (letter == '"' || letter == '\\') out += '\\';
    out += letter;
  }
  return out + '"';
}

std::string json(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", number);
  return text;
}

template <class Items, class Write>
std::string joined(char open, const Items& items, char close, const Write& write) {
  std::string out(1, open);
  for (const auto& item : items) out += (out.size() > 1 ? "," : "") + write(item);
  return out + close;
}

std::string json(const Value& value) {
  if (const bool* flag = value.flag()) return *flag ? "true" : "false";
  if (const double* number = value.number()) return json(*number);
  if (const std::string* text = value.text()) return quoted(*text);
  if (const Value::Numbers* numbers = value.numbers())
    return joined('[', *numbers, ']', [](double number) { return json(number); });
  if (const Value::List* list = value.list())
    return joined('[', *list, ']', [](const Value& item) { return json(item); });
  if (const Value::Object* object = value.object())
    return joined('{', *object, '}',
                  [](const Member& member) { return quoted(member.name) + ":" + json(member.value); });
  return "null";
}

// All that a list holds as one number, in which each of its numbers and words and their order count.
double sum_of(const Value& value) {
  constexpr int weights = 61;
  double sum = 0;
  int place = 0;
  const auto add = [&](double part) { sum += part * (1 + (place++ % weights) / 64.0); };
  if (const bool* flag = value.flag()) add(*flag ? 1 : 0);
  if (const double* number = value.number()) add(*number);
  if (const std::string* text = value.text()) std::for_each(text->begin(), text->end(), add);
  if (const Value::Numbers* numbers = value.numbers()) std::for_each(numbers->begin(), numbers->end(), add);
  if (const Value::List* list = value.list())
    for (const Value& item : *list) add(sum_of(item));
  if (const Value::Object* object = value.object())
    for (const Member& member : *object) add(sum_of(member.value));
  return sum;
}

// For rows, each column, so that a small figure is visible among large ones.
Value columns_of(const Value::List& rows) {
  Value::Object columns;
  for (const Member& column : *rows.front().object()) {
    Value::List cells;
    for (const Value& row : rows) {
      if (const Value* cell = row.find(column.name)) cells.push_back(*cell);
    }
    columns.push_back({column.name, sum_of(cells)});
  }
  return columns;
}

Value summary(const Value& value) {
  const Value::List* list = value.list();
  if (list != nullptr && !list->empty() && list->front().object() != nullptr) return columns_of(*list);
  if (list != nullptr || value.numbers() != nullptr) return sum_of(value);
  if (value.object() == nullptr) return value;
  Value::Object members;
  for (const Member& member : *value.object()) members.push_back({member.name, summary(member.value)});
  return members;
}

Value answer(const Calculation& calculation, const Value& inputs) {
  const Outcome<Value> results = run(calculation.name, inputs);
  if (results) return summary(*results);
  Value::List refused;
  for (const Problem& problem : results.problems())
    refused.push_back(std::string(name_of(problem.code)) + ": " + problem.message);
  return Value::Object{{"refused", refused}};
}

// JSON does not tell a list of numbers from others.
Value with_numbers(const Value& value) {
  if (const Value::Object* object = value.object()) {
    Value::Object members;
    for (const Member& member : *object) members.push_back({member.name, with_numbers(member.value)});
    return members;
  }
  if (value.list() == nullptr || value.list()->empty()) return value;
  Value::Numbers numbers;
  for (const Value& item : *value.list()) {
    if (item.number() == nullptr) return value;
    numbers.push_back(*item.number());
  }
  return numbers;
}

bool is_default(const Field& field, const Value& value) {
  if (field.required || !field.filled_by.empty() || std::isnan(field.default_value)) return false;
  const bool plain =
      field.kind == FieldKind::whole || field.kind == FieldKind::real || field.kind == FieldKind::flag;
  if (const double* number = value.number()) return plain && *number == field.default_value;
  if (const bool* flag = value.flag()) return plain && *flag == (field.default_value != 0);
  return field.kind == FieldKind::choice && value.text() != nullptr &&
         *value.text() == field.choices[static_cast<std::size_t>(field.default_value)];
}

}  // namespace

std::string recorded_file(const Calculation& calculation) {
  return data_file("recorded/" + std::string(calculation.name) + ".jsonl");
}

std::vector<std::string> recorded_lines(const std::string& path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool is_refused(const std::string& line) {
  return line.find("\"refused\":[") != std::string::npos;
}

Value inputs_on(const std::string& line) {
  const Outcome<Value> read = parse_json("line", line);
  return read && read->find("inputs") != nullptr ? with_numbers(*read->find("inputs")) : Value();
}

std::string recorded_line(const Calculation& calculation, const Value& inputs) {
  return json(Value::Object{{"inputs", inputs}, {"results", answer(calculation, inputs)}});
}

Value::Object without_defaults(const Calculation& calculation, const Value::Object& inputs) {
  Value::Object told;
  const FieldIndex& fields = fields_of(calculation);
  for (const Member& member : inputs) {
    const std::size_t place = fields.find(member.name);
    if (place == fields.places().size() || !is_default(fields.places()[place].input->field, member.value))
      told.push_back(member);
  }
  return told;
}

Value as_recorded(const Calculation& calculation, const Value& inputs) {
  // As the file will give them: a number is written to nine digits.
  return inputs_on(json(Value::Object{{"inputs", without_defaults(calculation, *inputs.object())}}));
}

}  // namespace commcost::test
