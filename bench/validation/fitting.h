#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

// What the fits to steps and to serving have in common.
namespace commcost::validation {

/// A constant that is fitted in its logarithm, drawn towards what is known without the rows.
struct Knob {
  const char* name;
  double prior;
  double doubt;  ///< standard deviation of ln(value / prior)
  double least;
  double greatest;
  double value = prior;
};

/// What knobs cost that are away from their priors.
template <class Knobs>
double distance_from_priors(const Knobs& knobs) {
  double sum = 0;
  for (const Knob& knob : knobs) {
    const double away = std::log(knob.value / knob.prior) / knob.doubt;
    sum += away * away;
  }
  return sum;
}

/// A value that a descent moves, and within what.
struct Coordinate {
  double* value;
  double least = 0;
  double greatest = std::numeric_limits<double>::infinity();
};

template <class Knobs>
std::vector<Coordinate> coordinates_of(Knobs& knobs) {
  std::vector<Coordinate> found;
  for (Knob& knob : knobs) found.push_back({&knob.value, knob.least, knob.greatest});
  return found;
}

/// How far a descent moves a value at first, and where it ends, as shares of the value.
struct Strides {
  double first;
  double last;
};

/// Coordinate descent over logarithms: each value in turn while `cost` falls, by ever shorter strides.
/// Returns the cost reached.
template <class Cost>
double descend(const std::vector<Coordinate>& coordinates, const Strides& strides, const Cost& cost) {
  double best = cost();
  for (double stride = strides.first; stride > strides.last;) {
    bool moved = false;
    for (const Coordinate& one : coordinates) {
      for (const double way : {1 + stride, 1 / (1 + stride)}) {
        const double before = *one.value;
        *one.value = std::clamp(before * way, one.least, one.greatest);
        const double now = *one.value == before ? best : cost();
        if (now < best - 1e-9) {
          best = now;
          moved = true;
          break;
        }
        *one.value = before;
      }
    }
    if (!moved) stride /= 2;
  }
  return best;
}

/// Of all knobs those without which the cost, once the others are fitted, rises by more than it costs to have
/// one: the logarithm of the rows as they are weighted (the Bayesian information criterion). `fit` fits the
/// knobs that it is given and returns the cost.
template <class Knobs, class Fit>
Knobs worth_having(Knobs knobs, double weight, const Fit& fit) {
  double now = fit(knobs);
  while (!knobs.empty()) {
    Knobs best;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t at = 0; at < knobs.size(); ++at) {
      Knobs without = knobs;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(at));
      const double then = fit(without);
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

/// Rows that are left out together: those of one source, or where one source has most rows, those of one
/// model.
template <class RowPointer, class Source, class Model>
std::map<std::string, std::vector<RowPointer>> left_out_together(const std::vector<RowPointer>& rows,
                                                                 const Source& source, const Model& model) {
  std::map<std::string, std::vector<RowPointer>> by_source;
  std::map<std::string, std::vector<RowPointer>> by_model;
  for (RowPointer row : rows) {
    by_source[std::invoke(source, row)].push_back(row);
    by_model[std::invoke(model, row)].push_back(row);
  }
  const bool one_has_most = std::any_of(by_source.begin(), by_source.end(),
                                        [&](const auto& of) { return 2 * of.second.size() > rows.size(); });
  return one_has_most ? by_model : by_source;
}

/// `rows` but for `those`.
template <class RowPointer>
std::vector<RowPointer> without(std::vector<RowPointer> rows, const std::vector<RowPointer>& those) {
  std::erase_if(rows,
                [&](RowPointer row) { return std::find(those.begin(), those.end(), row) != those.end(); });
  return rows;
}

/// Prints what the rows make of a stack's constant, and the medians of their errors with it and at its prior.
void print_constant(const std::string& stack, std::size_t rows, const Knob& knob, double error_percent,
                    double at_prior_percent);

}  // namespace commcost::validation
