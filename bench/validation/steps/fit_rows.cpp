#include "bench/validation/steps/fit_rows.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "bench/validation/steps/run_mapping.h"
#include "core/parallel/recipes.h"

namespace commcost::validation::steps {
namespace {

// Stalls of a second and more a micro-batch, whatever the model, and nearly every run with stages on more
// than 16 nodes of nanotron's grid: no input tells them apart.
bool stalls(const MeasuredStep& step) {
  constexpr double stall_ms = 1000;
  constexpr std::int64_t calm_gpus = 128;
  if (step.table == "H100 several stages" && gpus_needed(step.job.layout) > calm_gpus) return true;
  if (step.measured != Measured::step) return false;
  const auto count = static_cast<double>(micro_batches(step.job.work, step.job.layout));
  return step.measured_ms - predicted_ms(step) > stall_ms * count;
}

std::string recipe_of(const Job& job) {
  return job.stack.recipe < 0 ? "megatron-2021"
                              : std::string(all_recipes()[static_cast<std::size_t>(job.stack.recipe)].id);
}

std::string model_of(const ModelShape& shape) {
  return std::to_string(shape.num_layers) + "/" + std::to_string(shape.hidden_size) + "/" +
         std::to_string(shape.num_experts);
}

FitRow row_of(const MeasuredStep& step, const std::string& source) {
  FitRow row;
  row.step = step;
  row.recipe = recipe_of(step.job);
  row.release = step.job.stack.release;
  row.source = source;
  row.model = model_of(step.job.model);
  row.error_as_other = std::log(predicted_as_other_ms(step) / step.measured_ms);
  row.klass = row.recipe + "|" + std::string(accelerator_of(step.job.machine).id) +
              (step.job.model.num_experts > 1 ? "|experts" : "|dense");
  row.series =
      source + "|" + row.model + "|" + std::to_string(static_cast<int>(step.job.work.matmul_precision));
  return row;
}

// Where a tenth of the runs stall and no input tells which, those on several stages are a class of their own,
// stalls and all.
void call_staged(std::vector<FitRow>& rows) {
  constexpr int few = 10;
  std::map<std::string, int> all;
  std::map<std::string, int> stalled;
  for (const FitRow& row : rows) {
    ++all[row.klass];
    if (row.stalled) ++stalled[row.klass];
  }
  for (FitRow& row : rows) {
    if (row.step.job.layout.pipeline_parallel == 1 || stalled[row.klass] * few <= all[row.klass]) continue;
    row.klass.replace(row.klass.rfind('|'), std::string::npos, "|staged");
  }
}

}  // namespace

std::vector<FitRow> fit_rows(const std::vector<MeasuredStep>& tables,
                             const std::vector<PublishedRun>& published) {
  std::vector<FitRow> rows;
  for (const MeasuredStep& step : tables) {
    if (predicted_ms(step) == 0) continue;
    rows.push_back(row_of(step, step.table));
    rows.back().stalled = stalls(step);
  }
  for (const PublishedRun& run : published) {
    if (!run.step || run.suspicious) continue;
    MeasuredStep step;
    step.table = run.source;
    step.job = run.job;
    step.as_other = run.as_other;
    step.measured_ms = run.measured_ms;
    rows.push_back(row_of(step, run.source));
  }
  call_staged(rows);
  std::map<std::string, int> alike;
  for (const FitRow& row : rows) {
    if (!row.stalled) ++alike[row.source + row.model];
  }
  for (FitRow& row : rows) row.weight = 1 / std::sqrt(std::max(1, alike[row.source + row.model]));
  return rows;
}

}  // namespace commcost::validation::steps
