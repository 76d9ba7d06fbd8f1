#pragma once

#include "core/base/result.h"
#include "core/launches/exported_launch.h"

// What the calculations that write launches give.
namespace commcost {

/// The launch of a job on a stack, and the source that it was checked against.
struct LaunchResults : ExportedLaunch {
  std::string_view name;
  std::string_view commit;
  std::string_view date;
  std::string source;
};

/// For a job and its model's place in the catalogue; -1: a custom shape.
Outcome<LaunchResults> launch_results(LaunchedJob launched, int model, LaunchFormat format);

inline constexpr ResultField launch_option_columns[] = {
    result<&ExportedOption::option>("The option as the stack documents it"),
    result<&ExportedOption::value>("The value as written; empty for a switch"),
    result<&ExportedOption::stands_for>("The input that it sets; empty: none"),
};

inline constexpr ResultField unsaid_columns[] = {
    result<&NotExported::field>("The input"),
    result<&NotExported::why>("The stack's own behaviour, or how to set it"),
};

inline constexpr ResultField launch_result_fields[] = {
    result<&LaunchResults::text>(
        "The launch: a shell script, with the settings that no option covers listed above it"),
    result<&LaunchResults::dry_run>("The stack's own dry run of it: on one GPU, or without weights"),
    rows_result<&LaunchResults::options>(launch_option_columns, "The options"),
    rows_result<&LaunchResults::not_exported>(
        unsaid_columns, "Settings that the stack has no option for, or sets in another way"),
    result<&LaunchResults::name>("The stack"),
    result<&LaunchResults::commit>("Commit of the stack's repository against which every option was checked"),
    result<&LaunchResults::date>("Date of that commit"),
    result<&LaunchResults::source>("Source of the options"),
};

}  // namespace commcost
