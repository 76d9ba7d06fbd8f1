#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace commcost {

/// The number at a place of a line, after spaces: "13105.3", "10,050", "1.23K", "6.97E-08"; k, M, G or B, and
/// T are thousands. Nothing if there is none, or if it continues as something else, as in "0x10", "1.2.3",
/// "12:30" or "8KiB".
std::optional<double> number_at(std::string_view line, std::size_t at);

/// Whether no word continues at that place.
bool begins_word(std::string_view line, std::size_t at);

/// Whether the text there is a whole word, followed by something that separates a key from its value: "key:
/// 8", "key=8", "key ........ 8", "key 8".
bool is_key(std::string_view line, std::size_t at, std::size_t end);

/// The number after a key that ends there.
std::optional<double> number_after_key(std::string_view line, std::size_t end_of_key);

/// The word after a key that ends there: "key ........ True", "key=True,". Empty if there is none.
std::string_view word_after_key(std::string_view line, std::size_t end_of_key);

/// The number after the first of the keys that the line has.
std::optional<double> number_after(std::string_view line, std::initializer_list<std::string_view> keys);

/// The time of day stamped on a line, ms from an arbitrary day: "2026-02-24 19:46:17,508", with or without
/// the fraction, T for the space. Nothing if there is none.
std::optional<double> clock_ms_in(std::string_view line);

/// A name and its number.
struct NamedNumber {
  std::string_view name;
  double number;
};

/// Of a list of names in quotes and a list of as many numbers behind it: "['dp', 'tp'], [4, 2]".
std::vector<NamedNumber> named_numbers(std::string_view line);

}  // namespace commcost
