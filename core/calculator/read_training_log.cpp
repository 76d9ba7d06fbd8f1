#include <algorithm>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"
#include "core/calculator/log_fields.h"
#include "core/calculator/model_shape_fields.h"
#include "core/launches/launched_job.h"
#include "core/logs/training_log.h"
#include "core/model/work.h"

namespace commcost::calculations {
namespace read_training_log_table {

/// A log, and what it says about the run.
struct TrainingLogInputs {
  std::string training_log;
  TrainingLogReader reader;
};

struct TrainingLogResults : TrainingLog {
  std::string_view recipe;
  std::string_view model;
  Value inputs;
};

using Inputs = TrainingLogInputs;
using Results = TrainingLogResults;

constexpr InputField fields[] = {
    text<&Inputs::training_log>(
        longest_log, "Log of Megatron-LM, NeMo, torchtitan, nanotron or DeepSpeed; other lines are ignored"),
};

constexpr FieldGroup groups[] = {group<Inputs>(fields)};

constexpr ResultField step_columns[] = {
    whole_result<&LoggedStep::step>("Its number"),
    result<&LoggedStep::step_time_ms>("Time of the step"),
    whole_result<&LoggedStep::line>("Line of the log, from 1"),
    result<&LoggedStep::warm_up>("Whether it is left out as warm-up: slow steps at the start"),
};

constexpr ResultField found_columns[] = {
    choice_result<&LoggedInput::field>(logged_field_names, "The input"),
    result<&LoggedInput::value>("The value found; 0 or 1 for a switch, the place of a choice"),
    whole_result<&LoggedInput::line>("Its line, from 1"),
};

constexpr ResultField results[] = {
    choice_result<&Results::stack>(training_stack_names, "Stack that wrote it"),
    result<&Results::recipe>("Id in recipe_catalog of the matching recipe"),
    result<&Results::model>(
        "Id in model_catalog of the model in its arguments; empty: none is of that shape"),
    result<&Results::step_time_ms>("Median of a step after the warm-up"),
    result<&Results::step_time_low_ms>("10th percentile of the counted steps"),
    result<&Results::step_time_high_ms>("90th percentile of the counted steps"),
    choice_result<&Results::source>(
        step_time_source_names,
        "Origin of the times: printed in the log, the clock of its lines, or throughput and batch"),
    whole_result<&Results::counted_steps>("Steps that are counted"),
    whole_result<&Results::warm_up_steps>("Steps at the start that are not counted"),
    whole_result<&Results::slow_steps>("Counted steps that took half as long again as the median"),
    result<&Results::tokens_per_sec>("Tokens per second of all GPUs; 0: unknown"),
    result<&Results::tokens_per_sec_per_gpu>("Tokens per second and GPU; 0: unknown"),
    result<&Results::inputs>("Settings of the run found in the log, as inputs of training_step"),
    rows_result<&Results::found>(found_columns, "These settings, each with its line"),
    choices_result<&Results::not_found>(logged_field_names, "Inputs of a step that the log does not give"),
    rows_result<&Results::steps>(step_columns, "Every step, in order"),
    rows_result<&Results::problems>(log_problem_columns, "Lines that were not understood"),
};

// In the order of training_stack_names.
constexpr std::string_view recipes[] = {"megatron-core", "torchtitan", "nanotron", "deepspeed",
                                        "megatron-core"};
static_assert(std::size(recipes) == training_stack_count);

// A published model is given by its id, any other by its shape.
void say_model(TrainingLog& log, std::string_view& model, Value::Object& said) {
  if (!log.shape) return;
  ModelShape& shape = *log.shape;
  for (const InputField& input : model_shape_fields) {
    const double value = input.number(&shape);
    if (!refusal(input.field, value)) continue;
    merge_by_line(log.problems, {{log.shape_line, 1,
                                  std::string(input.field.name) + " must be " + allowed_in(input.field) +
                                      "; got " + text_of(value),
                                  ""}});
    return;
  }
  if (const ModelRow* row = model_of_shape(shape, nullptr)) {
    model = row->id;
    said.push_back({"model", std::string(model)});
    return;
  }
  for (const InputField& input : model_shape_fields)
    said.push_back({std::string(input.field.name), value_of(input.field, input.number(&shape))});
}

// As training_step takes them: switches and choices by their words; chunks go with their schedule.
void say_inputs(const std::vector<LoggedInput>& found, Value::Object& said) {
  for (const LoggedInput& input : found) {
    const std::string name(logged_field_names[static_cast<std::size_t>(input.field)]);
    if (input.field == LoggedField::sequence_parallel) {
      said.push_back({name, input.value != 0});
    } else if (input.field == LoggedField::recompute) {
      said.push_back({name, std::string(recompute_names[static_cast<std::size_t>(input.value)])});
    } else {
      said.push_back({name, input.value});
    }
    if (input.field == LoggedField::virtual_stages && input.value > 1)
      said.push_back({"pipeline_schedule", std::string("interleaved")});
  }
}

// Values that training_step would not accept are listed instead.
void leave_out_refused(TrainingLog& log) {
  static const FieldIndex step_fields(calculations::training_step.inputs);
  std::vector<LogProblem> refused;
  std::erase_if(log.found, [&](const LoggedInput& said) {
    const std::string_view name = logged_field_names[static_cast<std::size_t>(said.field)];
    const Field& field = step_fields.places()[step_fields.find(name)].input->field;
    const bool numeric = field.kind == FieldKind::whole || field.kind == FieldKind::real;
    if (!numeric || !refusal(field, said.value)) return false;
    refused.push_back({said.line, 1,
                       std::string(name) + " must be " + allowed_in(field) + "; got " + text_of(said.value),
                       ""});
    return true;
  });
  std::stable_sort(refused.begin(), refused.end(),
                   [](const LogProblem& one, const LogProblem& other) { return one.line < other.line; });
  merge_by_line(log.problems, std::move(refused));
}

Outcome<Results> compute(const Inputs& inputs) {
  TrainingLogReader reader = inputs.reader;
  reader.read(inputs.training_log);
  Outcome<TrainingLog> read = std::move(reader).finished();
  if (!read) return read.problems();
  Results found;
  static_cast<TrainingLog&>(found) = std::move(read).value();
  leave_out_refused(found);
  found.recipe = recipes[static_cast<std::size_t>(found.stack)];
  Value::Object said;
  say_model(found, found.model, said);
  say_inputs(found.found, said);
  found.inputs = std::move(said);
  return found;
}

constexpr Calculation table = unswept_calculation<Inputs, Results, compute, results>(
    "read_training_log", "Steps and settings found in a training log", groups,
    &text_in_pieces<&Inputs::training_log, &Inputs::reader>);

}  // namespace read_training_log_table

const Calculation read_training_log = read_training_log_table::table;

}  // namespace commcost::calculations
