#include "bench/validation/serving/serving_fit.h"

#include <cmath>
#include <cstdio>
#include <map>

#include "bench/validation/fitting.h"
#include "bench/validation/statistics.h"
#include "core/base/least_squares.h"
#include "core/parallel/recipes.h"

namespace commcost::validation::serving {
namespace {

using Rows = std::vector<ServingRow*>;

// A constant of a stack while it serves, or of any stack.
struct ServingKnob : Knob {
  double ServingPace::*serving = nullptr;
  double Stack::*stack = nullptr;
};

using Knobs = std::vector<ServingKnob>;

const Knobs every_knob = {
    {{"kernel_start_us", ServingPace{}.kernel_start_us, 1, 0.1, 30}, &ServingPace::kernel_start_us},
    {{"allreduce_start_us", ServingPace{}.allreduce_start_us, 0.7, 0.1, 60},
     &ServingPace::allreduce_start_us},
    {{"sequence_host_us", ServingPace{}.sequence_host_us, 1.5, 0.1, 2000}, &ServingPace::sequence_host_us},
    {{"gemm_time_scale", 1, 0.1, 0.3, 3}, nullptr, &Stack::gemm_time_scale},
    {{"attention_time_scale", 1, 0.2, 0.3, 5}, nullptr, &Stack::attention_time_scale},
    {{"elementwise_time_scale", 1, 0.3, 0.3, 5}, nullptr, &Stack::elementwise_time_scale},
    {{"host_us_per_kernel", 8, 0.7, 1, 80}, nullptr, &Stack::host_us_per_kernel},
};

double predicted(const ServingRow& row, const Knobs& knobs) {
  ServingRow tried = row;
  for (const ServingKnob& knob : knobs) {
    if (knob.serving != nullptr) {
      tried.job.stack.serving.*(knob.serving) = knob.value;
    } else {
      tried.job.stack.*(knob.stack) = knob.value;
    }
  }
  return predicted_ms(tried);
}

// A source counts by the root of its rows.
std::map<std::string, double> weights_of(const Rows& rows) {
  std::map<std::string, double> count;
  for (const ServingRow* row : rows) ++count[row->source];
  for (auto& [source, weight] : count) weight = std::sqrt(weight);
  return count;
}

// Errors beyond a tenth count by their size, not their square; and the priors.
double cost(const Rows& rows, const Knobs& knobs) {
  constexpr double width = 0.1;
  const std::map<std::string, double> weights = weights_of(rows);
  double sum = 0;
  for (const ServingRow* row : rows) {
    const double error = std::log(predicted(*row, knobs) / row->measured_ms);
    sum += soft_l1(error / width) / weights.at(row->source);
  }
  return sum + distance_from_priors(knobs);
}

double fit_knobs(const Rows& rows, Knobs& knobs) {
  return descend(coordinates_of(knobs), {0.3, 0.008}, [&] { return cost(rows, knobs); });
}

double median_error(const Rows& rows, const Knobs& knobs) {
  std::vector<double> errors;
  for (const ServingRow* row : rows)
    errors.push_back(100 * std::fabs(predicted(*row, knobs) / row->measured_ms - 1));
  return median(errors);
}

Knobs chosen(const Rows& rows) {
  const std::map<std::string, double> weights = weights_of(rows);
  double weight = 0;
  for (const ServingRow* row : rows) weight += 1 / weights.at(row->source);
  return worth_having(every_knob, weight, [&](Knobs& knobs) { return fit_knobs(rows, knobs); });
}

void leave_out(const Rows& rows, const Knobs& fitted) {
  for (const auto& [key, left_out] : left_out_together(rows, &ServingRow::source, &ServingRow::model)) {
    Knobs knobs = fitted;
    const Rows others = without(rows, left_out);
    if (others.empty()) {
      for (ServingKnob& knob : knobs) knob.value = knob.prior;
    } else {
      fit_knobs(others, knobs);
    }
    for (ServingRow* row : left_out) row->error = std::log(predicted(*row, knobs) / row->measured_ms);
  }
}

void print(std::string_view recipe, const Rows& rows, Knobs knobs) {
  const double with = median_error(rows, knobs);
  for (ServingKnob& knob : knobs) {
    const ServingKnob fitted = knob;
    knob.value = knob.prior;
    print_constant(std::string(recipe), rows.size(), fitted, with, median_error(rows, knobs));
    knob = fitted;
  }
  std::printf("  %-20s %zu constants for %zu rows\n", std::string(recipe).c_str(), knobs.size(), rows.size());
}

}  // namespace

void fit(std::vector<ServingRow>& rows, bool prints) {
  Rows all;
  for (ServingRow& row : rows) {
    // What is known without rows stays.
    Stack& stack = row.job.stack;
    for (const ServingKnob& knob : every_knob) {
      if (knob.serving != nullptr) stack.serving.*(knob.serving) = ServingPace{}.*(knob.serving);
      if (knob.stack != nullptr) stack.*(knob.stack) = Stack{}.*(knob.stack);
    }
    all.push_back(&row);
  }
  if (prints) {
    Knobs shared;
    for (const ServingKnob& knob : every_knob)
      if (knob.serving != nullptr) shared.push_back(knob);
    fit_knobs(all, shared);
    print("every stack", all, shared);
  }
  for (const Recipe& recipe : all_recipes()) {
    Rows own;
    for (ServingRow* row : all)
      if (row->recipe == recipe.id) own.push_back(row);
    if (own.empty()) continue;
    const Knobs knobs = chosen(own);
    if (prints) print(recipe.id, own, knobs);
    leave_out(own, knobs);
  }
}

}  // namespace commcost::validation::serving
