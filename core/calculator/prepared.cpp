#include "core/calculator/prepared.h"

#include <algorithm>
#include <cstring>

#include "core/calculator/calculations.h"
#include "core/calculator/engine.h"

namespace commcost {

Prepared::Prepared(const Calculation& calculation, WireReader inputs)
    : Prepared(calculation, inputs, calculation.opened_alone()) {}

Prepared::Prepared(const Calculation& calculation, WireReader inputs, std::unique_ptr<Worker> worker)
    : calculation_(calculation), fields_(fields_of(calculation)), worker_(std::move(worker)) {
  if (inputs.next() != WireTag::object) {
    no_object_ = inputs.skip();
    return;
  }
  const auto [count, left_out] = inputs.object();
  left_out_ = left_out;
  for (std::size_t member = 0; member < count; ++member) {
    const auto [place, name] = fields_.next_of(inputs);
    given_.push_back({std::string(name), place, std::string(inputs.skip())});
  }
}

Prepared::Given* Prepared::find(std::string_view name) {
  const auto at =
      std::find_if(given_.begin(), given_.end(), [name](const Given& given) { return given.name == name; });
  return at == given_.end() ? nullptr : &*at;
}

bool Prepared::set(std::string_view name, std::string_view value) {
  Given* given = find(name);
  if (value.empty()) {
    if (given == nullptr) return false;
    given_.erase(given_.begin() + (given - given_.data()));
    read_ = false;
    return true;
  }
  if (given == nullptr) {
    given = &given_.emplace_back(Given{std::string(name), fields_.find(name), {}});
  } else if (given->value == value) {
    return false;
  }
  given->value = value;
  read_ = read_ && problems_.empty() && read_alone(*given);
  return true;
}

bool Prepared::set(std::size_t place, double number) {
  char tagged[1 + sizeof number] = {static_cast<char>(WireTag::number)};
  std::memcpy(tagged + 1, &number, sizeof number);
  return set(fields_.places()[place].input->field.name, {tagged, sizeof tagged});
}

// Nothing else may depend on the field, and it may have no other name.
bool Prepared::read_alone(const Given& given) {
  if (given.place == fields_.places().size()) return false;
  const FieldIndex::Place& place = fields_.places()[given.place];
  if (place.fills || place.input->is_preset() || given.name != place.input->field.name) return false;
  const auto twice = [&](const Given& other) { return &other != &given && other.place == given.place; };
  if (std::any_of(given_.begin(), given_.end(), twice)) return false;
  return !read_input(place, WireReader(given.value), false, worker_->inputs());
}

void Prepared::read_all() {
  WireBytes wire;
  WireWriter to(wire);
  if (no_object_.empty()) {
    to.object(given_.size(), left_out_);
    for (const Given& given : given_) to.name(given.name), to.written(given.value);
  } else {
    to.written(no_object_);
  }
  notes_.clear();
  problems_ = read_inputs(calculation_.name, fields_, WireReader(wire), worker_->cleared_inputs(), &notes_);
  read_ = true;
  ++readings_;
}

Problems Prepared::run(WireWriter& results) {
  if (!read_) read_all();
  return problems_.empty() ? commcost::run(calculation_, *worker_, notes_, results) : problems_;
}

}  // namespace commcost
