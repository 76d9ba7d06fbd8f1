#include "core/collective/round.h"

#include <gtest/gtest.h>

#include <vector>

namespace commcost {
namespace {

std::vector<int> chunks_in(const Round& round, const Message& message) {
  std::vector<int> chunks;
  for (const ChunkRun& run : round.chunks_of(message)) {
    for (int chunk = run.first; chunk < run.first + run.count; ++chunk) chunks.push_back(chunk);
  }
  return chunks;
}

TEST(Round, KeepsEachMessagesChunks) {
  Round round;
  round.reduce(0, 1).chunks(3).chunks(5, 2);
  round.copy(1, 2).chunks(0);
  ASSERT_EQ(round.messages().size(), 2u);
  EXPECT_TRUE(round.messages()[0].reduce);
  EXPECT_EQ(chunks_in(round, round.messages()[0]), (std::vector{3, 5, 6}));
  EXPECT_FALSE(round.messages()[1].reduce);
  EXPECT_EQ(chunks_in(round, round.messages()[1]), (std::vector{0}));
  round.clear();
  EXPECT_TRUE(round.messages().empty());
}

TEST(Round, WrapsRoundEitherEnd) {
  Round round;
  round.copy(0, 1).wrapped(-2, 3, 5);
  round.copy(0, 1).wrapped(6, 2, 5);
  round.copy(0, 1).wrapped(4, 1, 5);
  EXPECT_EQ(chunks_in(round, round.messages()[0]), (std::vector{3, 4, 0}));
  EXPECT_EQ(chunks_in(round, round.messages()[1]), (std::vector{1, 2}));
  EXPECT_EQ(chunks_in(round, round.messages()[2]), (std::vector{4}));
}

TEST(Round, TurnsRoundAndRenames) {
  Round round;
  round.copy(0, 1).chunks(1, 2);
  round.reverse(true);
  round.rename_ranks([](int rank) { return 10 * rank; });
  round.rename_chunks([](int chunk) { return 2 * chunk; });
  const Message& message = round.messages().front();
  EXPECT_EQ(message.from, 10);
  EXPECT_EQ(message.to, 0);
  EXPECT_TRUE(message.reduce);
  EXPECT_EQ(chunks_in(round, message), (std::vector{2, 3, 4, 5}));
}

}  // namespace
}  // namespace commcost
