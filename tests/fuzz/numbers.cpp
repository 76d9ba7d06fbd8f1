// Numbers as text: what is read is written and read again the same, and agrees with the C library.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/base/number_text.h"
#include "core/base/rounding.h"
#include "fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace commcost;
  using fuzz::require;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (const std::optional<double> number = parse_number(text)) {
    std::string plain = text;
    std::erase_if(plain, [](char c) { return c == ',' || c == '_' || c == '\''; });
    const double expected = std::strtod(plain.c_str(), nullptr);
    require(*number == expected || std::abs(*number - expected) <= std::abs(expected) * 1e-13 ||
            std::abs(expected) < 1e-300);
  }
  double number = 0;
  if (size < sizeof number) return 0;
  std::memcpy(&number, data, sizeof number);
  const std::string shown = text_of(number);
  require(!shown.empty() && shown.size() <= 40);
  if (!std::isfinite(number)) return 0;
  require(parse_number(shown).has_value());
  const double rounded = round_to_four_decimals(number);
  // Half of the last decimal, and values between a decimal and its nearest double.
  require(std::abs(rounded - number) <= 5e-5 + std::abs(number) * 0x1p-52);
  require(round_to_four_decimals(rounded) == rounded);
  return 0;
}
