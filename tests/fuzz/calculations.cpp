// Every calculation on anything: it answers by its table or tells problems, and nothing else happens.

#include <cmath>
#include <cstdint>

#include "core/calculator/calculations.h"
#include "core/calculator/engine.h"
#include "fuzz/decode.h"
#include "fuzz/require.h"

namespace commcost::fuzz {
namespace {

// At every depth.
void expect_finite(const Value& value) {
  if (const double* number = value.number()) require(std::isfinite(*number));
  if (const Value::Numbers* numbers = value.numbers()) {
    for (const double number : *numbers) require(std::isfinite(number));
  }
  if (const Value::List* list = value.list()) {
    for (const Value& one : *list) expect_finite(one);
  }
  if (const Value::Object* members = value.object()) {
    for (const Member& member : *members) expect_finite(member.value);
  }
}

void expect_whole_answer(const Calculation& calculation, const Outcome<Value>& outcome) {
  if (outcome) {
    // Former names are noted behind the results.
    const bool noted = outcome->find("notes") != nullptr;
    require(outcome->object()->size() == calculation.results.size() + (noted ? 1 : 0));
    expect_finite(*outcome);
    return;
  }
  require(!outcome.problems().empty());
  for (const Problem& problem : outcome.problems()) require(!problem.message.empty());
}

}  // namespace
}  // namespace commcost::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace commcost;
  fuzz::Decoder decoder({data, size});
  const auto all = all_calculations();
  const std::uint8_t first = decoder.byte();
  const Calculation& calculation = *all[first % all.size()];
  if (first >= 240) {
    // Bytes that no JavaScript would write.
    WireBytes results;
    WireWriter to(results);
    const std::string given = decoder.rest();
    (void)run(calculation, WireReader(given), to);
  } else if (calculation.sweep_points > 0 && decoder.byte() % 4 == 0) {
    const Outcome<Value> swept = sweep(decoder.sweep_request(calculation));
    fuzz::require(swept || !swept.problems().empty());
  } else {
    fuzz::expect_whole_answer(calculation, run(calculation.name, decoder.inputs(calculation)));
  }
  return 0;
}
