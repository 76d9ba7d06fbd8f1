#include "support/recorded_lines.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "core/calculator/calculations.h"
#include "core/calculator/engine.h"
#include "core/logs/json.h"
#include "support/files.h"
#include "support/random_jobs.h"
#include "support/typical_inputs.h"

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

// Of rows each column, so that a small figure is seen beside great ones.
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
  const Value problems = value_of(results.problems());
  for (const Value& problem : *problems.list())
    refused.push_back(*problem.find("field")->text() + " " + *problem.find("code")->text());
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

bool takes(const Calculation& calculation, std::string_view name) {
  for (const FieldGroup& group : calculation.inputs)
    for (const InputField& input : group.fields)
      if (input.field.name == name) return true;
  return false;
}

// Whether an input is taken, and is not what it would be if it were left out.
bool says_something(const Calculation& calculation, const Member& member) {
  for (const FieldGroup& group : calculation.inputs) {
    for (const InputField& input : group.fields) {
      if (input.field.name != member.name) continue;
      return input.field.required || json(typical_value(input.field)) != json(member.value);
    }
  }
  return false;
}

// A text whose numbers and lines are others, here and there.
std::string varied(const std::string& text, Random& random) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string line = text.substr(at, end - at);
    at = end;
    if (at < text.size() && random.one_in(12)) continue;
    char before = '\n';
    for (const char letter : line) {
      const bool leads = letter >= '1' && letter <= '9' && (before < '0' || before > '9') && before != '.';
      before = letter;
      const bool other = leads && random.one_in(6);
      out += other ? static_cast<char>('0' + random.below(10)) : letter;
    }
  }
  return out;
}

double varied(double number, Random& random) {
  if (random.one_in(2)) return number;
  const double fraction = random.unit();
  const double other = std::ldexp(number * (1 + fraction), random.below(3) - 1);
  return number == std::trunc(number) ? std::trunc(other) : other;
}

// What was measured, as somebody else may have measured it: other numbers, and some that are missing.
Value varied(const Value& value, Random& random) {
  if (const double* number = value.number()) return varied(*number, random);
  if (const std::string* text = value.text()) return varied(*text, random);
  if (const Value::Numbers* numbers = value.numbers()) {
    Value::Numbers others;
    for (const double number : *numbers) others.push_back(varied(number, random));
    return others;
  }
  if (const Value::List* list = value.list()) {
    Value::List others;
    for (const Value& item : *list) {
      if (!random.one_in(8)) others.push_back(varied(item, random));
    }
    return others;
  }
  if (value.object() == nullptr) return value;
  Value::Object others;
  for (const Member& member : *value.object()) {
    if (random.one_in(16)) continue;
    others.push_back({member.name, member.value.text() ? member.value : varied(member.value, random)});
  }
  return others;
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

std::string_view folder_of(std::string_view field) {
  if (field == "config") return "model_configs";
  if (field == "log") return "../fuzz/seeds/nccl_log";
  if (field == "training_log") return "../fuzz/seeds/training_log";
  if (field == "arguments") return "../fuzz/seeds/launch";
  if (field == "benchmark") return "../fuzz/seeds/benchmark";
  return "";
}

// What others have written for a field, each a file; none where none is kept.
const std::vector<std::string>& examples_of(std::string_view field) {
  static std::map<std::string_view, std::vector<std::string>> all;
  const std::string_view folder = folder_of(field);
  std::vector<std::string>& texts = all[folder];
  if (folder.empty() || !texts.empty()) return texts;
  std::set<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(data_file(std::string(folder))))
    paths.insert(entry.path());
  for (const std::filesystem::path& path : paths) {
    std::ifstream in(path, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(in), {});
    // JSON has other letters for these.
    std::erase_if(text, [](char letter) { return letter >= 0 && letter < ' ' && letter != '\n'; });
    texts.push_back(text);
  }
  return texts;
}

// A launch that this project writes, of a job or a server drawn; nothing where none can be written.
std::string exported_launch(Random& random) {
  const Calculation& from = random.one_in(3) ? calculations::export_deployment : calculations::export_layout;
  const Outcome<Value> written = run(from.name, random_inputs(from, random));
  const Value* text = written ? written->find("text") : nullptr;
  return text != nullptr ? *text->text() : "";
}

Value as_others(const Field& field, const Value& value, Random& random) {
  if (field.name == "arguments" && random.one_in(2)) {
    const std::string text = exported_launch(random);
    if (!text.empty()) return random.one_in(3) ? Value(text) : Value(varied(text, random));
  }
  const std::vector<std::string>& texts = examples_of(field.name);
  if (texts.empty() || random.one_in(4)) return varied(value, random);
  const std::string& text = texts[random.below(texts.size())];
  return random.one_in(2) ? Value(text) : Value(varied(text, random));
}

// Without what would be the same if it were left out.
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

// With what was measured or written as others may have it.
Value::Object as_others_have(const Calculation& calculation, Value::Object inputs, Random& random) {
  const FieldIndex& fields = fields_of(calculation);
  for (Member& member : inputs) {
    const std::size_t place = fields.find(member.name);
    if (place == fields.places().size()) continue;
    const Field& field = fields.places()[place].input->field;
    const bool measured = field.kind == FieldKind::text || field.kind == FieldKind::list;
    // A list of choices has no numbers.
    if (measured && field.choices.empty() && !random.one_in(3))
      member.value = as_others(field, member.value, random);
  }
  return inputs;
}

// A model, its work and its layout of any kind, where the calculation takes them; then a few other values.
Value::Object drawn(const Calculation& calculation, Random& random) {
  // A drawn layout as pins would leave a search one cluster.
  if (!takes(calculation, "pipeline_schedule") || !takes(calculation, "kv_rank") ||
      takes(calculation, "allowed_schedules"))
    return random_inputs(calculation, random);
  Value::Object inputs = inputs_of(random_job(random));
  std::erase_if(inputs, [&](const Member& member) { return !says_something(calculation, member); });
  // On hardware that has whatever precision was drawn.
  const auto precise = [](const Member& member) { return member.name == "matmul_precision"; };
  if (takes(calculation, "accelerator") && std::any_of(inputs.begin(), inputs.end(), precise))
    inputs.push_back({"accelerator", "b200"});
  const int seldom = 4 + random.below(12);
  for (const FieldGroup& group : calculation.inputs) {
    for (const InputField& input : group.fields) {
      const std::string_view name = input.field.name;
      const auto given = std::find_if(inputs.begin(), inputs.end(),
                                      [&](const Member& member) { return member.name == name; });
      const bool changes = random.one_in(given == inputs.end() ? seldom : 8 * seldom);
      const Value value = random_value(input.field, random);
      if (given == inputs.end() && (changes || input.field.required)) {
        inputs.push_back({std::string(name), changes ? value : typical_value(input.field)});
      } else if (changes) {
        given->value = value;
      }
    }
  }
  return inputs;
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

Value as_recorded(const Calculation& calculation, const Value& inputs) {
  // As the file will give them: a number is written to nine digits.
  return inputs_on(json(Value::Object{{"inputs", without_defaults(calculation, *inputs.object())}}));
}

Value drawn_line(const Calculation& calculation, Random& random) {
  return as_recorded(calculation, as_others_have(calculation, drawn(calculation, random), random));
}

}  // namespace commcost::test
