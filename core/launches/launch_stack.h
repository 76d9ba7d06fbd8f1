#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/launches/stack_option.h"
#include "core/parallel/stacks.h"

namespace commcost {

/// Something about a job that a stack's options cannot express.
struct UnsaidRule {
  std::string_view field;  ///< the input
  bool (*applies)(const LaunchedJob& launched);
  std::string_view says;  ///< follows the stack's name: what to do, or what it does
};

/// The rules of several lists.
template <std::size_t... Sizes>
constexpr std::array<UnsaidRule, (Sizes + ...)> all_of(const UnsaidRule (&... lists)[Sizes]) {
  std::array<UnsaidRule, (Sizes + ...)> all;
  auto* end = all.begin();
  ((end = std::copy(lists, lists + Sizes, end)), ...);
  return all;
}

/// An environment variable of a launch.
struct LaunchVariable {
  std::string_view name;
  std::string value;
};

/// An entry of a configuration file: a path of keys joined by points, and the value as the file spells it.
struct FileEntry {
  std::string path;
  std::string value;
};

/// A file that a launch writes before it starts.
struct LaunchFile {
  std::string name;
  std::string text;
};

/// A launch before it is turned into text.
struct LaunchScript {
  std::vector<LaunchVariable> variables;
  std::vector<LaunchFile> files;
  std::vector<FileEntry> entries;             ///< of the first of them
  std::string launcher;                       ///< what the shell runs
  std::vector<std::string> launcher_options;  ///< each with its value
  std::string script;                         ///< what the launcher runs; empty: the launcher itself
  std::vector<std::string> script_options;
};

/// A stack whose launches are written and read.
struct LaunchStack {
  std::string_view name;    ///< as written
  StackSource source;       ///< whose options these are
  std::string_view file;    ///< of that repository, which documents them
  std::string_view recipe;  ///< id of the recipe that such a launch is priced with
  std::string_view cloned;  ///< the same of a launch without any tuned option; empty: no other
  bool serves = false;      ///< whether it serves rather than trains
  std::span<const StackOption> options;
  std::span<const UnsaidRule> unsaid;
  std::span<const std::string_view> marks;  ///< words in commands of this stack alone
  void (*assume)(LaunchedJob& launched);    ///< sets what applies where no option is given
  /// Fills in everything but the options, which are those of the started job.
  void (*command)(const LaunchedJob& launched, LaunchScript& script);
  /// Turns a launch into one that needs fewer GPUs, or no weights.
  void (*rehearse)(const LaunchedJob& launched, LaunchScript& script);
  /// The parts of model and data that a launch leaves at the stack's defaults; null: none.
  std::string (*left_out)(const LaunchedJob& launched) = nullptr;
  /// The nearest job that it can start, if it can't start every job; null: the job itself.
  LaunchedJob (*started)(const LaunchedJob& launched) = nullptr;
};

extern const LaunchStack megatron_lm_launches;
extern const LaunchStack megatron_bridge_launches;
extern const LaunchStack torchtitan_launches;
extern const LaunchStack deepspeed_launches;
extern const LaunchStack vllm_launches;
extern const LaunchStack sglang_launches;
extern const LaunchStack tensorrt_llm_launches;

/// The entries as JSON, or as YAML; those of one key stand together.
std::string json_text(std::span<const FileEntry> entries);
std::string yaml_text(std::span<const FileEntry> entries);

/// A script as the shell takes it: variables, files and command, an option a line.
std::string shell_text(const LaunchScript& script);

}  // namespace commcost
