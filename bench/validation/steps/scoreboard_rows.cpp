#include "bench/validation/steps/scoreboard_rows.h"

#include "bench/validation/scoreboard.h"
#include "bench/validation/steps/run_mapping.h"
#include "bench/validation/steps/tables_report.h"
#include "core/base/units.h"
#include "core/model/parameters.h"

namespace commcost::validation::steps {
namespace {

struct Scored {
  Job ran;
  std::string table;
  std::string row;
  std::string source;
  std::string stack;  // with its version
  std::string_view recipe;
  std::string model;
  std::string precision;
  double measured_ms = 0;
  double predicted_ms = 0;
  double low_ms = 0;  // of the band; 0: none is given
  double high_ms = 0;
  double as_other_ms = 0;  // predicted by the recipe `other`
  bool fitted = false;
  bool doubtful = false;  // its own note doubts it
};

std::string accelerator_of(const Scored& row) {
  return std::string(all_accelerators()[static_cast<std::size_t>(row.ran.machine.accelerator)].id);
}

std::string kind_of(const Scored& row) {
  return std::string(run_kind_names[static_cast<std::size_t>(run_kind(row.ran))]);
}

// As those who publish runs call it; nothing where tokens go by all-to-all or stay.
std::string dispatcher_of(const Scored& row) {
  const Layout& layout = row.ran.layout;
  if (layout.expert_parallel == 1) return "";
  if (layout.expert_exchange == ExchangeKernel::by_rank) return "HybridEP";
  return layout.expert_exchange == ExchangeKernel::normal ? "DeepEP" : "";
}

template <std::int64_t Layout::*degree>
std::string layout(const Scored& row) {
  return std::to_string(row.ran.layout.*degree);
}

constexpr Column<Scored> columns[] = {
    {"table", [](const Scored& row) { return quoted(row.table); }},
    {"row", [](const Scored& row) { return quoted(row.row); }},
    {"source", [](const Scored& row) { return quoted(row.source); }},
    {"stack", [](const Scored& row) { return quoted(row.stack); }},
    {"recipe", [](const Scored& row) { return std::string(row.recipe); }},
    {"model", [](const Scored& row) { return quoted(row.model); }},
    {"precision", [](const Scored& row) { return row.precision; }},
    {"parameters_billion",
     [](const Scored& row) { return rounded(parameters_of(completed(row.ran.model)).total / 1e9, 2); }},
    {"num_layers", [](const Scored& row) { return std::to_string(row.ran.model.num_layers); }},
    {"hidden_size", [](const Scored& row) { return std::to_string(row.ran.model.hidden_size); }},
    {"num_experts", [](const Scored& row) { return std::to_string(completed(row.ran.model).num_experts); }},
    {"accelerator", accelerator_of},
    {"generation", [](const Scored& row) { return std::string(generation_of(accelerator_of(row))); }},
    {"num_gpus", [](const Scored& row) { return std::to_string(gpus_needed(row.ran.layout)); }},
    {"tensor_parallel", layout<&Layout::tensor_parallel>},
    {"pipeline_parallel", layout<&Layout::pipeline_parallel>},
    {"virtual_stages", layout<&Layout::virtual_stages>},
    {"context_parallel", layout<&Layout::context_parallel>},
    {"expert_parallel", layout<&Layout::expert_parallel>},
    {"dispatcher", dispatcher_of},
    {"data_parallel", layout<&Layout::data_parallel>},
    {"zero_stage", layout<&Layout::zero_stage>},
    {"sequence_parallel", [](const Scored& row) { return rounded(row.ran.layout.sequence_parallel, 0); }},
    {"batch_size", [](const Scored& row) { return std::to_string(row.ran.work.batch_size); }},
    {"global_batch_size", [](const Scored& row) { return std::to_string(row.ran.work.global_batch_size); }},
    {"sequence_length", [](const Scored& row) { return std::to_string(row.ran.work.sequence_length); }},
    {"kind", kind_of},
    {"measured_ms", [](const Scored& row) { return rounded(row.measured_ms, 1); }},
    {"predicted_ms", [](const Scored& row) { return rounded(row.predicted_ms, 1); }},
    {"low_ms", [](const Scored& row) { return rounded(row.low_ms, 1); }},
    {"high_ms", [](const Scored& row) { return rounded(row.high_ms, 1); }},
    {"error_percent", [](const Scored& row) { return error_percent(row.predicted_ms, row.measured_ms); }},
    {"as_other_percent", [](const Scored& row) { return error_percent(row.as_other_ms, row.measured_ms); }},
    {"fitted", [](const Scored& row) { return rounded(row.fitted, 0); }},
    {"doubtful", [](const Scored& row) { return rounded(row.doubtful, 0); }},
};

double as_other_ms(const PublishedRun& run) {
  MeasuredStep step;
  step.as_other = run.as_other;
  return predicted_as_other_ms(step);
}

Scored scored(const PublishedRun& run) {
  return {.ran = run.job,
          .table = "Published: " + class_of(run),
          .row = run.id + " " + layout_of(run),
          .source = run.source,
          .stack = run.family + (run.version.empty() ? "" : " " + run.version),
          .recipe = run.recipe,
          .model = run.model,
          .precision = run.precision,
          .measured_ms = run.measured_ms,
          .predicted_ms = run.step->step_time_ms,
          .low_ms = run.step->step_time_low_ms,
          .high_ms = run.step->step_time_high_ms,
          .as_other_ms = as_other_ms(run),
          .doubtful = run.suspicious};
}

Scored scored(const MeasuredStep& step) {
  Scored row = {.ran = step.job,
                .table = step.table,
                .row = describe(step),
                .source = step.source,
                .stack = std::string(step.stack),
                .recipe = step.recipe,
                .model = "",
                .precision = "16 bits",
                .measured_ms = step.measured_ms,
                .predicted_ms = predicted_ms(step),
                .as_other_ms = predicted_as_other_ms(step),
                .fitted = step.fitted};
  if (step.measured != Measured::step) return row;
  if (const Outcome<TrainingStep> priced = training_step({step.job})) {
    row.low_ms = priced->step_time_low_ms;
    row.high_ms = priced->step_time_high_ms;
  }
  return row;
}

}  // namespace

void print_steps(const std::vector<PublishedRun>& runs, const std::vector<MeasuredStep>& steps) {
  std::vector<Scored> rows;
  for (const PublishedRun& run : runs)
    if (run.step) rows.push_back(scored(run));
  for (const MeasuredStep& step : steps)
    if (predicted_ms(step) > 0) rows.push_back(scored(step));
  print_scoreboard<Scored>(columns, rows);
}

}  // namespace commcost::validation::steps
