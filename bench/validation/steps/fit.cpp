#include "bench/validation/steps/fit.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "bench/validation/statistics.h"
#include "bench/validation/steps/fit_rows.h"
#include "bench/validation/steps/left_out_stacks.h"
#include "bench/validation/steps/straggler_fit.h"
#include "core/parallel/recipes.h"
#include "core/step/constants.h"

namespace commcost::steps {
namespace {

// A number that is fitted in its logarithm, drawn towards what is known without steps.
struct Knob {
  std::string name;
  double Pace::*pace = nullptr;            // of a recipe, or
  double MachineScales::*scale = nullptr;  // a factor on the machine
  std::optional<Generation> generation;    // of that alone, or of all
  double prior = 1;
  double doubt = 0.5;  // standard deviation of ln(value / prior)
  double least = 0, greatest = 1e9;
  double value = 1;
  double now = 1;  // what the core has, where the value itself is fitted and not a factor on it
};

using Rows = std::vector<FitRow*>;
using Knobs = std::vector<Knob*>;

double predicted(const FitRow& row, const Knobs& knobs) {
  MeasuredStep step = row.step;
  MachineScales scales;
  const Generation generation = accelerator_of(step.inputs.machine).generation();
  for (const Knob* knob : knobs) {
    if (knob->pace != nullptr) {
      step.inputs.pace.*(knob->pace) = knob->value;
    } else if (knob->generation.value_or(generation) == generation) {
      scales.*(knob->scale) *= knob->value / knob->now;
    }
  }
  return predicted_ms(step, scales);
}

// Pseudo-Huber: errors beyond a tenth count by their size, not its square; and the priors.
double cost(const Rows& rows, const Knobs& used, const Knobs& all) {
  constexpr double width = 0.1;
  double sum = 0;
  for (const FitRow* row : rows) {
    const double error = std::log(predicted(*row, all) / row->step.measured_ms) / width;
    sum += row->weight * 2 * (std::sqrt(1 + error * error) - 1);
  }
  for (const Knob* knob : used) {
    const double away = std::log(knob->value / knob->prior) / knob->doubt;
    sum += away * away;
  }
  return sum;
}

// Coordinate descent over the logarithms.
void descend(const Rows& rows, const Knobs& knobs, const Knobs& all) {
  double best = cost(rows, knobs, all);
  for (double stride = 0.2; stride > 0.008;) {
    bool moved = false;
    for (Knob* knob : knobs) {
      for (const double way : {1 + stride, 1 / (1 + stride)}) {
        const double before = knob->value;
        knob->value = std::clamp(before * way, knob->least, knob->greatest);
        const double now = knob->value == before ? best : cost(rows, knobs, all);
        if (now < best - 1e-9) {
          best = now;
          moved = true;
          break;
        }
        knob->value = before;
      }
    }
    if (!moved) stride /= 2;
  }
}

double median_error(const Rows& rows, const Knobs& all) {
  std::vector<double> errors;
  for (const FitRow* row : rows)
    errors.push_back(100 * std::fabs(predicted(*row, all) / row->step.measured_ms - 1));
  return median(errors);
}

struct Pool {
  std::string name;  // a recipe, or "machine"
  std::vector<Knob> knobs;
  Rows rows;
  Rows stalled;
};

Knobs pointers(std::vector<Knob>& knobs) {
  Knobs found;
  for (Knob& knob : knobs) found.push_back(&knob);
  return found;
}

template <class List>
List joined(List one, const List& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

// What rows tell most about comes first. Where nothing is fitted a pace stays as Pace{} has it: what is known
// without steps.
struct PaceKnob {
  const char* name;
  double Pace::*field;
  double prior, doubt, least, greatest;
};
constexpr PaceKnob every_pace_knob[] = {
    {"compute_efficiency_percent", &Pace::compute_efficiency_percent, Pace{}.compute_efficiency_percent, 0.2,
     30, 110},
    {"straggler_percent", &Pace::straggler_percent, Pace{}.straggler_percent, 0.5, 0.2, 10},
    {"expert_efficiency_percent", &Pace::expert_efficiency_percent, Pace{}.expert_efficiency_percent, 0.3, 20,
     110},
    {"staged_layer_host_us", &Pace::staged_layer_host_us, 1000, 1, 1, 20000},
    {"host_us_per_kernel", &Pace::host_us_per_kernel, Pace{}.host_us_per_kernel, 0.5, 1, 80},
    {"pipeline_sync_us", &Pace::pipeline_sync_us, Pace{}.pipeline_sync_us, 1, 5, 5000},
    {"collective_start_us", &Pace::collective_start_us, Pace{}.collective_start_us, 0.5, 2, 200},
};

// Whether enough rows change with it: a tenth of fewer than thirty is a matter of luck.
bool told_by(const PaceKnob& knob, const Rows& rows) {
  constexpr std::ptrdiff_t enough = 30;
  if (knob.field == &Pace::compute_efficiency_percent) return true;
  return std::count_if(rows.begin(), rows.end(), [&](const FitRow* row) {
           MeasuredStep other = row->step;
           other.inputs.pace.*(knob.field) = knob.prior;
           MeasuredStep more = row->step;
           more.inputs.pace.*(knob.field) = 2 * knob.prior;
           return predicted_ms(other) != predicted_ms(more);
         }) >= enough;
}

// The cost with these knobs fitted and the others as known.
double fitted_cost(const Rows& rows, std::vector<Knob>& knobs, const Knobs& machine) {
  const Knobs own = pointers(knobs);
  descend(rows, own, joined(own, machine));
  return cost(rows, own, joined(own, machine));
}

// A stack's constants: of all, those without which the cost rises by more than it costs to have one, the
// logarithm of the rows as they are weighted (the Bayesian information criterion).
void choose_knobs(Pool& pool, const Knobs& machine, bool knows_stragglers) {
  double weight = 0;
  for (const FitRow* row : pool.rows) weight += row->weight;
  for (const PaceKnob& one : every_pace_knob) {
    if (!told_by(one, pool.rows)) continue;
    if (knows_stragglers && one.field == &Pace::straggler_percent) continue;
    pool.knobs.push_back(
        {one.name, one.field, nullptr, {}, one.prior, one.doubt, one.least, one.greatest, one.prior});
  }
  double now = fitted_cost(pool.rows, pool.knobs, machine);
  while (!pool.knobs.empty()) {
    std::vector<Knob> best;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t at = 0; at < pool.knobs.size(); ++at) {
      std::vector<Knob> without = pool.knobs;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(at));
      const double then = fitted_cost(pool.rows, without, machine);
      if (then < least) {
        least = then;
        best = std::move(without);
      }
    }
    if (least - now > std::log(weight)) return;
    now = least;
    pool.knobs = std::move(best);
  }
}

// A row at what is known without steps, but for what is no constant: graphs, and what an fp32 loss holds.
void forget_pace(MeasuredStep& step) {
  for (const PaceKnob& one : every_pace_knob) step.inputs.pace.*(one.field) = Pace{}.*(one.field);
}

std::vector<Knob> machine_knobs() {
  return {{"matrix_traffic_weight, of now", nullptr, &MachineScales::matrix_traffic, {}, 1, 0.05, 0.05, 3, 1},
          {"data_overlap_share, of now", nullptr, &MachineScales::data_overlap, {}, 1, 0.3, 0.2, 1.49, 1},
          {"matmul_share of TPUs, of now", nullptr, &MachineScales::matmul, Generation::tpu, 1, 0.1, 0.5,
           1.17, 1},
          {"blackwell_sustained_share", nullptr, &MachineScales::matmul, Generation::blackwell, 1, 0.1, 0.5,
           1.2, 1, constants::blackwell_sustained_share}};
}

void print_constants(Pool& pool, const Knobs& all) {
  const Knobs own = pointers(pool.knobs);
  const double with = median_error(pool.rows, all);
  for (Knob& knob : pool.knobs) {
    const double value = knob.value;
    knob.value = knob.prior;
    const double without = median_error(pool.rows, all);
    knob.value = value;
    std::printf(
        "  %-16s %-30s %5zu rows  prior %7.2f  value %8.3f  median error %5.1f %%, at the prior %5.1f %%\n",
        pool.name.c_str(), knob.name.c_str(), pool.rows.size(), knob.prior, value, with, without);
  }
}

// Errors of rows of one source, or where one has most rows of one model, by constants that never saw them.
void leave_out(Pool& pool, const Knobs& machine) {
  std::map<std::string, std::size_t> sources;
  std::size_t most = 0;
  for (const FitRow* row : pool.rows) most = std::max(most, ++sources[row->source]);
  const bool by_model = 2 * most > pool.rows.size();
  const auto key = [&](const FitRow* row) { return by_model ? row->model : row->source; };
  std::set<std::string> keys;
  for (const FitRow* row : pool.rows) keys.insert(key(row));
  const std::vector<Knob> fitted = pool.knobs;
  for (const std::string& out : keys) {
    pool.knobs = fitted;
    Rows others;
    for (FitRow* row : pool.rows)
      if (key(row) != out) others.push_back(row);
    const Knobs own = pointers(pool.knobs);
    const Knobs all = joined(own, machine);
    if (!others.empty()) descend(others, own, all);
    for (FitRow* row : pool.rows)
      if (key(row) == out) row->error = std::log(predicted(*row, all) / row->step.measured_ms);
  }
  pool.knobs = fitted;
  // Constants never saw those that stalled.
  const Knobs all = joined(pointers(pool.knobs), machine);
  for (FitRow* row : pool.stalled) row->error = std::log(predicted(*row, all) / row->step.measured_ms);
}

// Rows of one class, as core/step/step_band.cpp has them.
struct Class {
  std::vector<double> errors;
  double most_gpus = 0;
  std::size_t constants = 0;
};

void print_classes(const std::vector<Pool>& pools) {
  std::map<std::string, Class> classes;
  for (const Pool& pool : pools) {
    for (const FitRow* row : joined(pool.rows, pool.stalled)) {
      Class& found = classes[row->klass];
      found.errors.push_back(row->error);
      found.most_gpus = std::max(found.most_gpus, static_cast<double>(gpus_needed(row->step.inputs.layout)));
      found.constants = pool.knobs.size();
    }
  }
  std::printf("\nErrors on left-out sources or models, ln(predicted / measured): the bands\n");
  std::printf("%-34s %5s %9s %9s %8s %8s %8s %8s\n", "class", "rows", "most GPUs", "constants", "|median|",
              "10 %", "50 %", "90 %");
  for (const auto& [name, found] : classes) {
    std::vector<double> sizes;
    for (const double error : found.errors) sizes.push_back(100 * std::fabs(std::expm1(error)));
    std::printf("%-34s %5zu %9.0f %9zu %6.1f %% %8.3f %8.3f %8.3f\n", name.c_str(), found.errors.size(),
                found.most_gpus, found.constants, median(sizes), quantile(found.errors, 0.1),
                quantile(found.errors, 0.5), quantile(found.errors, 0.9));
  }
}

}  // namespace

void fit(const std::vector<MeasuredStep>& tables, const std::vector<PublishedRun>& published) {
  std::vector<FitRow> rows = fit_rows(tables, published);
  const std::map<std::string, double> stragglers = fit_stragglers(published);
  for (FitRow& row : rows) {
    forget_pace(row.step);
    row.unfitted_error = std::log(predicted_ms(row.step) / row.step.measured_ms);
    if (const auto known = stragglers.find(row.recipe); known != stragglers.end())
      row.step.inputs.pace.straggler_percent = known->second;
  }
  std::vector<Pool> pools;
  for (const Recipe& recipe : all_recipes()) {
    Pool pool{std::string(recipe.id), {}, {}, {}};
    for (FitRow& row : rows)
      if (row.recipe == recipe.id) (row.stalled ? pool.stalled : pool.rows).push_back(&row);
    if (!pool.rows.empty()) pools.push_back(std::move(pool));
  }
  Pool machine{"machine", machine_knobs(), {}, {}};
  const Knobs shared = pointers(machine.knobs);
  for (Pool& pool : pools) choose_knobs(pool, shared, stragglers.count(pool.name) > 0);
  for (int round = 0; round < 2; ++round) {
    for (Pool& pool : pools) {
      const Knobs own = pointers(pool.knobs);
      descend(pool.rows, own, joined(own, shared));
    }
    // The machine's constants on rows without tensor parallelism, at the paces just found.
    machine.rows.clear();
    std::vector<FitRow> alone;
    for (Pool& pool : pools) {
      for (const FitRow* row : pool.rows) {
        if (row->step.inputs.layout.tensor_parallel > 1) continue;
        alone.push_back(*row);
        for (const Knob& knob : pool.knobs) alone.back().step.inputs.pace.*(knob.pace) = knob.value;
      }
    }
    for (FitRow& row : alone) machine.rows.push_back(&row);
    descend(machine.rows, shared, shared);
    if (round == 1) print_constants(machine, shared);
  }
  for (Pool& pool : pools) {
    const Knobs all = joined(pointers(pool.knobs), shared);
    print_constants(pool, all);
    leave_out(pool, shared);
  }
  print_classes(pools);
  print_left_out_stacks(rows);
}

}  // namespace commcost::steps
