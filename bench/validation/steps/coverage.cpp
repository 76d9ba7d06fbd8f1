#include "bench/validation/steps/coverage.h"

#include <cmath>
#include <cstdio>
#include <map>

#include "core/training/step_band.h"

namespace commcost::validation::steps {
namespace {

struct Covered {
  double runs = 0;
  double within = 0;
};

// By series: many runs of one say little more than one.
using SeriesCovered = std::map<std::string, Covered>;

void print_line(const std::string& name, const SeriesCovered& series) {
  double share = 0;
  double runs = 0;
  for (const auto& [key, covered] : series) {
    share += covered.within / covered.runs;
    runs += covered.runs;
  }
  std::printf("  %-40s %4zu series %5.0f runs %4.0f %% within\n", name.c_str(), series.size(), runs,
              100 * share / static_cast<double>(series.size()));
}

}  // namespace

void print_coverage(const std::vector<FitRow>& rows, const std::string& what) {
  std::map<std::string, SeriesCovered> classes;
  std::map<std::string, SeriesCovered> bases;
  SeriesCovered all;
  for (const FitRow& row : rows) {
    const StepBand band = step_band(row.step.job);
    const double ratio = std::exp(-row.error);
    const bool within = ratio >= band.low && ratio <= band.high;
    const std::string basis(basis_names[static_cast<std::size_t>(band.basis)]);
    for (Covered* covered : {&classes[row.klass][row.series], &bases[basis][row.klass + row.series],
                             &all[row.klass + row.series]}) {
      ++covered->runs;
      covered->within += within ? 1 : 0;
    }
  }
  std::printf("\nCoverage of bands over series, %s\n", what.c_str());
  for (const auto& [name, series] : classes) print_line(name, series);
  for (const auto& [name, series] : bases) print_line("basis " + name, series);
  print_line("all", all);
}

}  // namespace commcost::validation::steps
