#include "core/logs/trace_breakdown.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "support/csv.h"

namespace commcost {
namespace {

constexpr KernelKind compute = KernelKind::compute;
constexpr KernelKind communication = KernelKind::communication;

TEST(TraceBreakdown, OfNothingIsNothing) {
  EXPECT_EQ(trace_breakdown({}).total_us, 0);
}

TEST(TraceBreakdown, ResolvesOverlapIntoFourClasses) {
  // Compute 0-10 and 20-30 on one stream, communication 5-25 on another, all idle 30-40, compute 40-45.
  KernelInterval kernels[] = {
      {20, 10, 7, compute}, {0, 10, 7, compute}, {5, 20, 20, communication}, {40, 5, 7, compute}};
  const TraceBreakdown found = trace_breakdown(kernels);
  EXPECT_EQ(found.compute_only_us, 5 + 5 + 5);
  EXPECT_EQ(found.overlapped_us, 5 + 5);
  EXPECT_EQ(found.communication_only_us, 10);
  EXPECT_EQ(found.idle_us, 10);
  EXPECT_EQ(found.total_us, 45);
  ASSERT_EQ(found.streams.size(), 2u);
  EXPECT_EQ(found.streams[0].stream, 7);
  EXPECT_EQ(found.streams[0].compute_us, 25);
  EXPECT_EQ(found.streams[1].communication_us, 20);
}

TEST(TraceBreakdown, SaysOfEachGroupWhatComputeDoesNotCover) {
  // Group 1 from 5 to 25 with compute until 10 and from 20; group 2 from 22 to 28, within compute and idle.
  KernelInterval kernels[] = {{0, 10, 7, compute},   {5, 20, 20, communication, 1},
                              {20, 6, 7, compute},   {22, 6, 24, communication, 2},
                              {2028, 1, 7, compute}, {2029.5, 1, 7, compute}};
  const TraceBreakdown found = trace_breakdown(kernels);
  ASSERT_EQ(found.groups.size(), 2u);
  EXPECT_EQ(found.groups[0].communication_us, 20);
  EXPECT_EQ(found.groups[0].exposed_us, 10);
  EXPECT_EQ(found.groups[1].exposed_us, 2);
  EXPECT_EQ(found.longest_pause_us, 2000);
  EXPECT_EQ(found.launch_pauses_us, 0.5);
  EXPECT_EQ(found.idle_us, 2000.5);
}

// One of a millisecond is none.
TEST(TraceBreakdown, PausesOfLaunchesAreShort) {
  KernelInterval kernels[] = {{0, 1, 7, compute}, {1000, 1, 7, compute}, {2001, 1, 7, compute}};
  const TraceBreakdown found = trace_breakdown(kernels);
  EXPECT_EQ(found.launch_pauses_us, 999);
  EXPECT_EQ(found.longest_pause_us, 1000);
  EXPECT_EQ(found.idle_us, 1999);
}

TEST(TraceBreakdown, KernelsThatTouchLeaveNoGapAndNestedOnesCountOnce) {
  KernelInterval kernels[] = {{0, 10, 1, compute}, {2, 3, 2, compute}, {10, 5, 1, compute}};
  const TraceBreakdown found = trace_breakdown(kernels);
  EXPECT_EQ(found.compute_only_us, 15);
  EXPECT_EQ(found.idle_us, 0);
}

// Kernels of tests/data/pytorch_trace.json, a profile in PyTorch's own form; counted in eighths of a
// microsecond.
TEST(TraceBreakdown, OfAProfileInPyTorchsForm) {
  std::vector<KernelInterval> kernels;
  for (const test::CsvRow& row : test::read_csv(test::data_file("pytorch_trace_kernels.csv"))) {
    kernels.push_back({row.number("start_us"), row.number("duration_us"), row.number("stream"),
                       row.number("communication") == 1 ? communication : compute});
  }
  ASSERT_EQ(kernels.size(), 8u);
  const TraceBreakdown found = trace_breakdown(kernels);
  EXPECT_EQ(found.compute_only_us, 135.5);
  EXPECT_EQ(found.overlapped_us, 105.875);
  EXPECT_EQ(found.communication_only_us, 76.625);
  EXPECT_EQ(found.idle_us, 8.5);
  EXPECT_EQ(found.total_us, 326.5);
  ASSERT_EQ(found.streams.size(), 3u);
  EXPECT_EQ(found.streams[2].stream, 24);
  EXPECT_EQ(found.streams[2].communication_us, 30 + 70.25);
}

// Against counting every whole microsecond.
TEST(TraceBreakdown, AgreesWithCountingMoments) {
  std::mt19937 random(4);
  for (int round = 0; round < 50; ++round) {
    std::vector<KernelInterval> kernels;
    std::vector<int> busy(200);
    double first = 200;
    double last = 0;
    for (int i = 0; i < 20; ++i) {
      const int start = static_cast<int>(random() % 150);
      const int length = static_cast<int>(random() % 40);
      const KernelKind kind = random() % 2 == 0 ? compute : communication;
      kernels.push_back(
          {static_cast<double>(start), static_cast<double>(length), static_cast<double>(random() % 3), kind});
      for (int at = start; at < start + length; ++at)
        busy[static_cast<std::size_t>(at)] |= kind == compute ? 1 : 2;
      first = std::min(first, static_cast<double>(start));
      last = std::max(last, static_cast<double>(start + length));
    }
    double counted[4] = {};
    for (int at = static_cast<int>(first); at < static_cast<int>(last); ++at)
      ++counted[busy[static_cast<std::size_t>(at)]];
    const TraceBreakdown found = trace_breakdown(kernels);
    EXPECT_EQ(found.idle_us, counted[0]);
    EXPECT_EQ(found.compute_only_us, counted[1]);
    EXPECT_EQ(found.communication_only_us, counted[2]);
    EXPECT_EQ(found.overlapped_us, counted[3]);
  }
}

}  // namespace
}  // namespace commcost
