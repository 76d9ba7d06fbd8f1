#include "bench/validation/scoreboard.h"

#include <algorithm>

namespace commcost::validation {

std::string quoted(std::string_view text) {
  std::string cell(text);
  std::replace(cell.begin(), cell.end(), '"', '\'');
  return '"' + cell + '"';
}

std::string rounded(double value, int decimals) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

std::string digits(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

}  // namespace commcost::validation
