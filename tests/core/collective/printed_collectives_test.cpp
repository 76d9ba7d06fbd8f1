// The collectives whose results the Ultra-Scale Playbook's appendix prints, on three ranks as there, and its
// ring of five ranks with five numbers: every algorithm must leave exactly these.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "core/collective/executor.h"
#include "support/methods.h"

namespace commcost {
namespace {

constexpr int printed_ranks = 3;

using Numbers = std::vector<double>;

/// Runs every method of a collective with blocks of `length` numbers and looks at what each rank ends with.
/// `given` is what a rank has of block `block` at first, `printed` what it must end with.
void expect_printed(Collective collective, int ranks, int length,
                    const std::function<double(int rank, int element)>& given,
                    const std::function<double(int rank, int element)>& printed) {
  int run = 0;
  for (const Method& method : all_methods()) {
    if (method.collective != collective) continue;
    for (const Group& group : test::groups_of(method, ranks)) {
      SCOPED_TRACE(testing::Message() << name_of(method) << ", groups of " << group.group_size << ", "
                                      << group.pieces << " pieces");
      const Schedule schedule(method, group);
      Executor executor(schedule, length);
      const auto for_each = [&](Holders (Schedule::*holders_of)(int) const, auto&& visit) {
        for (int rank = 0; rank < ranks; ++rank) {
          for (int chunk = 0, element = 0; chunk < schedule.group().chunks; ++chunk) {
            double* numbers = executor.at(rank, chunk);
            for (int i = 0; i < executor.length_of(chunk); ++i, ++element) {
              if ((schedule.*holders_of)(chunk).has(rank)) visit(rank, element, numbers[i]);
            }
          }
        }
      };
      for_each(&Schedule::holders_at_start,
               [&](int rank, int element, double& number) { number = given(rank, element); });
      executor.run();
      for_each(&Schedule::holders_at_end, [&](int rank, int element, double& number) {
        ASSERT_EQ(number, printed(rank, element)) << "rank " << rank << ", element " << element;
      });
      ++run;
    }
  }
  EXPECT_GT(run, 0);
}

TEST(PrintedCollectives, BroadcastLeaves1To5Everywhere) {
  const auto numbers = [](int, int element) { return element + 1.0; };
  expect_printed(Collective::broadcast, printed_ranks, 5, numbers, numbers);
}

TEST(PrintedCollectives, ReduceAndAllReduceLeave6) {
  const auto given = [](int rank, int) { return rank + 1.0; };
  const auto printed = [](int, int) { return 6.0; };
  expect_printed(Collective::reduce, printed_ranks, 5, given, printed);
  expect_printed(Collective::all_reduce, printed_ranks, 5, given, printed);
}

TEST(PrintedCollectives, GatherAllGatherAndScatterMove1And2And3) {
  const auto own = [](int, int element) { return element / 5 + 1.0; };
  expect_printed(Collective::gather, printed_ranks, 5, own, own);
  expect_printed(Collective::all_gather, printed_ranks, 5, own, own);
  expect_printed(Collective::scatter, printed_ranks, 5, own, own);
}

TEST(PrintedCollectives, ReduceScatterLeaves6And12Then14And56Then36And288) {
  // Rank r gives ((r + 1) i)^(j + 1) as number i of block j, i = 1, 2.
  const auto given = [](int rank, int element) {
    double power = 1;
    for (int exponent = 0; exponent <= element / 2; ++exponent) power *= (rank + 1.0) * (element % 2 + 1);
    return power;
  };
  const Numbers printed = {6, 12, 14, 56, 36, 288};
  expect_printed(Collective::reduce_scatter, printed_ranks, 2, given,
                 [&](int, int element) { return printed[static_cast<std::size_t>(element)]; });
}

TEST(PrintedCollectives, RingOfFiveRanksSumsFiveNumbersTo15) {
  expect_printed(
      Collective::all_reduce, 5, 5, [](int rank, int) { return rank + 1.0; }, [](int, int) { return 15.0; });
}

}  // namespace
}  // namespace commcost
