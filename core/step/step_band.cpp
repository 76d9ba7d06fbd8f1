#include "core/step/step_band.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/parallel/recipes.h"

namespace commcost {
namespace {

// staged: dense models on several stages, of a stack whose runs stall there, which no input tells.
enum class Kind { dense, moe, staged };

// Of one class, ln(predicted / measured) on left-out sources or models.
struct ClassErrors {
  std::string_view recipe;
  Generation generation;
  Kind kind;
  int runs;
  double most_gpus;       // among them
  double median_percent;  // of the absolute errors
  double tenth;
  double nine_tenths;
};

using enum Generation;
using enum Kind;

// As `step_report --fit` prints them.
constexpr ClassErrors table[] = {
    {"deepspeed", amd, dense, 9, 2048, 5.3, -0.121, 0.068},
    {"deepspeed", ampere, dense, 69, 384, 10.2, -0.230, 0.143},
    {"fsdp", ampere, dense, 89, 128, 8.2, -0.272, 0.132},
    {"fsdp", hopper, dense, 34, 512, 11.6, -0.575, 0.030},
    {"maxtext", hopper, dense, 24, 2048, 5.1, -0.047, 0.080},
    {"maxtext", tpu, dense, 33, 8192, 8.4, -0.069, 0.217},
    {"maxtext", tpu, moe, 5, 256, 37.5, -0.729, -0.188},
    {"megatron-2021", ampere, dense, 785, 3360, 5.6, -0.117, 0.138},
    {"megatron-2021", volta, dense, 4, 8, 3.1, -0.004, 0.092},
    {"megatron-core", amd, moe, 1, 64, 44.9, 0.371, 0.371},
    {"megatron-core", ampere, dense, 6, 256, 23.9, -0.305, -0.230},
    {"megatron-core", blackwell, dense, 37, 512, 6.6, -0.077, 0.202},
    {"megatron-core", blackwell, moe, 71, 512, 13.6, -0.301, 0.224},
    {"megatron-core", hopper, dense, 123, 2304, 4.9, -0.056, 0.088},
    {"megatron-core", hopper, moe, 25, 2048, 4.5, -0.167, 0.107},
    {"nanotron", hopper, dense, 329, 512, 7.6, -0.569, 0.074},
    {"nanotron", hopper, staged, 787, 512, 14.3, -2.141, 0.153},
    {"torchtitan", ampere, dense, 5, 64, 31.8, 0.159, 0.403},
    {"torchtitan", hopper, dense, 11, 256, 20.6, -0.381, 0.125},
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

Kind kind_of(const Setting& setting, std::string_view recipe, Generation generation) {
  if (setting.shape.num_experts > 1) return moe;
  if (setting.layout.pipeline_parallel == 1) return dense;
  const bool stalls = std::any_of(std::begin(table), std::end(table), [&](const ClassErrors& row) {
    return row.recipe == recipe && row.generation == generation && row.kind == staged;
  });
  return stalls ? staged : dense;
}

}  // namespace

StepBand step_band(const Setting& setting, const Machine& machine) {
  const int place = setting.work.mode == Mode::training ? setting.pace.recipe : -1;
  const std::string_view recipe = place < 0 ? "" : all_recipes()[static_cast<std::size_t>(place)].id;
  const Generation generation = accelerator_of(machine).generation();
  const auto gpus = static_cast<double>(gpus_needed(setting.layout));
  const Kind kind = kind_of(setting, recipe, generation);
  Sum same;
  Sum similar;
  Sum all;
  for (const ClassErrors& row : table) {
    all.add(row);
    if (row.recipe != recipe) continue;
    similar.add(row);
    if (row.generation == generation && row.kind == kind && gpus <= row.most_gpus) same.add(row);
  }
  if (same.runs >= least_runs) return band_of(same, StepBasis::measured, 1);
  if (similar.runs >= least_runs) return band_of(similar, StepBasis::similar, similar_width);
  return band_of(all, StepBasis::not_measured, unmeasured_width);
}

}  // namespace commcost
