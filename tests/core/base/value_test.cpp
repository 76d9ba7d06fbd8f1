#include "core/base/value.h"

#include <gtest/gtest.h>

#include <limits>
#include <ostream>

namespace commcost {
namespace {

struct Shown {
  const char* name;
  Value value;
  const char* text;
};

void PrintTo(const Shown& shown, std::ostream* out) {
  *out << shown.name;
}

const Shown shown_values[] = {
    {"nothing", {}, "nothing"},
    {"true", true, "true"},
    {"false", false, "false"},
    {"whole", 300, "300"},
    {"fraction", 1.5, "1.5"},
    {"nan", std::numeric_limits<double>::quiet_NaN(), "NaN"},
    {"infinity", -std::numeric_limits<double>::infinity(), "-Infinity"},
    {"text", "ring", "\"ring\""},
    {"empty_text", "", "\"\""},
    {"forty_bytes", std::string(40, 'x'), "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\""},
    {"forty_one_bytes", std::string(41, 'x'), "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\""},
    {"cut_between_letters", std::string(39, 'x') + "\xC3\xA9",  // an e with an accent, two bytes
     "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\""},
    {"list", Value::List{1, "two"}, "a list"},
    {"numbers", Value::Numbers{1, 2}, "a list"},
    {"object", Value::Object{{"ranks", 8}}, "an object"},
    {"foreign", Foreign{"a function"}, "a function"},
};

class ValueText : public testing::TestWithParam<Shown> {};

TEST_P(ValueText, IsAFewWords) {
  EXPECT_EQ(text_of(GetParam().value), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(Values, ValueText, testing::ValuesIn(shown_values),
                         [](const auto& test) { return test.param.name; });

TEST(Value, IsExactlyOneThing) {
  for (const Shown& shown : shown_values) {
    const Value& value = shown.value;
    const int things = int{value.empty()} + (value.flag() != nullptr) + (value.number() != nullptr) +
                       (value.text() != nullptr) + (value.list() != nullptr) + (value.numbers() != nullptr) +
                       (value.object() != nullptr) + (value.foreign() != nullptr);
    EXPECT_EQ(things, 1) << shown.name;
  }
}

TEST(Value, FindsAMemberByName) {
  const Value object = Value::Object{{"ranks", 8}, {"algorithm", "ring"}};
  ASSERT_NE(object.find("algorithm"), nullptr);
  EXPECT_EQ(*object.find("algorithm")->text(), "ring");
  EXPECT_EQ(object.find("ring"), nullptr);
  EXPECT_EQ(Value("ranks").find("ranks"), nullptr);
}

}  // namespace
}  // namespace commcost
