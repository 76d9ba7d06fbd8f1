#include "core/base/problem.h"

#include <utility>

namespace commcost {

std::string_view name_of(ProblemCode code) {
  switch (code) {
    case ProblemCode::missing:
      return "missing";
    case ProblemCode::unknown_field:
      return "unknown_field";
    case ProblemCode::wrong_type:
      return "wrong_type";
    case ProblemCode::not_finite:
      return "not_finite";
    case ProblemCode::not_whole:
      return "not_whole";
    case ProblemCode::out_of_range:
      return "out_of_range";
    case ProblemCode::not_a_choice:
      return "not_a_choice";
    case ProblemCode::overflow:
      return "overflow";
    case ProblemCode::inconsistent:
      return "inconsistent";
    case ProblemCode::malformed:
      return "malformed";
  }
  return "";
}

Problem must_be(std::string_view field, ProblemCode code, std::string allowed, std::string_view got) {
  std::string message(field);
  message += " must be ";
  message += allowed;
  message += "; got ";
  message += got;
  return {std::string(field), code, std::move(message), std::move(allowed)};
}

}  // namespace commcost
