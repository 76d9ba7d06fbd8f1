#include "core/collective/step.h"

#include <gtest/gtest.h>

#include <vector>

namespace commcost {
namespace {

std::vector<int> chunks_in(const Step& step, const Message& message) {
  std::vector<int> chunks;
  for (const ChunkRun& run : step.chunks_of(message)) {
    for (int chunk = run.first; chunk < run.first + run.count; ++chunk) chunks.push_back(chunk);
  }
  return chunks;
}

TEST(Step, KeepsEachMessagesChunks) {
  Step step;
  step.reduce(0, 1).chunks(3).chunks(5, 2);
  step.copy(1, 2).chunks(0);
  ASSERT_EQ(step.messages().size(), 2u);
  EXPECT_TRUE(step.messages()[0].reduce);
  EXPECT_EQ(chunks_in(step, step.messages()[0]), (std::vector{3, 5, 6}));
  EXPECT_FALSE(step.messages()[1].reduce);
  EXPECT_EQ(chunks_in(step, step.messages()[1]), (std::vector{0}));
  step.clear();
  EXPECT_TRUE(step.messages().empty());
}

TEST(Step, WrapsRoundEitherEnd) {
  Step step;
  step.copy(0, 1).wrapped(-2, 3, 5);
  step.copy(0, 1).wrapped(6, 2, 5);
  step.copy(0, 1).wrapped(4, 1, 5);
  EXPECT_EQ(chunks_in(step, step.messages()[0]), (std::vector{3, 4, 0}));
  EXPECT_EQ(chunks_in(step, step.messages()[1]), (std::vector{1, 2}));
  EXPECT_EQ(chunks_in(step, step.messages()[2]), (std::vector{4}));
}

TEST(Step, TurnsRoundAndRenames) {
  Step step;
  step.copy(0, 1).chunks(1, 2);
  step.turn_round(true);
  step.rename_ranks([](int rank) { return 10 * rank; });
  step.rename_chunks([](int chunk) { return 2 * chunk; });
  const Message& message = step.messages().front();
  EXPECT_EQ(message.from, 10);
  EXPECT_EQ(message.to, 0);
  EXPECT_TRUE(message.reduce);
  EXPECT_EQ(chunks_in(step, message), (std::vector{2, 3, 4, 5}));
}

}  // namespace
}  // namespace commcost
