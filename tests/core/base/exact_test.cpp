#include "core/base/exact.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "support/csv.h"

namespace commcost {
namespace {

Wide wide(const test::CsvRow& row, const std::string& name) {
  const auto half = [&](const char* which) { return std::stoull(row.at(name + which), nullptr, 16); };
  return (static_cast<Wide>(half("_high")) << 64) | half("_low");
}

TEST(DivideCorrectlyRounded, AgreesWithPythonsWholeNumbers) {
  const auto rows = test::read_csv(test::oracle_file("division.csv"));
  ASSERT_EQ(rows.size(), 20000u);
  for (const auto& row : rows) {
    const int exponent = std::stoi(row.at("exponent"));
    ASSERT_EQ(divide_correctly_rounded(wide(row, "numerator"), wide(row, "denominator"), exponent),
              row.number("quotient"))
        << row.line();
  }
}

TEST(DivideCorrectlyRounded, RoundsAsTheMachineWhereThatIsExact) {
  std::mt19937_64 rng(1);
  for (int i = 0; i < 20000; ++i) {
    const auto numerator = rng() >> (11 + rng() % 50);
    const auto denominator = (rng() >> (11 + rng() % 50)) + 1;
    ASSERT_EQ(divide_correctly_rounded(numerator, denominator),
              static_cast<double>(numerator) / static_cast<double>(denominator));
  }
}

TEST(DivideCorrectlyRounded, BreaksTiesToEvenAndKeepsASignThatMoreFollows) {
  constexpr Wide even_tie = (static_cast<Wide>(1) << 53) + 1;  // halfway between 2^53 and 2^53 + 2
  EXPECT_EQ(divide_correctly_rounded(even_tie, 1), 0x1p53);
  EXPECT_EQ(divide_correctly_rounded(even_tie + 2, 1), 0x1p53 + 4);
  EXPECT_EQ(divide_correctly_rounded((even_tie << 60) + 1, static_cast<Wide>(1) << 60), 0x1p53 + 2);
  EXPECT_EQ(divide_correctly_rounded((even_tie << 60) - 1, static_cast<Wide>(1) << 60), 0x1p53);
}

TEST(DivideCorrectlyRounded, OfNothingIsNothing) {
  EXPECT_EQ(divide_correctly_rounded(0, 7), 0.0);
}

TEST(PartsOf, PutTogetherGiveTheValue) {
  for (const double value : {0.0, 1.0, 300.0, 0.1, 1.0 / 3.0, 9007199254740991.0, 1e-6, 1e9,
                             std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::min(),
                             std::numeric_limits<double>::max()}) {
    const auto [mantissa, exponent] = parts_of(value);
    EXPECT_LT(mantissa, std::uint64_t{1} << 53);
    EXPECT_EQ(std::ldexp(static_cast<double>(mantissa), exponent), value);
  }
}

}  // namespace
}  // namespace commcost
