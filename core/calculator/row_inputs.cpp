#include "core/calculator/row_inputs.h"

#include <utility>

namespace commcost {

std::string row_name(std::string_view list, std::size_t at) {
  return std::string(list) + "[" + text_of(static_cast<double>(at)) + "]";
}

Problem within(const std::string& row, Problem problem) {
  problem.field = row + "." + problem.field;
  problem.message = row + ": " + problem.message;
  return problem;
}

Problems read_row(const std::string& name, const Value& row, const FieldIndex& fields, const RowWords& words,
                  void* inputs) {
  Problems problems;
  if (row.object() == nullptr) return {must_be(name, ProblemCode::wrong_type, "an object", text_of(row))};
  for (const Member& member : *row.object()) {
    if (fields.find(member.name) < fields.places().size()) continue;
    problems.push_back(within(name, {shortened(member.name), ProblemCode::unknown_field,
                                     shortened(member.name) + " is not an input of " + std::string(words.of),
                                     std::string(words.allowed)}));
  }
  for (const FieldIndex::Place& place : fields.places()) {
    const InputField& input = *place.input;
    const Value* given = row.find(input.field.name);
    const std::string_view former = input.field.former;
    Value converted;
    if (const Value* before = former.empty() ? nullptr : row.find(former); before != nullptr) {
      if (given != nullptr) problems.push_back(within(name, given_twice(input.field)));
      given = before;
      if (before->number() != nullptr) {
        converted = Value(modern(input.field, *before->number()));
        given = &converted;
      }
    }
    if (given == nullptr && input.field.name != words.required) continue;
    // The row is checked in place and used afterwards: no copy.
    static const Value nothing;
    const Outcome<FieldValue> checked = check(input.field, given == nullptr ? nothing : *given);
    if (checked) {
      input.assign(place.select(inputs), *checked);
    } else {
      problems.push_back(within(name, checked.problems().front()));
    }
  }
  return problems;
}

Problems unstated(const std::string& name, const FieldIndex& fields, void* inputs) {
  Problems problems;
  for (const FieldIndex::Place& place : fields.places()) {
    const InputField& input = *place.input;
    if (!input.field.required || input.member == nullptr) continue;
    if (input.number(place.select(inputs)) >= input.field.least) continue;
    const std::string field(input.field.name);
    problems.push_back(within(
        name, {field, ProblemCode::missing, field + " is missing: neither the row nor the call states it",
               allowed_in(input.field)}));
  }
  return problems;
}

}  // namespace commcost
