#include "core/base/result.h"

namespace commcost {

Value value_of(std::span<const ResultField> fields, const void* results) {
  Value::Object members;
  members.reserve(fields.size());
  for (const ResultField& field : fields) {
    members.push_back({std::string(field.name), field.value(field, results)});
  }
  return members;
}

}  // namespace commcost
