#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace commcost {

// The C library's conversions would be a third of the WebAssembly module; these do what we need of them.

/// The shortest decimal text that reads back as `number`: "300", "0.1", "1e-7", "NaN", "-Infinity".
std::string text_of(double number);

/// The number that the whole text spells: digits, at most one point, an optional sign and exponent; nothing
/// else. Correctly rounded where it has up to 19 digits and is a normal double, else within an ulp.
std::optional<double> parse_number(std::string_view text);

}  // namespace commcost
