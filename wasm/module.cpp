#include <emscripten/bind.h>
#include <emscripten/val.h>

#include "core/calculator/engine.h"

// Plain values both ways: what JavaScript passes is copied in, what it receives is its own, nothing is to be
// freed.
namespace commcost {
namespace {

using emscripten::typed_memory_view;
using emscripten::val;

Value from_js(const val& js);

Value from_array(const val& js) {
  const auto length = js["length"].as<std::size_t>();
  Value::List list;
  list.reserve(length);
  for (std::size_t i = 0; i < length; ++i) list.push_back(from_js(js[i]));
  return list;
}

Value from_object(const val& js) {
  const val keys = val::global("Object").call<val>("keys", js);
  const auto length = keys["length"].as<std::size_t>();
  Value::Object members;
  members.reserve(length);
  for (std::size_t i = 0; i < length; ++i) {
    const val key = keys[i];
    members.push_back({key.as<std::string>(), from_js(js[key])});
  }
  return members;
}

// What web/engine/plain.ts lets through: nothing else, nothing nested deeply, nothing too long.
Value from_js(const val& js) {
  if (js.isUndefined() || js.isNull()) return {};
  const auto type = js.typeOf().as<std::string>();
  if (type == "number") return js.as<double>();
  if (type == "boolean") return js.as<bool>();
  if (type == "string") return js.as<std::string>();
  if (type == "symbol") return Foreign{js["description"].as<std::string>()};
  if (js.instanceof (val::global("Float64Array"))) {
    return Value(emscripten::convertJSArrayToNumberVector<double>(js));
  }
  return js.isArray() ? from_array(js) : from_object(js);
}

val to_js(const Value& value) {
  if (const bool* flag = value.flag()) return val(*flag);
  if (const double* number = value.number()) return val(*number);
  if (const std::string* text = value.text()) return val(*text);
  if (const Value::Numbers* numbers = value.numbers()) {
    // new Float64Array(view) copies: the view itself would dangle once memory grows.
    return val::global("Float64Array").new_(typed_memory_view(numbers->size(), numbers->data()));
  }
  if (const Value::List* list = value.list()) {
    val array = val::array();
    for (std::size_t i = 0; i < list->size(); ++i) array.set(i, to_js((*list)[i]));
    return array;
  }
  if (const Value::Object* members = value.object()) {
    val object = val::object();
    for (const Member& member : *members) object.set(member.name, to_js(member.value));
    return object;
  }
  return val::null();
}

val to_js(const Outcome<Value>& outcome) {
  val answer = val::object();
  if (outcome.ok()) {
    answer.set("value", to_js(outcome.value()));
  } else {
    answer.set("problems", to_js(value_of(outcome.problems())));
  }
  return answer;
}

val run_calculation(const std::string& calculation, const val& inputs) {
  return to_js(run(calculation, from_js(inputs)));
}

val run_sweep(const val& request) {
  return to_js(sweep(from_js(request)));
}

val describe_all() {
  return to_js(describe());
}

}  // namespace
}  // namespace commcost

EMSCRIPTEN_BINDINGS(commcost) {
  emscripten::function("run", &commcost::run_calculation);
  emscripten::function("sweep", &commcost::run_sweep);
  emscripten::function("describe", &commcost::describe_all);
}
