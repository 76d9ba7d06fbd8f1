#include "core/logs/json.h"

#include <gtest/gtest.h>

#include <cmath>

namespace commcost {
namespace {

std::string refusal(std::string_view text) {
  const Outcome<Value> read = parse_json("config", text);
  return read ? "" : read.problems().front().message;
}

// Values as RFC 8259 has them; escapes and pairs of units by its section 7.
TEST(Json, ReadsEveryKindOfValue) {
  const Outcome<Value> read = parse_json(
      "config",
      R"( {"a": [1, -2.5e3, true, false, null, "x\"\u00e9\ud83d\ude00"], "b": {}, "c": [], "a2": 0} )");
  ASSERT_TRUE(read);
  const Value::List& list = *read->find("a")->list();
  EXPECT_EQ(*list[0].number(), 1);
  EXPECT_EQ(*list[1].number(), -2500);
  EXPECT_EQ(*list[2].flag(), true);
  EXPECT_EQ(*list[3].flag(), false);
  EXPECT_TRUE(list[4].empty());
  EXPECT_EQ(*list[5].text(), "x\"\xc3\xa9\xf0\x9f\x98\x80");
  EXPECT_TRUE(read->find("b")->object()->empty());
  EXPECT_TRUE(read->find("c")->list()->empty());
}

TEST(Json, TheLastOfEqualNamesCounts) {
  const Outcome<Value> read = parse_json("config", R"({"a": 1, "a": 2})");
  ASSERT_TRUE(read);
  EXPECT_EQ(*read->find("a")->number(), 2);
  EXPECT_EQ(read->object()->size(), 1u);
}

TEST(Json, NamesLineAndWhatIsNeeded) {
  EXPECT_EQ(refusal(""), "config must be JSON: line 1 needs a value at its end");
  EXPECT_EQ(refusal("{\n\"a\": 1,\n}"), "config must be JSON: line 3 needs a name in quotes before: \"}\"");
  EXPECT_EQ(refusal("{\"a\" 1}"), "config must be JSON: line 1 needs a colon before: \"1}\"");
  EXPECT_EQ(refusal("[1 2]"), "config must be JSON: line 1 needs a comma or ] before: \"2]\"");
  for (const char* text : {"[", "{\"a\":", "nul", "\"abc", "\"\\x\"", "\"\\u12g4\"", "1 2", "--1", "'a'",
                           "NaN", "{a: 1}", "\"\n\""})
    EXPECT_NE(refusal(text), "") << text;
}

TEST(Json, NestingHasAnEnd) {
  const std::string deep(100000, '[');
  EXPECT_NE(refusal(deep).find("less nesting"), std::string::npos);
  const std::string fine = std::string(64, '[') + std::string(64, ']');
  EXPECT_EQ(refusal(fine), "");
  EXPECT_NE(refusal("[" + fine + "]"), "");
  const auto objects = [](int levels) {
    std::string text = "0";
    for (int level = 0; level < levels; ++level) text = "{\"a\":" + text + "}";
    return refusal(text);
  };
  EXPECT_EQ(objects(63), "");
  EXPECT_NE(objects(64), "");
}

TEST(Json, ReadsHexadecimalDigitsOfBothCases) {
  const Outcome<Value> read = parse_json("config", R"(["\u00fa\u00AF"])");
  ASSERT_TRUE(read);
  EXPECT_EQ(*(*read->list())[0].text(), "\xc3\xba\xc2\xaf");
}

TEST(Json, HalfAPairOfUnitsIsNoLetter) {
  const Outcome<Value> read = parse_json("config", R"(["\ud83d", "\ude00", "\ud83dx", "\ud83d\u0041"])");
  ASSERT_TRUE(read);
  EXPECT_EQ(*(*read->list())[0].text(), "\xef\xbf\xbd");
  EXPECT_EQ(*(*read->list())[3].text(),
            "\xef\xbf\xbd"
            "A");
}

}  // namespace
}  // namespace commcost
