#include <emscripten/bind.h>

#include <memory>
#include <vector>

#include "core/calculator/calculations.h"
#include "core/calculator/engine.h"

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

/// Where the answer to inputs of that size lies: whether there is a result, then that, or else the problems.
double answer(Problems (*ask)(WireReader given, WireWriter& to, double which), double size, double which) {
  if (answered.capacity() > usual) answered = {};
  answered.clear();
  WireWriter to(answered);
  to.flag(true);
  const auto bytes = static_cast<std::size_t>(size);
  const Problems problems = ask(WireReader({bytes > usual ? given_longer.data() : given, bytes}), to, which);
  if (bytes > usual) given_longer = {};
  if (!problems.empty()) {
    answered.clear();
    WireWriter instead(answered);
    instead.flag(false);
    instead.value(value_of(problems));
  }
  return static_cast<double>(reinterpret_cast<std::uintptr_t>(answered.data()));
}

/// Runs the calculation of that place in describe().
double run_calculation(double size, double place) {
  return answer(
      [](WireReader inputs, WireWriter& to, double which) {
        return run(*all_calculations()[static_cast<std::size_t>(which)], inputs, to);
      },
      size, place);
}

/// Texts of which pieces have come, by their handles less one.
struct OpenText {
  const Calculation* calculation = nullptr;
  std::unique_ptr<TextReader> reader;
};
std::vector<OpenText> open_texts;

OpenText& open_text(double handle) {
  return open_texts[static_cast<std::size_t>(handle) - 1];
}

/// Opens the text of the calculation of that place: a handle from 1 on, or 0 where it takes none in pieces.
double open_pieces(double place) {
  const Calculation* calculation = all_calculations()[static_cast<std::size_t>(place)];
  if (calculation->pieces == nullptr) return 0;
  std::size_t free = 0;
  while (free < open_texts.size() && open_texts[free].reader) ++free;
  if (free == open_texts.size()) open_texts.emplace_back();
  open_texts[free] = {calculation, calculation->pieces->open()};
  return static_cast<double>(free + 1);
}

/// Reads a piece of up to `usual` bytes.
void add_piece(double size, double handle) {
  open_text(handle).reader->read({given, static_cast<std::size_t>(size)});
}

void close_pieces(double handle) {
  open_text(handle).reader.reset();
}

/// Runs the calculation on all pieces, with inputs of that size, and closes them.
double run_pieces(double size, double handle) {
  return answer(
      [](WireReader inputs, WireWriter& to, double which) {
        const OpenText text = std::move(open_text(which));
        return run(*text.calculation, inputs, to, text.reader.get());
      },
      size, handle);
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
  emscripten::function("sweep", &commcost::run_sweep);
  emscripten::function("resolve_inputs", &commcost::run_resolve_inputs);
  emscripten::function("describe", &commcost::describe_all);
}
