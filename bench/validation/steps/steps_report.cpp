// How far predicted steps are from measured ones, by table and by class; fails where fit_step misses its
// limits. The constants are printed without the rest: they take half a minute.
#include <cmath>
#include <cstdio>
#include <string>

#include "bench/validation/reports.h"
#include "bench/validation/steps/class_report.h"
#include "bench/validation/steps/coverage.h"
#include "bench/validation/steps/fit.h"
#include "bench/validation/steps/fit_rows.h"
#include "bench/validation/steps/measured_steps.h"
#include "bench/validation/steps/other_tools.h"
#include "bench/validation/steps/own_runs_report.h"
#include "bench/validation/steps/projection_report.h"
#include "bench/validation/steps/published_runs.h"
#include "bench/validation/steps/scoreboard_rows.h"
#include "bench/validation/steps/series.h"
#include "bench/validation/steps/tables_report.h"
#include "bench/validation/steps/unmeasured_stacks.h"
#include "core/base/units.h"

namespace commcost::validation::steps {
namespace {

void print_runs(const std::vector<PublishedRun>& runs) {
  for (const PublishedRun& run : runs) {
    if (!run.step) {
      std::printf("  %-72s refused\n", run.id.c_str());
      continue;
    }
    std::printf("  %-72s measured %9.1f predicted %9.1f error %+6.1f %%%s\n", run.id.c_str(), run.measured_ms,
                run.step->step_time_ms, 100 * run.error(), run.step->fits ? "" : ", said not to fit");
    std::printf("      %s %s", layout_of(run).c_str(), run.precision.c_str());
    for (const StepPart& part : all_step_parts) {
      const double percent = 100 * run.step->parts.*part.us * 1e-3 / run.step->step_time_ms;
      if (percent >= 0.5) std::printf(", %s %.0f %%", std::string(part.name).c_str(), percent);
    }
    const StepMemory& m = run.step->memory;
    std::printf(
        " | GiB weights %.1f gradients %.1f optimizer %.1f activations %.1f logits %.1f working %.1f = %.1f "
        "of %.1f\n",
        m.weights / gib, m.gradients / gib, m.optimizer / gib, m.activations / gib, m.logits / gib,
        m.working / gib, m.total() / gib, run.step->memory_available_gib);
  }
}

std::vector<FitRow> rows_by_constants(const std::vector<MeasuredStep>& tables,
                                      const std::vector<PublishedRun>& published) {
  std::vector<FitRow> known = fit_rows(tables, published);
  for (FitRow& row : known) row.error = std::log(predicted_ms(row.step) / row.step.measured_ms);
  return known;
}

}  // namespace

bool report(const Options& options) {
  const std::vector<MeasuredStep> rows = measured_steps(options.data);
  if (!options.table.empty()) {
    print_tables(rows, options.table, options.every_row);
    return true;
  }
  const PublishedRuns published = published_runs(options.data);
  if (options.fit) {
    fit(rows, published.runs);
    return true;
  }
  if (options.projection) {
    print_projection_table(weak_scaling_series(published.runs));
    return true;
  }
  if (options.other) {
    print_unmeasured_stacks(rows_by_constants(rows, published.runs));
    return true;
  }
  if (options.csv) {
    print_steps(published.runs, rows);
    return true;
  }
  std::vector<Target> targets = print_tables(rows, "", options.every_row);
  const auto judge = [&](const std::vector<Target>& more) {
    targets.insert(targets.end(), more.begin(), more.end());
  };
  judge(print_classes(published));
  print_coverage(rows_by_constants(rows, published.runs), "by the constants as they are");
  if (options.every_row) print_runs(published.runs);
  const std::vector<WeakScaling> series = weak_scaling_series(published.runs);
  judge(print_weak_scaling(series, options.every_row));
  judge({print_regret(published.runs, options.every_row)});
  const bool held = print_own_runs(published.runs, options.every_row);
  print_projection(series);
  print_other_tools(options.data, rows);
  return keeps(targets) && held;
}

}  // namespace commcost::validation::steps
