// How far predictions are from public measurements.
//   validation                                 every report; fails where a target is missed
//   validation kernels|collectives|steps|serving   one of them
//     --fit     the constants that the rows ask for: what goes into core/, each with its prior and its rows
//     --csv     its table of web/scoreboard
//     --rows    each row with its error
//     --write                of kernels: core/compute/fitted_kernels_table.cpp
//     --kernels              of serving: web/scoreboard/kernels.csv
//     --deployments          of serving: ten deployments at P99 next to what vendors publish
//     --projection           of steps: web/scoreboard/projection.csv
//     --other                of steps: how far stacks lie from the recipe `other`: the band of those without
//     runs
//     --table PART           of steps: tables whose name holds PART
//     --data FOLDER          instead of tests/data
// Predictions that are judged are by constants that had not seen the source (or the model, where one source
// has most rows), those of steps but for fit_step's by the constants as they are.

#include <algorithm>
#include <cstdio>
#include <optional>
#include <span>
#include <string_view>

#include "bench/validation/reports.h"

namespace commcost::validation {
namespace {

struct Report {
  std::string_view name;
  bool (*print)(const Options& options);
};

constexpr Report reports[] = {{"kernels", kernels::report},
                              {"collectives", collectives::report},
                              {"steps", steps::report},
                              {"serving", serving::report}};

struct Option {
  std::string_view name;
  std::string_view report;  // that knows it; empty: each
  bool Options::*flag;
  std::string Options::*text = nullptr;  // what follows it
};

constexpr Option known[] = {{"--fit", "", &Options::fit},
                            {"--csv", "", &Options::csv},
                            {"--rows", "", &Options::every_row},
                            {"--write", "kernels", &Options::write},
                            {"--kernels", "serving", &Options::kernels},
                            {"--deployments", "serving", &Options::deployments},
                            {"--projection", "steps", &Options::projection},
                            {"--other", "steps", &Options::other},
                            {"--table", "steps", nullptr, &Options::table},
                            {"--data", "", nullptr, &Options::data}};

// None where the report knows no such option.
std::optional<Options> options_of(std::string_view report, std::span<char*> arguments) {
  Options options;
  options.data = COMMCOST_TEST_DATA;
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    const auto* found = std::find_if(std::begin(known), std::end(known), [&](const Option& one) {
      return one.name == arguments[at] && (one.report.empty() || one.report == report);
    });
    if (found == std::end(known)) return std::nullopt;
    if (found->flag != nullptr) {
      options.*(found->flag) = true;
    } else if (++at < arguments.size()) {
      options.*(found->text) = arguments[at];
    } else {
      return std::nullopt;
    }
  }
  return options;
}

int usage() {
  std::fputs(
      "usage: validation [kernels|collectives|steps|serving [--fit] [--csv] [--rows] [--write] [--kernels] "
      "[--deployments] [--projection] [--other] [--table PART] "
      "[--data FOLDER]]\n",
      stderr);
  return 2;
}

int run(std::span<char*> arguments) {
  const std::string_view wanted = arguments.empty() ? "" : arguments[0];
  bool held = true;
  bool ran = false;
  for (const Report& report : reports) {
    if (!wanted.empty() && report.name != wanted) continue;
    const auto options = options_of(report.name, wanted.empty() ? arguments : arguments.subspan(1));
    if (!options) return usage();
    held &= report.print(*options);
    ran = true;
  }
  if (!ran) return usage();
  return held ? 0 : 1;
}

}  // namespace
}  // namespace commcost::validation

int main(int count, char** arguments) {
  return commcost::validation::run({arguments + 1, static_cast<std::size_t>(count - 1)});
}
