#include "core/base/number_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/base/exact.h"

namespace commcost {
namespace {

// What fits divide_correctly_rounded beside 64 bits of digits.
constexpr int most_exact_power = 18;
constexpr int least_exact_power = -37;
constexpr int greatest_power = 330;  // beyond it everything is 0 or infinite

constexpr Wide power_of_ten(int exponent) {
  Wide power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

// digits * 10^exponent. Far outside the exact range powers are applied in steps, each of which may round.
double scaled(std::uint64_t digits, int exponent) {
  if (digits == 0 || exponent < -2 * greatest_power) return 0;
  if (exponent > greatest_power) return std::numeric_limits<double>::infinity();
  const int exact = exponent > most_exact_power    ? most_exact_power
                    : exponent < least_exact_power ? least_exact_power
                                                   : exponent;
  double value = exact >= 0 ? divide_correctly_rounded(digits * power_of_ten(exact), 1)
                            : divide_correctly_rounded(digits, power_of_ten(-exact));
  for (int left = exponent - exact; left > 0; --left) value *= 10;
  for (int left = exponent - exact; left < 0; ++left) value /= 10;
  return value;
}

// The power p with 10^p <= value < 10^(p+1), or one off beside a power of ten.
int decimal_exponent(double value) {
  return static_cast<int>(std::floor(std::log10(value)));
}

std::string digits_of(std::uint64_t number) {
  std::array<char, 20> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  return {text.data(), end};
}

std::string plain_or_scientific(std::string digits, int exponent) {
  while (digits.size() > 1 && digits.back() == '0') {
    digits.pop_back();
    ++exponent;
  }
  const int point = static_cast<int>(digits.size()) + exponent;  // digits before the decimal point
  if (point > 21 || point < -5) {
    std::string text = digits.substr(0, 1);
    if (digits.size() > 1) text += "." + digits.substr(1);
    text += point > 0 ? "e" : "e-";
    return text + digits_of(static_cast<std::uint64_t>(point > 0 ? point - 1 : 1 - point));
  }
  if (exponent >= 0) return digits + std::string(static_cast<std::size_t>(exponent), '0');
  if (point > 0) return digits.insert(static_cast<std::size_t>(point), ".");
  return "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
}

}  // namespace

std::string text_of(double number) {
  if (std::isnan(number)) return "NaN";
  if (number < 0) return "-" + text_of(-number);
  if (std::isinf(number)) return "Infinity";
  constexpr double whole_below = 1e18;
  if (number < whole_below && number == std::trunc(number))
    return digits_of(static_cast<std::uint64_t>(number));
  const int power = decimal_exponent(number);
  constexpr int most_digits = 17;
  std::uint64_t digits = 0;
  for (int count = 1; count <= most_digits; ++count) {
    const int exponent = power - count + 1;
    digits = static_cast<std::uint64_t>(
        std::llround(number * scaled(1, -exponent / 2) * scaled(1, -exponent + exponent / 2)));
    // The scaling rounds up to four times, so that the last of 17 digits may be that many half ulps off.
    const std::uint64_t slack = count < most_digits - 1 ? 1 : 48;
    for (std::uint64_t off = 0; off <= slack && off < digits; ++off) {
      for (const std::uint64_t candidate : {digits - off, digits + off}) {
        if (scaled(candidate, exponent) == number) return plain_or_scientific(digits_of(candidate), exponent);
      }
    }
  }
  return plain_or_scientific(digits_of(digits), power - most_digits + 1);
}

std::optional<double> parse_number(std::string_view text) {
  std::size_t at = 0;
  const auto digit = [&] { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  const bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) ++at;

  constexpr std::uint64_t room_for_a_digit = (std::numeric_limits<std::uint64_t>::max() - 9) / 10;
  std::uint64_t digits = 0;
  int exponent = 0;
  bool any = false;
  bool after_point = false;
  for (; digit() || (!after_point && at < text.size() && text[at] == '.'); ++at) {
    if (text[at] == '.') {
      after_point = true;
      continue;
    }
    any = true;
    if (digits <= room_for_a_digit) {
      digits = digits * 10 + static_cast<std::uint64_t>(text[at] - '0');
      if (after_point) --exponent;
    } else if (!after_point && exponent < greatest_power) {
      ++exponent;
    }
  }
  if (!any) return std::nullopt;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    const bool small = at < text.size() && text[at] == '-';
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    if (!digit()) return std::nullopt;
    int power = 0;
    for (; digit(); ++at) power = power < 10000 ? power * 10 + (text[at] - '0') : power;
    exponent += small ? -power : power;
  }
  if (at != text.size()) return std::nullopt;
  const double value = scaled(digits, exponent);
  return negative ? -value : value;
}

}  // namespace commcost
