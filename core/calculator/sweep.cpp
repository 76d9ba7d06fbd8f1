#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

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
// Flags and names take more room than numbers, and no field has that many.
constexpr double most_named = 65536;
// Roughly the bytes of a name and its surroundings.
constexpr std::size_t most_name = 128;

using Request = SweepRequest;

constexpr InputField request_fields[] = {
    text<&Request::calculation>(64, "Name of the calculation"),
    object<&Request::inputs>("Its inputs; those that vary may be left out"),
    list<&Request::axes>(1, most_axes, "Axes of the sweep: {field, values}"),
};
constexpr FieldGroup request_groups[] = {group<Request>(request_fields)};

// The input that varies and the checked values that it takes.
struct Axis {
  std::string name;  // as given
  FieldIndex::Place place{};
  std::vector<FieldValue> values;   // in the order given; empty where they are numbers
  std::span<const double> numbers;  // the same for a field that is a number

  const Field& field() const { return place.input->field; }
  std::size_t size() const { return values.size() + numbers.size(); }
  Value at(std::size_t index) const { return values.empty() ? Value(numbers[index]) : *values[index].value; }
};

// An axis and where in a calculation's inputs its values go: found once, since up to a million values follow.
class Knob {
 public:
  Knob(const Axis& axis, void* inputs)
      : axis_(&axis),
        owner_(axis.place.select(inputs)),
        member_(axis.place.input->member == nullptr ? nullptr : axis.place.input->member(owner_)) {}

  void turn_to(std::size_t index) const {
    const InputField& input = *axis_->place.input;
    if (axis_->values.empty()) {
      put_number(input.scalar, member_, axis_->numbers[index]);
    } else {
      input.assign(owner_, axis_->values[index]);
    }
  }

 private:
  const Axis* axis_;
  void* owner_;
  void* member_;
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
    axis.numbers = *numbers;  // they lie in the request
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
  axis.name = field;
  axis.place = fields.places()[place];
  const Value* values = given.find("values");
  const std::size_t length = length_of(values);
  const double points = calculation.sweep_points;
  const double most = is_number(axis.field()) ? points : std::min(points, most_named);
  if (length == 0 || static_cast<double>(length) > most) {
    const std::string allowed = "a list of 1 to " + text_of(most) + " values";
    problems.push_back(bad_axis("values of axis " + field + " must be " + allowed, allowed));
    return;
  }
  read_values(*values, axis, problems);
}

// The inputs at a point: those given, without those that are swept, and the axes' values there.
Value inputs_at(const FieldIndex& fields, const Value& inputs, std::span<const Axis> axes,
                std::span<const std::size_t> at) {
  const Value::Object* given = inputs.object();
  if (given == nullptr) return inputs;
  Value::Object members;
  for (const Member& member : *given) {
    const std::size_t place = fields.find(member.name);
    bool swept = false;
    if (place < fields.places().size()) {
      for (const Axis& axis : axes) swept = swept || axis.place.input == fields.places()[place].input;
    }
    if (!swept) members.push_back(member);
  }
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    members.push_back({axes[axis].name, axes[axis].at(at[axis])});
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
// refused. The answer is written as it comes, each number at its place in its column; the axis along which
// most stays as it was comes first.
class SweepRuns final : public Runs {
 public:
  SweepRuns(const Calculation& calculation, const Value& inputs, std::span<const Axis> axes, WireWriter& to)
      : calculation_(calculation), inputs_(inputs), axes_(axes), to_(to), quick_(axes.size() - 1) {
    for (const Axis& axis : axes) {
      points_ *= axis.size();
      preset_varies_ = preset_varies_ || axis.place.input->is_preset();
    }
    const auto paces_links = [](const Axis& axis) { return axis.place.input->paces_links; };
    if (paces_links(axes.front()) && !paces_links(axes.back())) quick_ = 0;
  }

  bool fill(void* inputs) override {
    if (next_ == points_) return false;
    const std::size_t along = axes_[quick_].size();
    at_[slow()] = next_ / along;
    at_[quick_] = next_ % along;
    if (next_++ == 0) return begin(inputs);
    // Given inputs override what a preset fills in, so both are set again.
    if (preset_varies_) return read(inputs);
    if (at_[quick_] == 0) knobs_[slow()].turn_to(at_[slow()]);
    knobs_[quick_].turn_to(at_[quick_]);
    return true;
  }

  void take(const void* results) override {
    const auto* members = static_cast<const char*>(results);
    if (!located_) locate(results);
    for (const Column& column : columns_) {
      // Most are doubles as they stand.
      const double number = column.scalar == Scalar::real ? detail::number_as<double>(members + column.offset)
                                                          : number_in(column.scalar, members + column.offset);
      if (!std::isfinite(number)) return refuse({not_finite(*column.field)});
      put(column, number);
    }
  }

  void refuse(const Problems& problems) override {
    for (const Column& column : columns_) put(column, std::numeric_limits<double>::quiet_NaN());
    if (refused_++ == 0) refusals_ = problems;
  }

  /// Writes what follows the columns; or why there is no sweep at all.
  Problems end() && {
    if (!problems_.empty()) return std::move(problems_);
    to_.name("refused"), to_.number(refused_);
    to_.name("problems"), to_.value(value_of(refusals_));
    return {};
  }

 private:
  struct Column {
    const ResultField* field;
    Scalar scalar;
    char* numbers;
    std::ptrdiff_t offset;  // of the member in the results
  };

  void locate(const void* results) {
    for (Column& column : columns_) {
      column.offset =
          static_cast<const char*>(column.field->member(results)) - static_cast<const char*>(results);
    }
    located_ = true;
  }

  bool read(void* inputs, Notes* notes = nullptr) {
    WireBytes wire;
    const FieldIndex& fields = fields_of(calculation_);
    WireWriter(wire).value(inputs_at(fields, inputs_, axes_, std::span(at_).first(axes_.size())));
    problems_ = read_inputs(calculation_.name, fields, WireReader(wire), inputs, notes);
    return problems_.empty();
  }

  bool begin(void* inputs) {
    Notes notes;
    if (!read(inputs, &notes)) return false;
    for (const Axis& axis : axes_) knobs_.emplace_back(axis, inputs);
    write_begin(notes);
    return true;
  }

  void write_begin(const Notes& notes) {
    to_.notes(notes);
    std::size_t count = 0;
    for (const ResultField& field : calculation_.results) count += field.swept() ? 1 : 0;
    // Reserved at once: growing would copy a long answer again and again.
    to_.reserve((count + axes_.size()) * (points_ * sizeof(double) + most_name));
    to_.object(5);
    to_.name("points"), to_.number(static_cast<double>(points_));
    to_.name("axes"), write_axes(axes_, to_);
    to_.name("results"), to_.object(count);
    std::vector<std::size_t> begins;
    for (const ResultField& field : calculation_.results) {
      if (!field.swept()) continue;
      to_.name(field.name);
      begins.push_back(to_.room_for_numbers(points_));
      columns_.push_back({&field, field.scalar, nullptr, 0});
    }
    // Nothing is written behind them until they are full.
    for (std::size_t column = 0; column < count; ++column) columns_[column].numbers = to_.at(begins[column]);
  }

  void put(const Column& column, double number) const {
    const std::size_t place = axes_.size() == 1 ? at_[0] : at_[0] * axes_[1].size() + at_[1];
    std::memcpy(column.numbers + place * sizeof number, &number, sizeof number);
  }

  // The other axis; where there is one axis, a place of none.
  std::size_t slow() const { return 1 - quick_; }

  const Calculation& calculation_;
  const Value& inputs_;
  std::span<const Axis> axes_;
  std::size_t points_ = 1;
  WireWriter& to_;
  bool preset_varies_ = false;
  std::size_t next_ = 0;
  std::size_t quick_;                   // the axis that moves from each point to the next
  std::array<std::size_t, 2> at_ = {};  // where on each axis a point is
  std::vector<Knob> knobs_;
  std::vector<Column> columns_;
  bool located_ = false;
  double refused_ = 0;
  Problems refusals_;
  Problems problems_;
};

Problem cannot_be_swept(const std::string& name) {
  std::string allowed = "one of";
  for (const Calculation* candidate : all_calculations()) {
    if (candidate->sweep_points > 0) allowed += " " + std::string(candidate->name);
  }
  return {"calculation", ProblemCode::not_a_choice,
          "calculation must be " + allowed + "; got " + text_of(Value(name)), allowed};
}

// All axes, or their problems.
Outcome<std::vector<Axis>> read_axes(const Calculation& calculation, const Value::List& given) {
  Problems problems;
  std::vector<Axis> axes(given.size());
  for (std::size_t axis = 0; axis < given.size(); ++axis) {
    read_axis(calculation, given[axis], axes[axis], problems);
  }
  if (problems.empty() && axes.size() == 2 && axes[0].place.input == axes[1].place.input) {
    problems.push_back(
        bad_axis("axes must differ; both are " + std::string(axes[0].field().name), "two different fields"));
  }
  // Counted in a double: on wasm a size_t of 32 bits would wrap before the limit is seen.
  double points = 1;
  for (const Axis& axis : axes) points *= static_cast<double>(axis.size());
  const double most = calculation.sweep_points;
  if (problems.empty() && points > most) {
    const std::string allowed = "at most " + text_of(most) + " points";
    problems.push_back(bad_axis("axes must make " + allowed + "; they make " + text_of(points), allowed));
  }
  if (!problems.empty()) return problems;
  return axes;
}

}  // namespace

Problems sweep(const Calculation& calculation, const Value& inputs, const Value& given, WireWriter& to) {
  const Outcome<std::vector<Axis>> axes = read_axes(calculation, *given.list());
  if (!axes) return axes.problems();
  SweepRuns runs(calculation, inputs, *axes, to);
  calculation.opened_alone()->run(runs);
  return std::move(runs).end();
}

Problems sweep(WireReader object, WireWriter& to) {
  static const FieldIndex request_index(request_groups);
  Request request;
  Problems problems = read_inputs("sweep", request_index, object, &request);
  if (!problems.empty()) return problems;
  const Calculation* calculation = find_calculation(request.calculation);
  if (calculation == nullptr || calculation->sweep_points == 0) return {cannot_be_swept(request.calculation)};
  return sweep(*calculation, request.inputs, request.axes, to);
}

}  // namespace commcost
