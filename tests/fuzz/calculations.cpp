// Every calculation on anything: it answers by its table or tells problems, and nothing else happens.

#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "core/calculator/calculations.h"
#include "core/calculator/engine.h"
#include "fuzz/decode.h"

namespace commcost::fuzz {
namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void expect_whole_answer(const Calculation& calculation, const Outcome<Value>& outcome) {
  if (outcome) {
    require(outcome->object()->size() == calculation.results.size());
    for (const Member& member : *outcome->object()) {
      if (const double* number = member.value.number()) require(std::isfinite(*number));
    }
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
