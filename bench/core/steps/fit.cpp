#include "bench/core/steps/fit.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

#include "bench/core/steps/fit_rows.h"
#include "bench/core/steps/statistics.h"
#include "core/parallel/recipes.h"
#include "core/step/constants.h"

namespace commcost::steps {
namespace {

// A number that is fitted in its logarithm, drawn towards what is known without steps.
struct Knob {
  std::string name;
  double Pace::*pace = nullptr;            // of a recipe, or
  double MachineScales::*scale = nullptr;  // a factor on the machine
  std::string_view accelerator;            // of those whose ids begin so
  double prior = 1;
  double doubt = 0.5;  // standard deviation of ln(value / prior)
  double least = 0, greatest = 1e9;
  double value = 1;
};

using Rows = std::vector<FitRow*>;
using Knobs = std::vector<Knob*>;

double predicted(const FitRow& row, const Knobs& knobs) {
  MeasuredStep step = row.step;
  MachineScales scales;
  for (const Knob* knob : knobs) {
    if (knob->pace != nullptr) {
      step.inputs.pace.*(knob->pace) = knob->value;
    } else if (accelerator_of(step.inputs.machine).id.starts_with(knob->accelerator)) {
      scales.*(knob->scale) = knob->value;
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
};

Knobs pointers(std::vector<Knob>& knobs) {
  Knobs found;
  for (Knob& knob : knobs) found.push_back(&knob);
  return found;
}

Knobs joined(Knobs one, const Knobs& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

// What is known of stacks without steps: a kernel's launch from Python takes 5 to 10 us, a layer of fused
// kernels runs at nine tenths of what its largest products reach.
std::vector<Knob> pace_knobs(const Recipe& recipe) {
  const Pace& now = recipe.pace;
  std::vector<Knob> knobs = {
      {"compute_efficiency_percent",
       &Pace::compute_efficiency_percent,
       nullptr,
       {},
       90,
       0.2,
       30,
       110,
       now.compute_efficiency_percent},
      {"straggler_percent", &Pace::straggler_percent, nullptr, {}, 2, 0.5, 0.2, 6, now.straggler_percent},
  };
  if (!now.cuda_graphs) {
    knobs.push_back({"host_us_per_kernel",
                     &Pace::host_us_per_kernel,
                     nullptr,
                     {},
                     8,
                     0.5,
                     1,
                     80,
                     now.host_us_per_kernel});
    knobs.push_back({"collective_start_us",
                     &Pace::collective_start_us,
                     nullptr,
                     {},
                     20,
                     0.5,
                     2,
                     200,
                     now.collective_start_us});
    knobs.push_back(
        {"pipeline_sync_us", &Pace::pipeline_sync_us, nullptr, {}, 100, 1, 5, 5000, now.pipeline_sync_us});
  }
  if (now.stage_host_us_per_rank > 0)
    knobs.push_back({"stage_host_us_per_rank",
                     &Pace::stage_host_us_per_rank,
                     nullptr,
                     {},
                     1000,
                     1,
                     10,
                     20000,
                     now.stage_host_us_per_rank});
  return knobs;
}

std::vector<Knob> machine_knobs() {
  return {{"matrix_traffic_weight, of now", nullptr, &MachineScales::matrix_traffic, "", 1, 0.05, 0.05, 3, 1},
          {"data_overlap_share, of now", nullptr, &MachineScales::data_overlap, "", 1, 0.3, 0.2, 1.49, 1},
          {"matmul_share of TPUs, of now", nullptr, &MachineScales::matmul, "tpu", 1, 0.1, 0.5, 1.17, 1}};
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
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double at = share * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (at - static_cast<double>(low)) * (values[high] - values[low]);
}

void print_classes(const std::vector<Pool>& pools) {
  std::map<std::string, std::vector<double>> classes;
  std::map<std::string, std::size_t> constants;
  for (const Pool& pool : pools) {
    for (const FitRow* row : pool.rows) {
      classes[row->klass].push_back(row->error);
      constants[row->klass] = pool.knobs.size();
    }
  }
  std::printf("\nErrors on left-out sources or models, ln(predicted / measured): the bands\n");
  std::printf("%-34s %5s %9s %8s %8s %8s %8s\n", "class", "rows", "constants", "|median|", "10 %", "50 %",
              "90 %");
  for (const auto& [name, errors] : classes) {
    std::vector<double> sizes;
    for (const double error : errors) sizes.push_back(100 * std::fabs(std::expm1(error)));
    std::printf("%-34s %5zu %9zu %6.1f %% %8.3f %8.3f %8.3f\n", name.c_str(), errors.size(), constants[name],
                median(sizes), quantile(errors, 0.1), quantile(errors, 0.5), quantile(errors, 0.9));
  }
}

}  // namespace

void fit(const std::vector<MeasuredStep>& tables, const std::vector<PublishedRun>& published) {
  std::vector<FitRow> rows = fit_rows(tables, published);
  std::vector<Pool> pools;
  for (const Recipe& recipe : all_recipes()) {
    Pool pool{std::string(recipe.id), pace_knobs(recipe), {}};
    for (FitRow& row : rows)
      if (row.recipe == recipe.id) pool.rows.push_back(&row);
    if (!pool.rows.empty()) pools.push_back(std::move(pool));
  }
  Pool machine{"machine", machine_knobs(), {}};
  const Knobs shared = pointers(machine.knobs);
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
}

}  // namespace commcost::steps
