#include "bench/validation/steps/left_out_stacks.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "bench/validation/statistics.h"
#include "core/hardware/measured_band.h"

namespace commcost::validation::steps {
namespace {

struct LeftOutClass {
  std::string recipe;
  RunKind kind;
  std::vector<double> left_out;  // ln(predicted / measured), as the bands have it
  std::vector<double> unfitted;  // the same with no pace of the stack's own
};

std::map<std::string, LeftOutClass> classes_of(const std::vector<FitRow>& rows) {
  std::map<std::string, LeftOutClass> classes;
  for (const FitRow& row : rows) {
    LeftOutClass& one = classes[row.klass];
    one.recipe = row.recipe;
    const auto* kind = std::find(std::begin(run_kind_names), std::end(run_kind_names),
                                 row.klass.substr(row.klass.rfind('|') + 1));
    one.kind = static_cast<RunKind>(kind - std::begin(run_kind_names));
    one.left_out.push_back(row.error);
    one.unfitted.push_back(row.unfitted_error);
  }
  return classes;
}

// As core/training/step_band.cpp has it of a recipe that is not in its table.
StepBand band_without(const std::map<std::string, LeftOutClass>& classes, const LeftOutClass& out) {
  std::vector<MeasuredClass> others;
  for (const auto& [name, one] : classes) {
    if (one.recipe == out.recipe || one.kind != out.kind) continue;
    const ClassErrors errors{static_cast<int>(one.left_out.size()), 0, quantile(one.left_out, 0.1),
                             quantile(one.left_out, 0.9)};
    others.push_back({one.recipe, Generation::hopper, one.kind, 0, errors, {}});
  }
  if (others.empty()) return {};
  return nearest_band(others, {out.recipe, *find_accelerator("h100-sxm"), out.kind});
}

}  // namespace

void print_left_out_stacks(const std::vector<FitRow>& rows) {
  std::printf(
      "\nStacks left out: their runs by no pace of their own, within the band of others' of that kind\n");
  const std::map<std::string, LeftOutClass> classes = classes_of(rows);
  double all = 0;
  double all_within = 0;
  for (const auto& [name, one] : classes) {
    const StepBand band = band_without(classes, one);
    if (band.low == band.high) continue;
    double within = 0;
    for (const double error : one.unfitted) {
      const double ratio = std::exp(-error);
      if (ratio >= band.low && ratio <= band.high) ++within;
    }
    const auto count = static_cast<double>(one.unfitted.size());
    all += count;
    all_within += within;
    std::printf("%-34s %5.0f rows  %3.0f %% within %.2f to %.2f\n", name.c_str(), count, 100 * within / count,
                band.low, band.high);
  }
  std::printf("%-34s %5.0f rows  %3.0f %% within\n", "all", all, 100 * all_within / all);
}

}  // namespace commcost::validation::steps
