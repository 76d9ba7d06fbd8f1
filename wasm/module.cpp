#include <emscripten/bind.h>

#include "core/calculator/calculations.h"
#include "core/calculator/engine.h"

namespace commcost {
namespace {

// One call at a time: JavaScript writes the inputs where input() says and reads the answer before it calls
// again. Numbers alone cross by Embind, at 0.1 us a call: a val or a string would cost ten times that.
std::string given;
std::string answered;

// Longer buffers are given back after a call: one long trace would keep its room for good.
constexpr std::size_t kept = 65536;

double input(double size) {
  given.resize(static_cast<std::size_t>(size));
  return static_cast<double>(reinterpret_cast<std::uintptr_t>(given.data()));
}

/// An answer begins with whether there is a result, then comes that, or else the problems.
double answer(Problems (*ask)(WireReader given, WireWriter& to, double which), double which) {
  if (answered.capacity() > kept) answered = {};
  answered.clear();
  WireWriter to(answered);
  to.flag(true);
  const Problems problems = ask(WireReader(given), to, which);
  if (given.capacity() > kept) given = {};
  if (!problems.empty()) {
    answered.clear();
    WireWriter instead(answered);
    instead.flag(false);
    instead.value(value_of(problems));
  }
  return static_cast<double>(answered.size());
}

/// Runs the calculation of that place in describe(); returns the size of the answer.
double run_calculation(double place) {
  return answer(
      [](WireReader inputs, WireWriter& to, double which) {
        return run(*all_calculations()[static_cast<std::size_t>(which)], inputs, to);
      },
      place);
}

double run_sweep() {
  return answer([](WireReader request, WireWriter& to, double) { return sweep(request, to); }, 0);
}

double run_resolve_inputs() {
  return answer([](WireReader request, WireWriter& to, double) { return resolve_inputs(request, to); }, 0);
}

double describe_all() {
  return answer(
      [](WireReader, WireWriter& to, double) {
        to.value(describe());
        return Problems();
      },
      0);
}

double output() {
  return static_cast<double>(reinterpret_cast<std::uintptr_t>(answered.data()));
}

}  // namespace
}  // namespace commcost

EMSCRIPTEN_BINDINGS(commcost) {
  emscripten::function("input", &commcost::input);
  emscripten::function("run", &commcost::run_calculation);
  emscripten::function("sweep", &commcost::run_sweep);
  emscripten::function("resolve_inputs", &commcost::run_resolve_inputs);
  emscripten::function("describe", &commcost::describe_all);
  emscripten::function("output", &commcost::output);
}
