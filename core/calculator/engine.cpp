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

// A run on inputs that have been read.
class OneRun final : public Runs {
 public:
  OneRun(const Calculation& calculation, const Notes& notes, WireWriter& to)
      : calculation_(calculation), notes_(notes), to_(to) {}

  bool fill(void*) override { return !std::exchange(filled_, true); }
  void take(const void* results) override {
    to_.notes(notes_);
    const ResultField* bad = write_row(calculation_.results, results, to_);
    if (bad != nullptr) problems_.push_back(not_finite(*bad));
  }
  void refuse(const Problems& problems) override { problems_ = problems; }

  Problems&& problems() && { return std::move(problems_); }

 private:
  const Calculation& calculation_;
  const Notes& notes_;
  WireWriter& to_;
  bool filled_ = false;
  Problems problems_;
};

// What was read before; the text need not be given then, and if it is, it is the last piece.
void take_pieces(const TextInPieces& pieces, TextReader& begun, void* inputs, Problems& problems) {
  pieces.hand_over(begun, inputs);
  std::erase_if(problems, [&](const Problem& problem) {
    return problem.field == pieces.field && problem.code == ProblemCode::missing;
  });
}

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

Problems run(const Calculation& calculation, Worker& worker, const Notes& notes, WireWriter& results) {
  OneRun once(calculation, notes, results);
  worker.run(once);
  return std::move(once).problems();
}

Problems run(const Calculation& calculation, Worker& worker, WireReader inputs, WireWriter& results,
             TextReader* begun) {
  Notes notes;
  void* into = worker.cleared_inputs();
  Problems problems = read_inputs(calculation.name, fields_of(calculation), inputs, into, &notes);
  if (begun != nullptr) take_pieces(*calculation.pieces, *begun, into, problems);
  return problems.empty() ? run(calculation, worker, notes, results) : problems;
}

Problems run(const Calculation& calculation, WireReader inputs, WireWriter& results, TextReader* begun) {
  return run(calculation, *calculation.opened_alone(), inputs, results, begun);
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
