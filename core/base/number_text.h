#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace commcost {

// The C library's conversions would be a third of the WebAssembly module; these do what we need.

/// The shortest decimal text that reads back as `number`: "300", "0.1", "1e-7", "NaN", "-Infinity".
std::string text_of(double number);

/// A number at the start of a text, and how many characters spell it.
struct LeadingNumber {
  double value = 0;
  std::size_t length = 0;
};

/// The number that a text begins with: an optional sign, digits, at most one point, an optional exponent; in
/// front of the point, groups of three digits may be set apart by commas, _ or '. Correctly rounded if it has
/// up to 19 digits and is a normal double, otherwise within an ulp; infinite beyond the greatest double. The
/// caller judges what follows the number. web/state/number.ts reads the same.
std::optional<LeadingNumber> leading_number(std::string_view text);

/// The number that the text spells, if that is all it holds.
std::optional<double> parse_number(std::string_view text);

}  // namespace commcost
