#pragma once

#include <string>
#include <string_view>

#include "core/base/field.h"

namespace commcost {

/// The place of an object in a list that a calculation takes, such as "rows[2]".
std::string row_name(std::string_view list, std::size_t at);

/// The same problem, as one of the row of that name.
Problem within(const std::string& row, Problem problem);

/// What may stand in a row.
struct RowWords {
  std::string_view of;             ///< whose row it is, such as "a row of fit_step"
  std::string_view allowed;        ///< its inputs, in words
  std::string_view required = {};  ///< an input that it must give; empty: none
};

/// Reads a row by the fields over what `inputs` hold, a preset over what it fills. All problems, each with
/// the row's name.
Problems read_row(const std::string& name, const Value& row, const FieldIndex& fields, const RowWords& words,
                  void* inputs);

}  // namespace commcost
