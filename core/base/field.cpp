#include "core/base/field.h"

#include <cassert>
#include <cmath>

#include "core/base/letters.h"
#include "core/base/name_list.h"
#include "core/base/nearest_name.h"

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

// No calculation has as many.
constexpr std::size_t most_fields = 256;

// At most this many unknown keys are reported per call.
constexpr std::size_t most_named = 100;

class UnknownKeys {
 public:
  UnknownKeys(std::string_view calculation, const FieldIndex& fields)
      : calculation_(calculation), fields_(fields) {}

  void add(std::string_view name) {
    if (names_.size() < most_named) names_.push_back(name);
    ++count_;
  }
  void add_unnamed(std::size_t count) { count_ += count; }

  void add_problems(Problems& problems) const {
    if (count_ == 0) return;
    std::vector<std::string_view> inputs;
    for (const FieldIndex::Place& place : fields_.places()) inputs.push_back(place.input->field.name);
    const std::string allowed = inputs.empty() ? "no inputs" : joined(inputs);
    const std::string calculation(calculation_);
    std::optional<std::size_t> unlike;
    for (const std::string_view name : names_) {
      std::string message = shortened(std::string(name)) + " is not an input of " + calculation;
      const auto near = nearest_name(name, inputs);
      if (near) message += "; did you mean " + std::string(*near) + '?';
      if (!near) unlike = problems.size();
      problems.push_back({std::string(name), ProblemCode::unknown_field, std::move(message), allowed});
    }
    // The full list of inputs once, after the last key that resembles none of them.
    if (unlike) problems[*unlike].message += "; its inputs are: " + allowed;
    if (count_ == names_.size()) return;
    const std::string more = text_of(static_cast<double>(count_ - names_.size()));
    problems.push_back(
        {"inputs", ProblemCode::unknown_field, more + " more are not inputs of " + calculation, allowed});
  }

 private:
  std::string_view calculation_;
  const FieldIndex& fields_;
  std::vector<std::string_view> names_;
  std::size_t count_ = 0;
};

bool is_number(const Field& field) {
  return field.kind == FieldKind::whole || field.kind == FieldKind::real;
}

Outcome<FieldValue> check_number(const Field& field, const Value& value) {
  const double* number = value.number();
  if (number == nullptr) return problem_of(field, ProblemCode::wrong_type, value);
  if (const auto code = refusal(field, *number)) return problem_of(field, *code, value);
  return FieldValue{*number, &value};
}

Outcome<FieldValue> check_choice(const Field& field, const Value& value) {
  const std::string* text = value.text();
  if (text == nullptr) return problem_of(field, ProblemCode::wrong_type, value);
  for (std::size_t index = 0; index < field.choices.size(); ++index) {
    if (field.choices[index] == *text) return FieldValue{static_cast<double>(index), &value};
  }
  for (std::size_t index = 0; index < field.aliases.size(); ++index) {
    if (names_one_of(field.aliases[index], *text)) return FieldValue{static_cast<double>(index), &value};
  }
  return problem_of(field, ProblemCode::not_a_choice, value);
}

// Some of the choices, as bits in their order.
Outcome<FieldValue> check_choices(const Field& field, const Value& value) {
  std::uint32_t chosen = 0;
  for (const Value& one : *value.list()) {
    Outcome<FieldValue> place = check_choice(field, one);
    if (!place) return place;
    chosen |= std::uint32_t{1} << static_cast<int>(place->number);
  }
  if (chosen == 0 && field.least > 0) return problem_of(field, ProblemCode::out_of_range, value);
  return FieldValue{static_cast<double>(chosen), &value};
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

std::string label_of(std::string_view name, std::string_view own) {
  if (!own.empty()) return std::string(own);
  for (const std::string_view unit : {"_bytes", "_us", "_ms", "_gib", "_percent", "_tflops"}) {
    if (name.ends_with(unit)) name.remove_suffix(unit.size());
  }
  std::string words(name);
  for (char& letter : words) {
    if (letter == '_') letter = ' ';
  }
  // Names spell as one word, or as two, what the trade hyphenates.
  for (const auto& [spelt, written] :
       {std::pair{"allreduce", "all-reduce"}, std::pair{"micro batch", "micro-batch"}}) {
    const std::size_t at = words.find(spelt);
    if (at != std::string::npos) words.replace(at, std::string_view(spelt).size(), written);
  }
  if (!words.empty()) words[0] = upper(words[0]);
  return words;
}

std::string allowed_in(const Field& field) {
  switch (field.kind) {
    case FieldKind::whole:
      return "a whole number from " + range_of(field);
    case FieldKind::real:
      if (field.least == 0 && field.greatest > least_above_zero) {
        return "0 or a number from " + text_of(least_above_zero) + " to " + text_of(field.greatest);
      }
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
      if (!field.choices.empty()) return "a list of some of " + joined(field.choices);
      return "a list of " + range_of(field) + " objects";
    case FieldKind::object:
      return "an object";
    case FieldKind::lists:
      return "a list of lists";
  }
  return "";
}

std::optional<ProblemCode> refusal(const Field& field, double number) {
  if (!std::isfinite(number)) return ProblemCode::not_finite;
  if (field.kind == FieldKind::whole && number != std::trunc(number)) return ProblemCode::not_whole;
  const bool negligible = field.least == 0 && number != 0 && number < least_above_zero;
  if (number < field.least || number > field.greatest || negligible) return ProblemCode::out_of_range;
  return std::nullopt;
}

Value value_of(const Field& field, double number) {
  if (field.kind == FieldKind::choice) return field.choices[static_cast<std::size_t>(number)];
  if (field.kind == FieldKind::flag) return number != 0;
  return number;
}

Value value_of(const InputField& input, const void* owner) {
  return value_of(input.field, input.number(owner));
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
      if (!field.choices.empty()) return check_choices(field, value);
      return check_length(field, value, value.list()->size());
    case FieldKind::object:
      if (value.object() == nullptr) return problem_of(field, ProblemCode::wrong_type, value);
      return FieldValue{0, &value};
    case FieldKind::lists:
      break;
  }
  return problem_of(field, ProblemCode::wrong_type, value);
}

namespace {

// FNV-1a.
std::size_t hash_of(std::string_view name) {
  std::uint32_t hash = 2166136261u;
  for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619u;
  return hash ^ (hash >> 15);
}

Problem not_an_object(std::string_view calculation, const Value& given) {
  const std::string name(calculation);
  return {"inputs", ProblemCode::wrong_type,
          "the inputs of " + name + " must be an object; got " + text_of(given), "an object"};
}

}  // namespace

std::optional<Problem> read_input(const FieldIndex::Place& place, WireReader given, bool formerly,
                                  void* inputs) {
  const InputField& input = *place.input;
  const Field& field = input.field;
  // Numbers are by far the most common, so they are checked in place.
  if (is_number(field) && given.next() == WireTag::number) {
    const double as_given = given.number();
    const double number = formerly ? modern(field, as_given) : as_given;
    if (const auto code = refusal(field, number)) return problem_of(field, *code, Value(number));
    input.assign(place.select(inputs), {number, nullptr});
    return std::nullopt;
  }
  const Value value = given.value();
  const Outcome<FieldValue> checked = check(field, value);
  if (!checked) return checked.problems().front();
  input.assign(place.select(inputs), *checked);
  return std::nullopt;
}

FieldIndex::FieldIndex(std::span<const FieldGroup> groups) {
  for (const FieldGroup& group : groups) {
    for (const InputField& input : group.fields) places_.push_back({&input, group.select, 0, false});
  }
  std::size_t names = places_.size();
  for (const Place& place : places_) names += place.input->field.former.empty() ? 0 : 1;
  std::size_t size = 2;
  while (size < 2 * names) size *= 2;
  slots_.assign(size, static_cast<std::uint16_t>(places_.size()));
  for (std::size_t place = 0; place < places_.size(); ++place) {
    const Field& field = places_[place].input->field;
    add(field.name, place);
    if (!field.former.empty()) add(field.former, place);
  }
  for (Place& place : places_) {
    place.preset = find(place.input->field.filled_by);
    if (place.preset < places_.size()) places_[place.preset].fills = true;
  }
}

void FieldIndex::add(std::string_view name, std::size_t place) {
  std::size_t slot = hash_of(name) & (slots_.size() - 1);
  while (slots_[slot] != places_.size()) slot = (slot + 1) & (slots_.size() - 1);
  slots_[slot] = static_cast<std::uint16_t>(place);
}

std::size_t FieldIndex::find(std::string_view name) const {
  const auto holds = [&](const Field& field) {
    return field.name == name || (!name.empty() && field.former == name);
  };
  std::size_t slot = hash_of(name) & (slots_.size() - 1);
  while (slots_[slot] != places_.size() && !holds(places_[slots_[slot]].input->field)) {
    slot = (slot + 1) & (slots_.size() - 1);
  }
  return slots_[slot];
}

FieldIndex::Given FieldIndex::next_of(WireReader& object) const {
  if (const std::optional<std::size_t> place = object.place()) {
    return *place < places_.size() ? Given{*place, places_[*place].input->field.name}
                                   : Given{places_.size(), ""};
  }
  const std::string_view name = object.name();
  return {find(name), name};
}

std::string renaming_of(const Field& field) {
  std::string says = std::string(field.former) + " is now called " + std::string(field.name);
  if (field.former_product > 0) says += ", which is " + text_of(Value(field.former_product)) + " over it";
  return says;
}

Problem given_twice(const Field& field) {
  const std::string name(field.name);
  const std::string former(field.former);
  return {name, ProblemCode::inconsistent, name + " is also given as " + former + ", its former name",
          "either " + name + " or " + former};
}

Problems read_inputs(std::string_view calculation, const FieldIndex& fields, WireReader object, void* inputs,
                     Notes* notes) {
  if (object.next() != WireTag::object) return {not_an_object(calculation, object.value())};
  const std::span<const FieldIndex::Place> places = fields.places();
  // By place; on the stack, since every call needs them.
  std::string_view given[most_fields];
  bool formerly[most_fields] = {};
  assert(places.size() <= most_fields);
  UnknownKeys unknown(calculation, fields);
  Problems problems;
  const auto [count, left_out] = object.object();
  for (std::size_t member = 0; member < count; ++member) {
    const auto [place, name] = fields.next_of(object);
    const std::string_view value = object.skip();
    if (place == places.size()) {
      unknown.add(name);
      continue;
    }
    const Field& field = places[place].input->field;
    if (!field.former.empty() && !given[place].empty()) problems.push_back(given_twice(field));
    formerly[place] = name != field.name;
    if (notes != nullptr && formerly[place]) notes->push_back(renaming_of(field));
    given[place] = value;
  }
  unknown.add_unnamed(left_out);

  bool holds[most_fields] = {};
  for (std::size_t place = 0; place < places.size(); ++place) {
    const InputField& input = *places[place].input;
    const std::size_t preset = places[place].preset;
    holds[place] = !given[place].empty() || input.usual != nullptr;
    if (given[place].empty() && input.usual != nullptr) {
      void* owner = places[place].select(inputs);
      input.assign(owner, {static_cast<double>(input.usual(owner)), nullptr});
    } else if (given[place].empty() && preset < place && holds[preset]) {
      continue;
    } else if (!given[place].empty() || input.field.required) {
      auto problem = read_input(places[place], WireReader(given[place]), formerly[place], inputs);
      if (problem) problems.push_back(*std::move(problem));
    } else if (!std::isnan(input.field.default_value)) {
      input.assign(places[place].select(inputs), {input.field.default_value, nullptr});
    }
  }
  unknown.add_problems(problems);
  return problems;
}

}  // namespace commcost
