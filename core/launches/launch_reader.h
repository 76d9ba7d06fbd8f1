#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/outcome.h"
#include "core/launches/exported_launch.h"

namespace commcost {

/// An input that a launch sets.
struct ReadInput {
  std::string_view field;
  std::string option;  ///< as it is written there
  std::string value;   ///< the same; empty: a switch
  double line = 0;     ///< where, from 1
};

/// An option of a launch that sets nothing here.
struct NotUnderstood {
  std::string option;
  std::string value;
  double line = 0;
  std::string_view why;
  std::string_view field = {};  ///< the input that it would set; empty: none is known
  std::string_view meant = {};  ///< the option likely meant by an unknown one; empty: none is close
};

/// A launch, read back into the job that it starts.
struct ReadLaunch {
  LaunchFormat format = LaunchFormat::megatron_lm;
  std::string_view recipe;  ///< id of the one that it is priced with
  LaunchedJob launched;
  std::vector<ReadInput> found;
  std::vector<NotUnderstood> not_understood;
  std::vector<std::string_view> missing;  ///< inputs that a step needs and the launch does not set
  std::vector<std::string_view>
      assumed;  ///< inputs at the stack's default because the launch does not set them
};

/// Longest launch that is read, bytes.
inline constexpr double longest_launch = 1e6;

/// Reads a script, an argument list, DeepSpeed's JSON or torchtitan's TOML from before 2026, or returns why
/// it can't. Executes none of it.
Outcome<ReadLaunch> read_launch(std::string_view text);

}  // namespace commcost
