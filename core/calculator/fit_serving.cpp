#include "core/serving/serving_fit.h"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "core/base/four_digits.h"
#include "core/calculator/calculations.h"
#include "core/calculator/load_fields.h"
#include "core/calculator/row_inputs.h"
#include "core/parallel/job_problems.h"

namespace commcost::calculations {
namespace fit_serving_table {

/// The inputs that the measured loads share, and the loads; as a row: the shared inputs with its own on top.
struct FitServingInputs : ServingLoadInputs {
  Value loads;
  double measured_token_ms = 0;
  double measured_first_token_ms = 0;
};

/// An input that the fit sets.
struct MovedConstant {
  std::string_view field;
  double before = 0;
  double after = 0;
};

/// A measured load next to its predictions.
struct FittedLoad {
  double row = 0;
  double measured_token_ms = 0;
  double recipe_token_ms = 0;
  double fitted_token_ms = 0;
  double left_out_token_ms = 0;
  double measured_first_token_ms = 0;
  double recipe_first_token_ms = 0;
  double fitted_first_token_ms = 0;
};

struct FitServingResults {
  bool moved = false;
  Value fields;
  std::vector<MovedConstant> changes;
  double recipe_error_percent = 0;
  double fitted_error_percent = 0;
  std::optional<double> left_out_error_percent;
  std::vector<FittedLoad> rows;
};

using Inputs = FitServingInputs;
using Results = FitServingResults;

constexpr double most_loads = 32;

constexpr InputField loads_field[] = {
    list<&Inputs::loads>(1, most_loads,
                         "Measured loads: for each, an object with measured_token_ms, "
                         "measured_first_token_ms and the inputs that differ from the call's own"),
};
constexpr InputField measured_fields[] = {
    real<&Inputs::measured_token_ms>(0, 1e9, "Median TPOT of the load; 0: not measured").or_default(0),
    real<&Inputs::measured_first_token_ms>(0, 1e9, "Median TTFT of the load; 0: not measured").or_default(0),
};

constexpr FieldGroup own_groups[] = {group<Inputs>(loads_field)};
constexpr FieldGroup own_row_groups[] = {group<Inputs>(measured_fields)};
constexpr auto groups =
    joined(own_groups, own_load_groups<Inputs>, server_groups<Inputs>, machine_groups<Inputs>);
constexpr auto row_groups =
    joined(own_row_groups, own_load_groups<Inputs>, server_groups<Inputs>, machine_groups<Inputs>);

constexpr ResultField change_columns[] = {
    result<&MovedConstant::field>("The input"),
    result<&MovedConstant::before>("The value given, or the recipe's"),
    result<&MovedConstant::after>("The value that fits the measured loads"),
};

constexpr ResultField row_columns[] = {
    whole_result<&FittedLoad::row>("Its place, from 1"),
    result<&FittedLoad::measured_token_ms>("Median TPOT as given; 0: not measured"),
    result<&FittedLoad::recipe_token_ms>("Median TPOT predicted with nothing moved"),
    result<&FittedLoad::fitted_token_ms>("Median TPOT predicted with the fields set"),
    result<&FittedLoad::left_out_token_ms>("Median TPOT predicted by a fit to the other loads alone"),
    result<&FittedLoad::measured_first_token_ms>("Median TTFT as given; 0: not measured"),
    result<&FittedLoad::recipe_first_token_ms>("Median TTFT predicted with nothing moved"),
    result<&FittedLoad::fitted_first_token_ms>("Median TTFT predicted with the fields set"),
};

constexpr ResultField results[] = {
    result<&Results::moved>(
        "Whether moving constants helps on loads held out from the fit; if not, none is moved"),
    result<&Results::fields>("The inputs to set, as every calculation of a server takes them"),
    rows_result<&Results::changes>(change_columns, "The moved constants, before and after"),
    result<&Results::recipe_error_percent>("Median error of TPOT with nothing moved"),
    result<&Results::fitted_error_percent>("Median error of TPOT with the fields set"),
    result<&Results::left_out_error_percent>(
        "Median error of TPOT on held-out loads, each by a fit to the others; none with only one load"),
    rows_result<&Results::rows>(row_columns, "Measured and predicted"),
};

constexpr RowWords row_words{
    "a load of fit_serving",
    "inputs of fit_serving but loads, measured_token_ms and measured_first_token_ms"};

Problem not_measured(const std::string& name) {
  return {name, ProblemCode::missing,
          name + " says no time: give measured_token_ms, measured_first_token_ms or both", "a time above 0"};
}

// More problems than this are not worth reading at once.
constexpr std::size_t most_problems = 200;

// The loads of all rows, or the problems of them.
Outcome<std::vector<MeasuredLoad>> read_rows(const Inputs& shared) {
  static const FieldIndex fields(row_groups);
  std::vector<MeasuredLoad> loads;
  Problems problems;
  for (const Value& row : *shared.loads.list()) {
    const std::string name = row_name("loads", loads.size());
    Inputs inputs = shared;
    inputs.loads = {};
    Problems own = read_row(name, row, fields, row_words, &inputs);
    if (own.empty() && !(inputs.measured_token_ms > 0) && !(inputs.measured_first_token_ms > 0))
      own.push_back(not_measured(name));
    if (own.empty()) {
      const Outcome<ServingLoad> load = expected_load(inputs);
      if (!load)
        for (const Problem& problem : load.problems()) own.push_back(within(name, problem));
    }
    problems.insert(problems.end(), own.begin(), own.end());
    loads.push_back({inputs, inputs.measured_token_ms, inputs.measured_first_token_ms});
  }
  if (problems.size() > most_problems) problems.resize(most_problems);
  if (!problems.empty()) return problems;
  return loads;
}

Outcome<Results> compute(const Inputs& inputs) {
  const Outcome<std::vector<MeasuredLoad>> loads = read_rows(inputs);
  if (!loads) return loads.problems();
  const ServingFit fit = commcost::fit_serving(*loads);
  Results found;
  found.moved = fit.moves_help;
  found.recipe_error_percent = fit.error_before_percent;
  found.fitted_error_percent = fit.error_after_percent;
  if (loads->size() > 1) found.left_out_error_percent = fit.error_left_out_percent;
  Value::Object fields;
  Stack before = inputs.job.stack;
  Stack after = moved(before, fit.moves);
  for (std::size_t at = 0; at < serving_knob_count; ++at) {
    if (fit.moves[at] == 0) continue;
    const ServingKnob& knob = serving_knobs[at];
    const double value = round_to_four_digits(knob.of(after));
    fields.push_back({std::string(knob.name), value});
    found.changes.push_back({knob.name, knob.of(before), value});
  }
  found.fields = std::move(fields);
  for (std::size_t at = 0; at < loads->size(); ++at) {
    const MeasuredLoad& load = (*loads)[at];
    found.rows.push_back({static_cast<double>(at + 1), load.token_ms, fit.before[at].token_ms,
                          fit.after[at].token_ms, fit.left_out[at].token_ms, load.first_token_ms,
                          fit.before[at].first_token_ms, fit.after[at].first_token_ms});
  }
  return found;
}

constexpr Calculation table = unswept_calculation<Inputs, Results, compute, results>(
    "fit_serving", "Calibration of a server on its own benchmark: host time and kernels, from TPOT and TTFT",
    groups);

}  // namespace fit_serving_table

const Calculation fit_serving = fit_serving_table::table;

}  // namespace commcost::calculations
