#include "core/step/serving_band.h"

#include <algorithm>
#include <cmath>

#include "core/parallel/recipes.h"

namespace commcost {
namespace {

// Of one class, ln(predicted / measured) on left-out sources or models.
struct ClassErrors {
  std::string_view recipe;
  Generation generation;
  int runs;
  double median_percent;  // of the absolute errors
  double tenth;
  double nine_tenths;
};

using enum Generation;

// As `serving_report --fit` prints them.
constexpr ClassErrors table[] = {
    {"faster-transformer", ampere, 215, 4.9, -0.133, 0.077},
    {"gpt-fast", ampere, 13, 14.4, -0.134, 0.208},
    {"tensorrt-llm", ampere, 33, 10.8, -0.337, 0.102},
    {"tensorrt-llm", hopper, 40, 6.2, -0.264, 0.081},
    {"tensorrt-llm", other, 3, 10.7, 0.093, 0.290},
    {"vllm", amd, 16, 2.5, -0.040, 0.046},
    {"vllm", ampere, 9, 18.7, -0.409, 0.048},
    {"vllm", hopper, 35, 7.7, -0.248, 0.082},
};

// A tenth of fewer is less than one run.
constexpr double least_runs = 10;
constexpr double similar_width = 1.5;
constexpr double unmeasured_width = 2;
// One configuration measured twice, or by the next version of a stack, differs by 9 % in a quarter of cases.
constexpr double least_spread = 0.09;

struct Sum {
  double runs = 0;
  double median = 0;
  double tenth = 0;
  double nine_tenths = 0;

  void add(const ClassErrors& row) {
    const auto weight = static_cast<double>(row.runs);
    runs += weight;
    median += weight * row.median_percent;
    tenth += weight * row.tenth;
    nine_tenths += weight * row.nine_tenths;
  }
};

StepBand band_of(const Sum& sum, StepBasis basis, double width) {
  const double tenth = std::min(-least_spread, sum.tenth / sum.runs * width);
  const double nine_tenths = std::max(least_spread, sum.nine_tenths / sum.runs * width);
  return {basis, sum.runs, sum.median / sum.runs, std::exp(-nine_tenths), std::exp(-tenth)};
}

}  // namespace

StepBand serving_band(const PlacedServing& placed) {
  const int place = placed.setting.pace.recipe;
  const std::string_view recipe = place < 0 ? "" : all_recipes()[static_cast<std::size_t>(place)].id;
  const Generation generation = accelerator_of(placed.machine).generation();
  Sum same, similar, all;
  for (const ClassErrors& row : table) {
    all.add(row);
    if (row.recipe != recipe) continue;
    similar.add(row);
    if (row.generation == generation) same.add(row);
  }
  // Nobody measured experts that travel, and stages but on one model.
  const bool alike = placed.setting.layout.expert_parallel == 1;
  if (same.runs >= least_runs && alike) return band_of(same, StepBasis::measured, 1);
  if (similar.runs >= least_runs) return band_of(similar, StepBasis::similar, similar_width);
  return band_of(all, StepBasis::not_measured, unmeasured_width);
}

}  // namespace commcost
