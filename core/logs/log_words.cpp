#include "core/logs/log_words.h"

#include <algorithm>
#include <cmath>

#include "core/base/letters.h"
#include "core/base/number_text.h"

namespace commcost {
namespace {

bool of_a_word(char c) {
  return is_alphanumeric(c) || c == '_' || c == '-';
}

// What may be between a key and its number.
bool between(char c) {
  return c == ' ' || c == '\t' || c == ':' || c == '=' || c == '.' || c == '"' || c == '\'';
}

char at_or_end(std::string_view line, std::size_t at) {
  return at < line.size() ? line[at] : '\0';
}

// The factor that a letter after a number stands for; 0 if it is no such letter.
double unit_of(char c) {
  switch (c) {
    case 'k':
    case 'K':
      return 1e3;
    case 'M':
      return 1e6;
    case 'B':
    case 'G':
      return 1e9;
    case 'T':
      return 1e12;
    default:
      return 0;
  }
}

// Whether a number may end before that place: nothing goes on that would make it another one, such as
// "1.2.3", "0x10", "1,5", "12:30" or "3e".
bool ends_number(std::string_view line, std::size_t at) {
  const char c = at_or_end(line, at);
  if (is_alphanumeric(c) || c == '_' || c == '.') return false;
  return !((c == ',' || c == ':' || c == '-' || c == '\'') && is_digit(at_or_end(line, at + 1)));
}

// Days from 1970-01-01 on, in the Gregorian calendar.
double days_of(int year, int month, int day) {
  const int y = month <= 2 ? year - 1 : year;
  const int m = month <= 2 ? month + 9 : month - 3;
  return 365.0 * y + std::floor(y / 4.0) - std::floor(y / 100.0) + std::floor(y / 400.0) +
         std::floor((153.0 * m + 2) / 5) + day;
}

// So many digits as a whole number; nothing where they are not all digits.
std::optional<int> whole_at(std::string_view line, std::size_t at, std::size_t digits) {
  int number = 0;
  for (std::size_t i = at; i < at + digits; ++i) {
    if (!is_digit(at_or_end(line, i))) return std::nullopt;
    number = 10 * number + (line[i] - '0');
  }
  return number;
}

// "19:46:17,508" at a place, ms.
std::optional<double> time_of_day_at(std::string_view line, std::size_t at) {
  const auto hours = whole_at(line, at, 2);
  const auto minutes = whole_at(line, at + 3, 2);
  const auto seconds = whole_at(line, at + 6, 2);
  if (!hours || !minutes || !seconds || line[at + 2] != ':' || line[at + 5] != ':') return std::nullopt;
  double ms = 1e3 * (3600.0 * *hours + 60.0 * *minutes + *seconds);
  const char point = at_or_end(line, at + 8);
  double unit = 100;
  for (std::size_t i = at + 9; (point == ',' || point == '.') && is_digit(at_or_end(line, i)); ++i) {
    ms += unit * (line[i] - '0');
    unit /= 10;
  }
  return ms;
}

}  // namespace

bool begins_word(std::string_view line, std::size_t at) {
  return at == 0 || !of_a_word(line[at - 1]);
}

bool is_key(std::string_view line, std::size_t at, std::size_t end) {
  return begins_word(line, at) && between(at_or_end(line, end));
}

std::optional<double> number_at(std::string_view line, std::size_t at) {
  while (at < line.size() && (line[at] == ' ' || line[at] == '\t')) ++at;
  const char first = at_or_end(line, at);
  if (!is_digit(first) && first != '.') return std::nullopt;
  const auto number = leading_number(line.substr(at));
  if (!number) return std::nullopt;
  at += number->length;
  const double unit = unit_of(at_or_end(line, at));
  const double value = unit > 0 ? number->value * unit : number->value;
  if (!std::isfinite(value) || !ends_number(line, unit > 0 ? at + 1 : at)) return std::nullopt;
  return value;
}

std::optional<double> number_after_key(std::string_view line, std::size_t end_of_key) {
  std::size_t at = end_of_key;
  while (between(at_or_end(line, at))) ++at;
  // The last dot before a digit is its point, unless it ends a row of dots.
  const bool point = at > end_of_key && line[at - 1] == '.';
  if (point && at - 1 > end_of_key && line[at - 2] == '.') return std::nullopt;
  return number_at(line, point ? at - 1 : at);
}

std::optional<double> number_after(std::string_view line, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    for (std::size_t at = line.find(key); at != std::string_view::npos; at = line.find(key, at + 1)) {
      const std::size_t end = at + key.size();
      if (!is_key(line, at, end)) continue;
      if (const auto number = number_after_key(line, end)) return number;
    }
  }
  return std::nullopt;
}

std::string_view word_after_key(std::string_view line, std::size_t end_of_key) {
  std::size_t at = end_of_key;
  while (between(at_or_end(line, at))) ++at;
  std::size_t end = at;
  while (of_a_word(at_or_end(line, end))) ++end;
  return line.substr(std::min(at, line.size()), end - at);
}

std::optional<double> clock_ms_in(std::string_view line) {
  constexpr double day_ms = 86400e3;
  for (std::size_t at = 0; at + 19 <= line.size(); ++at) {
    if (line[at + 4] != '-' || line[at + 7] != '-') continue;
    const auto year = whole_at(line, at, 4);
    const auto month = whole_at(line, at + 5, 2);
    const auto day = whole_at(line, at + 8, 2);
    const auto time = time_of_day_at(line, at + 11);
    if (year && month && day && time) return day_ms * days_of(*year, *month, *day) + *time;
  }
  return std::nullopt;
}

std::vector<NamedNumber> named_numbers(std::string_view line) {
  std::vector<NamedNumber> found;
  std::size_t at = line.find("['");
  const std::size_t end = line.find(']', at == std::string_view::npos ? 0 : at);
  if (at == std::string_view::npos || end == std::string_view::npos) return found;
  while ((at = line.find('\'', at)) < end) {
    const std::size_t close = line.find('\'', at + 1);
    if (close >= end) return {};
    found.push_back({line.substr(at + 1, close - at - 1), 0});
    at = close + 1;
  }
  at = line.find('[', end);
  for (NamedNumber& one : found) {
    if (at == std::string_view::npos) return {};
    const std::size_t next = std::min(line.find_first_of(",]", at + 1), line.size());
    const auto number = number_at(line.substr(at + 1, next - at - 1), 0);
    if (!number || !(*number >= 1)) return {};
    one.number = *number;
    at = at_or_end(line, next) == ',' ? next : std::string_view::npos;
  }
  return found;
}

}  // namespace commcost
