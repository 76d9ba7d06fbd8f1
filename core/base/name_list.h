#pragma once

#include <span>
#include <string>
#include <string_view>

namespace commcost {

/// The first of a text's space-separated names; empty if it has none.
std::string_view first_name(std::string_view names);

/// The others.
std::string_view names_behind_first(std::string_view names);

/// Whether a name is among those of a text, ignoring case.
bool names_one_of(std::string_view names, std::string_view name);

/// Names as a sentence lists them, `last` before the last: "a, b and c".
std::string in_words(std::span<const std::string_view> names, std::string_view last);

}  // namespace commcost
