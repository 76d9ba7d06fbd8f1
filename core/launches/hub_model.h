#pragma once

#include <string>
#include <string_view>

#include "core/base/name_list.h"
#include "core/launches/launch_stack.h"

// A model by its repository on huggingface.co, for the stacks that load weights from there.
namespace commcost::launches {

/// Bytes of a number in NVFP4: blocks of 16 share a scale of one byte.
inline constexpr double nvfp4_bytes = 0.5625;

/// The repository; empty: the model is not published there.
inline std::string_view hub_name(const LaunchedJob& launched) {
  return launched.model == nullptr ? std::string_view() : first_name(launched.model->hub_ids);
}

/// The repository, or a variable for the reader to fill in.
std::string hub_model(const LaunchedJob& launched);

/// Bytes of a weight of the layers there.
double hub_weight_bytes(const LaunchedJob& launched);

/// The model, whoever published it and in which precision: by a suffix such as -FP8, otherwise as its authors
/// published it.
Taken take_hub_model(LaunchedJob& launched, std::string_view value);

}  // namespace commcost::launches
