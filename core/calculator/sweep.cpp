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
  for (const SweepAxis& axis : axes) points *= axis.values.size();
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
      if (input.field.name == name) return {&input, group.select, {}};
    }
  }
  return {};
}

// A list of numbers from JavaScript is a list of values here, as for any other kind.
Value::List values_of(const Value* values) {
  if (values == nullptr) return {};
  if (const Value::List* list = values->list()) return *list;
  Value::List list;
  if (const Value::Numbers* numbers = values->numbers()) {
    list.reserve(numbers->size());
    for (const double number : *numbers) list.emplace_back(number);
  }
  return list;
}

Problem bad_axis(const std::string& message, const std::string& allowed) {
  return {"axes", ProblemCode::malformed, message, allowed};
}

void read_axis(const Calculation& calculation, const Value& given, Value::List& values, SweepAxis& axis,
               Problems& problems) {
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
  values = values_of(given.find("values"));
  if (values.empty() || static_cast<double>(values.size()) > most_values) {
    const std::string allowed = "a list of 1 to " + text_of(most_values) + " values";
    problems.push_back(bad_axis("values of axis " + field + " must be " + allowed, allowed));
    return;
  }
  axis.values.reserve(values.size());
  for (const Value& value : values) {
    const Outcome<FieldValue> checked = check(axis.field->field, value);
    if (!checked.ok()) {
      problems.push_back(checked.problems().front());
      return;
    }
    axis.values.push_back(checked.value());
  }
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
    members.push_back({std::string(axis.field->field.name), *axis.values.front().value});
  }
  return members;
}

Value axes_of(std::span<const SweepAxis> axes) {
  Value::List rows;
  for (const SweepAxis& axis : axes) {
    const Field& field = axis.field->field;
    Value::Object row = {{"field", field.name}};
    if (field.kind == FieldKind::whole || field.kind == FieldKind::real) {
      Value::Numbers numbers;
      numbers.reserve(axis.values.size());
      for (const FieldValue& value : axis.values) numbers.push_back(value.number);
      row.push_back({"values", std::move(numbers)});
    } else {
      Value::List list;
      for (const FieldValue& value : axis.values) list.push_back(*value.value);
      row.push_back({"values", std::move(list)});
    }
    rows.emplace_back(std::move(row));
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

  std::vector<double (*)(const void*)> readers;
  for (const ResultField& field : self.results) {
    if (field.number != nullptr) readers.push_back(field.number);
  }
  const std::size_t points = points_of(axes);
  SweepColumns swept;
  swept.columns.assign(readers.size(), std::vector<double>(points));

  const SweepAxis& inner = axes.back();
  std::vector<std::size_t> outer(axes.size() - 1, 0);
  for (std::size_t point = 0; point < points; point += inner.values.size()) {
    for (std::size_t axis = 0; axis < outer.size(); ++axis) {
      axes[axis].field->assign(axes[axis].select(inputs), axes[axis].values[outer[axis]]);
    }
    row(inputs, inner, readers, point, swept);
    for (std::size_t axis = outer.size(); axis-- > 0;) {
      if (++outer[axis] < axes[axis].values.size()) break;
      outer[axis] = 0;
    }
  }
  return swept;
}

}  // namespace detail

Outcome<Value> sweep(const Value& object) {
  const Outcome<Request> read = read_inputs<Request>("sweep", request_groups, object);
  if (!read.ok()) return read.problems();
  const Request& request = read.value();

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
  std::vector<Value::List> values(given.size());
  std::vector<SweepAxis> axes(given.size());
  Problems problems;
  for (std::size_t axis = 0; axis < given.size(); ++axis) {
    read_axis(*calculation, given[axis], values[axis], axes[axis], problems);
  }
  if (problems.empty() && axes.size() == 2 && axes[0].field == axes[1].field) {
    problems.push_back(bad_axis("axes must differ; both are " + std::string(axes[0].field->field.name),
                                "two different fields"));
  }
  if (problems.empty() && static_cast<double>(points_of(axes)) > most_values) {
    const std::string allowed = "at most " + text_of(most_values) + " points";
    problems.push_back(
        bad_axis("axes must make " + allowed + "; they make " + text_of(static_cast<double>(points_of(axes))),
                 allowed));
  }
  if (!problems.empty()) return problems;

  Outcome<SweepColumns> swept = calculation->sweep(*calculation, request.inputs, axes);
  if (!swept.ok()) return swept.problems();
  SweepColumns columns = std::move(swept).value();
  Value::Object results;
  std::size_t column = 0;
  for (const ResultField& field : calculation->results) {
    if (field.number == nullptr) continue;
    results.push_back({std::string(field.name), std::move(columns.columns[column++])});
  }
  return Value(Value::Object{{"points", static_cast<double>(points_of(axes))},
                             {"axes", axes_of(axes)},
                             {"results", std::move(results)},
                             {"refused", columns.refused},
                             {"problems", value_of(columns.problems)}});
}

}  // namespace commcost
