#include "core/calculator/engine.h"

#include <cmath>
#include <utility>

#include "core/calculator/calculations.h"
#include "core/calculator/choice_labels.h"

namespace commcost {
namespace {

Value names_of(std::span<const std::string_view> names) {
  Value::List list;
  for (const std::string_view name : names) list.emplace_back(name);
  return list;
}

void push_choices(Value::Object& row, std::span<const std::string_view> choices) {
  row.push_back({"choices", names_of(choices)});
  const auto labels = labels_of(choices);
  if (!labels.empty()) row.push_back({"choice_labels", names_of(labels)});
}

Value default_of(const Field& field) {
  if (std::isnan(field.default_value)) return {};
  switch (field.kind) {
    case FieldKind::whole:
    case FieldKind::real:
      return field.default_value;
    case FieldKind::flag:
      return field.default_value != 0;
    case FieldKind::choice:
      return field.choices[static_cast<std::size_t>(field.default_value)];
    default:
      return {};
  }
}

Value describe_input(const Field& field) {
  Value::Object row = {{"name", field.name}, {"kind", name_of(field.kind)},
                       {"unit", field.unit}, {"label", label_of(field.name, field.label)},
                       {"help", field.help}, {"required", field.required}};
  if (!field.choices.empty()) push_choices(row, field.choices);
  if (field.kind != FieldKind::choice && field.kind != FieldKind::flag && field.kind != FieldKind::object) {
    row.push_back({"least", field.least});
    row.push_back({"greatest", field.greatest});
  }
  if (!field.filled_by.empty()) row.push_back({"filled_by", field.filled_by});
  if (!field.group.empty()) row.push_back({"group", field.group});
  if (field.shown) row.push_back({"shown", true});
  if (!field.former.empty()) row.push_back({"formerly", field.former});
  if (field.former_product > 0) row.push_back({"former_product", field.former_product});
  row.push_back({"allowed", allowed_in(field)});
  if (Value value = default_of(field); !field.required && !value.empty()) row.push_back({"default", value});
  return row;
}

Value describe_results(std::span<const ResultField> fields) {
  Value::List rows;
  for (const ResultField& field : fields) {
    Value::Object row = {{"name", field.name},
                         {"kind", name_of(field.kind)},
                         {"unit", field.unit},
                         {"label", label_of(field.name, field.label)},
                         {"help", field.help}};
    if (!field.choices.empty()) push_choices(row, field.choices);
    if (field.may_be_missing) row.push_back({"may_be_missing", true});
    if (!field.columns.empty()) row.push_back({"columns", describe_results(field.columns)});
    rows.emplace_back(row);
  }
  return rows;
}

class OneRun final : public Runs {
 public:
  OneRun(const Calculation& calculation, WireReader inputs, WireWriter& to, TextReader* begun)
      : calculation_(calculation), inputs_(inputs), to_(to), begun_(begun) {}

  bool fill(void* inputs) override {
    if (std::exchange(filled_, true)) return false;
    problems_ = read_inputs(calculation_.name, fields_of(calculation_), inputs_, inputs, &notes_);
    if (begun_ != nullptr) take_pieces(inputs);
    return problems_.empty();
  }
  void take(const void* results) override {
    to_.notes(notes_);
    const ResultField* bad = write_row(calculation_.results, results, to_);
    if (bad != nullptr) problems_.push_back(not_finite(*bad));
  }
  void refuse(const Problems& problems) override { problems_ = problems; }

  Problems&& problems() && { return std::move(problems_); }

 private:
  // What was read before; the text need not be given then, and is its last piece where it is.
  void take_pieces(void* inputs) {
    calculation_.pieces->hand_over(*begun_, inputs);
    std::erase_if(problems_, [&](const Problem& problem) {
      return problem.field == calculation_.pieces->field && problem.code == ProblemCode::missing;
    });
  }

  const Calculation& calculation_;
  WireReader inputs_;
  WireWriter& to_;
  TextReader* begun_;
  bool filled_ = false;
  Notes notes_;
  Problems problems_;
};

Outcome<Value> asked(const Value& request, Problems (*ask)(WireReader request, WireWriter& results)) {
  WireBytes given;
  WireWriter(given).value(request);
  WireBytes results;
  WireWriter to(results);
  Problems problems = ask(WireReader(given), to);
  if (!problems.empty()) return problems;
  WireReader from(results);
  return read_value(from, {});
}

}  // namespace

Value value_of(const Problems& problems) {
  Value::List rows;
  for (const Problem& problem : problems) {
    rows.emplace_back(Value::Object{{"field", problem.field},
                                    {"code", name_of(problem.code)},
                                    {"message", problem.message},
                                    {"allowed", problem.allowed}});
  }
  return rows;
}

Value describe() {
  Value::Object calculations;
  for (const Calculation* calculation : all_calculations()) {
    Value::List inputs;
    for (const FieldGroup& group : calculation->inputs) {
      for (const InputField& input : group.fields) inputs.push_back(describe_input(input.field));
    }
    calculations.push_back(
        {std::string(calculation->name),
         Value::Object{
             {"help", calculation->help},
             {"inputs", inputs},
             {"results", describe_results(calculation->results)},
             {"sweep", calculation->sweep_points > 0},
             {"sweep_points", static_cast<double>(calculation->sweep_points)},
             {"in_pieces", calculation->pieces != nullptr ? Value(calculation->pieces->field) : Value("")},
             {"of_scenario", calculation->of_scenario}}});
  }
  return calculations;
}

Problem not_finite(const ResultField& field) {
  const std::string name(field.name);
  return {name, ProblemCode::overflow, name + " would not be finite for these inputs",
          "inputs whose results are finite"};
}

Problem unknown_calculation(std::string_view name) {
  std::string allowed = "one of ";
  for (const Calculation* calculation : all_calculations()) {
    if (calculation != all_calculations().front()) allowed += ", ";
    allowed += calculation->name;
  }
  return {"calculation", ProblemCode::not_a_choice,
          "calculation must be " + allowed + "; got " + text_of(Value(name)), allowed};
}

Problems run(const Calculation& calculation, WireReader inputs, WireWriter& results, TextReader* begun) {
  OneRun once(calculation, inputs, results, begun);
  calculation.run(once);
  return std::move(once).problems();
}

Outcome<Value> run(std::string_view name, const Value& inputs) {
  const Calculation* calculation = find_calculation(name);
  if (calculation == nullptr) return unknown_calculation(name);
  WireBytes given;
  WireWriter(given).value(inputs);
  WireBytes results;
  WireWriter to(results);
  Problems problems = run(*calculation, WireReader(given), to);
  if (!problems.empty()) return problems;
  WireReader from(results);
  return read_value(from, calculation->results);
}

Outcome<Value> sweep(const Value& request) {
  return asked(request, sweep);
}

Outcome<Value> resolve_inputs(const Value& request) {
  return asked(request, resolve_inputs);
}

}  // namespace commcost
