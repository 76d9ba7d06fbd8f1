#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/parallel/stacks.h"
#include "core/parallel/stage_share.h"

namespace commcost {

/// A stack whose options a layout can be written in.
enum class ExportFormat { megatron_lm, torchtitan };
inline constexpr std::string_view export_format_names[] = {"megatron_lm", "torchtitan"};

/// What is known of such a stack: the version whose options are written, where they are documented, and what
/// it can run.
struct ExportTarget {
  std::string_view version;
  std::string_view source;
  const StackRules* rules;
};
const ExportTarget& export_target(ExportFormat format);

/// An option with its value, in the stack's words.
struct ExportedOption {
  std::string section;          ///< of a TOML file; empty for an argument
  std::string option;           ///< as documented
  std::string value;            ///< as written behind it; empty for a switch
  std::string_view stands_for;  ///< the input that it says
};

/// An input that the stack cannot be told, or only otherwise.
struct NotExported {
  std::string_view field;
  std::string why;  ///< what the stack does, behind its name
};

/// A layout in a stack's options.
struct ExportedLayout {
  std::vector<ExportedOption> options;
  std::vector<NotExported> not_exported;
  std::string text;  ///< all options, ready to be pasted: arguments, or TOML
};

/// A completed job without problems in the options of a stack.
ExportedLayout exported_layout(const Job& job, ExportFormat format);

}  // namespace commcost
