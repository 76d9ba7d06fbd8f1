#include "core/base/number_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/base/exact.h"

namespace commcost {
namespace {

constexpr int greatest_power = 400;  // beyond it everything is 0 or infinite

// number * 10^power = the result * 2^twos. Past 122 bits the last are dropped, 2^-109 of the whole at the
// most.
Wide times_power_of_ten(Wide number, int power, int& twos) {
  for (; power > 0; --power) {
    number *= 10;
    for (; number >> 122 != 0; number >>= 1) ++twos;
  }
  return number;
}

// number * 2^twos * 10^tens.
double scaled(std::uint64_t number, int twos, int tens) {
  if (number == 0 || tens < -greatest_power) return 0;
  if (tens > greatest_power) return std::numeric_limits<double>::infinity();
  int more_twos = 0;
  if (tens >= 0) {
    const Wide product = times_power_of_ten(number, tens, more_twos);
    return divide_correctly_rounded(product, 1, twos + more_twos);
  }
  const Wide divisor = times_power_of_ten(1, -tens, more_twos);
  return divide_correctly_rounded(number, divisor, twos - more_twos);
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
  const auto [mantissa, twos] = parts_of(number);
  constexpr int most_digits = 17;
  std::uint64_t digits = 0;
  for (int count = 1; count <= most_digits; ++count) {
    const int exponent = power - count + 1;
    digits = static_cast<std::uint64_t>(std::llround(scaled(mantissa, twos, -exponent)));
    // Seventeen digits do not fit the 53 bits that they come in.
    const std::uint64_t slack = count < most_digits ? 1 : 8;
    for (std::uint64_t off = 0; off <= slack && off < digits; ++off) {
      for (const std::uint64_t candidate : {digits - off, digits + off}) {
        if (scaled(candidate, 0, exponent) == number)
          return plain_or_scientific(digits_of(candidate), exponent);
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
  const double value = scaled(digits, 0, exponent);
  return negative ? -value : value;
}

}  // namespace commcost
