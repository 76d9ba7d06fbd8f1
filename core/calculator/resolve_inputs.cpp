#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/calculator/calculations.h"
#include "core/calculator/engine.h"

namespace commcost {

/// What resolve_inputs() is asked for.
struct ResolveRequest {
  std::string calculation;
  Value inputs;
};

namespace {

constexpr InputField request_fields[] = {
    text<&ResolveRequest::calculation>(64, "Name of the calculation"),
    object<&ResolveRequest::inputs>("Its inputs"),
};
constexpr FieldGroup request_groups[] = {group<ResolveRequest>(request_fields)};

// Reads and completes the inputs, then returns each field's value and where it comes from.
class ReadBack final : public Runs {
 public:
  ReadBack(const Calculation& calculation, const Value::Object& given)
      : calculation_(calculation), fields_(fields_of(calculation)), given_(given) {}

  bool fill(void* inputs) override {
    WireBytes wire;
    WireWriter(wire).value(given_);
    problems_ = read_inputs(calculation_.name, fields_, WireReader(wire), inputs);
    if (!problems_.empty()) return false;
    read_ = numbers_in(inputs);
    return true;
  }
  bool only_completes() const override { return true; }
  void take(const void* inputs) override { completed_ = numbers_in(const_cast<void*>(inputs)); }
  void refuse(const Problems& problems) override { problems_ = problems; }

  Problems write(WireWriter& to) && {
    if (!problems_.empty()) return std::move(problems_);
    Value::Object rows;
    for (std::size_t at = 0; at < completed_.size(); ++at) {
      const Field& field = fields_.places()[at].input->field;
      const auto add = [&](Value value, std::string_view from) {
        rows.push_back({std::string(field.name), Value::Object{{"value", std::move(value)}, {"from", from}}});
      };
      if (!std::isnan(completed_[at])) {
        add(value_of(field, completed_[at]), source_of(at));
      } else if (const Value* given = given_value(field.name); given != nullptr && given->text() != nullptr) {
        // A preset; lists of measurements are no settings.
        add(*given, "given");
      }
    }
    to.value(rows);
    return {};
  }

 private:
  // NaN if a field holds no number, flag or choice, or none of its choices, or if rows give it.
  std::vector<double> numbers_in(void* inputs) const {
    std::vector<double> numbers;
    for (const FieldIndex::Place& place : fields_.places()) {
      const InputField& input = *place.input;
      const double number = input.member == nullptr ? -1 : input.number(place.select(inputs));
      const bool unstated = !input.field.required && std::isnan(input.field.default_value) &&
                            number < input.field.least && !is_given(input.field.name);
      const bool none =
          input.member == nullptr || unstated || (input.field.kind == FieldKind::choice && number < 0);
      numbers.push_back(none ? std::numeric_limits<double>::quiet_NaN() : number);
    }
    return numbers;
  }

  const Value* given_value(std::string_view name) const {
    const std::size_t place = fields_.find(name);
    for (const Member& member : given_) {
      if (fields_.find(member.name) == place) return member.value.empty() ? nullptr : &member.value;
    }
    return nullptr;
  }

  bool is_given(std::string_view name) const { return given_value(name) != nullptr; }

  std::string_view filler_of(std::string_view name) const {
    const std::size_t place = fields_.find(name);
    return place < fields_.places().size() ? fields_.places()[place].input->field.filled_by : "";
  }

  std::string_view source_of(std::size_t at) const {
    const Field& field = fields_.places()[at].input->field;
    if (read_[at] != completed_[at]) return "derived";
    if (is_given(field.name)) return "given";
    // A preset may be filled by another.
    std::string_view preset = field.filled_by;
    while (!preset.empty() && !is_given(preset)) preset = filler_of(preset);
    return preset.empty() ? "default" : preset;
  }

  const Calculation& calculation_;
  const FieldIndex& fields_;
  const Value::Object& given_;
  std::vector<double> read_;
  std::vector<double> completed_;
  Problems problems_;
};

}  // namespace

Problems resolve_inputs(WireReader request, WireWriter& results) {
  const Outcome<ResolveRequest> asked =
      read_inputs<ResolveRequest>("resolve_inputs", request_groups, request.value());
  if (!asked) return asked.problems();
  const Calculation* calculation = find_calculation(asked->calculation);
  if (calculation == nullptr) return {unknown_calculation(asked->calculation)};
  ReadBack read_back(*calculation, *asked->inputs.object());
  calculation->opened_alone()->run(read_back);
  return std::move(read_back).write(results);
}

}  // namespace commcost
