#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace commcost {

/// The number that stands at a place of a line, after spaces: "13105.3", "10,050", "1.23K", "6.97E-08"; K, M
/// and B are thousands. Nothing where there is none.
std::optional<double> number_at(std::string_view line, std::size_t at);

/// The number after the first of the keys that is a word of its own in the line, with what stands between
/// them: "key: 8", "key=8", "key ........ 8", "key 8".
std::optional<double> number_after(std::string_view line, std::initializer_list<std::string_view> keys);

/// The word behind such a key: "key ........ True", "key=True,". Empty where there is none.
std::string_view word_after(std::string_view line, std::string_view key);

/// The time of day that a line is stamped with, ms from some day: "2026-02-24 19:46:17,508", with or without
/// the fraction, T for the space. Nothing where there is none.
std::optional<double> clock_ms_in(std::string_view line);

/// A name and its number.
struct NamedNumber {
  std::string_view name;
  double number;
};

/// Of a list of names in quotes and a list of as many numbers behind it: "['dp', 'tp'], [4, 2]".
std::vector<NamedNumber> named_numbers(std::string_view line);

}  // namespace commcost
