#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "core/base/four_digits.h"
#include "core/base/units.h"
#include "core/calculator/calculations.h"
#include "core/calculator/job_fields.h"
#include "core/calculator/machine_fields.h"
#include "core/calculator/row_inputs.h"
#include "core/calculator/scale_fields.h"
#include "core/model/flops.h"
#include "core/parallel/job_problems.h"
#include "core/training/step_fit.h"

namespace commcost::calculations {
namespace fit_step_table {

/// The inputs that the measured steps share, and the steps; as a row: the shared inputs with its own on top.
struct FitStepInputs {
  Job job;
  MachineScales scales;
  Value rows;
  double measured_step_ms = 0;
};

/// An input that the fit sets.
struct ChangedInput {
  std::string_view field;
  double before = 0;
  double after = 0;
};

/// A measured step next to its predictions.
struct FittedRow {
  double row = 0;
  double measured_step_ms = 0;
  double recipe_step_ms = 0;
  double fitted_step_ms = 0;
  double error_percent = 0;
  double left_out_step_ms = 0;
  double left_out_error_percent = 0;
  bool far_off = false;
  double mfu_percent = 0;
  double memory_gib = 0;
  bool fits = false;
};

/// Two rows of one job that took different times.
struct ContradictingRows {
  double row = 0;
  double other_row = 0;
  double difference_percent = 0;
};

struct FitStepResults {
  FitChoice choice = FitChoice::recipe;
  Value fields;
  std::vector<ChangedInput> changes;
  std::optional<double> median_error_percent;
  std::optional<double> recipe_error_percent;
  std::optional<double> one_scale_error_percent;
  std::optional<double> constants_error_percent;
  std::vector<FittedRow> rows;
  std::vector<ContradictingRows> contradictions;
};

using Inputs = FitStepInputs;
using Results = FitStepResults;

constexpr double most_rows = 256;

constexpr InputField rows_field[] = {
    list<&Inputs::rows>(
        1, most_rows,
        "Measured steps: for each, an object with measured_step_ms and the inputs that "
        "differ from the call's own; inputs that every row states can be left out of the call"),
};
constexpr InputField measured_field[] = {
    real<&Inputs::measured_step_ms>(1e-3, 1e9, "Measured time of a step"),
};

constexpr FieldGroup own_groups[] = {group_of<&Inputs::scales>(scale_fields), group<Inputs>(rows_field)};
constexpr FieldGroup own_row_groups[] = {group_of<&Inputs::scales>(scale_fields),
                                         group<Inputs>(measured_field)};
constexpr auto groups =
    joined(machine_groups<Inputs>, host_groups<Inputs>, StatedByRows<job_groups<Inputs>>::groups, own_groups);
constexpr auto row_groups =
    joined(machine_groups<Inputs>, host_groups<Inputs>, job_groups<Inputs>, own_row_groups);

constexpr ResultField change_columns[] = {
    result<&ChangedInput::field>("The input"),
    result<&ChangedInput::before>("The value given, or the recipe's"),
    result<&ChangedInput::after>("The value that fits the measured steps"),
};

constexpr ResultField row_columns[] = {
    whole_result<&FittedRow::row>("Its place, from 1"),
    result<&FittedRow::measured_step_ms>("Measured time, as given"),
    result<&FittedRow::recipe_step_ms>("Predicted with nothing moved"),
    result<&FittedRow::fitted_step_ms>("Predicted with the fields set"),
    result<&FittedRow::error_percent>("Error of that prediction: predicted over measured, less one"),
    result<&FittedRow::left_out_step_ms>("Predicted by a fit to the other rows alone"),
    result<&FittedRow::left_out_error_percent>("Error of that prediction: predicted over measured, less one"),
    result<&FittedRow::far_off>(
        "Whether it contradicts the other rows: off by 15 %, and by four times as much as they are"),
    result<&FittedRow::mfu_percent>("MFU of the measured step"),
    result<&FittedRow::memory_gib>("Memory of the fullest GPU, predicted"),
    result<&FittedRow::fits>("Whether that fits"),
};

constexpr ResultField contradiction_columns[] = {
    whole_result<&ContradictingRows::row>("One row, from 1"),
    whole_result<&ContradictingRows::other_row>("Another, of the same inputs"),
    result<&ContradictingRows::difference_percent>("Extra time of the slower one, in percent"),
};

constexpr ResultField results[] = {
    choice_result<&Results::choice>(fit_choice_names,
                                    "The best explanation of the rows: the recipe as it is, one factor on "
                                    "all times, or constants moved from the recipe's"),
    result<&Results::fields>("The inputs to set, as every calculation of a step takes them"),
    rows_result<&Results::changes>(change_columns, "The moved constants, before and after"),
    result<&Results::median_error_percent>(
        "Median error on held-out rows, each by a fit to the others; none with one row"),
    result<&Results::recipe_error_percent>("Median error of the recipe as it is, on the same rows"),
    result<&Results::one_scale_error_percent>("Median error with one plain scale"),
    result<&Results::constants_error_percent>("Median error with moved constants"),
    rows_result<&Results::rows>(row_columns, "Measured and predicted"),
    rows_result<&Results::contradictions>(contradiction_columns,
                                          "Rows of the same inputs that differ by more than chance: by 9 %"),
};

constexpr RowWords row_words{"a row of fit_step", "inputs of fit_step but rows, and measured_step_ms",
                             measured_field[0].field.name};

// A row with degrees of its own runs on as many GPUs as these need, unless it gives the cluster too.
void set_cluster(Layout& layout, const Layout& shared) {
  const bool same_cluster = layout.cluster_gpus == shared.cluster_gpus;
  if (same_cluster && gpus_needed(layout) != gpus_needed(shared)) layout.cluster_gpus = 0;
}

// The inputs of each row, or every problem of all.
Outcome<std::vector<Inputs>> read_rows(const Inputs& shared) {
  static const FieldIndex fields(row_groups);
  std::vector<Inputs> rows;
  Problems problems;
  for (const Value& row : *shared.rows.list()) {
    const std::string name = row_name("rows", rows.size());
    Inputs inputs = shared;
    inputs.rows = {};
    Problems own = read_row(name, row, fields, row_words, &inputs);
    set_cluster(inputs.job.layout, shared.job.layout);
    if (own.empty()) own = unstated(name, fields, &inputs);
    if (own.empty()) {
      const Job job = completed(inputs.job);
      if (!can_run(job))
        for (Problem& problem : problems_of(job)) own.push_back(within(name, std::move(problem)));
    }
    problems.insert(problems.end(), own.begin(), own.end());
    rows.push_back(std::move(inputs));
  }
  if (!problems.empty()) return problems;
  return rows;
}

TrainingStepInputs step_inputs(const Inputs& row, const StackFactors& factors) {
  TrainingStepInputs inputs{.job = row.job, .scales = row.scales};
  inputs.job.stack = moved(row.job.stack, factors);
  return inputs;
}

// The inputs that a fit changes from the shared ones, and the resulting factors.
struct SetInputs {
  Value::Object fields;
  std::vector<ChangedInput> changes;
  StackFactors factors = unmoved();
};

SetInputs set_inputs(const Stack& shared, const StackFactors& factors) {
  const Stack fitted = moved(shared, factors);
  SetInputs set;
  for (std::size_t at = 0; at < stack_knob_count; ++at) {
    const StackKnob& knob = stack_knobs[at];
    const double before = shared.*knob.field;
    if (factors[at] == 1 || !(before > 0)) continue;
    const double after = round_to_four_digits(fitted.*knob.field);
    set.factors[at] = after / before;
    set.fields.push_back({std::string(knob.name), after});
    set.changes.push_back({knob.name, before, after});
  }
  return set;
}

FittedRow fitted_row(const Inputs& row, const StackFactors& set, const StepFit& fit, std::size_t at) {
  const TrainingStep before = *commcost::training_step(step_inputs(row, unmoved()));
  const TrainingStep after = *commcost::training_step(step_inputs(row, set));
  const double measured = row.measured_step_ms;
  const auto error = [measured](double predicted) { return 100 * (predicted / measured - 1); };
  return {static_cast<double>(at + 1),
          measured,
          before.step_time_ms,
          after.step_time_ms,
          error(after.step_time_ms),
          fit.left_out_ms[at],
          error(fit.left_out_ms[at]),
          fit.far_off[at],
          before.mfu_percent * before.step_time_ms / measured,
          before.memory_gib,
          before.fits};
}

Outcome<Results> compute(const Inputs& inputs) {
  const Outcome<std::vector<Inputs>> rows = read_rows(inputs);
  if (!rows) return rows.problems();
  std::vector<TimedStep> steps;
  for (const Inputs& row : *rows) steps.push_back({completed(row.job), row.measured_step_ms, row.scales});
  const StepFit fit = fit_steps(steps);
  Results found;
  found.choice = fit.choice;
  SetInputs set = set_inputs(inputs.job.stack, fit.factors);
  if (rows->size() > 1) {
    found.median_error_percent = fit.error_percent();
    found.recipe_error_percent = fit.recipe_error_percent;
    found.one_scale_error_percent = fit.one_scale_error_percent;
    found.constants_error_percent = fit.constants_error_percent;
  }
  for (std::size_t at = 0; at < rows->size(); ++at)
    found.rows.push_back(fitted_row((*rows)[at], set.factors, fit, at));
  found.fields = std::move(set.fields);
  found.changes = std::move(set.changes);
  for (const Contradiction& two : fit.contradictions)
    found.contradictions.push_back(
        {static_cast<double>(two.one + 1), static_cast<double>(two.other + 1), two.difference_percent});
  return found;
}

constexpr Calculation table = unswept_calculation<Inputs, Results, compute, results>(
    "fit_step", "Calibration of a stack on your own machine, from steps measured there", groups);

}  // namespace fit_step_table

const Calculation fit_step = fit_step_table::table;

}  // namespace commcost::calculations
