#include "core/logs/nccl_log.h"

#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <string>

#include "core/collective/bus_bandwidth.h"

namespace commcost {
namespace {

std::string fixed(double value, int decimals) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

/// How one style of log prints a table; the numbers are those of t = 20 us + S / 100 GB/s.
struct Style {
  const char* name;
  Collective collective = Collective::all_reduce;
  int ranks = 8;
  const char* before = "";  ///< the lines above the table
  const char* prefix = "";  ///< of each line
  const char* type = "float";
  const char* reduction = "sum";  ///< empty: the column does not exist
  const char* root = "";          ///< empty: the column does not exist
  const char* wrong = "0";        ///< empty: the column does not exist
  bool in_place = true;           ///< whether the second half is printed
  const char* in_place_wrong = nullptr;
  const char* end = "\n";  ///< of each line
  const char* after = "";
};

void PrintTo(const Style& style, std::ostream* out) {
  *out << style.name;
}

constexpr double sizes[] = {8, 1024, 65536, 1048576, 33554432, 1073741824, 17179869184.0};

double time_of(double size) {
  return 20 + size / 100e3;
}

std::string columns(const Style& style, double size, const char* wrong) {
  const double time = time_of(size);
  const double algorithm = size / (time * 1e3);
  // nccl-tests drops decimals as times grow wider than the column.
  const std::string printed = fixed(time, time < 10000 ? 2 : time < 100000 ? 1 : 0);
  std::string text = "  " + printed + "  " + fixed(algorithm, 2) + "  " +
                     fixed(algorithm * bus_bandwidth_factor(style.collective, style.ranks), 2);
  if (*wrong != 0) text += std::string("  ") + wrong;
  return text;
}

std::string log_of(const Style& style) {
  std::string text = style.before;
  for (const double size : sizes) {
    text += style.prefix;
    text += "  " + fixed(size, 0) + "  " + fixed(size / 4, 0) + "  " + style.type;
    if (*style.reduction != 0) text += std::string("  ") + style.reduction;
    if (*style.root != 0) text += std::string("  ") + style.root;
    text += columns(style, size, style.wrong);
    if (style.in_place)
      text += columns(style, size, style.in_place_wrong ? style.in_place_wrong : style.wrong);
    text += style.end;
  }
  return text + style.after;
}

constexpr const char* heading =
    "# nThread 1 nGpus 8 minBytes 8 maxBytes 17179869184 step: 2(factor) warmup iters: 5 iters: 20 "
    "validation: 1\n"
    "#\n"
    "# Using devices\n"
    "#   Rank  0 Pid  4154 on    host device  0 [0x07] NVIDIA A100-SXM4-40GB\n"
    "#   Rank  7 Pid  4154 on    host device  7 [0xbd] NVIDIA A100-SXM4-40GB\n"
    "#\n"
    "#                                                       out-of-place                       in-place\n"
    "#       size         count      type   redop     time   algbw   busbw  error     time   algbw   busbw  "
    "error\n"
    "#        (B)    (elements)                       (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)\n";

const Style styles[] = {
    {.name = "old columns", .before = heading, .wrong = "1e-07"},
    {.name = "new columns with root", .before = heading, .root = "-1"},
    {.name = "root of zero",
     .collective = Collective::broadcast,
     .before = "# broadcast_perf\n",
     .reduction = "none",
     .root = "0"},
    {.name = "root of five", .collective = Collective::reduce, .before = "# reduce_perf\n", .root = "5"},
    {.name = "no errors checked", .before = heading, .root = "-1", .wrong = "N/A"},
    {.name = "no error column", .before = heading, .root = "-1", .wrong = ""},
    {.name = "in place removed", .before = heading, .root = "-1", .in_place = false},
    {.name = "CRLF", .before = "# all_reduce_perf\r\n# x\r\n", .root = "-1", .end = "\r\n"},
    {.name = "mpirun prefix",
     .before = "[1,0]<stdout>:# all_reduce_perf\n",
     .prefix = "[1,0]<stdout>:",
     .root = "-1"},
    {.name = "srun prefix", .before = "0: # all_reduce_perf\n", .prefix = " 0: ", .root = "-1"},
    {.name = "times before each line", .prefix = "2024-05-01T12:00:00.123Z worker-0 ", .root = "-1"},
    {.name = "colours", .prefix = "\x1b[1;32m", .root = "-1", .end = "\x1b[0m\n"},
    {.name = "tabs", .prefix = "\t\t", .root = "-1"},
    {.name = "NCCL INFO between",
     .root = "-1",
     .end = "\nhost:41:52 [0] NCCL INFO comm 0x55 rank 0 nranks 8 - Abort COMPLETE\n"},
    {.name = "all_gather",
     .collective = Collective::all_gather,
     .before = "# all_gather_perf\n",
     .reduction = "none",
     .root = "-1"},
    {.name = "all_gather, old, no redop",
     .collective = Collective::all_gather,
     .reduction = "",
     .wrong = "0e+00"},
    {.name = "reduce_scatter by its ratio", .collective = Collective::reduce_scatter, .root = "-1"},
    {.name = "alltoall without in place",
     .collective = Collective::all_to_all,
     .before = "# Collective test starting: alltoall_perf\n",
     .reduction = "none",
     .root = "-1",
     .in_place_wrong = "N/A"},
    {.name = "sendrecv",
     .collective = Collective::send_receive,
     .before = "./build/sendrecv_perf -b 8 -e 16G -f 2 -g 8\n",
     .reduction = "none",
     .root = "-1"},
    {.name = "bfloat16 over 128 ranks", .ranks = 128, .type = "bfloat16", .root = "-1"},
    {.name = "fp8 of rccl-tests", .type = "fp8_e4m3", .root = "-1"},
    {.name = "two ranks", .ranks = 2, .root = "-1"},
    {.name = "no newline at the end", .root = "-1", .after = "# Out of bounds values : 0 OK"},
};

class LogStyle : public testing::TestWithParam<Style> {};

TEST_P(LogStyle, YieldsEveryRowAndNothingElse) {
  const Style& style = GetParam();
  const NcclLog log = parse_nccl_log(log_of(style));
  for (const LogProblem& problem : log.problems) {
    ADD_FAILURE() << "line " << problem.line << ": " << problem.message << ": " << problem.text;
  }
  ASSERT_EQ(log.points.size(), std::size(sizes));
  for (std::size_t i = 0; i < std::size(sizes); ++i) {
    EXPECT_EQ(log.points[i].message_size_bytes, sizes[i]);
    EXPECT_NEAR(log.points[i].time_us / time_of(sizes[i]), 1, 1e-3);
    EXPECT_EQ(log.points[i].in_place_us > 0, style.in_place);
  }
  EXPECT_TRUE(log.collective_known);
  EXPECT_EQ(name_of(log.collective), name_of(style.collective));
  if (bus_bandwidth_factor(style.collective, 2) != 1 || style.collective == Collective::all_reduce) {
    EXPECT_EQ(log.ranks, style.ranks);
  }
}

INSTANTIATE_TEST_SUITE_P(NcclLog, LogStyle, testing::ValuesIn(styles));

TEST(NcclLog, TruncatedAnywhereLosesOnlyTheLastLine) {
  const std::string whole = log_of(styles[1]);
  for (std::size_t cut = 0; cut <= whole.size(); ++cut) {
    const NcclLog log = parse_nccl_log(std::string_view(whole).substr(0, cut));
    std::size_t rows = 0;
    std::size_t at = std::string_view(heading).size();
    for (std::size_t next = whole.find('\n', at); next != std::string::npos && next < cut;
         next = whole.find('\n', at)) {
      ++rows;
      at = next + 1;
    }
    if (cut < std::string_view(heading).size()) rows = 0;
    EXPECT_GE(log.points.size(), rows) << cut;
    EXPECT_LE(log.points.size(), rows + 1) << cut;
    EXPECT_LE(log.problems.size(), 1u) << cut;
  }
}

TEST(NcclLog, NamesWhatItDoesNotUnderstandByLine) {
  const NcclLog log = parse_nccl_log(
      "Warning: Permanently added 'node1' to the list of known hosts.\n"
      "run time of the job\n"
      "  8  2  float  sum  -1  20.00  0.00  0.00  0  20.0  0.00  0.00  0\n"
      "  1048576  262144  float  sum  -1  30.\n"
      "  1048576  262144  float  sum  -1  30.5  340.00  600.00  0  30.5  34.38  60.16  0\n"
      "slurmstepd: error\n");
  ASSERT_EQ(log.points.size(), 1u);
  ASSERT_EQ(log.problems.size(), 4u);
  EXPECT_EQ(log.problems[0].line, 1);
  EXPECT_EQ(log.problems[0].lines, 2);
  EXPECT_EQ(log.problems[0].message, "not understood");
  EXPECT_EQ(log.problems[1].line, 4);
  EXPECT_EQ(log.problems[1].message, "a row that is cut short");
  EXPECT_EQ(log.problems[2].line, 5);
  EXPECT_EQ(log.problems[2].message, "a row whose size, time and bandwidth contradict each other");
  EXPECT_EQ(log.problems[3].line, 6);
}

TEST(NcclLog, RefusesARowOfNegativeBusBandwidth) {
  const NcclLog log =
      parse_nccl_log("  1048576  262144  float  sum  -1  30.5  34.38  -2  0  30.5  34.38  60.16  0\n");
  EXPECT_TRUE(log.points.empty());
  ASSERT_EQ(log.problems.size(), 1u);
  EXPECT_EQ(log.problems[0].message, "a row whose size, time and bandwidth contradict each other");
}

TEST(NcclLog, ChecksTheBusBandwidthOfARow) {
  const auto rows_with = [](std::string_view bus) {
    const std::string row = "1048576 262144 float sum -1 100.00 10.49 " + std::string(bus) + " 0\n";
    return parse_nccl_log(row).points.size();
  };
  EXPECT_EQ(rows_with("18.35"), 1u);
  EXPECT_EQ(rows_with("0.00"), 1u);  // one GPU
  EXPECT_EQ(rows_with("-2"), 0u);
  EXPECT_EQ(rows_with("21.00"), 1u);  // each of both may be rounded by 0.005 GB/s
  EXPECT_EQ(rows_with("21.01"), 0u);
  EXPECT_EQ(rows_with("21.50"), 0u);  // no collective's factor exceeds 2
}

// Of the bandwidths' ratio 49/50, which two hundredths of 1 is: 1 is a broadcast's or two ranks' all-reduce.
TEST(NcclLog, TellsFiftyRanksFromABroadcast) {
  const auto read = [](const char* reduction, const char* bus) {
    const NcclLog log = parse_nccl_log(std::string("100000000 25000000 float ") + reduction +
                                       " -1 1000.0 100.00 " + bus + " 0\n");
    return std::pair(log.collective, log.ranks);
  };
  EXPECT_EQ(read("sum", "98.00"), std::pair(Collective::reduce_scatter, 50.0));
  EXPECT_EQ(read("none", "98.00"), std::pair(Collective::all_gather, 50.0));
  EXPECT_EQ(read("none", "98.01"), std::pair(Collective::broadcast, 0.0));
  EXPECT_EQ(read("none", "102.00"), std::pair(Collective::broadcast, 0.0));
  EXPECT_EQ(read("sum", "98.01").first, Collective::all_reduce);
  EXPECT_EQ(read("sum", "100.00"), std::pair(Collective::all_reduce, 2.0));
  EXPECT_EQ(read("none", "102.01").first, Collective::all_reduce);
}

TEST(NcclLog, UsesTheLongestTableAndNamesTheOthers) {
  const std::string text = std::string("# all_gather_perf\n") +
                           "  8  2  float  none  -1  20.00  0.00  0.00  0  20.0  0.00  0.00  0\n" +
                           "# all_reduce_perf\n" + log_of(styles[1]);
  const NcclLog log = parse_nccl_log(text);
  EXPECT_EQ(log.points.size(), std::size(sizes));
  EXPECT_EQ(log.collective, Collective::all_reduce);
  ASSERT_EQ(log.problems.size(), 1u);
  EXPECT_EQ(log.problems[0].line, 2);
  EXPECT_EQ(log.problems[0].lines, 1);
}

TEST(NcclLog, CountsTheLinesOfATableThatIsNotUsed) {
  const std::string row = "  8  2  float  none  -1  20.00  0.00  0.00  0  20.0  0.00  0.00  0\n";
  const NcclLog log =
      parse_nccl_log("# all_gather_perf\n" + row + row + row + "# all_reduce_perf\n" + log_of(styles[1]));
  ASSERT_EQ(log.problems.size(), 1u);
  EXPECT_EQ(log.problems[0].lines, 3);
  EXPECT_NE(log.problems[0].message.find("of 3 rows"), std::string::npos) << log.problems[0].message;
}

// nccl-tests' src/common.cu: the average is of every bus bandwidth that was printed, by hand (38 + 40 + 210 +
// 212) / 4.
constexpr const char* two_rows =
    "     1048576        262144     float     sum      -1    48.29   21.71   38.00      0    45.88   22.86   "
    "40.00      0\n"
    "    67108864      16777216     float     sum      -1    559.2   120.0   210.0      0    553.9   121.1   "
    "212.0      0\n";

TEST(NcclLog, ReadsItsLastLines) {
  const NcclConclusion none = parse_nccl_log(two_rows).conclusion;
  EXPECT_FALSE(none.checked);
  EXPECT_EQ(none.printed_average_gb_per_sec, 0);
  EXPECT_NEAR(none.rows_average_gb_per_sec, 125, 1e-9);
  const std::string whole = std::string(heading) + two_rows;
  const NcclLog good =
      parse_nccl_log(whole + "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 125.003 \n#\n");
  EXPECT_TRUE(good.problems.empty());
  EXPECT_TRUE(good.conclusion.checked);
  EXPECT_EQ(good.device, "NVIDIA A100-SXM4-40GB");
  EXPECT_EQ(good.conclusion.wrong_values, 0);
  EXPECT_EQ(good.conclusion.printed_average_gb_per_sec, 125.003);
  // Behind a prefix, with a verdict of its own.
  const NcclConclusion bad =
      parse_nccl_log(
          whole +
          "[1,0]<stdout>:# Out of bounds values : 12 FAILED\n[1,0]<stdout>:# Avg bus bandwidth : 64 FAILED\n")
          .conclusion;
  EXPECT_EQ(bad.wrong_values, 12);
  EXPECT_EQ(bad.printed_average_gb_per_sec, 64);
}

TEST(NcclLog, CountsRowsWithWrongValuesWhereItWasCutOff) {
  for (const char* values : {"1", "7"}) {
    std::string text = two_rows;
    text.replace(text.find("38.00      0") + 11, 1, values);
    const NcclConclusion wrong = parse_nccl_log(text).conclusion;
    EXPECT_TRUE(wrong.checked);
    EXPECT_EQ(wrong.wrong_values, 1);
  }
  // The old column holds an error, not a count.
  EXPECT_FALSE(parse_nccl_log("1048576 262144 float sum 48.29 21.71 38.00 1e-07 45.88 22.86 40.00 0e+00\n")
                   .conclusion.checked);
}

TEST(NcclLog, TakesTheLastLinesOfTheRunWhoseTableIsUsed) {
  const std::string cut =
      std::string(heading) +
      "     1048576        262144     float     sum      -1    30.00   34.95   61.17      0\n";
  const std::string whole = std::string(heading) + two_rows + "# Avg bus bandwidth    : 125 \n";
  for (const std::string& text : {cut + whole, whole + cut}) {
    const NcclLog log = parse_nccl_log(text);
    EXPECT_EQ(log.points.size(), 2u);
    EXPECT_EQ(log.conclusion.printed_average_gb_per_sec, 125);
    EXPECT_NEAR(log.conclusion.rows_average_gb_per_sec, 125, 1e-9);
  }
}

TEST(NcclLog, ReadsThousandsOfLines) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "host:1:2 [0] NCCL INFO Channel 00/24 : 0 1 2 3 4 5 6 7\n";
  text += log_of(styles[1]);
  const NcclLog log = parse_nccl_log(text);
  EXPECT_EQ(log.points.size(), std::size(sizes));
  EXPECT_EQ(log.points[0].line, 20000 + 10);
  EXPECT_TRUE(log.problems.empty());
}

TEST(NcclLog, BearsHostileBytes) {
  EXPECT_TRUE(parse_nccl_log("").points.empty());
  EXPECT_TRUE(parse_nccl_log(std::string(100000, '\0')).points.empty());
  EXPECT_EQ(parse_nccl_log(std::string(100000, '\0')).problems.size(), 1u);
  std::string bytes;
  unsigned state = 1;
  for (int i = 0; i < 200000; ++i) {
    state = state * 1664525u + 1013904223u;
    bytes += static_cast<char>(state >> 24);
  }
  const NcclLog log = parse_nccl_log(bytes);
  EXPECT_TRUE(log.points.empty());
  EXPECT_FALSE(log.problems.empty());
  for (const LogProblem& problem : log.problems) {
    for (const char c : problem.text) EXPECT_TRUE(c >= ' ' && c <= '~');
  }
  // Bandwidths too small to tell the ranks (found by the fuzzer).
  EXPECT_EQ(parse_nccl_log("1024 256 float sum 35.90 0.03 0.05 1e-07\n").ranks, 0);
  // Numbers that no machine measures are not rows.
  EXPECT_TRUE(parse_nccl_log("99999999999999999999 1 float sum -1 1e999 0.00 0.00 0\n").points.empty());
  EXPECT_TRUE(parse_nccl_log("9007199254740993 1 float sum -1 nan 0.00 0.00 0\n").points.empty());
  EXPECT_TRUE(parse_nccl_log("0 0 float sum -1 10.0 0.00 0.00 0\n").points.empty());
}

}  // namespace
}  // namespace commcost
