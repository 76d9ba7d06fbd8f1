#include "core/calculator/fills.h"

namespace commcost {

Value fills_of(std::span<const FieldGroup> groups, void* inputs, std::size_t row) {
  const InputField& preset = groups.front().fields.front();
  preset.assign(groups.front().select(inputs), {static_cast<double>(row), nullptr});
  Value::Object filled;
  for (const FieldGroup& group : groups.subspan(1)) {
    for (const InputField& input : group.fields) {
      const void* owner = group.select(inputs);
      if (input.field.filled_by != preset.field.name) continue;
      const double number = input.is_preset() ? static_cast<double>(input.usual(owner)) : input.number(owner);
      if (number < input.field.least) continue;
      filled.push_back({std::string(input.field.name), value_of(input.field, number)});
    }
  }
  return filled;
}

}  // namespace commcost
