#include <cmath>
#include <limits>

#include "core/calculator/calculations.h"
#include "core/calculator/engine.h"

namespace commcost {

/// What sweep() is asked for.
struct SweepRequest {
  std::string calculation;
  Value inputs;
  Value axes;
};

std::size_t points_of(std::span<const SweepAxis> axes) {
  std::size_t points = 1;
  for (const SweepAxis& axis : axes) points *= axis.size();
  return points;
}

namespace {

constexpr double most_axes = 2;
constexpr double most_values = 4194304;

using Request = SweepRequest;

constexpr InputField request_fields[] = {
    text<&Request::calculation>("calculation", 64, "Name of the calculation"),
    object<&Request::inputs>("inputs", "Its inputs; those that vary may be left out"),
    list<&Request::axes>("axes", 1, most_axes, "What varies: {field, values}"),
};
constexpr FieldGroup request_groups[] = {group<Request>(request_fields)};

SweepAxis find_axis(const Calculation& calculation, std::string_view name) {
  for (const FieldGroup& group : calculation.inputs) {
    for (const InputField& input : group.fields) {
      if (input.field.name == name) return {&input, group.select, {}, {}};
    }
  }
  return {};
}

Problem bad_axis(const std::string& message, const std::string& allowed) {
  return {"axes", ProblemCode::malformed, message, allowed};
}

bool is_number(const Field& field) {
  return field.kind == FieldKind::whole || field.kind == FieldKind::real;
}

std::size_t length_of(const Value* values) {
  if (values == nullptr) return 0;
  if (const Value::Numbers* numbers = values->numbers()) return numbers->size();
  return values->list() == nullptr ? 0 : values->list()->size();
}

// A million numbers are checked by their ends and their fractions; only a bad one is looked at closely.
const double* first_bad(const Field& field, const Value::Numbers& numbers) {
  for (const double& number : numbers) {
    const bool inside = number >= field.least && number <= field.greatest;
    if (!inside || (field.kind == FieldKind::whole && number != std::trunc(number))) return &number;
  }
  return nullptr;
}

void read_values(const Value& given, SweepAxis& axis, Problems& problems) {
  const Field& field = axis.field->field;
  const Value::Numbers* numbers = given.numbers();
  if (numbers != nullptr && is_number(field)) {
    if (const double* bad = first_bad(field, *numbers)) {
      problems.push_back(check(field, Value(*bad)).problems().front());
    } else {
      axis.numbers = *numbers;
    }
    return;
  }
  // Numbers where the field takes something else: the first is as wrong as any.
  if (numbers != nullptr) {
    problems.push_back(check(field, Value(numbers->front())).problems().front());
    return;
  }
  for (const Value& value : *given.list()) {
    const Outcome<FieldValue> checked = check(field, value);
    if (!checked) {
      problems.push_back(checked.problems().front());
      return;
    }
    axis.values.push_back(*checked);
  }
}

void read_axis(const Calculation& calculation, const Value& given, SweepAxis& axis, Problems& problems) {
  const Value* name = given.find("field");
  const std::string field = name != nullptr && name->text() != nullptr ? *name->text() : std::string();
  axis = find_axis(calculation, field);
  if (axis.field == nullptr) {
    const std::string allowed = "an input of " + std::string(calculation.name);
    problems.push_back(bad_axis(
        "field of an axis must be " + allowed + "; got " + text_of(name == nullptr ? Value() : *name),
        allowed));
    return;
  }
  const Value* values = given.find("values");
  const std::size_t length = length_of(values);
  if (length == 0 || static_cast<double>(length) > most_values) {
    const std::string allowed = "a list of 1 to " + text_of(most_values) + " values";
    problems.push_back(bad_axis("values of axis " + field + " must be " + allowed, allowed));
    return;
  }
  read_values(*values, axis, problems);
}

// The axes' first values put in, so that the swept inputs need not be given.
Value with_first_values(const Value& inputs, std::span<const SweepAxis> axes) {
  const Value::Object* given = inputs.object();
  if (given == nullptr) return inputs;
  Value::Object members;
  for (const Member& member : *given) {
    bool swept = false;
    for (const SweepAxis& axis : axes) swept = swept || axis.field->field.name == member.name;
    if (!swept) members.push_back(member);
  }
  for (const SweepAxis& axis : axes) {
    members.push_back({std::string(axis.field->field.name),
                       axis.values.empty() ? Value(axis.numbers.front()) : *axis.values.front().value});
  }
  return members;
}

Value axes_of(std::span<const SweepAxis> axes) {
  Value::List rows;
  for (const SweepAxis& axis : axes) {
    Value::List values;
    for (const FieldValue& value : axis.values) values.push_back(*value.value);
    rows.emplace_back(Value::Object{{"field", axis.field->field.name},
                                    {"values", values.empty() ? Value(axis.numbers) : Value(values)}});
  }
  return rows;
}

}  // namespace

namespace detail {

void refuse(SweepColumns& swept, std::size_t point, const Problems& problems) {
  for (std::vector<double>& column : swept.columns) column[point] = std::numeric_limits<double>::quiet_NaN();
  if (swept.refused++ == 0) swept.problems = problems;
}

Outcome<SweepColumns> sweep(const Calculation& self, const Value& object, std::span<const SweepAxis> axes,
                            void* inputs, SweepRow row) {
  Problems problems = read_inputs(self.name, self.inputs, with_first_values(object, axes), inputs);
  if (!problems.empty()) return problems;

  const std::size_t points = points_of(axes);
  SweepColumns swept;
  for (const ResultField& field : self.results) {
    if (field.number != nullptr) swept.columns.emplace_back(points);
  }

  const SweepAxis& inner = axes.back();
  std::vector<std::size_t> outer(axes.size() - 1, 0);
  for (std::size_t point = 0; point < points; point += inner.size()) {
    for (std::size_t axis = 0; axis < outer.size(); ++axis) {
      axes[axis].assign(axes[axis].select(inputs), outer[axis]);
    }
    row(inputs, inner, point, swept);
    for (std::size_t axis = outer.size(); axis-- > 0;) {
      if (++outer[axis] < axes[axis].size()) break;
      outer[axis] = 0;
    }
  }
  return swept;
}

}  // namespace detail

Outcome<Value> sweep(const Value& object) {
  const Outcome<Request> read = read_inputs<Request>("sweep", request_groups, object);
  if (!read) return read.problems();
  const Request& request = *read;

  const Calculation* calculation = find_calculation(request.calculation);
  if (calculation == nullptr || calculation->sweep == nullptr) {
    std::string allowed = "one of";
    for (const Calculation* candidate : all_calculations()) {
      if (candidate->sweep != nullptr) allowed += " " + std::string(candidate->name);
    }
    return Problem{"calculation", ProblemCode::not_a_choice,
                   "calculation must be " + allowed + "; got " + text_of(Value(request.calculation)),
                   allowed};
  }

  const Value::List& given = *request.axes.list();
  std::vector<SweepAxis> axes(given.size());
  Problems problems;
  for (std::size_t axis = 0; axis < given.size(); ++axis) {
    read_axis(*calculation, given[axis], axes[axis], problems);
  }
  if (problems.empty() && axes.size() == 2 && axes[0].field == axes[1].field) {
    problems.push_back(bad_axis("axes must differ; both are " + std::string(axes[0].field->field.name),
                                "two different fields"));
  }
  // Counted in a double: on wasm a size_t of 32 bits would wrap before the limit is seen.
  double points = 1;
  for (const SweepAxis& axis : axes) points *= static_cast<double>(axis.size());
  if (problems.empty() && points > most_values) {
    const std::string allowed = "at most " + text_of(most_values) + " points";
    problems.push_back(bad_axis("axes must make " + allowed + "; they make " + text_of(points), allowed));
  }
  if (!problems.empty()) return problems;

  Outcome<SweepColumns> swept = calculation->sweep(*calculation, request.inputs, axes);
  if (!swept) return swept.problems();
  SweepColumns columns = std::move(swept).value();
  Value::Object results;
  std::size_t column = 0;
  for (const ResultField& field : calculation->results) {
    if (field.number == nullptr) continue;
    results.push_back({std::string(field.name), std::move(columns.columns[column++])});
  }
  return Value(Value::Object{{"points", points},
                             {"axes", axes_of(axes)},
                             {"results", std::move(results)},
                             {"refused", columns.refused},
                             {"problems", value_of(columns.problems)}});
}

}  // namespace commcost
