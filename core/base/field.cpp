#include "core/base/field.h"

#include <cmath>

namespace commcost {
namespace {

std::string joined(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) {
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text;
}

std::string range_of(const Field& field) {
  return text_of(field.least) + " to " + text_of(field.greatest);
}

Problem problem_of(const Field& field, ProblemCode code, const Value& value) {
  const std::string allowed = allowed_in(field);
  if (code != ProblemCode::missing) return must_be(field.name, code, allowed, text_of(value));
  const std::string name(field.name);
  return {name, code, name + " is missing; it must be " + allowed, allowed};
}

Problem unknown(std::string_view calculation, std::span<const FieldGroup> groups, const std::string& name) {
  std::vector<std::string_view> names;
  for (const FieldGroup& group : groups) {
    for (const InputField& input : group.fields) names.push_back(input.field.name);
  }
  const std::string allowed = names.empty() ? "no inputs" : joined(names);
  return {
      name, ProblemCode::unknown_field,
      shortened(name) + " is not an input of " + std::string(calculation) + "; its inputs are: " + allowed,
      allowed};
}

Outcome<FieldValue> check_number(const Field& field, const Value& value) {
  const double* number = value.number();
  if (number == nullptr) return problem_of(field, ProblemCode::wrong_type, value);
  if (!std::isfinite(*number)) return problem_of(field, ProblemCode::not_finite, value);
  if (field.kind == FieldKind::whole && *number != std::trunc(*number)) {
    return problem_of(field, ProblemCode::not_whole, value);
  }
  if (*number < field.least || *number > field.greatest) {
    return problem_of(field, ProblemCode::out_of_range, value);
  }
  return FieldValue{*number, &value};
}

Outcome<FieldValue> check_choice(const Field& field, const Value& value) {
  const std::string* text = value.text();
  if (text == nullptr) return problem_of(field, ProblemCode::wrong_type, value);
  for (std::size_t index = 0; index < field.choices.size(); ++index) {
    if (field.choices[index] == *text) return FieldValue{static_cast<double>(index), &value};
  }
  return problem_of(field, ProblemCode::not_a_choice, value);
}

Outcome<FieldValue> check_length(const Field& field, const Value& value, std::size_t length) {
  const auto size = static_cast<double>(length);
  if (size < field.least || size > field.greatest) {
    Problem problem = problem_of(field, ProblemCode::out_of_range, value);
    problem.message += " of length " + text_of(size);
    return problem;
  }
  return FieldValue{0, &value};
}

Outcome<FieldValue> check_numbers(const Field& field, const Value& value) {
  static const Value::Numbers none;
  const bool empty_list = value.list() != nullptr && value.list()->empty();
  const Value::Numbers* numbers = empty_list ? &none : value.numbers();
  if (numbers == nullptr) return problem_of(field, ProblemCode::wrong_type, value);
  for (const double number : *numbers) {
    if (!std::isfinite(number)) return problem_of(field, ProblemCode::not_finite, Value(number));
  }
  return check_length(field, value, numbers->size());
}

}  // namespace

std::string_view name_of(FieldKind kind) {
  switch (kind) {
    case FieldKind::whole:
      return "whole";
    case FieldKind::real:
      return "real";
    case FieldKind::choice:
      return "choice";
    case FieldKind::flag:
      return "flag";
    case FieldKind::text:
      return "text";
    case FieldKind::numbers:
      return "numbers";
    case FieldKind::list:
      return "list";
    case FieldKind::object:
      return "object";
    case FieldKind::lists:
      return "lists";
  }
  return "";
}

std::string allowed_in(const Field& field) {
  switch (field.kind) {
    case FieldKind::whole:
      return "a whole number from " + range_of(field);
    case FieldKind::real:
      return "a number from " + range_of(field);
    case FieldKind::choice:
      return "one of " + joined(field.choices);
    case FieldKind::flag:
      return "true or false";
    case FieldKind::text:
      return "text of " + range_of(field) + " bytes";
    case FieldKind::numbers:
      return "a list of " + range_of(field) + " finite numbers";
    case FieldKind::list:
      return "a list of " + range_of(field) + " objects";
    case FieldKind::object:
      return "an object";
    case FieldKind::lists:
      return "a list of lists";
  }
  return "";
}

Outcome<FieldValue> check(const Field& field, const Value& value) {
  if (value.empty()) return problem_of(field, ProblemCode::missing, value);
  switch (field.kind) {
    case FieldKind::whole:
    case FieldKind::real:
      return check_number(field, value);
    case FieldKind::choice:
      return check_choice(field, value);
    case FieldKind::flag:
      if (value.flag() == nullptr) return problem_of(field, ProblemCode::wrong_type, value);
      return FieldValue{*value.flag() ? 1.0 : 0.0, &value};
    case FieldKind::text:
      if (value.text() == nullptr) return problem_of(field, ProblemCode::wrong_type, value);
      return check_length(field, value, value.text()->size());
    case FieldKind::numbers:
      return check_numbers(field, value);
    case FieldKind::list:
      if (value.list() == nullptr) return problem_of(field, ProblemCode::wrong_type, value);
      return check_length(field, value, value.list()->size());
    case FieldKind::object:
      if (value.object() == nullptr) return problem_of(field, ProblemCode::wrong_type, value);
      return FieldValue{0, &value};
    case FieldKind::lists:
      break;
  }
  return problem_of(field, ProblemCode::wrong_type, value);
}

Problems read_inputs(std::string_view calculation, std::span<const FieldGroup> groups, const Value& object,
                     void* inputs) {
  const Value::Object* members = object.object();
  if (members == nullptr) {
    const std::string name(calculation);
    return {{"inputs", ProblemCode::wrong_type,
             "the inputs of " + name + " must be an object; got " + text_of(object), "an object"}};
  }
  static const Value nothing;
  Problems problems;
  const auto is_filled = [&](const Field& field) {
    return !field.filled_by.empty() && object.find(field.filled_by) != nullptr;
  };
  for (const FieldGroup& group : groups) {
    void* owner = group.select(inputs);
    for (const InputField& input : group.fields) {
      const Value* given = object.find(input.field.name);
      if (given == nullptr && is_filled(input.field)) continue;
      if (given == nullptr && !input.field.required) {
        if (!std::isnan(input.field.default_value)) input.assign(owner, {input.field.default_value, nullptr});
        continue;
      }
      const Outcome<FieldValue> checked = check(input.field, given == nullptr ? nothing : *given);
      if (checked) {
        input.assign(owner, *checked);
      } else {
        problems.push_back(checked.problems().front());
      }
    }
  }
  for (const Member& member : *members) {
    bool known = false;
    for (const FieldGroup& group : groups) {
      for (const InputField& input : group.fields) known = known || input.field.name == member.name;
    }
    if (!known) problems.push_back(unknown(calculation, groups, member.name));
  }
  return problems;
}

}  // namespace commcost
