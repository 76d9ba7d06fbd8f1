#include "core/calculator/launch_results.h"

#include "core/calculator/launched_fields.h"
#include "core/parallel/job_problems.h"

namespace commcost {
namespace {

// What forms call an input of a launch.
std::string launched_label(std::string_view name) {
  for (const LaunchedFields& part : launched_fields) {
    for (const InputField& input : part.fields)
      if (input.field.name == name) return label_of(name, input.field.label);
  }
  return label_of(name, {});
}

}  // namespace

Outcome<LaunchResults> launch_results(LaunchedJob launched, int model, LaunchFormat format) {
  Job& job = launched.job;
  job = completed(job);
  if (!can_exist(job)) return layout_problems(job);
  const ModelRow* hint = model < 0 ? nullptr : &all_models()[static_cast<std::size_t>(model)];
  launched.model = model_of_shape(job.model, hint);
  const LaunchStack& stack = launch_stack(format);
  LaunchResults results;
  static_cast<ExportedLaunch&>(results) = exported_launch(launched, format, launched_label);
  results.name = stack.name;
  results.commit = stack.source.commit;
  results.date = stack.source.date;
  results.source = std::string(stack.source.place) + " " + std::string(stack.file);
  return results;
}

}  // namespace commcost
