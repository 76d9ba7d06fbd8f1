#include "bench/validation/steps/left_out_stacks.h"

#include <cmath>
#include <cstdio>
#include <map>

#include "core/training/step_band.h"

namespace commcost::validation::steps {
namespace {

// The band of a stack that is not in the table, on the accelerator of the row.
StepBand band_without(const std::vector<MeasuredClass>& table, const FitRow& row) {
  std::vector<MeasuredClass> others;
  for (const MeasuredClass& one : table)
    if (one.recipe != row.recipe) others.push_back(one);
  return nearest_band(others, {row.recipe, accelerator_of(row.step.job.machine), run_kind(row.step.job),
                               reach_of(row.step.job)});
}

}  // namespace

void print_left_out_stacks(const std::vector<FitRow>& rows) {
  std::printf(
      "\nStacks left out: their runs by no pace of their own, within the band of others' of that kind\n");
  const std::span<const MeasuredClass> known = measured_step_classes();
  const std::vector<MeasuredClass> table(known.begin(), known.end());
  struct Within {
    double runs = 0;
    double within = 0;
  };
  std::map<std::string, Within> classes;
  double all = 0;
  double all_within = 0;
  for (const FitRow& row : rows) {
    const StepBand band = band_without(table, row);
    if (band.low == band.high) continue;
    const double ratio = std::exp(-row.unfitted_error);
    const double within = ratio >= band.low && ratio <= band.high ? 1 : 0;
    classes[row.klass].within += within;
    ++classes[row.klass].runs;
    all_within += within;
    ++all;
  }
  for (const auto& [name, one] : classes)
    std::printf("%-34s %5.0f rows  %3.0f %% within\n", name.c_str(), one.runs, 100 * one.within / one.runs);
  std::printf("%-34s %5.0f rows  %3.0f %% within\n", "all", all, 100 * all_within / all);
}

}  // namespace commcost::validation::steps
