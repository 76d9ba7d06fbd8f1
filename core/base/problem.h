#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace commcost {

/// Why an input or a combination of inputs is refused.
enum class ProblemCode {
  missing,        ///< a required input is absent
  unknown_field,  ///< the input is not one of the calculation's
  wrong_type,     ///< text where a number is meant, or the reverse
  not_finite,     ///< NaN or infinity
  not_whole,      ///< a fraction where a whole number is meant
  out_of_range,   ///< outside the field's least and greatest value
  not_a_choice,   ///< not one of the field's choices
  overflow,       ///< a product of valid inputs exceeds what is exact
  inconsistent,   ///< valid one by one, impossible together
  malformed,      ///< text that cannot be understood
};

/// The code as it crosses the boundary, such as "out_of_range".
std::string_view name_of(ProblemCode code);

/// One thing that is wrong with the inputs, with what would be allowed.
struct Problem {
  std::string field;    ///< the input, or the result that cannot be represented
  ProblemCode code;     ///< why it is refused
  std::string message;  ///< a whole sentence that names the field, the limit and the value
  std::string allowed;  ///< what is allowed, such as "a whole number from 1 to 8"
};

/// The problem "`field` must be `allowed`; got `got`".
Problem must_be(std::string_view field, ProblemCode code, std::string allowed, std::string_view got);

/// Every problem of one call, in the order of the field table.
using Problems = std::vector<Problem>;

}  // namespace commcost
