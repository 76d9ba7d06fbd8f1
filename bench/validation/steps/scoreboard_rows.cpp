#include "bench/validation/steps/scoreboard_rows.h"

#include <cstdio>

#include "bench/validation/steps/run_mapping.h"
#include "bench/validation/steps/tables_report.h"
#include "core/base/units.h"
#include "core/model/parameters.h"

namespace commcost::steps {
namespace {

// What a row says beside what ran.
struct Told {
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
  bool fitted = false;
  bool doubtful = false;  // its own note doubts it
};

std::string quoted(std::string_view given) {
  std::string text(given);
  for (char& c : text) c = c == '"' ? '\'' : c;
  return '"' + text + '"';
}

void print_ran(const TrainingStepInputs& in) {
  const ModelShape shape = completed(in.shape);
  const std::string_view accelerator =
      all_accelerators()[static_cast<std::size_t>(in.machine.accelerator)].id;
  const auto print = [](auto value) { std::printf("%lld,", static_cast<long long>(value)); };
  std::printf("%.2f,", parameters_of(shape).total / 1e9);
  print(shape.num_layers);
  print(shape.hidden_size);
  print(shape.num_experts);
  std::printf("%s,%s,", std::string(accelerator).c_str(), std::string(generation_of(accelerator)).c_str());
  print(gpus_needed(in.layout));
  for (const std::int64_t degree :
       {in.layout.tensor_parallel, in.layout.pipeline_parallel, in.layout.virtual_stages,
        in.layout.context_parallel, in.layout.expert_parallel, in.layout.data_parallel,
        in.layout.zero_stage}) {
    print(degree);
  }
  print(in.layout.sequence_parallel);
  print(in.work.batch_size);
  print(in.work.global_batch_size);
  print(in.work.sequence_length);
  const RunKind kind = run_kind(in, in.machine);
  std::printf("%s,", std::string(run_kind_names[static_cast<std::size_t>(kind)]).c_str());
}

void print_row(const Told& told, const TrainingStepInputs& in) {
  std::printf("%s,%s,%s,%s,%s,%s,%s,", quoted(told.table).c_str(), quoted(told.row).c_str(),
              quoted(told.source).c_str(), quoted(told.stack).c_str(), std::string(told.recipe).c_str(),
              quoted(told.model).c_str(), told.precision.c_str());
  print_ran(in);
  std::printf("%.1f,%.1f,%.1f,%.1f,%.1f,%d,%d\n", told.measured_ms, told.predicted_ms, told.low_ms,
              told.high_ms, 100 * (told.predicted_ms / told.measured_ms - 1), told.fitted ? 1 : 0,
              told.doubtful ? 1 : 0);
}

void print_run(const PublishedRun& run) {
  if (!run.step) return;
  print_row({.table = "Published: " + class_of(run),
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
             .doubtful = run.suspicious},
            run.inputs);
}

void print_step(const MeasuredStep& row) {
  const double predicted = predicted_ms(row);
  if (predicted == 0) return;
  Told told = {.table = row.table,
               .row = describe(row),
               .source = row.source,
               .stack = std::string(row.stack),
               .recipe = row.recipe,
               .model = "",
               .precision = "16 bits",
               .measured_ms = row.measured_ms,
               .predicted_ms = predicted,
               .fitted = row.fitted};
  if (row.measured == Measured::step) {
    if (const Outcome<TrainingStep> step = training_step(row.inputs)) {
      told.low_ms = step->step_time_low_ms;
      told.high_ms = step->step_time_high_ms;
    }
  }
  print_row(told, row.inputs);
}

}  // namespace

void print_scoreboard(const std::vector<PublishedRun>& runs, const std::vector<MeasuredStep>& rows) {
  std::printf(
      "table,row,source,stack,recipe,model,precision,parameters_billion,num_layers,hidden_size,num_experts,"
      "accelerator,generation,num_gpus,tensor_parallel,pipeline_parallel,virtual_stages,context_parallel,"
      "expert_parallel,data_parallel,zero_stage,sequence_parallel,batch_size,global_batch_size,"
      "sequence_length,kind,measured_ms,predicted_ms,low_ms,high_ms,error_percent,fitted,doubtful\n");
  for (const PublishedRun& run : runs) print_run(run);
  for (const MeasuredStep& row : rows) print_step(row);
}

}  // namespace commcost::steps
