#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/launches/stack_option.h"
#include "core/parallel/stacks.h"

namespace commcost {

/// Something of a job that a stack's options cannot say.
struct UnsaidRule {
  std::string_view field;  ///< the input
  bool (*applies)(const LaunchedJob& launched);
  std::string_view says;  ///< behind the stack's name: what to do, or what it does
};

/// An environment variable of a launch.
struct LaunchVariable {
  std::string_view name;
  std::string value;
};

/// A launch before it is text.
struct LaunchScript {
  std::vector<LaunchVariable> variables;
  std::string file_name;  ///< of the configuration file; empty: none
  std::string file_text;
  std::string launcher;                       ///< what the shell runs
  std::vector<std::string> launcher_options;  ///< each with its value
  std::string script;                         ///< what the launcher runs; empty: it is that itself
  std::vector<std::string> script_options;
};

/// A stack whose launches are written and read.
struct LaunchStack {
  std::string_view name;              ///< as written
  std::string_view commit;            ///< whose options these are
  std::string_view date;              ///< of that commit
  std::string_view source;            ///< where they are documented
  std::string_view recipe;            ///< id of the recipe that such a launch is priced with
  bool serves = false;                ///< whether it answers, rather than trains
  const StackRules* rules = nullptr;  ///< what it can run; null: that is not known
  std::span<const StackOption> options;
  std::span<const UnsaidRule> unsaid;
  std::span<const std::string_view> marks;  ///< words of a command that no other stack's has
  void (*assume)(LaunchedJob& launched);    ///< puts in what holds where no option says otherwise
  /// Fills in all but the options.
  void (*command)(const LaunchedJob& launched, LaunchScript& script);
  /// Turns a launch into one that needs fewer GPUs, or no weights.
  void (*rehearse)(const LaunchedJob& launched, LaunchScript& script);
};

extern const LaunchStack megatron_lm_launches;
extern const LaunchStack torchtitan_launches;

/// A script as the shell takes it: variables, file and command, an option a line.
std::string shell_text(const LaunchScript& script);

}  // namespace commcost
