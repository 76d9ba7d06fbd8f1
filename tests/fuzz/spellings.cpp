// Numbers in logs, round trip: written in any spelling and read back the same; of anything else whole, or not
// at all.

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/base/number_text.h"
#include "core/logs/log_words.h"
#include "fuzz/require.h"

namespace commcost::fuzz {
namespace {

constexpr std::string_view key = "iteration (ms)";

std::optional<double> read(const std::string& token, char way) {
  const char* between[] = {": ", "=", " ........ ", "  ", "\": \"", ":\t"};
  const char* after[] = {"", " |", ", tp=4", "]", "\"", " / 500", "\n"};
  return number_after("x " + std::string(key) + between[way % 6] + token + after[way / 6 % 7], {key});
}

std::string grouped(std::string digits, char separator) {
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, separator);
  return digits;
}

// One of the ways in which programs write it.
std::string spelled(double number, unsigned way) {
  std::array<char, 400> text{};
  const char* formats[] = {"%.17g", "%.16e", "%.17E", "%.1f", "%.0f", "%.3f", "%g"};
  std::snprintf(text.data(), text.size(), formats[way % 7], number);
  std::string all = text.data();
  const std::size_t point = std::min(all.find('.'), all.size());
  if (way / 7 % 4 == 0 || all.find_first_of("eE") != std::string::npos) return all;
  return grouped(all.substr(0, point), ",_'"[way / 7 % 4 - 1]) + all.substr(point);
}

void round_trip(double number, unsigned way, char around) {
  number = std::fabs(number);
  if (!std::isfinite(number) || (number != 0 && (number < 1e-290 || number > 1e290))) return;
  const std::string token = spelled(number, way);
  std::string plain = token;
  std::erase_if(plain, [](char c) { return c == ',' || c == '_' || c == '\''; });
  const double expected = std::strtod(plain.c_str(), nullptr);
  const std::optional<double> found = read(token, around);
  require(found && std::abs(*found - expected) <= expected * 0x1p-52);
}

// Whatever the text: if a number is read from it, the whole token spells that number, with a letter for
// thousands.
void whole_or_not(const std::string& token) {
  for (const char c : token)
    if (c < '!' || c > '~') return;
  const std::optional<double> found = number_after(std::string(key) + ": " + token + " |", {key});
  if (!found) return;
  require(std::isfinite(*found) && *found >= 0);
  const std::size_t from = token.find_first_not_of(":=\"'.");
  require(from != std::string::npos);
  const bool point = from > 0 && token[from - 1] == '.';
  const std::string rest = token.substr(point ? from - 1 : from);
  const auto number = leading_number(rest);
  require(number.has_value());
  std::size_t end = number->length;
  double value = number->value;
  const std::string_view thousands = "kKMBGT";
  if (end < rest.size() && thousands.find(rest[end]) != std::string_view::npos) {
    constexpr double sizes[] = {1e3, 1e3, 1e6, 1e9, 1e9, 1e12};
    value *= sizes[thousands.find(rest[end++])];
  }
  require(value == *found);
  // No digit, letter or point of that number follows.
  if (end < rest.size()) {
    const char next = rest[end];
    require(!(next >= '0' && next <= '9') && !(next >= 'a' && next <= 'z') && !(next >= 'A' && next <= 'Z') &&
            next != '.' && next != '_');
  }
}

}  // namespace
}  // namespace commcost::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace commcost::fuzz;
  if (size < 10) return 0;
  double number = 0;
  std::memcpy(&number, data, sizeof number);
  round_trip(number, data[8], static_cast<char>(data[9] % 42));
  // Of usual sizes as well, which few patterns of bits are.
  std::uint32_t small = 0;
  std::memcpy(&small, data, sizeof small);
  round_trip(small / 64.0, data[8], static_cast<char>(data[9] % 42));
  whole_or_not({reinterpret_cast<const char*>(data) + 10, size - 10});
  return 0;
}
