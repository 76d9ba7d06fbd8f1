#include "core/step/step_band.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/parallel/recipes.h"

namespace commcost {
namespace {

enum class Kind { dense, moe };

// Of one class, ln(predicted / measured) on left-out sources or models.
struct ClassErrors {
  std::string_view recipe;
  Generation generation;
  Kind kind;
  int runs;
  double median_percent;  // of the absolute errors
  double tenth;
  double nine_tenths;
};

using enum Generation;
using enum Kind;

// As `step_report --fit` prints them.
constexpr ClassErrors table[] = {
    {"deepspeed", amd, dense, 9, 5.2, -0.120, 0.068},
    {"deepspeed", ampere, dense, 69, 10.3, -0.229, 0.144},
    {"fsdp", ampere, dense, 89, 8.2, -0.271, 0.127},
    {"fsdp", hopper, dense, 34, 11.4, -0.573, 0.021},
    {"maxtext", hopper, dense, 24, 5.2, -0.051, 0.075},
    {"maxtext", tpu, dense, 33, 7.3, -0.056, 0.339},
    {"maxtext", tpu, moe, 5, 36.7, -0.720, -0.176},
    {"megatron-2021", ampere, dense, 784, 5.8, -0.119, 0.138},
    {"megatron-2021", volta, dense, 4, 2.9, -0.021, 0.073},
    {"megatron-core", amd, moe, 1, 51.8, 0.417, 0.417},
    {"megatron-core", ampere, dense, 6, 28.2, -0.357, -0.286},
    {"megatron-core", blackwell, dense, 37, 9.6, -0.155, 0.112},
    {"megatron-core", blackwell, moe, 71, 17.1, -0.377, 0.166},
    {"megatron-core", hopper, dense, 123, 4.1, -0.048, 0.121},
    {"megatron-core", hopper, moe, 25, 9.8, -0.124, 0.126},
    {"nanotron", hopper, dense, 787, 7.4, -0.300, 0.133},
    {"torchtitan", ampere, dense, 5, 31.9, 0.159, 0.404},
    {"torchtitan", hopper, dense, 11, 20.6, -0.380, 0.126},
};

// A tenth of fewer is less than one run.
constexpr double least_runs = 10;
constexpr double similar_width = 1.5;
constexpr double unmeasured_width = 2;

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
  const double tenth = std::min(0.0, sum.tenth / sum.runs * width);
  const double nine_tenths = std::max(0.0, sum.nine_tenths / sum.runs * width);
  return {basis, sum.runs, sum.median / sum.runs, std::exp(-nine_tenths), std::exp(-tenth)};
}

}  // namespace

StepBand step_band(const Setting& setting, const Machine& machine) {
  const int place = setting.work.mode == Mode::training ? setting.pace.recipe : -1;
  const std::string_view recipe = place < 0 ? "" : all_recipes()[static_cast<std::size_t>(place)].id;
  const Generation generation = accelerator_of(machine).generation();
  const Kind kind = setting.shape.num_experts > 1 ? moe : dense;
  Sum same;
  Sum similar;
  Sum all;
  for (const ClassErrors& row : table) {
    all.add(row);
    if (row.recipe != recipe) continue;
    similar.add(row);
    if (row.generation == generation && row.kind == kind) same.add(row);
  }
  if (same.runs >= least_runs) return band_of(same, StepBasis::measured, 1);
  if (similar.runs >= least_runs) return band_of(similar, StepBasis::similar, similar_width);
  return band_of(all, StepBasis::not_measured, unmeasured_width);
}

}  // namespace commcost
