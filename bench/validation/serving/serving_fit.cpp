#include "bench/validation/serving/serving_fit.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <set>

#include "bench/validation/statistics.h"
#include "core/parallel/recipes.h"

namespace commcost::serving {
namespace {

using Rows = std::vector<ServingRow*>;

// A number that is fitted in its logarithm, drawn towards what is known without serving steps.
struct Knob {
  const char* name;
  double ServingPace::*serving;
  double Pace::*pace;
  double prior, doubt, least, greatest;
  double value;
};

constexpr Knob every_knob[] = {
    {"memory_efficiency_percent", &ServingPace::memory_efficiency_percent, nullptr, 80, 0.1, 30, 110, 80},
    {"kernel_start_us", &ServingPace::kernel_start_us, nullptr, 6, 0.7, 0.1, 30, 6},
    {"allreduce_start_us", &ServingPace::allreduce_start_us, nullptr, 8, 0.7, 0.1, 60, 8},
    {"sequence_host_us", &ServingPace::sequence_host_us, nullptr, 10, 1.5, 0.1, 2000, 10},
    {"compute_efficiency_percent", nullptr, &Pace::compute_efficiency_percent, 90, 0.2, 30, 110, 90},
    {"host_us_per_kernel", nullptr, &Pace::host_us_per_kernel, 8, 0.7, 1, 80, 8},
};

double predicted(const ServingRow& row, const std::vector<Knob>& knobs) {
  ServingRow tried = row;
  for (const Knob& knob : knobs) {
    if (knob.serving != nullptr) {
      tried.step.serving.pace.*(knob.serving) = knob.value;
    } else {
      tried.step.setting.pace.*(knob.pace) = knob.value;
    }
  }
  return predicted_ms(tried);
}

// Pseudo-Huber, rows weighted so that a source counts by the root of its rows; and the priors.
double cost(const Rows& rows, const std::vector<Knob>& knobs) {
  constexpr double width = 0.1;
  std::map<std::string, double> count;
  for (const ServingRow* row : rows) ++count[row->source];
  double sum = 0;
  for (const ServingRow* row : rows) {
    const double error = std::log(predicted(*row, knobs) / row->measured_ms) / width;
    sum += 2 * (std::sqrt(1 + error * error) - 1) / std::sqrt(count[row->source]);
  }
  for (const Knob& knob : knobs) {
    const double away = std::log(knob.value / knob.prior) / knob.doubt;
    sum += away * away;
  }
  return sum;
}

double descend(const Rows& rows, std::vector<Knob>& knobs) {
  double best = cost(rows, knobs);
  for (double stride = 0.3; stride > 0.008;) {
    bool moved = false;
    for (Knob& knob : knobs) {
      for (const double way : {1 + stride, 1 / (1 + stride)}) {
        const double before = knob.value;
        knob.value = std::clamp(before * way, knob.least, knob.greatest);
        const double now = knob.value == before ? best : cost(rows, knobs);
        if (now < best - 1e-9) {
          best = now;
          moved = true;
          break;
        }
        knob.value = before;
      }
    }
    if (!moved) stride /= 2;
  }
  return best;
}

double median_error(const Rows& rows, const std::vector<Knob>& knobs) {
  std::vector<double> errors;
  for (const ServingRow* row : rows)
    errors.push_back(100 * std::fabs(predicted(*row, knobs) / row->measured_ms - 1));
  return steps::median(errors);
}

// Of all constants those without which the cost rises by more than one is worth (Bayesian information
// criterion).
std::vector<Knob> chosen(const Rows& rows) {
  double weight = 0;
  std::map<std::string, double> count;
  for (const ServingRow* row : rows) ++count[row->source];
  for (const ServingRow* row : rows) weight += 1 / std::sqrt(count[row->source]);
  std::vector<Knob> knobs(std::begin(every_knob), std::end(every_knob));
  double now = descend(rows, knobs);
  while (!knobs.empty()) {
    std::vector<Knob> best;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t at = 0; at < knobs.size(); ++at) {
      std::vector<Knob> without = knobs;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(at));
      const double then = descend(rows, without);
      if (then < least) {
        least = then;
        best = std::move(without);
      }
    }
    if (least - now > std::log(weight)) break;
    now = least;
    knobs = std::move(best);
  }
  return knobs;
}

void leave_out(const Rows& rows, const std::vector<Knob>& fitted) {
  std::map<std::string, std::size_t> sources;
  std::size_t most = 0;
  for (const ServingRow* row : rows) most = std::max(most, ++sources[row->source]);
  const bool by_model = 2 * most > rows.size();
  const auto key = [&](const ServingRow* row) { return by_model ? row->model : row->source; };
  std::set<std::string> keys;
  for (const ServingRow* row : rows) keys.insert(key(row));
  for (const std::string& out : keys) {
    std::vector<Knob> knobs = fitted;
    Rows others;
    for (ServingRow* row : rows)
      if (key(row) != out) others.push_back(row);
    if (others.empty()) {
      for (Knob& knob : knobs) knob.value = knob.prior;
    } else {
      descend(others, knobs);
    }
    for (ServingRow* row : rows)
      if (key(row) == out) row->error = std::log(predicted(*row, knobs) / row->measured_ms);
  }
}

}  // namespace

std::vector<FittedStack> fit(std::vector<ServingRow>& rows) {
  std::vector<FittedStack> stacks;
  for (const Recipe& recipe : all_recipes()) {
    Rows own;
    for (ServingRow& row : rows)
      if (row.recipe == recipe.id) own.push_back(&row);
    if (own.empty()) continue;
    for (ServingRow* row : own) {
      // What is known without rows.
      const ReduceKernel kernel = row->step.serving.pace.allreduce_kernel;
      row->step.serving.pace = {};
      row->step.serving.pace.allreduce_kernel = kernel;
      row->step.setting.pace.compute_efficiency_percent = Pace{}.compute_efficiency_percent;
      row->step.setting.pace.host_us_per_kernel = Pace{}.host_us_per_kernel;
    }
    std::vector<Knob> knobs = chosen(own);
    FittedStack stack{recipe.id, own.size(), median_error(own, knobs), {}};
    for (Knob& knob : knobs) {
      const double value = knob.value;
      knob.value = knob.prior;
      stack.constants.push_back({knob.name, knob.prior, value, median_error(own, knobs)});
      knob.value = value;
    }
    stacks.push_back(stack);
    leave_out(own, knobs);
  }
  return stacks;
}

void print(const std::vector<FittedStack>& stacks) {
  for (const FittedStack& stack : stacks) {
    for (const FittedConstant& one : stack.constants) {
      std::printf(
          "  %-20s %-28s %4zu rows  prior %7.2f  value %8.2f  median error %5.1f %%, at the prior %5.1f %%\n",
          std::string(stack.recipe).c_str(), one.name, stack.rows, one.prior, one.value, stack.error_percent,
          one.error_without_percent);
    }
    std::printf("  %-20s %zu constants for %zu rows\n", std::string(stack.recipe).c_str(),
                stack.constants.size(), stack.rows);
  }
}

}  // namespace commcost::serving
