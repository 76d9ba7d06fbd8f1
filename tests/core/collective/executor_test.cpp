#include "core/collective/executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/collective/lower_bound.h"
#include "support/methods.h"

namespace commcost {
namespace {

constexpr int most_ranks = 64;

// Executed for every method, every number of ranks from 1 to 64, every group size, several pieces.
class Executed : public testing::TestWithParam<Method> {
 protected:
  template <class Check>
  void for_each_schedule(Check check) {
    for (int ranks = 1; ranks <= most_ranks; ++ranks) {
      for (const Group& group : test::groups_of(GetParam(), ranks)) {
        SCOPED_TRACE(testing::Message() << ranks << " ranks, groups of " << group.group_size << ", "
                                        << group.pieces << " pieces");
        check(Schedule(GetParam(), group));
        if (HasFatalFailure()) return;
      }
    }
  }
};

TEST_P(Executed, LeavesEveryRankWithTheRightNumbers) {
  for_each_schedule([](const Schedule& schedule) {
    const int parts = schedule.chunks_per_message();
    // Nothing, fewer elements than chunks, one that every chunk count divides, one that almost none does.
    for (const int length : {0, 1, parts, parts + 1})
      ASSERT_TRUE(executes_correctly(schedule, length)) << length;
  });
}

TEST_P(Executed, CountsWhatTheClosedFormSaysOnThePortsItHas) {
  for_each_schedule([](const Schedule& schedule) {
    const Method& method = schedule.method();
    const Tally tally = Executor(schedule, schedule.chunks_per_message()).run();
    const Counts counts = counts_of(method, schedule.group());
    const int ranks = schedule.group().ranks;
    if (ranks == 1) {
      ASSERT_EQ(tally.rounds, 0);
      ASSERT_EQ(counts.sent, 0);
      ASSERT_EQ(counts.path.rounds, 0);
      return;
    }
    if (method.collective != Collective::barrier) {
      ASSERT_EQ(counts.parts, schedule.chunks_per_message());
    }
    ASSERT_EQ(tally.rounds, counts.path.rounds);
    ASSERT_EQ(tally.rounds, schedule.rounds());
    ASSERT_EQ(tally.sent, counts.sent);
    ASSERT_EQ(tally.reduced, counts.reduced);
    const int ports = method.ports == 0 ? ranks - 1 : method.ports;
    ASSERT_LE(tally.most_messages_sent, ports);
    ASSERT_LE(tally.most_messages_got, ports);
    // Some rank sends and some rank receives: what is never counted would be within any limit.
    ASSERT_GE(tally.most_messages_sent, 1);
    ASSERT_GE(tally.most_messages_got, 1);
    ASSERT_EQ(tally.path_elements, counts.path.chunks);
    ASSERT_EQ(tally.path_reduced, counts.path.reduced);
    ASSERT_EQ(tally.to_itself, 0);
  });
}

TEST_P(Executed, IsNeverBelowTheLowerBound) {
  for_each_schedule([](const Schedule& schedule) {
    const Tally tally = Executor(schedule, schedule.chunks_per_message()).run();
    const Counts bound = lower_bound(schedule.method(), schedule.group().ranks);
    // Chunks and the bound's blocks of the same message; their quotient need not be a whole number.
    const double block = schedule.chunks_per_message() / bound.parts * (1 - 1e-15);
    ASSERT_GE(tally.rounds, bound.path.rounds);
    ASSERT_GE(std::max(tally.sent, tally.received), bound.sent * block);
    ASSERT_GE(tally.path_elements, bound.path.chunks * block);
    ASSERT_GE(tally.path_reduced, bound.path.reduced * block);
    const Counts counts = counts_of(schedule.method(), schedule.group());
    ASSERT_GE(counts.path.rounds, bound.path.rounds);
    ASSERT_GE(counts.path.chunks, bound.path.chunks * counts.parts / bound.parts * (1 - 1e-15));
    ASSERT_GE(counts.path.reduced, bound.path.reduced * counts.parts / bound.parts * (1 - 1e-15));
  });
}

// As many ranks as are shown: a schedule with separate messages for each has a million of them.
TEST(Executor, ProvesEveryMethodOnAThousandRanks) {
  for (const Method& method : all_methods()) {
    const Schedule schedule(method, {.ranks = 1024, .group_size = 32, .pieces = 4});
    EXPECT_TRUE(executes_correctly(schedule, schedule.chunks_per_message())) << name_of(method);
  }
}

TEST(Executor, CountsTheMessagesOfTheBusiestRank) {
  const auto run = [](Collective collective) {
    const Schedule schedule(*find_method(collective, Algorithm::direct), {.ranks = 7});
    return Executor(schedule, schedule.chunks_per_message()).run();
  };
  EXPECT_EQ(run(Collective::gather).most_messages_sent, 1);
  EXPECT_EQ(run(Collective::gather).most_messages_got, 6);
  EXPECT_EQ(run(Collective::scatter).most_messages_sent, 6);
  EXPECT_EQ(run(Collective::scatter).most_messages_got, 1);
}

INSTANTIATE_TEST_SUITE_P(Methods, Executed, testing::ValuesIn(all_methods().begin(), all_methods().end()),
                         test::MethodName());

TEST(Executor, MovesWhatWasThereWhenTheRoundBegan) {
  // Two ranks that add each other's vector at once both end with the sum.
  const Schedule schedule(*find_method(Collective::all_reduce, Algorithm::recursive_doubling), {.ranks = 2});
  Executor executor(schedule, 1);
  *executor.at(0, 0) = 3;
  *executor.at(1, 0) = 4;
  executor.run();
  EXPECT_EQ(*executor.at(0, 0), 7);
  EXPECT_EQ(*executor.at(1, 0), 7);
}

TEST(Executor, MakesNothingOfWhatARankDoesNotHave) {
  const Schedule schedule(*find_method(Collective::all_reduce, Algorithm::ring), {.ranks = 2});
  Executor executor(schedule, 2);
  for (const int chunk : {0, 1}) *executor.at(0, chunk) = 1;
  executor.run();
  EXPECT_TRUE(std::isnan(*executor.at(0, 0)));
}

// A broadcast from rank 0 to rank 1, and in the same round to itself.
void write_echo(const Group&, int, Round& messages) {
  messages.copy(0, 1).chunks(0);
  messages.copy(0, 0).chunks(0);
}
int one_round(const Group&) {
  return 1;
}

TEST(Executor, RefusesAMessageFromARankToItself) {
  const Phase echo = {"echo", one_round, write_echo};
  Method method = *find_method(Collective::broadcast, Algorithm::direct);
  ASSERT_TRUE(executes_correctly(Schedule(method, {.ranks = 2}), 3));
  method.phases = {&echo};
  const Schedule schedule(method, {.ranks = 2});
  EXPECT_EQ(Executor(schedule, 3).run().to_itself, 1);
  EXPECT_FALSE(executes_correctly(schedule, 3));
}

TEST(Executor, CutsAMessageIntoChunksThatDifferByAtMostOne) {
  const Schedule schedule(*find_method(Collective::all_reduce, Algorithm::ring), {.ranks = 5});
  const Executor executor(schedule, 17);
  int all = 0;
  for (int chunk = 0; chunk < 5; ++chunk) {
    EXPECT_GE(executor.length_of(chunk), 3);
    EXPECT_LE(executor.length_of(chunk), 4);
    all += executor.length_of(chunk);
  }
  EXPECT_EQ(all, 17);
}

}  // namespace
}  // namespace commcost
