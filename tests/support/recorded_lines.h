#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/value.h"
#include "core/calculator/calculation.h"

namespace commcost::test {

/// What takes longer isn't recorded, processor seconds.
inline constexpr double most_of_a_line = 0.06;
/// Where what a calculation gave is recorded: inputs and results, a line each.
std::string recorded_file(const Calculation& calculation);
/// The lines of a file; none where there is none.
std::vector<std::string> recorded_lines(const std::string& path);
/// What a calculation gives for these inputs now, as such a line: a list as one number a column.
std::string recorded_line(const Calculation& calculation, const Value& inputs);
/// The inputs on a line.
Value inputs_on(const std::string& line);
/// Whether a line's inputs were refused.
bool is_refused(const std::string& line);
/// These inputs as a line gives them: without defaults, numbers to nine digits.
Value as_recorded(const Calculation& calculation, const Value& inputs);
/// Inputs without what would be the same if it were left out.
Value::Object without_defaults(const Calculation& calculation, const Value::Object& inputs);

}  // namespace commcost::test
