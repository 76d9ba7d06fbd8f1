#include <emscripten/bind.h>
#include <emscripten/val.h>

#include "core/calculator/engine.h"
#include "tape.h"

namespace commcost {
namespace {

using emscripten::typed_memory_view;
using emscripten::val;

// One call at a time: JavaScript writes its inputs where `inputs` says, and copies the answer before it calls
// again.
std::string written;
std::string answered;

val view(std::string& tape) {
  return val(typed_memory_view(tape.size(), reinterpret_cast<unsigned char*>(tape.data())));
}

val inputs(std::size_t size) {
  written.resize(size);
  return view(written);
}

/// What was written; its room is given back, since one long trace would keep it for good.
Value taken() {
  Value value = value_on(written);
  written = {};
  return value;
}

/// Whether there is a result, then that, or else the problems.
val answer(const Outcome<Value>& outcome) {
  answered = {};
  write(static_cast<bool>(outcome), answered);
  write(outcome ? *outcome : value_of(outcome.problems()), answered);
  return view(answered);
}

val run_calculation(const std::string& calculation) {
  return answer(run(calculation, taken()));
}

val run_sweep() {
  return answer(sweep(taken()));
}

val describe_all() {
  return answer(describe());
}

}  // namespace
}  // namespace commcost

EMSCRIPTEN_BINDINGS(commcost) {
  emscripten::function("inputs", &commcost::inputs);
  emscripten::function("run", &commcost::run_calculation);
  emscripten::function("sweep", &commcost::run_sweep);
  emscripten::function("describe", &commcost::describe_all);
}
