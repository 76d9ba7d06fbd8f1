#include <emscripten/bind.h>

#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include "core/calculator/calculations.h"
#include "core/calculator/engine.h"
#include "core/calculator/prepared.h"

namespace commcost {
namespace {

// One call at a time: JavaScript writes the inputs where input() says and reads the answer before it calls
// again. Numbers alone cross by Embind, and as few as can be: they cost 0.1 us a call, a val or a string ten
// times that.
/// Bytes of inputs that have one place, and of answers whose room is kept.
constexpr std::size_t usual = 65536;
char given[usual];
WireBytes
    given_longer;  // beyond that; given back after a call, as one long trace would keep its room for good
WireBytes answered;

/// Where inputs of so many bytes are to be written; always the same place for those of up to `usual`.
double input(double size) {
  const auto bytes = static_cast<std::size_t>(size);
  given_longer.clear();
  char* place = bytes > usual ? given_longer.add(bytes) : given;
  return static_cast<double>(reinterpret_cast<std::uintptr_t>(place));
}

/// The `size` bytes written where input() said.
std::string_view given_bytes(double size) {
  const auto bytes = static_cast<std::size_t>(size);
  return {bytes > usual ? given_longer.data() : given, bytes};
}

/// The address of the answer to inputs of that size: a u32 of its size, whether there is a result, then that,
/// or otherwise the problems.
double answer(Problems (*ask)(WireReader given, WireWriter& to, double which), double size, double which) {
  if (answered.capacity() > usual) answered = {};
  answered.clear();
  answered.add(sizeof(std::uint32_t));
  WireWriter to(answered);
  to.flag(true);
  const Problems problems = ask(WireReader(given_bytes(size)), to, which);
  if (given_longer.capacity() > 0) given_longer = {};
  if (!problems.empty()) {
    answered.clear();
    answered.add(sizeof(std::uint32_t));
    WireWriter instead(answered);
    instead.flag(false);
    instead.value(value_of(problems));
  }
  const auto written = static_cast<std::uint32_t>(answered.size());
  std::memcpy(answered.data(), &written, sizeof written);
  return static_cast<double>(reinterpret_cast<std::uintptr_t>(answered.data()));
}

/// The calculation at that place in describe().
const Calculation& calculation_at(double place) {
  return *all_calculations()[static_cast<std::size_t>(place)];
}

/// Runs it. Those that remember something do so from call to call, whichever of them is called.
double run_calculation(double size, double place) {
  return answer(
      [](WireReader inputs, WireWriter& to, double which) {
        const Calculation& calculation = calculation_at(which);
        if (!calculation.remembers) return run(calculation, inputs, to);
        static Memories memories;
        static std::map<const Calculation*, std::unique_ptr<Worker>> workers;
        std::unique_ptr<Worker>& worker = workers[&calculation];
        if (!worker) worker = calculation.open(memories);
        return run(calculation, *worker, inputs, to);
      },
      size, place);
}

/// What JavaScript holds by handles, which begin with 1.
template <class T>
class Held {
 public:
  double add(std::unique_ptr<T> held) {
    std::size_t free = 0;
    while (free < all_.size() && all_[free]) ++free;
    if (free == all_.size()) all_.emplace_back();
    all_[free] = std::move(held);
    return static_cast<double>(free + 1);
  }
  std::unique_ptr<T>& at(double handle) { return all_[static_cast<std::size_t>(handle) - 1]; }

 private:
  std::vector<std::unique_ptr<T>> all_;
};

/// A text of which pieces have come.
struct OpenText {
  const Calculation* calculation;
  std::unique_ptr<TextReader> reader;
};
Held<OpenText> open_texts;
Held<Prepared> prepared;

/// Opens the text of the calculation at that place: its handle, or 0 if it takes none in pieces.
double open_pieces(double place) {
  const Calculation& calculation = calculation_at(place);
  if (calculation.pieces == nullptr) return 0;
  return open_texts.add(std::make_unique<OpenText>(OpenText{&calculation, calculation.pieces->open()}));
}

/// Reads a piece of up to `usual` bytes.
void add_piece(double size, double handle) {
  open_texts.at(handle)->reader->read({given, static_cast<std::size_t>(size)});
}

void close_pieces(double handle) {
  open_texts.at(handle).reset();
}

/// Runs the calculation on all pieces, with inputs of that size, and closes them.
double run_pieces(double size, double handle) {
  return answer(
      [](WireReader inputs, WireWriter& to, double which) {
        const std::unique_ptr<OpenText> text = std::move(open_texts.at(which));
        return run(*text->calculation, inputs, to, text->reader.get());
      },
      size, handle);
}

/// Prepares the calculation at that place for inputs of that size: its handle.
double prepare(double size, double place) {
  const WireReader inputs(given_bytes(size));
  const double handle = prepared.add(std::make_unique<Prepared>(calculation_at(place), inputs));
  given_longer = {};
  return handle;
}

/// Sets an input of it: a text, its name, then its value, or nothing to remove it.
void set_prepared(double size, double handle) {
  WireReader given(given_bytes(size));
  const std::string_view name = given.text();
  prepared.at(handle)->set(name, given.rest());
  given_longer = {};
}

/// The same for a number, in the input at that place among the calculation's.
void set_number(double number, double place, double handle) {
  prepared.at(handle)->set(static_cast<std::size_t>(place), number);
}

double run_prepared(double handle) {
  return answer([](WireReader, WireWriter& to, double which) { return prepared.at(which)->run(to); }, 0,
                handle);
}

void close_prepared(double handle) {
  prepared.at(handle).reset();
}

double run_sweep(double size) {
  return answer([](WireReader request, WireWriter& to, double) { return sweep(request, to); }, size, 0);
}

double run_resolve_inputs(double size) {
  return answer([](WireReader request, WireWriter& to, double) { return resolve_inputs(request, to); }, size,
                0);
}

double describe_all() {
  return answer(
      [](WireReader, WireWriter& to, double) {
        to.value(describe());
        return Problems();
      },
      0, 0);
}

}  // namespace
}  // namespace commcost

EMSCRIPTEN_BINDINGS(commcost) {
  emscripten::constant("usual_bytes", static_cast<double>(commcost::usual));
  emscripten::function("input", &commcost::input);
  emscripten::function("run", &commcost::run_calculation);
  emscripten::function("open_pieces", &commcost::open_pieces);
  emscripten::function("add_piece", &commcost::add_piece);
  emscripten::function("run_pieces", &commcost::run_pieces);
  emscripten::function("close_pieces", &commcost::close_pieces);
  emscripten::function("prepare", &commcost::prepare);
  emscripten::function("set", &commcost::set_prepared);
  emscripten::function("set_number", &commcost::set_number);
  emscripten::function("run_prepared", &commcost::run_prepared);
  emscripten::function("close_prepared", &commcost::close_prepared);
  emscripten::function("sweep", &commcost::run_sweep);
  emscripten::function("resolve_inputs", &commcost::run_resolve_inputs);
  emscripten::function("describe", &commcost::describe_all);
}
