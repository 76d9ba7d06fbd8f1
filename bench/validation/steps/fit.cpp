#include "bench/validation/steps/fit.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <set>

#include "bench/validation/fitting.h"
#include "bench/validation/series_errors.h"
#include "bench/validation/statistics.h"
#include "bench/validation/steps/coverage.h"
#include "bench/validation/steps/fit_rows.h"
#include "bench/validation/steps/straggler_fit.h"
#include "core/base/least_squares.h"
#include "core/parallel/recipes.h"

namespace commcost::validation::steps {
namespace {

// A constant of a recipe's pace, or a factor on the machine.
struct StepKnob : Knob {
  double Stack::*stack = nullptr;
  double MachineScales::*scale = nullptr;
  std::optional<Generation> generation = std::nullopt;  // that it scales; none: all
  double now = 1;  // what the core has, where the value itself is fitted and not a factor on it
};

using Rows = std::vector<FitRow*>;
using Knobs = std::vector<StepKnob>;

double predicted(const FitRow& row, const Knobs& own, const Knobs& machine) {
  MeasuredStep step = row.step;
  MachineScales scales;
  const Generation generation = accelerator_of(step.job.machine).generation;
  for (const Knobs* knobs : {&own, &machine}) {
    for (const StepKnob& knob : *knobs) {
      if (knob.stack != nullptr) {
        step.job.stack.*(knob.stack) = knob.value;
      } else if (knob.generation.value_or(generation) == generation) {
        scales.*(knob.scale) *= knob.value / knob.now;
      }
    }
  }
  return predicted_ms(step, scales);
}

double log_error(const FitRow& row, const Knobs& own, const Knobs& machine) {
  return std::log(predicted(row, own, machine) / row.step.measured_ms);
}

// Errors beyond a tenth count by their size, not their square; and the priors.
double cost(const Rows& rows, const Knobs& own, const Knobs& machine) {
  constexpr double width = 0.1;
  double sum = 0;
  for (const FitRow* row : rows) sum += row->weight * soft_l1(log_error(*row, own, machine) / width);
  return sum + distance_from_priors(own);
}

// Returns the cost of the rows with these knobs fitted and the machine's as they are.
double fit_knobs(const Rows& rows, Knobs& own, const Knobs& machine) {
  return descend(coordinates_of(own), {0.2, 0.008}, [&] { return cost(rows, own, machine); });
}

double median_error(const Rows& rows, const Knobs& own, const Knobs& machine) {
  std::vector<double> errors;
  for (const FitRow* row : rows)
    errors.push_back(100 * std::fabs(predicted(*row, own, machine) / row->step.measured_ms - 1));
  return median(errors);
}

struct Pool {
  std::string name;  // a recipe, or "machine"
  Knobs knobs;
  Rows rows;
  Rows stalled;
};

// Constants that rows say most about come first. Where nothing is fitted, a pace stays as in Stack{}: what is
// known without steps.
const Knobs every_stack_knob = {
    {{"gemm_time_scale", 1, 0.1, 0.3, 3}, &Stack::gemm_time_scale},
    {{"attention_time_scale", 1, 0.3, 0.3, 5}, &Stack::attention_time_scale},
    {{"straggler_percent", Stack{}.straggler_percent, 0.5, 0.2, 10}, &Stack::straggler_percent},
    {{"grouped_gemm_time_scale", 1, 0.3, 0.3, 5}, &Stack::grouped_gemm_time_scale},
    {{"elementwise_time_scale", 1, 0.3, 0.3, 5}, &Stack::elementwise_time_scale},
    {{"staged_layer_host_us", 1000, 1, 1, 20000}, &Stack::staged_layer_host_us},
    {{"host_us_per_kernel", Stack{}.host_us_per_kernel, 0.5, 1, 80}, &Stack::host_us_per_kernel},
    {{"pipeline_sync_us", Stack{}.pipeline_sync_us, 1, 5, 5000}, &Stack::pipeline_sync_us},
    {{"collective_start_us", Stack{}.collective_start_us, 0.5, 2, 200}, &Stack::collective_start_us},
};

// Whether enough rows change with it: a tenth of fewer than thirty is a matter of luck.
bool told_by(const StepKnob& knob, const Rows& rows) {
  constexpr std::ptrdiff_t enough = 30;
  if (knob.stack == &Stack::gemm_time_scale) return true;
  return std::count_if(rows.begin(), rows.end(), [&](const FitRow* row) {
           MeasuredStep other = row->step;
           other.job.stack.*(knob.stack) = knob.prior;
           MeasuredStep more = row->step;
           more.job.stack.*(knob.stack) = 2 * knob.prior;
           return predicted_ms(other) != predicted_ms(more);
         }) >= enough;
}

void choose_knobs(Pool& pool, const Knobs& machine, bool knows_stragglers) {
  double weight = 0;
  for (const FitRow* row : pool.rows) weight += row->weight;
  for (const StepKnob& one : every_stack_knob) {
    if (knows_stragglers && one.stack == &Stack::straggler_percent) continue;
    if (told_by(one, pool.rows)) pool.knobs.push_back(one);
  }
  pool.knobs =
      worth_having(pool.knobs, weight, [&](Knobs& knobs) { return fit_knobs(pool.rows, knobs, machine); });
}

// A row at what is known without steps, but for what is no constant: graphs, and what an fp32 loss holds.
void forget_stack(MeasuredStep& step) {
  for (const StepKnob& one : every_stack_knob) step.job.stack.*(one.stack) = Stack{}.*(one.stack);
  step.job.stack.release = StackRelease::any;
}

Knobs machine_knobs() {
  return {{{"data_overlap_share, of now", 1, 0.3, 0.2, 1.49}, nullptr, &MachineScales::data_overlap},
          {{"power_share of Blackwell, of now", 1, 0.2, 0.3, 1.3},
           nullptr,
           &MachineScales::power,
           Generation::blackwell},
          {{"matmul_share of TPUs, of now", 1, 0.1, 0.5, 1.17},
           nullptr,
           &MachineScales::matmul,
           Generation::tpu}};
}

void print_constants(Pool& pool, const Knobs& machine) {
  const double with = median_error(pool.rows, pool.knobs, machine);
  for (StepKnob& knob : pool.knobs) {
    const StepKnob fitted = knob;
    knob.value = knob.prior;
    print_constant(pool.name, pool.rows.size(), fitted, with, median_error(pool.rows, pool.knobs, machine));
    knob = fitted;
  }
}

// Errors by constants that never saw the rows.
void leave_out(const Pool& pool, const Knobs& machine) {
  for (const auto& [key, left_out] : left_out_together(pool.rows, &FitRow::source, &FitRow::model)) {
    Knobs knobs = pool.knobs;
    const Rows others = without(pool.rows, left_out);
    if (!others.empty()) fit_knobs(others, knobs, machine);
    for (FitRow* row : left_out) row->error = log_error(*row, knobs, machine);
  }
  // Constants never saw those that stalled.
  for (FitRow* row : pool.stalled) row->error = log_error(*row, pool.knobs, machine);
}

void print_classes(const std::vector<FitRow>& rows) {
  MeasuredClasses classes;
  for (const FitRow& row : rows) {
    ErrorsBySeries& found = classes[row.klass];
    found.errors[row.series].push_back(row.error);
    const Reach at = reach_of(row.step.job);
    for (std::size_t i = 0; i < at.size(); ++i) found.most[i] = std::max(found.most[i], at[i]);
  }
  std::printf(
      "\nErrors on left-out sources or models, ln(predicted / measured): core/training/step_band.cpp\n");
  print_class_rows(classes);
}

// What a release takes over all of them together, and how far its series are off by themselves and by the
// factor of its others.
void print_releases(const std::vector<FitRow>& rows) {
  std::printf("\nReleases on steps with experts, held out: core/parallel/job.cpp\n");
  for (std::size_t at = 1; at < std::size(stack_release_names); ++at) {
    std::map<std::string, std::vector<double>> series;
    for (const FitRow& row : rows)
      if (static_cast<std::size_t>(row.release) == at && has_experts(row.step.job.model))
        series[std::to_string(row.step.job.machine.accelerator) + row.series].push_back(row.error);
    std::vector<double> of_all;
    for (const auto& [name, errors] : series) of_all.push_back(median(errors));
    std::vector<double> before;
    std::vector<double> after;
    for (std::size_t left_out = 0; left_out < of_all.size(); ++left_out) {
      std::vector<double> others = of_all;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(left_out));
      before.push_back(100 * std::fabs(std::expm1(of_all[left_out])));
      after.push_back(100 * std::fabs(std::expm1(of_all[left_out] - median(others))));
    }
    std::printf(
        "  %s: %zu series, factor %.3f; off by %.1f %% without it, %.1f %% by the factor of the others\n",
        std::string(stack_release_names[at]).c_str(), of_all.size(), std::exp(-median(of_all)),
        median(before), median(after));
  }
}

}  // namespace

void fit(const std::vector<MeasuredStep>& tables, const std::vector<PublishedRun>& published) {
  std::vector<FitRow> rows = fit_rows(tables, published);
  const std::map<std::string, double> stragglers = fit_stragglers(published);
  for (FitRow& row : rows) {
    forget_stack(row.step);
    if (const auto known = stragglers.find(row.recipe); known != stragglers.end())
      row.step.job.stack.straggler_percent = known->second;
  }
  std::vector<Pool> pools;
  for (const Recipe& recipe : all_recipes()) {
    Pool pool{std::string(recipe.id), {}, {}, {}};
    for (FitRow& row : rows)
      if (row.recipe == recipe.id) (row.stalled ? pool.stalled : pool.rows).push_back(&row);
    if (!pool.rows.empty()) pools.push_back(std::move(pool));
  }
  Pool machine{"machine", machine_knobs(), {}, {}};
  for (Pool& pool : pools) choose_knobs(pool, machine.knobs, stragglers.count(pool.name) > 0);
  for (int round = 0; round < 2; ++round) {
    for (Pool& pool : pools) fit_knobs(pool.rows, pool.knobs, machine.knobs);
    // The machine's constants on rows without tensor parallelism, at the paces just found.
    machine.rows.clear();
    std::vector<FitRow> alone;
    for (Pool& pool : pools) {
      for (const FitRow* row : pool.rows) {
        if (row->step.job.layout.tensor_parallel > 4 || has_experts(row->step.job.model)) continue;
        alone.push_back(*row);
        for (const StepKnob& knob : pool.knobs) alone.back().step.job.stack.*(knob.stack) = knob.value;
      }
    }
    for (FitRow& row : alone) machine.rows.push_back(&row);
    fit_knobs(machine.rows, machine.knobs, {});
    if (round == 1) print_constants(machine, {});
  }
  for (Pool& pool : pools) {
    print_constants(pool, machine.knobs);
    leave_out(pool, machine.knobs);
  }
  print_classes(rows);
  print_releases(rows);
  print_coverage(rows, "held out, by bands of all");
}

}  // namespace commcost::validation::steps
