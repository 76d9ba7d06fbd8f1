#include "core/base/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/base/exact.h"
#include "core/base/letters.h"

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

// The power p with 10^p <= value < 10^(p+1), or one off next to a power of ten.
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

namespace {

bool digit_at(std::string_view text, std::size_t at) {
  return at < text.size() && is_digit(text[at]);
}

bool is_separator(char c) {
  return c == ',' || c == '_' || c == '\'';
}

// Whether a separator and exactly three digits follow at a place.
bool is_group(std::string_view text, std::size_t at) {
  return at < text.size() && is_separator(text[at]) && digit_at(text, at + 1) && digit_at(text, at + 2) &&
         digit_at(text, at + 3) && !digit_at(text, at + 4);
}

// Digits of a number as they are read, and the power of ten that they count.
class Digits {
 public:
  void add(char digit, bool behind_point) {
    any_ = true;
    if (number_ <= room_for_a_digit) {
      number_ = number_ * 10 + static_cast<std::uint64_t>(digit - '0');
      if (behind_point) --exponent_;
    } else if (!behind_point) {
      ++exponent_;
    }
  }
  bool any() const { return any_; }
  double times_ten_to(std::int64_t power) const {
    constexpr std::int64_t most = greatest_power + 1;
    return scaled(number_, 0, static_cast<int>(std::clamp(exponent_ + power, -most, most)));
  }

 private:
  static constexpr std::uint64_t room_for_a_digit = (std::numeric_limits<std::uint64_t>::max() - 9) / 10;
  std::uint64_t number_ = 0;
  std::int64_t exponent_ = 0;
  bool any_ = false;
};

// The digits from `at` on, up to three of them if groups follow; returns where they end.
std::size_t take_whole(std::string_view text, std::size_t at, Digits& digits) {
  const std::size_t from = at;
  for (; digit_at(text, at); ++at) digits.add(text[at], false);
  if (at == from || at > from + 3 || !is_group(text, at)) return at;
  const char separator = text[at];
  for (; is_group(text, at) && text[at] == separator; at += 4) {
    for (std::size_t digit = 1; digit <= 3; ++digit) digits.add(text[at + digit], false);
  }
  return at;
}

// No text has so many digits that they would reach a power beyond it.
constexpr std::int64_t most_power = 1'000'000'000'000'000;

}  // namespace

std::optional<LeadingNumber> leading_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  std::size_t at = negative || text.starts_with('+') ? 1 : 0;
  Digits digits;
  at = take_whole(text, at, digits);
  if (at < text.size() && text[at] == '.' && (digits.any() || digit_at(text, at + 1))) {
    for (++at; digit_at(text, at); ++at) digits.add(text[at], true);
  }
  if (!digits.any()) return std::nullopt;
  std::int64_t power = 0;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const char sign = at + 1 < text.size() ? text[at + 1] : '\0';
    std::size_t end = at + (sign == '-' || sign == '+' ? 2 : 1);
    if (digit_at(text, end)) {
      for (; digit_at(text, end); ++end) power = power < most_power ? power * 10 + (text[end] - '0') : power;
      if (sign == '-') power = -power;
      at = end;
    }
  }
  const double value = digits.times_ten_to(power);
  return LeadingNumber{negative ? -value : value, at};
}

std::optional<double> parse_number(std::string_view text) {
  const std::optional<LeadingNumber> number = leading_number(text);
  if (!number || number->length != text.size()) return std::nullopt;
  return number->value;
}

}  // namespace commcost
