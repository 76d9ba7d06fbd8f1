#include "core/base/nearest_name.h"

#include <gtest/gtest.h>

#include <string>

namespace commcost {
namespace {

std::string_view nearest(std::string_view typed, const std::vector<std::string_view>& names) {
  return nearest_name(typed, names).value_or("");
}

// One slip in a short name, one in three letters of a longer one.
TEST(NearestName, AllowsASlipOfEachKind) {
  for (const char* typed : {"nod", "nodes", "mode", "noed", "onde", "node"})
    EXPECT_EQ(nearest(typed, {"ranks", "node"}), "node") << typed;
  EXPECT_EQ(nearest("pt", {"dp", "tp"}), "tp");
  EXPECT_EQ(nearest("pt", {"zero", "zz"}), "");
  EXPECT_EQ(nearest("ndeo", {"node"}), "");
  EXPECT_EQ(nearest("rnaksi", {"ranks"}), "ranks");
  EXPECT_EQ(nearest("rnkasi", {"ranks"}), "");
  // A swap at the very begin, and none of a letter with what is before the first.
  EXPECT_EQ(nearest("bacdef", {"abcdeg"}), "abcdeg");
  EXPECT_EQ(nearest("aab", {"b"}), "");
}

TEST(NearestName, IsTheFirstOfThoseAsNear) {
  EXPECT_EQ(nearest("xp", {"node", "tp", "pp"}), "tp");
  EXPECT_EQ(nearest("pp", {"tp", "pp"}), "pp");
}

TEST(NearestName, TakesHyphensForUnderscores) {
  EXPECT_EQ(nearest("a-b_c", {"a_b-c"}), "a_b-c");
  EXPECT_EQ(nearest("a_b", {"x_y", "a-b"}), "a-b");
  // But for no other letter.
  EXPECT_EQ(nearest("a_b_", {"axby"}), "");
  EXPECT_EQ(nearest("a-b-", {"axby"}), "");
  EXPECT_EQ(nearest("axby", {"a_b_"}), "");
  EXPECT_EQ(nearest("axby", {"a-b-"}), "");
}

TEST(NearestName, LeavesAloneWhatIsEmptyOrTooLong) {
  const std::string most(64, 'x');
  const std::string more(65, 'x');
  EXPECT_EQ(nearest("", {"a"}), "");
  EXPECT_EQ(nearest(most, {most}), most);
  EXPECT_EQ(nearest(more, {most}), "");
  EXPECT_EQ(nearest(most, {more}), "");
}

}  // namespace
}  // namespace commcost
