// Runs a calculation on random inputs that are the same in every build, and writes its results or compares
// them with those that another build has written.
//
//   parity list                                     the calculations
//   parity write CALCULATION COUNT SEED TAPE        results to the file TAPE
//   parity compare CALCULATION COUNT SEED TAPE      own results beside those of TAPE

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "core/calculator/calculations.h"
#include "core/calculator/engine.h"
#include "parity/tape.h"
#include "support/random_inputs.h"

namespace commcost::parity {
namespace {

// Native code and WebAssembly compute + - * / and sqrt alike; pow, exp and log of their C libraries differ in
// the last bit. The calculations that use these, and how far their results may be apart for it.
struct Tolerance {
  std::string_view calculation;
  double ulps;
};
constexpr Tolerance tolerances[] = {
    {"", 0},
};

double ulps_allowed(std::string_view calculation) {
  for (const Tolerance& tolerance : tolerances) {
    if (tolerance.calculation == calculation) return tolerance.ulps;
  }
  return 0;
}

// Schedules and ledgers are long: a tape of so many bytes an input says enough.
constexpr std::size_t bytes_an_input = 1024;

int go_through(const Calculation& calculation, std::size_t most, std::uint64_t seed, Tape& tape,
               bool compare) {
  // A catalog answers always the same.
  const std::size_t count = calculation.inputs.empty() ? 1 : most;
  test::Random random(seed);
  std::size_t accepted = 0;
  std::size_t done = 0;
  double worst = 0;
  for (; done < count && tape.bytes() < count * bytes_an_input; ++done) {
    const auto results = run(calculation.name, test::random_inputs(calculation, random));
    if (results) ++accepted;
    const Value answer = results ? *results : value_of(results.problems());
    if (!compare) {
      tape.write(answer);
      continue;
    }
    const std::string difference = tape.compare(answer, ulps_allowed(calculation.name), worst);
    if (!difference.empty()) {
      std::printf("input %zu of seed %llu: %s\n", done, static_cast<unsigned long long>(seed),
                  difference.c_str());
      return EXIT_FAILURE;
    }
  }
  std::printf("{\"inputs\": %zu, \"accepted\": %zu, \"worst_ulps\": %g}\n", done, accepted, worst);
  return EXIT_SUCCESS;
}

int list() {
  for (const Calculation* calculation : all_calculations()) {
    std::printf("%.*s\n", static_cast<int>(calculation->name.size()), calculation->name.data());
  }
  return EXIT_SUCCESS;
}

int main(std::span<char*> arguments) {
  if (arguments.size() == 2 && std::string_view(arguments[1]) == "list") return list();
  const bool compare = arguments.size() == 6 && std::string_view(arguments[1]) == "compare";
  const Calculation* calculation = arguments.size() == 6 ? find_calculation(arguments[2]) : nullptr;
  if (calculation == nullptr) {
    std::fprintf(stderr, "usage: parity list | (write|compare) CALCULATION COUNT SEED TAPE\n");
    return EXIT_FAILURE;
  }
  Tape tape(arguments[5], compare ? "rb" : "wb");
  if (!tape.open()) {
    std::fprintf(stderr, "cannot open %s\n", arguments[5]);
    return EXIT_FAILURE;
  }
  return go_through(*calculation, std::strtoul(arguments[3], nullptr, 10),
                    std::strtoull(arguments[4], nullptr, 10), tape, compare);
}

}  // namespace
}  // namespace commcost::parity

int main(int count, char** arguments) {
  return commcost::parity::main({arguments, static_cast<std::size_t>(count)});
}
