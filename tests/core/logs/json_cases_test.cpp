// What RFC 8259 allows, forbids and leaves open, each a text of its own.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/logs/json.h"

namespace commcost {
namespace {

using namespace std::string_literals;

// A value as JSON in its shortest form, to compare by; a byte beyond ASCII as it is.
std::string written(const Value& value) {
  if (value.empty()) return "null";
  if (const std::string* text = value.text()) return "\"" + *text + "\"";
  if (const Value::List* list = value.list()) {
    std::string all;
    for (const Value& one : *list) all += (all.empty() ? "" : ",") + written(one);
    return "[" + all + "]";
  }
  if (const Value::Object* members = value.object()) {
    std::string all;
    for (const auto& [name, one] : *members)
      all += (all.empty() ? "\"" : ",\"") + name + "\":" + written(one);
    return "{" + all + "}";
  }
  return text_of(value);
}

struct Accepted {
  std::string text;
  std::string means;
};

const std::vector<Accepted> accepted = {
    // Section 2: white space, and any value as a whole text.
    {"null", "null"},
    {"true", "true"},
    {" false ", "false"},
    {"\t\n\r 7\r\n", "7"},
    {"\"\"", "\"\""},
    {"[ ]", "[]"},
    {"{\n}", "{}"},
    {" [ 1 , 2 ] ", "[1,2]"},
    {"{ \"a\" : 1 , \"b\" : 2 }", R"({"a":1,"b":2})"},
    // Section 4: names may be empty, be escaped, repeat: the last counts, at its own place.
    {R"({"":0})", R"({"":0})"},
    {R"({"a":1,"b":2,"a":3})", R"({"b":2,"a":3})"},
    {R"({"a":1,"\u0061":2})", R"({"a":2})"},
    {R"({"a":{"a":1,"a":2},"b":{"a":3}})", R"({"a":{"a":2},"b":{"a":3}})"},
    {R"({"a":1,"a":1,"a":1})", R"({"a":1})"},
    {R"({"A":1,"a":2})", R"({"A":1,"a":2})"},
    {R"({"true":false})", R"({"true":false})"},
    // Section 5.
    {"[[],[[]],{}]", "[[],[[]],{}]"},
    {"[null,true,\"x\",0]", "[null,true,\"x\",0]"},
    // Section 6.
    {"0", "0"},
    {"-0", "0"},
    {"-0.0", "0"},
    {"10", "10"},
    {"-10", "-10"},
    {"0.5", "0.5"},
    {"0e1", "0"},
    {"0e+1", "0"},
    {"1e0", "1"},
    {"1E2", "100"},
    {"1e+2", "100"},
    {"1E-2", "0.01"},
    {"1.5e3", "1500"},
    {"123456789012345678901234567890", "1.2345678901234568e29"},
    {"0.00000000000000000000000000000001", "1e-32"},
    {"1.5e308", "1.5e308"},
    {"5e-324", "5e-324"},
    // Section 7.
    {R"("\"\\\/\b\f\n\r\t")", "\"\"\\/\b\f\n\r\t\""},
    {R"("\u0041\u00e9\u20ac")", "\"A\xc3\xa9\xe2\x82\xac\""},
    {R"("\u00FF\u00ff")", "\"\xc3\xbf\xc3\xbf\""},
    {R"("\u0000")", "\"\0\""s},
    {R"("\u007f\u0080")", "\"\x7f\xc2\x80\""},
    {R"("\u07ff\u0800")", "\"\xdf\xbf\xe0\xa0\x80\""},
    {R"("\ud7ff\ue000\uffff")", "\"\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf\""},
    {R"("\ud800\udc00")", "\"\xf0\x90\x80\x80\""},  // U+10000, the first pair
    {R"("\ud83d\ude00")", "\"\xf0\x9f\x98\x80\""},
    {R"("\udbff\udfff")", "\"\xf4\x8f\xbf\xbf\""},  // U+10FFFF, the last
    {"\"\x7f\"", "\"\x7f\""},
    {"\"\xc3\xa9\xf0\x9f\x98\x80\"", "\"\xc3\xa9\xf0\x9f\x98\x80\""},
    {R"("/* no comment */")", "\"/* no comment */\""},
    {R"("[{")", "\"[{\""},
    // Section 8.1: a byte order mark may be passed over. 8.2: half a pair is what Unicode puts for it,
    // U+FFFD.
    {"\xef\xbb\xbf{}", "{}"},
    {"\xef\xbb\xbf 1", "1"},
    {R"("\ud83d")", "\"\xef\xbf\xbd\""},
    {R"("\ude00")", "\"\xef\xbf\xbd\""},
    {R"("\ude00\ud83d")", "\"\xef\xbf\xbd\xef\xbf\xbd\""},
    {R"("\ud83dx")", "\"\xef\xbf\xbdx\""},
    {R"("\ud83d\n")", "\"\xef\xbf\xbd\n\""},
    {R"("\ud83d\u0041")", "\"\xef\xbf\xbd\x41\""},
    {R"("\ud83d\ud83d\ude00")", "\"\xef\xbf\xbd\xf0\x9f\x98\x80\""},
    // Section 9: too small a number is 0.
    {"1e-400", "0"},
    {"-1e-99999999999999999999", "0"},
};

const std::vector<std::string> refused = {
    "",
    " ",
    "\xef\xbb\xbf",
    "\xef\xbb\xbf\xef\xbb\xbf{}",
    "\xfe\xff",
    "\xef\xbb",
    "{}\xef\xbb\xbf",
    // Words.
    "nul",
    "nulll",
    "True",
    "NULL",
    "undefined",
    "NaN",
    "Infinity",
    "-Infinity",
    "truefalse",
    // More than one value, other white space.
    "1 2",
    "[] []",
    "{}x",
    "\f1",
    "\v1",
    "\xc2\xa0[]",
    "1\0"s,
    "\0[]"s,
    // Comments.
    "[1] // one",
    "/* one */ 1",
    "# one\n1",
    // Lists.
    "[",
    "]",
    "[1",
    "[1,",
    "[1,]",
    "[,1]",
    "[1,,2]",
    "[1 2]",
    "[1:2]",
    "[1}",
    "[\"a\"",
    "[1],",
    // Objects.
    "{",
    "}",
    "{\"a\"",
    "{\"a\":",
    "{\"a\":1",
    "{\"a\":1,",
    "{\"a\":1,}",
    "{,\"a\":1}",
    "{\"a\":1,,\"b\":2}",
    "{\"a\":1 \"b\":2}",
    "{\"a\" 1}",
    "{\"a\"::1}",
    "{\"a\",1}",
    "{a:1}",
    "{'a':1}",
    "{1:1}",
    "{null:1}",
    "{[]:1}",
    "{\"a\":}",
    "{\"a\":1]",
    // Numbers.
    "+1",
    "+4096",
    "-",
    "--1",
    "-+1",
    "01",
    "04096",
    "-01",
    "00",
    "-00",
    "00.5",
    "0x10",
    "0b1",
    ".5",
    "-.5",
    "5.",
    "0.",
    "1.e5",
    ".",
    "1..5",
    "1.2.3",
    "1e",
    "1e+",
    "1E-",
    "1ee5",
    "1e5.5",
    "1e1e1",
    "e5",
    "1_000",
    "1,000",
    "1 000",
    "1k",
    "1/2",
    "1-1",
    "0-1",
    "\xef\xbc\x91",  // a full-width 1
    // Beyond what a double holds: a number is read as it is, or not.
    "1e309",
    "-1e400",
    "1e99999999999999999999",
    // Strings.
    "\"",
    "\"a",
    "\"a\"\"",
    "'a'",
    "\"\\",
    "\"\\\"",
    "\"\\a\"",
    "\"\\0\"",
    "\"\\'\"",
    "\"\\x41\"",
    "\"\\U0041\"",
    "\"\\u\"",
    "\"\\u004\"",
    "\"\\u004g\"",
    "\"\\u 041\"",
    "\"\\u-041\"",
    "\"\\ud83d\\u\"",
    "\"\\ud83d\\ude0\"",
    "\"\\ud83d\\",
    "\"\n\"",
    "\"\t\"",
    "\"\0\""s,
    "\"\x1f\"",
    "\"\\\n\"",
};

TEST(JsonCases, WhatIsJsonIsReadAsItMeans) {
  for (const auto& [text, means] : accepted) {
    const Outcome<Value> read = parse_json("config", text);
    ASSERT_TRUE(read) << text << ": " << read.problems().front().message;
    EXPECT_EQ(written(*read), means) << text;
    // Within a list and as a member it means the same.
    if (text.starts_with('\xef')) continue;
    const Outcome<Value> member = parse_json("config", "{\"all\":[" + text + "]}");
    ASSERT_TRUE(member) << text;
    EXPECT_EQ(written(*member->find("all")), "[" + means + "]") << text;
  }
}

TEST(JsonCases, WhatIsNotIsRefused) {
  for (const std::string& text : refused) {
    EXPECT_FALSE(parse_json("config", text)) << text;
    EXPECT_FALSE(parse_json("config", "{\"all\":" + text + "}")) << text;
  }
}

// Every text that begins as JSON and ends too soon is refused, wherever it ends.
TEST(JsonCases, WhatIsCutShortIsRefused) {
  for (const auto& [text, means] : accepted) {
    const std::string whole = "{\"all\":[" + text + "]}";
    if (text.starts_with('\xef')) continue;
    for (std::size_t size = 0; size < whole.size(); ++size)
      EXPECT_FALSE(parse_json("config", whole.substr(0, size))) << whole.substr(0, size);
  }
}

}  // namespace
}  // namespace commcost
