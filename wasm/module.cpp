#include <emscripten/bind.h>
#include <emscripten/val.h>

#include "core/calculator/engine.h"

// Plain values both ways: what JavaScript passes is copied in, what it receives is its own, nothing is to be
// freed.
namespace commcost {
namespace {

using emscripten::typed_memory_view;
using emscripten::val;

Value from_js(const val& js, int depth);

// Deeper than any input of ours; a cyclic object ends here instead of on the stack's end.
constexpr int deepest = 8;

Value from_array(const val& js, int depth) {
  const auto length = js["length"].as<std::size_t>();
  Value::List list;
  list.reserve(length);
  bool numbers = length > 0;
  for (std::size_t i = 0; i < length; ++i) {
    list.push_back(from_js(js[i], depth + 1));
    numbers = numbers && list.back().number() != nullptr;
  }
  if (!numbers) return list;
  Value::Numbers plain;
  plain.reserve(length);
  for (const Value& value : list) plain.push_back(*value.number());
  return plain;
}

Value from_object(const val& js, int depth) {
  const val keys = val::global("Object").call<val>("keys", js);
  const auto length = keys["length"].as<std::size_t>();
  Value::Object members;
  members.reserve(length);
  for (std::size_t i = 0; i < length; ++i) {
    const val key = keys[i];
    const val member = js[key];
    // A key that is set to undefined is as good as absent.
    if (!member.isUndefined()) members.push_back({key.as<std::string>(), from_js(member, depth + 1)});
  }
  return members;
}

Value from_js(const val& js, int depth) {
  if (js.isUndefined() || js.isNull()) return {};
  const auto type = js.typeOf().as<std::string>();
  if (type == "number") return js.as<double>();
  if (type == "boolean") return js.as<bool>();
  if (type == "string") return js.as<std::string>();
  // What has no plain counterpart (a function, a bigint) is refused wherever it stands: no field takes an
  // empty object.
  if (type != "object" || depth > deepest) return Value(Value::Object{});
  if (js.instanceof (val::global("Float64Array"))) {
    return Value(emscripten::convertJSArrayToNumberVector<double>(js));
  }
  if (js.isArray()) return from_array(js, depth);
  return from_object(js, depth);
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
  return to_js(run(calculation, from_js(inputs, 0)));
}

val run_sweep(const val& request) {
  return to_js(sweep(from_js(request, 0)));
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
