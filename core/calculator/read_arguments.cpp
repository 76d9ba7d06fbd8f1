#include <algorithm>
#include <string>
#include <vector>

#include "core/base/number_text.h"
#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"
#include "core/calculator/launched_fields.h"
#include "core/launches/launch_reader.h"

namespace commcost::calculations {
namespace read_arguments_table {

/// What read_arguments takes.
struct ArgumentsInputs {
  std::string arguments;
};

/// An input that a launch does not set.
struct UnsaidInput {
  std::string_view field;
  std::string value;
};

/// A launch, read back.
struct ArgumentsRead {
  LaunchFormat format = LaunchFormat::megatron_lm;
  std::string_view name;
  std::string_view commit;
  std::string_view date;
  bool serves = false;
  std::string_view model;
  Value inputs;
  Value server;
  std::vector<ReadInput> found;
  std::vector<NotUnderstood> not_understood;
  std::vector<UnsaidInput> not_said;
};

using Inputs = ArgumentsInputs;
using Results = ArgumentsRead;

constexpr InputField fields[] = {text<&Inputs::arguments>(
    longest_launch, "A launch: a script, an argument list, or DeepSpeed's JSON configuration")};

constexpr FieldGroup groups[] = {group<Inputs>(fields)};

constexpr ResultField found_columns[] = {
    result<&ReadInput::field>("The input"),
    result<&ReadInput::option>("The option that gives it"),
    result<&ReadInput::value>("Its value there; empty: a switch"),
    whole_result<&ReadInput::line>("Its line, from 1"),
};

constexpr ResultField refused_columns[] = {
    result<&NotUnderstood::option>("The option"),
    result<&NotUnderstood::value>("Its value"),
    whole_result<&NotUnderstood::line>("Its line, from 1"),
    result<&NotUnderstood::why>("Reason that it has no effect here"),
    result<&NotUnderstood::field>("The input that it would give; empty: none"),
    result<&NotUnderstood::meant>("The option that was likely meant by an unknown one; empty: none"),
};

constexpr ResultField missing_columns[] = {
    result<&UnsaidInput::field>("The input"),
    result<&UnsaidInput::value>("The stack's own default; empty: you have to give it"),
};

constexpr ResultField results[] = {
    choice_result<&Results::format>(launch_format_names, "The stack, as export_layout calls it"),
    result<&Results::name>("The stack, as written"),
    result<&Results::commit>("Commit of its repository whose options were read"),
    result<&Results::date>("Date of that commit"),
    result<&Results::serves>("Whether it serves a model instead of training it"),
    result<&Results::model>("Id in model_catalog of the model; empty: a shape of its own"),
    result<&Results::inputs>("The job, as training_step and serving_step take it"),
    result<&Results::server>(
        "Settings of a server, as export_deployment and serving_load take them next to the job: step_tokens, "
        "chunked_prefill, and memory_share if the launch gives it"),
    rows_result<&Results::found>(found_columns, "Inputs that the launch gives"),
    rows_result<&Results::not_understood>(refused_columns, "Options that have no effect here"),
    rows_result<&Results::not_said>(missing_columns, "Inputs that the launch does not give"),
};

struct JobValue {
  const InputField* input = nullptr;
  double number = 0;
};

JobValue value_in(LaunchedJob& launched, std::string_view field) {
  for (const LaunchedFields& part : launched_fields) {
    for (const InputField& input : part.fields)
      if (input.field.name == field) return {&input, input.number(part.part(launched))};
  }
  return {};
}

// A number, a choice's name, true or false.
std::string text_of_value(const JobValue& value) {
  if (value.input == nullptr) return {};
  const Value said = value_of(value.input->field, value.number);
  if (const std::string* name = said.text()) return *name;
  if (const bool* flag = said.flag()) return true_or_false(*flag);
  return text_of(value.number);
}

// Values that no step would accept are listed instead.
void leave_out_refused(ReadLaunch& read) {
  std::erase_if(read.found, [&](const ReadInput& one) {
    const JobValue value = value_in(read.launched, one.field);
    if (value.input == nullptr || !refusal(value.input->field, value.number)) return false;
    read.not_understood.push_back(
        {one.option, one.value, one.line, "out of the range that is priced", one.field});
    return true;
  });
}

bool is_of_shape(std::string_view field) {
  return std::any_of(model_shape_fields.begin(), model_shape_fields.end(),
                     [field](const InputField& one) { return one.field.name == field; });
}

bool is_of_server(std::string_view field) {
  return std::any_of(launched_server_fields.begin(), launched_server_fields.end(),
                     [field](const InputField& one) { return one.field.name == field; });
}

// Nothing where it trains.
Value::Object server_of(ReadLaunch& read) {
  Value::Object server;
  if (!launch_stack(read.format).serves) return server;
  for (const InputField& one : launched_server_fields) {
    const JobValue value = value_in(read.launched, one.field.name);
    if (one.field.name == "memory_share" && value.number <= 0) continue;
    server.push_back({std::string(one.field.name), value_of(one.field, value.number)});
  }
  return server;
}

// A published model is given by its id, any other by its shape.
Value::Object inputs_of(ReadLaunch& read) {
  Value::Object inputs{{"recipe", std::string(read.recipe)}};
  if (read.launched.model != nullptr) inputs.push_back({"model", std::string(read.launched.model->id)});
  const auto say = [&](std::string_view field) {
    const bool is_told =
        std::any_of(inputs.begin(), inputs.end(), [&](const Member& one) { return one.name == field; });
    const JobValue value = value_in(read.launched, field);
    if (is_told || value.input == nullptr || is_of_server(field) ||
        (is_of_shape(field) && read.launched.model != nullptr))
      return;
    inputs.push_back({std::string(field), value_of(value.input->field, value.number)});
    if (field == "virtual_stages" && value.number > 1)
      inputs.push_back({"pipeline_schedule", std::string("interleaved")});
    const Layout& layout = read.launched.job.layout;
    if (field == "expert_parallel" && layout.expert_tensor_parallel > 0)
      inputs.push_back({"expert_tensor_parallel", static_cast<double>(layout.expert_tensor_parallel)});
    if (field == "overlap_tensor")
      inputs.push_back({"overlap_tensor_forward", layout.overlap_tensor_forward});
    if (field == "recompute_elementwise") {
      inputs.push_back({"recompute_attention_core", read.launched.job.work.recompute_attention_core});
      inputs.push_back({"recompute_latent_projections", read.launched.job.work.recompute_latent_projections});
    }
  };
  // A checkpoint determines how its weights are kept.
  if (launch_stack(read.format).serves && read.launched.job.work.weight_bytes_per_element > 0) {
    say("weight_bytes_per_element");
    say("matmul_precision");
  }
  for (const ReadInput& one : read.found) say(one.field);
  for (const std::string_view field : read.assumed) say(field);
  return inputs;
}

Outcome<Results> compute(const Inputs& inputs) {
  Outcome<ReadLaunch> read = read_launch(inputs.arguments);
  if (!read) return read.problems();
  ReadLaunch launch = std::move(read).value();
  leave_out_refused(launch);
  const LaunchStack& stack = launch_stack(launch.format);
  Results results;
  results.format = launch.format;
  results.name = stack.name;
  results.commit = stack.source.commit;
  results.date = stack.source.date;
  results.serves = stack.serves;
  if (launch.launched.model != nullptr) results.model = launch.launched.model->id;
  results.inputs = inputs_of(launch);
  results.server = server_of(launch);
  results.found = std::move(launch.found);
  results.not_understood = std::move(launch.not_understood);
  for (const std::string_view field : launch.missing) results.not_said.push_back({field, ""});
  for (const std::string_view field : launch.assumed) {
    if (is_of_shape(field) && launch.launched.model != nullptr) continue;
    // Each stack has its own, which depends on the GPU.
    if (field == "memory_share") continue;
    results.not_said.push_back({field, text_of_value(value_in(launch.launched, field))});
  }
  return results;
}

constexpr Calculation table = unswept_calculation<Inputs, Results, compute, results>(
    "read_arguments",
    "The job that a stack's launch starts, with the inputs that were found and those that were not", groups);

}  // namespace read_arguments_table

const Calculation read_arguments = read_arguments_table::table;

}  // namespace commcost::calculations
