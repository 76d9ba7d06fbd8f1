#include "bench/validation/steps/unmeasured_stacks.h"

#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "bench/validation/statistics.h"
#include "core/hardware/measured_band.h"

namespace commcost::validation::steps {
namespace {

// ln(predicted / measured) of the runs of each series of a stack.
using StackSeries = std::map<std::string, std::vector<double>>;
using AllStacks = std::map<std::string, StackSeries>;

AllStacks without_stack(AllStacks stacks, const std::string& name) {
  stacks.erase(name);
  return stacks;
}

// Every stack weighs the same, and so do the series of a stack and the runs of a series. Around the middle it
// is as much wider as a further stack is less sure than those that there are.
SeriesErrors spread_of(const AllStacks& stacks) {
  std::vector<std::pair<double, double>> errors;
  std::vector<std::pair<double, double>> sizes;
  std::size_t count = 0;
  for (const auto& [name, series] : stacks) {
    count += series.size();
    for (const auto& [key, values] : series) {
      const double weight = 1 / static_cast<double>(series.size() * values.size());
      for (const double value : values) {
        errors.emplace_back(value, weight);
        sizes.emplace_back(100 * std::fabs(std::expm1(value)), weight);
      }
    }
  }
  const double middle = weighted_quantile(errors, 0.5);
  const double width = std::sqrt(1 + 1 / static_cast<double>(stacks.size()));
  return {static_cast<int>(count),
          static_cast<int>(errors.size()),
          weighted_quantile(sizes, 0.5),
          middle + width * (weighted_quantile(errors, 0.1) - middle),
          middle,
          middle + width * (weighted_quantile(errors, 0.9) - middle)};
}

double share_within(const StackSeries& series, const SeriesErrors& spread) {
  double share = 0;
  for (const auto& [key, values] : series) {
    double within = 0;
    for (const double value : values) within += value >= spread.tenth && value <= spread.nine_tenths ? 1 : 0;
    share += within / static_cast<double>(values.size());
  }
  return share / static_cast<double>(series.size());
}

void print_line(const std::string& name, const StackSeries& series, const SeriesErrors& others) {
  std::vector<std::pair<double, double>> errors;
  for (const auto& [key, values] : series)
    for (const double value : values) errors.emplace_back(value, 1 / static_cast<double>(values.size()));
  std::printf("  %-24s %3zu series %+.3f %+.3f %+.3f   others %+.3f to %+.3f: %3.0f %% within\n",
              name.c_str(), series.size(), weighted_quantile(errors, 0.1), weighted_quantile(errors, 0.5),
              weighted_quantile(errors, 0.9), others.tenth, others.nine_tenths,
              100 * share_within(series, others));
}

}  // namespace

void print_unmeasured_stacks(const std::vector<FitRow>& rows) {
  AllStacks stacks;
  std::map<std::string, StackSeries> experts;
  // By vendor of the accelerator: what stacks say as `other`, and what their own constants make of its runs.
  std::map<std::string, AllStacks> elsewhere;
  std::map<std::string, StackSeries> there;
  for (const FitRow& row : rows) {
    const std::string series = row.klass + row.series;
    stacks[row.recipe][series].push_back(row.error_as_other);
    if (row.step.job.model.num_experts > 1) experts[row.recipe][series].push_back(row.error_as_other);
    const std::string vendor(
        name_of(commcost::row_of(accelerator_of(row.step.job.machine).generation).vendor));
    there[vendor][series].push_back(row.error);
  }
  for (const FitRow& row : rows) {
    const std::string vendor(
        name_of(commcost::row_of(accelerator_of(row.step.job.machine).generation).vendor));
    for (const auto& [other, series] : there)
      if (other != vendor) elsewhere[other][row.recipe][row.klass + row.series].push_back(row.error_as_other);
  }
  std::printf(
      "Stacks as the recipe `other`: a tenth, the middle and nine tenths of ln(predicted / measured) over "
      "series,\nand how many of them lie within the spread of the other stacks\n");
  double covered = 0;
  for (const auto& [name, series] : stacks) {
    const SeriesErrors others = spread_of(without_stack(stacks, name));
    print_line(name, series, others);
    if (experts.contains(name)) print_line(name + ", experts", experts[name], others);
    covered += share_within(series, others) / static_cast<double>(stacks.size());
  }
  std::printf("  each stack left out: %.0f %% within\n", 100 * covered);
  std::printf(
      "\nVendors left out: runs of known stacks by their constants, within the spread of stacks elsewhere\n");
  for (const auto& [vendor, series] : there) print_line(vendor, series, spread_of(elsewhere[vendor]));
  const SeriesErrors all = spread_of(stacks);
  std::printf("\nFor core/training/step_band.cpp:\n    {%d, %d, %.1f, %.3f, %.3f, %.3f}\n", all.series,
              all.runs, all.median_percent, all.tenth, all.middle, all.nine_tenths);
}

}  // namespace commcost::validation::steps
