#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/launches/launch_stack.h"

namespace commcost {

/// A stack whose launches are written and read.
enum class LaunchFormat { megatron_lm, megatron_bridge, torchtitan, deepspeed, vllm, sglang, tensorrt_llm };
inline constexpr std::string_view launch_format_names[] = {
    "megatron_lm", "megatron_bridge", "torchtitan", "deepspeed", "vllm", "sglang", "tensorrt_llm"};

/// Those that train, and those that serve behind them.
inline constexpr std::size_t training_format_count = 4;
inline constexpr std::span<const std::string_view> training_formats =
    std::span(launch_format_names).first<training_format_count>();
inline constexpr std::span<const std::string_view> server_formats =
    std::span(launch_format_names).subspan<training_format_count>();
constexpr LaunchFormat server_format(int place) {
  return static_cast<LaunchFormat>(training_format_count + static_cast<std::size_t>(place));
}

const LaunchStack& launch_stack(LaunchFormat format);

/// An option with its value, in the stack's words.
struct ExportedOption {
  std::string_view option;      ///< as documented
  std::string value;            ///< as written; empty for a switch
  std::string_view stands_for;  ///< the input that it sets; empty: none of a job's
};

/// An input for which the stack has no option, or only a different one.
struct NotExported {
  std::string_view field;
  std::string why;  ///< what the stack does, to follow its name
};

/// The launch of a job on a stack.
struct ExportedLaunch {
  std::vector<ExportedOption> options;
  std::vector<NotExported> not_exported;
  std::string text;     ///< a script, ready to paste
  std::string dry_run;  ///< the same, for one GPU or without weights
};

/// An input as calculations name it.
inline std::string as_named(std::string_view field) {
  return std::string(field);
}

/// The launch of a completed job without problems; comments above it list what differs, each input under its
/// name from `label`.
ExportedLaunch exported_launch(const LaunchedJob& launched, LaunchFormat format,
                               std::string (*label)(std::string_view field) = as_named);

}  // namespace commcost
