#include "core/base/number_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>

namespace commcost {
namespace {

TEST(TextOfNumber, IsTheShortestThatReadsBack) {
  EXPECT_EQ(text_of(0.0), "0");
  EXPECT_EQ(text_of(300.0), "300");
  EXPECT_EQ(text_of(-1.5), "-1.5");
  EXPECT_EQ(text_of(0.1), "0.1");
  EXPECT_EQ(text_of(50.108), "50.108");
  EXPECT_EQ(text_of(1e-6), "0.000001");
  EXPECT_EQ(text_of(1.25e-7), "1.25e-7");
  EXPECT_EQ(text_of(1e9), "1000000000");
  EXPECT_EQ(text_of(9007199254740991.0), "9007199254740991");
  EXPECT_EQ(text_of(1.0 / 3.0), "0.3333333333333333");
  EXPECT_EQ(text_of(1e22), "1e22");
  EXPECT_EQ(text_of(std::numeric_limits<double>::infinity()), "Infinity");
  EXPECT_EQ(text_of(-std::numeric_limits<double>::infinity()), "-Infinity");
  EXPECT_EQ(text_of(std::numeric_limits<double>::quiet_NaN()), "NaN");
}

TEST(TextOfNumber, IsShortAtTheEndsOfTheRange) {
  EXPECT_EQ(text_of(1e300), "1e300");
  EXPECT_EQ(text_of(-1e-300), "-1e-300");
  EXPECT_EQ(text_of(5e-324), "5e-324");
}

// As JavaScript writes numbers, whose text the page shows next to ours.
TEST(TextOfNumber, IsPlainUpToTwentyOneDigitsAndFromAMillionth) {
  EXPECT_EQ(text_of(1e20), "100000000000000000000");
  EXPECT_EQ(text_of(1e21), "1e21");
  EXPECT_EQ(text_of(1.5e-6), "0.0000015");
  EXPECT_EQ(text_of(1.5e-7), "1.5e-7");
}

TEST(TextOfNumber, ReadsBackExactlyAnywhere) {
  std::mt19937_64 rng(7);
  for (int i = 0; i < 5000; ++i) {
    const double number =
        std::ldexp(1 + static_cast<double>(rng() >> 12) * 0x1p-52, static_cast<int>(rng() % 2040) - 1020);
    EXPECT_EQ(std::strtod(text_of(number).c_str(), nullptr), number);
    EXPECT_EQ(parse_number(text_of(number)), number);
  }
}

TEST(TextOfNumber, HasAtMostSeventeenDigits) {
  std::mt19937_64 rng(11);
  for (int i = 0; i < 5000; ++i) {
    const double number = std::pow(10.0, std::uniform_real_distribution<>(-19, 15)(rng));
    std::string digits = text_of(number);
    digits = digits.substr(0, digits.find('e'));
    std::erase(digits, '.');
    EXPECT_LE(digits.size() - digits.find_first_not_of('0'), 17u) << digits;
  }
}

TEST(ParseNumber, AgreesWithTheCLibrary) {
  std::mt19937_64 rng(3);
  for (int i = 0; i < 20000; ++i) {
    char text[64];
    const int digits = static_cast<int>(rng() % 16) + 1;
    const double number = std::pow(10.0, std::uniform_real_distribution<>(-300, 300)(rng));
    std::snprintf(text, sizeof text, rng() % 2 == 0 ? "%.*e" : "%.*g", digits, number);
    EXPECT_EQ(parse_number(text), std::strtod(text, nullptr)) << text;
  }
}

TEST(ParseNumber, RefusesWhatIsNoNumber) {
  for (const char* text : {"",       "-",      "+",    ".",        "e5",        "1e",       "1e+",
                           "1.2.3",  "12 ",    " 12",  "0x10",     "nan",       "--1",      "1,00",
                           "1,0000", ",100",   "1,",   "1000,000", "1,000_000", "1,000,00", "1.000,000",
                           "1 000",  "1__000", "0.5.", "1e1.5",    "+-1",       "1e--1",    "1e999 "}) {
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_number(".5"), 0.5);
  EXPECT_EQ(parse_number("5."), 5.0);
  EXPECT_EQ(parse_number("-1E3"), -1000.0);
  EXPECT_EQ(parse_number("1e99999999999"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_number("1e-99999999999"), 0.0);
  EXPECT_EQ(parse_number("123456789012345678901234567890"), 123456789012345678901234567890.0);
}

// Digits that no double holds still move the point, and so do zeros behind it.
TEST(ParseNumber, CountsEveryDigitAgainstThePower) {
  for (const int digits : {30, 420, 700, 200000}) {
    const std::string many(static_cast<std::size_t>(digits), '3');
    const std::string zeros(static_cast<std::size_t>(digits), '0');
    for (const std::string& text :
         {many + "e-" + std::to_string(digits), "0." + zeros + "125e" + std::to_string(digits),
          many + "e-" + std::to_string(digits + 280)}) {
      const double expected = std::strtod(text.c_str(), nullptr);
      ASSERT_TRUE(expected > 0 && std::isfinite(expected));
      EXPECT_NEAR(*parse_number(text) / expected, 1, 1e-13) << digits;
    }
  }
}

TEST(ParseNumber, TakesGroupsOfThreeDigits) {
  EXPECT_EQ(parse_number("1,000"), 1000.0);
  EXPECT_EQ(parse_number("-12,345.678e1"), -123456.78);
  EXPECT_EQ(parse_number("1_000_000"), 1e6);
  EXPECT_EQ(parse_number("123'456"), 123456.0);
  EXPECT_EQ(parse_number("1,000,000.5"), 1000000.5);
}

TEST(LeadingNumber, EndsWhereItsTextDoes) {
  const auto length = [](std::string_view text) {
    const auto number = leading_number(text);
    return number ? number->length : 0;
  };
  EXPECT_EQ(length("12 ms"), 2u);
  EXPECT_EQ(length("1e"), 1u);
  EXPECT_EQ(length("1e+"), 1u);
  EXPECT_EQ(length("1e+5x"), 4u);
  EXPECT_EQ(length("1.2.3"), 3u);
  EXPECT_EQ(length("1,000,00"), 5u);
  EXPECT_EQ(length("5.|"), 2u);
  EXPECT_EQ(length(".5"), 2u);
  EXPECT_EQ(length("0x10"), 1u);
  EXPECT_EQ(length("x"), 0u);
  EXPECT_EQ(length("-"), 0u);
}

TEST(ParseNumber, ReadsNothingBehindTheText) {
  const std::string_view text = "12e5.7-8";
  EXPECT_EQ(parse_number(text.substr(0, 1)), 1.0);
  EXPECT_EQ(parse_number(text.substr(0, 2)), 12.0);
  EXPECT_EQ(parse_number(text.substr(3, 1)), 5.0);
  EXPECT_EQ(parse_number(text.substr(5, 1)), 7.0);
  EXPECT_EQ(parse_number(text.substr(0, 3)), std::nullopt);
  EXPECT_EQ(parse_number(text.substr(0, 0)), std::nullopt);
}

}  // namespace
}  // namespace commcost
