#include "core/base/letters.h"

#include <gtest/gtest.h>

#include <cctype>
#include <string>

namespace commcost {
namespace {

TEST(Letters, AreSortedAsInTheCLocale) {
  for (int code = 0; code < 128; ++code) {
    const char letter = static_cast<char>(code);
    EXPECT_EQ(is_digit(letter), std::isdigit(code) != 0) << code;
    EXPECT_EQ(is_alphanumeric(letter), std::isalnum(code) != 0) << code;
    EXPECT_EQ(lower(letter), std::tolower(code)) << code;
    EXPECT_EQ(upper(letter), std::toupper(code)) << code;
    EXPECT_EQ(hex_digit(letter) >= 0, std::isxdigit(code) != 0) << code;
  }
}

TEST(Letters, HaveNoCaseBeyondAscii) {
  for (int code = 128; code < 256; ++code) {
    const char letter = static_cast<char>(code);
    EXPECT_FALSE(is_alphanumeric(letter)) << code;
    EXPECT_EQ(lower(letter), letter) << code;
    EXPECT_EQ(upper(letter), letter) << code;
    EXPECT_EQ(hex_digit(letter), -1) << code;
  }
}

TEST(Letters, AreWorthTheirHexadecimalDigits) {
  for (const std::string digits : {"0123456789abcdef", "0123456789ABCDEF"})
    for (std::size_t worth = 0; worth < digits.size(); ++worth)
      EXPECT_EQ(hex_digit(digits[worth]), static_cast<int>(worth));
}

}  // namespace
}  // namespace commcost
