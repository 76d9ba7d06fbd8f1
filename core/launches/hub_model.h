#pragma once

#include <string>
#include <string_view>

#include "core/base/name_list.h"
#include "core/launches/launch_stack.h"

// A model by its repository on huggingface.co, as the stacks take it that load weights from there.
namespace commcost::launches {

/// The repository; empty: the model is none that is published there.
inline std::string_view hub_name(const LaunchedJob& launched) {
  return launched.model == nullptr ? std::string_view() : first_name(launched.model->hub_ids);
}

/// The repository, or a variable that the reader fills in.
inline std::string hub_model(const LaunchedJob& launched) {
  const std::string_view name = hub_name(launched);
  return name.empty() ? std::string("\"$MODEL\"") : std::string(name);
}

inline Taken take_hub_model(LaunchedJob& launched, std::string_view value) {
  const ModelRow* model = find_model_of_hub(value);
  if (model == nullptr) return Taken::no;
  launched.model = model;
  launched.job.model = completed(model->shape);
  return Taken::yes;
}

}  // namespace commcost::launches
