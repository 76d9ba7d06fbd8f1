#include "core/logs/shell_words.h"

#include <gtest/gtest.h>

namespace commcost {
namespace {

// What bash prints of each command's words.
std::vector<std::vector<std::string>> words_of(std::string_view text) {
  std::vector<std::vector<std::string>> commands;
  for (const auto& command : shell_words(text).commands) {
    commands.emplace_back();
    for (const ShellWord& word : command) commands.back().push_back(word.text);
  }
  return commands;
}
using Words = std::vector<std::vector<std::string>>;

TEST(ShellWords, TakesQuotesAndBackslashesAsAShell) {
  EXPECT_EQ(words_of("a 'b c' \"d e\" f\\ g"), (Words{{"a", "b c", "d e", "f g"}}));
  EXPECT_EQ(words_of("a \\\n  b \\\r\n c\nd"), (Words{{"a", "b", "c"}, {"d"}}));
  EXPECT_EQ(words_of("a''b \"\" \"x\\\"y\\z\""), (Words{{"ab", "", "x\"y\\z"}}));
  EXPECT_EQ(words_of("a # b\nc#d"), (Words{{"a"}, {"c#d"}}));
  EXPECT_EQ(words_of("a; b && c | d &"), (Words{{"a"}, {"b"}, {"c"}, {"d"}}));
}

TEST(ShellWords, PutsVariablesIn) {
  EXPECT_EQ(words_of("A=1\nB=\"x $A\"\nrun $A ${A}2 $B \"$B\" '$A'"),
            (Words{{"run", "1", "12", "x", "1", "x 1", "$A"}}));
  EXPECT_EQ(words_of("run $NONE ${NONE:-8} ${NONE}"), (Words{{"run", "$NONE", "8", "${NONE}"}}));
  EXPECT_EQ(words_of("L=(a 'b c' # no\n d)\nrun ${L[@]} x"), (Words{{"run", "a", "b", "c", "d", "x"}}));
  EXPECT_EQ(words_of("L=(a 'b c')\nL+=(d)\nrun \"${L[@]}\""), (Words{{"run", "a", "b c", "d"}}));
  EXPECT_EQ(words_of("export A=1 B=2\nC=3 run $A$B $C"), (Words{{"run", "12", "$C"}}));
  // An empty word is no name of an array.
  EXPECT_EQ(words_of("run ''(b) x"), (Words{{"run", ""}, {"b"}, {"x"}}));
  EXPECT_EQ(words_of("E=()\nrun ${E[@]} x"), (Words{{"run", "x"}}));
}

// What a command prints isn't known here, brackets within brackets included.
TEST(ShellWords, KeepsCommandsWithinCommandsAsTheyAre) {
  EXPECT_EQ(words_of("run --n $(nproc) --m 2"), (Words{{"run", "--n", "$(nproc)", "--m", "2"}}));
  EXPECT_EQ(words_of("run --n $(echo (a) b) --m 2"), (Words{{"run", "--n", "$(echo (a) b)", "--m", "2"}}));
}

TEST(ShellWords, KeepsDocumentsApart) {
  const ShellText read = shell_words("cat > f <<'EOF'\n{\n  \"a\": 1\n}\nEOF\nrun --x\n");
  ASSERT_EQ(read.documents.size(), 1u);
  EXPECT_EQ(read.documents[0].text, "{\n  \"a\": 1\n}\n");
  EXPECT_EQ(read.documents[0].line, 2);
  EXPECT_EQ(read.commands.back()[0].text, "run");
  EXPECT_EQ(read.commands.back()[0].line, 6);
}

TEST(ShellWords, PutsInNoMoreThanItsLimit) {
  std::string text = "A=xxxxxxxxxxxxxxxx\n";
  for (int time = 0; time < 64; ++time) text += "A=\"$A$A\"\n";
  const ShellText read = shell_words(text + "run $A");
  EXPECT_TRUE(read.cut);
  EXPECT_LE(read.variables.at("A")[0].text.size(), longest_expansion);
}

TEST(ShellWords, EndsWhereATextDoes) {
  for (const char* open :
       {"'", "\"", "$(", "${", "A=(", "a <<", "a <<E", "\\", "$", "A+=(b", "\"$", "a <<'E\nx"})
    shell_words(open);
}

}  // namespace
}  // namespace commcost
