#include "support/drawn_inputs.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/calculator/calculations.h"
#include "core/calculator/engine.h"
#include "support/files.h"
#include "support/random_jobs.h"
#include "support/recorded_lines.h"
#include "support/typical_inputs.h"

namespace commcost::test {
namespace {

bool takes(const Calculation& calculation, std::string_view name) {
  for (const FieldGroup& group : calculation.inputs)
    for (const InputField& input : group.fields)
      if (input.field.name == name) return true;
  return false;
}

// A number in a text, with another first digit, or one at a turning point of formulas.
std::string varied_number(const std::string& text, Random& random) {
  const char* const edges[] = {"0", "0.5", "1", "2", "3", "100", "1e6"};
  if (random.one_in(3)) return edges[random.below(std::size(edges))];
  return static_cast<char>('0' + random.below(10)) + text.substr(1);
}

// A text whose numbers and lines are others, here and there.
std::string varied(const std::string& text, Random& random) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string line = text.substr(at, end - at);
    at = end;
    if (at < text.size() && random.one_in(12)) continue;
    for (std::size_t place = 0; place < line.size();) {
      const std::size_t length = std::min(line.find_first_not_of("0123456789.", place), line.size()) - place;
      const bool counts = length > 0 && line[place] >= '1' && line[place] <= '9';
      const std::string part = line.substr(place, std::max<std::size_t>(length, 1));
      out += counts && random.one_in(6) ? varied_number(part, random) : part;
      place += part.size();
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

// Measurements as others may have made them: other numbers, and some that are missing.
Value varied(const Value& value, Random& random) {
  if (const double* number = value.number()) return varied(*number, random);
  if (const std::string* text = value.text()) return varied(*text, random);
  if (const Value::Numbers* numbers = value.numbers()) {
    Value::Numbers others;
    for (const double number : *numbers) {
      const bool same = !others.empty() && random.one_in(12);
      others.push_back(same ? others.back() : varied(number, random));
    }
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

// With measurements or texts as others may have them.
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
Value::Object of_any_work(const Calculation& calculation, Random& random) {
  // A drawn layout as pins would leave a search one cluster.
  if (!takes(calculation, "pipeline_schedule") || !takes(calculation, "kv_rank") ||
      takes(calculation, "allowed_schedules"))
    return random_inputs(calculation, random);
  Value::Object inputs = inputs_of(random_job(random));
  std::erase_if(inputs, [&](const Member& member) { return !takes(calculation, member.name); });
  inputs = without_defaults(calculation, inputs);
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
      const bool required = asked_for(calculation, input.field).required;
      if (given == inputs.end() && (changes || required)) {
        inputs.push_back({std::string(name), changes ? value : typical_value(input.field)});
      } else if (changes) {
        given->value = value;
      }
    }
  }
  return inputs;
}

// A number at a turning point of formulas: none, one and two of it, one more or less, or equal to something
// else.
double at_edge(double now, double other, Random& random) {
  const double edges[] = {0, 0.5, 1, 1, 2, 3, now - 1, now + 1, 2 * now, other};
  return edges[random.below(std::size(edges))];
}

// With some numbers at edges, most of them in range.
Value::Object with_edges(const Calculation& calculation, Value::Object inputs, Random& random) {
  if (random.one_in(2)) return inputs;
  const int seldom = 2 + random.below(24);
  double other = 1;
  for (const FieldGroup& group : calculation.inputs) {
    for (const InputField& input : group.fields) {
      const Field& field = input.field;
      if (field.kind != FieldKind::whole && field.kind != FieldKind::real) continue;
      const auto given = std::find_if(inputs.begin(), inputs.end(),
                                      [&](const Member& member) { return member.name == field.name; });
      const double* number = given != inputs.end() ? given->value.number() : nullptr;
      const double now = number != nullptr ? *number : field.default_value;
      if (random.one_in(seldom) && !std::isnan(now)) {
        double edge = at_edge(now, other, random);
        if (!random.one_in(8)) edge = std::clamp(edge, field.least, field.greatest);
        if (field.kind == FieldKind::whole) edge = std::ceil(edge);
        if (given != inputs.end()) {
          given->value = edge;
        } else {
          inputs.push_back({std::string(field.name), edge});
        }
      }
      if (number != nullptr) other = now;
    }
  }
  return inputs;
}

}  // namespace

Value drawn_inputs(const Calculation& calculation, Random& random) {
  Value::Object inputs = of_any_work(calculation, random);
  inputs = as_others_have(calculation, std::move(inputs), random);
  return as_recorded(calculation, with_edges(calculation, std::move(inputs), random));
}

}  // namespace commcost::test
