#include "core/logs/log_words.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace commcost {
namespace {

TEST(LogWords, ReadNumbersAsLogsWriteThem) {
  EXPECT_EQ(number_at("  13105.3|", 0), 13105.3);
  EXPECT_EQ(number_at("10,050  x", 0), 10050);
  EXPECT_EQ(number_at("1.23K", 0), 1230);
  EXPECT_EQ(number_at("2.5M |", 0), 2.5e6);
  EXPECT_EQ(number_at("6.9E-08", 0), 6.9e-8);
  EXPECT_EQ(number_at("49.0]", 0), 49);
  EXPECT_EQ(number_at("8.", 0), 8);
  EXPECT_EQ(number_at("8, 16", 0), 8);
  EXPECT_EQ(number_at("12:", 0), 12);
  EXPECT_FALSE(number_at("None", 0));
  EXPECT_FALSE(number_at("", 3));
  EXPECT_EQ(number_after("tp_comm_overlap=1, tp=4", {"tp"}), 4);
  EXPECT_FALSE(number_after("http: 4", {"tp"}));
  EXPECT_EQ(number_after("seq_length ........ 4096", {"seq_length"}), 4096);
  EXPECT_EQ(number_after("seq_length.5", {"seq_length"}), .5);
  EXPECT_FALSE(number_after("seq_length..5", {"seq_length"}));
  EXPECT_EQ(number_after("\"seq_len\": \"8192\"", {"seq_len"}), 8192);
}

// A number is read whole or not at all: half of one is a wrong number that looks right.
TEST(LogWords, ReadANumberWholeOrNotAtAll) {
  const struct {
    const char* text;
    double value;
  } whole[] = {{"1e3", 1e3},          {"1E3", 1e3},     {"1.5e+3", 1500},    {"2.07e5", 2.07e5},
               {"1e308", 1e308},      {"1_000", 1000},  {"1,000.5", 1000.5}, {".5", 0.5},
               {"2.55k", 2550},       {"2.53K", 2530},  {"1.2G", 1.2e9},     {"1.2B", 1.2e9},
               {"3T", 3e12},          {"1e300", 1e300}, {"007", 7},          {"0.25M", 250000},
               {"1,234,567", 1234567}};
  for (const char* after :
       {"", " ", " ms", "|", "]", ",", ", tp=4", ")", ";", "\"", "%", "/ 500", ":", " 5", "\t"}) {
    for (const auto& [text, value] : whole) {
      const std::string line = "iteration (ms): " + std::string(text) + after;
      EXPECT_EQ(number_after(line, {"iteration (ms)"}), value) << line;
    }
  }
  for (const char* text :
       {"1e999", "1e309", "0x10", "1.2.3", "1..5", "1_0", "1,00",  "1,0000", "12,345,6", "12:30", "00:00:05",
        "5ms",   "8KiB",  "8KB",  "2.5KM", "1e",   "1e+", "1e3.5", "1e3e3",  "1d5",      "5s",    "-5",
        "+5",    "--5",   "inf",  "nan",   "x5",   "1'5", "4-8",   "3B1",    "....5",    ". .5.5"}) {
    const std::string line = "iteration (ms): " + std::string(text);
    EXPECT_EQ(number_after(line, {"iteration (ms)"}), std::nullopt) << line;
  }
}

TEST(LogWords, BeginWhereNoOtherGoesOn) {
  EXPECT_TRUE(begins_word("tp", 0));
  for (const char* before : {" ", "(", ",", ".", "\"", "="})
    EXPECT_TRUE(begins_word(std::string(before) + "tp", 1)) << before;
  for (const char* before : {"a", "A", "z", "Z", "0", "9", "_", "-"})
    EXPECT_FALSE(begins_word(std::string(before) + "tp", 1)) << before;
  EXPECT_EQ(number_after("xtp=1 ytp=2 tp=3", {"tp"}), 3);
  EXPECT_EQ(number_after("ttp tp 4", {"tp"}), 4);
}

TEST(LogWords, AreReadBehindTheirKeys) {
  const auto word = [](std::string_view line) { return word_after_key(line, line.find("key") + 3); };
  EXPECT_EQ(word("key ........ True"), "True");
  EXPECT_EQ(word("key=A-Z_a-z,"), "A-Z_a-z");
  EXPECT_EQ(word("key"), "");
  EXPECT_EQ(word("key ... "), "");
}

TEST(LogWords, ReadAListOfNames) {
  const auto sizes = [](const char* line) {
    std::string all;
    for (const NamedNumber& one : named_numbers(line))
      all += std::string(one.name) + std::to_string(static_cast<int>(one.number)) + " ";
    return all;
  };
  EXPECT_EQ(sizes("['dp', 'tp'], [4, 2]"), "dp4 tp2 ");
  EXPECT_EQ(sizes("['dp','tp'],[100,200]"), "dp100 tp200 ");
  EXPECT_EQ(sizes("['dp', 'tp'], [4]"), "");
  EXPECT_EQ(sizes("['dp', 'tp'], [4, x]"), "");
  EXPECT_EQ(sizes("['dp', 'tp'], [4, 2"), "dp4 tp2 ");
  EXPECT_EQ(sizes("['dp', 'tp'], [1, 0]"), "");
  EXPECT_EQ(sizes("['dp', 'tp'], [1, 0.5]"), "");
  EXPECT_EQ(sizes("['dp', 'tp'], [1,2,3]"), "dp1 tp2 ");
  EXPECT_EQ(sizes("['dp"), "");
}

TEST(LogWords, ReadAClockOverMidnightAndLeapDays) {
  const auto ms = [](const char* line) { return clock_ms_in(line).value_or(std::nan("")); };
  EXPECT_EQ(ms("x 2024-03-01 00:00:00,250") - ms("[2024-02-28 23:59:59.000]"), 86401250);
  EXPECT_EQ(ms("2024-01-01T00:00:01Z") - ms("2023-12-31 23:59:59"), 2000);
  EXPECT_EQ(ms("2024-01-01 00:00:01.257") - ms("2024-01-01 00:00:01"), 257);
  EXPECT_EQ(ms("2024-01-01 00:00:01-257"), ms("2024-01-01 00:00:01"));
  EXPECT_EQ(ms("2024-01-01 00:00:01 257"), ms("2024-01-01 00:00:01"));
  EXPECT_FALSE(clock_ms_in("07/02/2024 14:53:49"));
  EXPECT_FALSE(clock_ms_in("2024-02"));
}

}  // namespace
}  // namespace commcost
