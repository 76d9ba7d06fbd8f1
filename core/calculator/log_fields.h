#pragma once

#include "core/calculator/calculation.h"
#include "core/logs/log_lines.h"

namespace commcost {

/// Greatest length of a log in one call; longer ones arrive in pieces.
inline constexpr double longest_log = 16e6;

/// Columns of the lines of a log that were not understood.
inline constexpr ResultField log_problem_columns[] = {
    whole_result<&LogProblem::line>("The first such line, from 1"),
    whole_result<&LogProblem::lines>("Consecutive lines with this problem"),
    result<&LogProblem::message>("The problem"),
    result<&LogProblem::text>("The first of them, cut short"),
};

}  // namespace commcost
