#include "core/base/scalar.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <string>

namespace commcost {
namespace {

enum class Plain { none, one = 70000 };
enum class Short : std::uint8_t { none, last = 255 };

template <class Type>
void comes_back(Type least, Type greatest) {
  for (const Type value : {least, greatest}) {
    Type held{};
    const auto number = static_cast<double>(value);
    put_number(scalar_of<Type>(), &held, number);
    EXPECT_EQ(held, value);
    EXPECT_EQ(number_in(scalar_of<Type>(), &held), number);
  }
}

TEST(Scalar, ComesBackAsItWasPut) {
  comes_back(false, true);
  comes_back<std::int8_t>(-128, 127);
  comes_back<std::uint8_t>(0, 255);
  comes_back<std::int32_t>(-2147483647, 2147483647);
  comes_back<std::uint32_t>(0, 4294967295u);
  comes_back<std::int64_t>(-9007199254740991, 9007199254740991);
  comes_back<std::uint64_t>(0, 9007199254740991);
  comes_back<std::size_t>(0, 4294967295u);
  comes_back(-1.5, std::numeric_limits<double>::max());
  comes_back(Plain::none, Plain::one);
  comes_back(Short::none, Short::last);
}

TEST(Scalar, TouchesItsOwnBytesAlone) {
  std::uint8_t bytes[] = {7, 7, 7};
  put_number(Scalar::uint8, &bytes[1], 3);
  EXPECT_EQ(bytes[0], 7);
  EXPECT_EQ(bytes[1], 3);
  EXPECT_EQ(bytes[2], 7);
}

TEST(Scalar, IsNoneOfWhatIsNoNumber) {
  EXPECT_EQ(scalar_of<std::string>(), Scalar::none);
  EXPECT_EQ(number_in(Scalar::none, nullptr), 0);
}

}  // namespace
}  // namespace commcost
