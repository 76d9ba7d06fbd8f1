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

namespace {

constexpr double most_axes = 2;
constexpr double most_points = 4194304;
// Flags and names take more room than numbers, and no field has as many.
constexpr double most_named = 65536;
// Bytes of a name and what stands around it, about.
constexpr std::size_t most_name = 128;

using Request = SweepRequest;

constexpr InputField request_fields[] = {
    text<&Request::calculation>("calculation", 64, "Name of the calculation"),
    object<&Request::inputs>("inputs", "Its inputs; those that vary may be left out"),
    list<&Request::axes>("axes", 1, most_axes, "What varies: {field, values}"),
};
constexpr FieldGroup request_groups[] = {group<Request>(request_fields)};

// The input that varies and the checked values that it takes.
struct Axis {
  FieldIndex::Place place{};
  std::vector<FieldValue> values;  // in the order given; empty where they are numbers
  Value::Numbers numbers;          // the same for a field that is a number

  const Field& field() const { return place.input->field; }
  std::size_t size() const { return values.size() + numbers.size(); }
  void assign(void* inputs, std::size_t index) const {
    place.input->assign(place.select(inputs),
                        values.empty() ? FieldValue{numbers[index], nullptr} : values[index]);
  }
};

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

void read_values(const Value& given, Axis& axis, Problems& problems) {
  const Field& field = axis.field();
  if (const Value::Numbers* numbers = given.numbers()) {
    for (const double number : *numbers) {
      if (is_number(field) && !refusal(field, number)) continue;
      problems.push_back(check(field, Value(number)).problems().front());
      return;
    }
    axis.numbers = *numbers;
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

void read_axis(const Calculation& calculation, const Value& given, Axis& axis, Problems& problems) {
  const Value* name = given.find("field");
  const std::string field = name != nullptr && name->text() != nullptr ? *name->text() : std::string();
  const FieldIndex& fields = fields_of(calculation);
  const std::size_t place = fields.find(field);
  if (place == fields.places().size()) {
    const std::string allowed = "an input of " + std::string(calculation.name);
    problems.push_back(bad_axis(
        "field of an axis must be " + allowed + "; got " + text_of(name == nullptr ? Value() : *name),
        allowed));
    return;
  }
  axis.place = fields.places()[place];
  const Value* values = given.find("values");
  const std::size_t length = length_of(values);
  const double most = is_number(axis.field()) ? most_points : most_named;
  if (length == 0 || static_cast<double>(length) > most) {
    const std::string allowed = "a list of 1 to " + text_of(most) + " values";
    problems.push_back(bad_axis("values of axis " + field + " must be " + allowed, allowed));
    return;
  }
  read_values(*values, axis, problems);
}

// The axes' first values put in, so that the swept inputs need not be given.
Value with_first_values(const Value& inputs, std::span<const Axis> axes) {
  const Value::Object* given = inputs.object();
  if (given == nullptr) return inputs;
  Value::Object members;
  for (const Member& member : *given) {
    bool swept = false;
    for (const Axis& axis : axes) swept = swept || axis.field().name == member.name;
    if (!swept) members.push_back(member);
  }
  for (const Axis& axis : axes) {
    members.push_back({std::string(axis.field().name),
                       axis.values.empty() ? Value(axis.numbers.front()) : *axis.values.front().value});
  }
  return members;
}

void write_axes(std::span<const Axis> axes, WireWriter& to) {
  to.list(axes.size());
  for (const Axis& axis : axes) {
    to.object(2);
    to.name("field"), to.text(axis.field().name);
    to.name("values");
    if (axis.values.empty()) {
      to.numbers(axis.numbers);
      continue;
    }
    to.list(axis.values.size());
    for (const FieldValue& value : axis.values) to.value(*value.value);
  }
}

// Every point of the axes, the last axis fastest: a column for each numeric result, NaN where a point is
// refused.
class SweepRuns final : public Runs {
 public:
  SweepRuns(const Calculation& calculation, const Value& inputs, std::span<const Axis> axes,
            std::size_t points)
      : calculation_(calculation), inputs_(inputs), axes_(axes), points_(points) {
    for (const ResultField& field : calculation.results) {
      if (field.number != nullptr) columns_.push_back({&field, Value::Numbers(points)});
    }
  }

  bool fill(void* inputs) override {
    if (next_ == 0 && !begin(inputs)) return false;
    if (next_ == points_) return false;
    const Axis& inner = axes_.back();
    if (index_ == inner.size()) index_ = 0;
    if (index_ == 0 && axes_.size() > 1) axes_.front().assign(inputs, next_ / inner.size());
    inner.assign(inputs, index_++);
    ++next_;
    return true;
  }

  void take(const void* results) override {
    for (Column& column : columns_) {
      const double number = column.field->number(results);
      if (!std::isfinite(number)) return refuse({not_finite(*column.field)});
      column.numbers[next_ - 1] = number;
    }
  }

  void refuse(const Problems& problems) override {
    for (Column& column : columns_) column.numbers[next_ - 1] = std::numeric_limits<double>::quiet_NaN();
    if (refused_++ == 0) refusals_ = problems;
  }

  /// Why there is no sweep at all.
  const Problems& problems() const { return problems_; }

  void write(WireWriter& to) const {
    // Columns and axes at once: while it grew, what is long would be copied again and again.
    to.reserve((columns_.size() + axes_.size()) * (points_ * sizeof(double) + most_name));
    to.object(5);
    to.name("points"), to.number(static_cast<double>(points_));
    to.name("axes"), write_axes(axes_, to);
    to.name("results"), to.object(columns_.size());
    for (const Column& column : columns_) to.name(column.field->name), to.numbers(column.numbers);
    to.name("refused"), to.number(refused_);
    to.name("problems"), to.value(value_of(refusals_));
  }

 private:
  struct Column {
    const ResultField* field;
    Value::Numbers numbers;
  };

  bool begin(void* inputs) {
    std::string wire;
    WireWriter(wire).value(with_first_values(inputs_, axes_));
    problems_ = read_inputs(calculation_.name, fields_of(calculation_), WireReader(wire), inputs);
    return problems_.empty();
  }

  const Calculation& calculation_;
  const Value& inputs_;
  std::span<const Axis> axes_;
  std::size_t points_;
  std::size_t next_ = 0;
  std::size_t index_ = 0;  // of the inner axis
  std::vector<Column> columns_;
  double refused_ = 0;
  Problems refusals_;
  Problems problems_;
};

Problem cannot_be_swept(const std::string& name) {
  std::string allowed = "one of";
  for (const Calculation* candidate : all_calculations()) {
    if (candidate->swept) allowed += " " + std::string(candidate->name);
  }
  return {"calculation", ProblemCode::not_a_choice,
          "calculation must be " + allowed + "; got " + text_of(Value(name)), allowed};
}

}  // namespace

Problems sweep(WireReader object, WireWriter& to) {
  static const FieldIndex request_index(request_groups);
  Request request;
  Problems problems = read_inputs("sweep", request_index, object, &request);
  if (!problems.empty()) return problems;
  const Calculation* calculation = find_calculation(request.calculation);
  if (calculation == nullptr || !calculation->swept) return {cannot_be_swept(request.calculation)};

  const Value::List& given = *request.axes.list();
  std::vector<Axis> axes(given.size());
  for (std::size_t axis = 0; axis < given.size(); ++axis) {
    read_axis(*calculation, given[axis], axes[axis], problems);
  }
  if (problems.empty() && axes.size() == 2 && axes[0].place.input == axes[1].place.input) {
    problems.push_back(
        bad_axis("axes must differ; both are " + std::string(axes[0].field().name), "two different fields"));
  }
  // Counted in a double: on wasm a size_t of 32 bits would wrap before the limit is seen.
  double points = 1;
  for (const Axis& axis : axes) points *= static_cast<double>(axis.size());
  if (problems.empty() && points > most_points) {
    const std::string allowed = "at most " + text_of(most_points) + " points";
    problems.push_back(bad_axis("axes must make " + allowed + "; they make " + text_of(points), allowed));
  }
  if (!problems.empty()) return problems;

  SweepRuns runs(*calculation, request.inputs, axes, static_cast<std::size_t>(points));
  calculation->run(runs);
  if (runs.problems().empty()) runs.write(to);
  return runs.problems();
}

}  // namespace commcost
