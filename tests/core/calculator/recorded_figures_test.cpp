// What every calculation gave, for drawn inputs, when it was last looked at: a figure that moves is seen, and
// is either wanted (COMMCOST_RECORD=1 core_tests --gtest_filter='*RecordedFigures*' writes the files anew;
// the change is said in CHANGELOG.md) or a mistake. Whether a figure is right, other tests say: from sources,
// by hand, by execution.

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>

#include "core/calculator/calculations.h"
#include "support/drawn_inputs.h"
#include "support/print_calculation.h"
#include "support/random_inputs.h"
#include "support/recorded_lines.h"

namespace commcost {
namespace {

constexpr std::size_t most_lines = 60;
constexpr std::size_t most_bytes = 60000;
// One line in so many is a refusal.
constexpr std::size_t refusals = 6;
// Processor seconds that a file may take when it is recorded.
constexpr double most_of_a_file = 0.6;

// Inputs that were recorded stay; where there are none they are drawn.
void record(const Calculation& calculation) {
  const std::vector<std::string> before = test::recorded_lines(test::recorded_file(calculation));
  std::ofstream out(test::recorded_file(calculation));
  for (const std::string& line : before)
    out << test::recorded_line(calculation, test::inputs_on(line)) << '\n';
  if (!before.empty()) return;
  test::Random random(11);
  std::size_t bytes = 0;
  std::size_t lines = 0;
  std::size_t refused = 0;
  double seconds = 0;
  const std::size_t most = calculation.inputs.empty() ? 1 : most_lines;
  while (lines < most && bytes < most_bytes && seconds < most_of_a_file) {
    const Value given = test::drawn_inputs(calculation, random);
    const std::clock_t began = std::clock();
    const std::string line = test::recorded_line(calculation, given);
    const double took = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
    if (took > test::most_of_a_line) continue;
    if (test::is_refused(line)) {
      if (refused * refusals > lines) continue;
      ++refused;
    }
    ++lines;
    seconds += took;
    bytes += line.size();
    out << line << '\n';
  }
}

class RecordedFigures : public testing::TestWithParam<const Calculation*> {};

TEST_P(RecordedFigures, AreWhatTheyWere) {
  const Calculation& calculation = *GetParam();
  if (std::getenv("COMMCOST_RECORD") != nullptr) record(calculation);
  const std::vector<std::string> lines = test::recorded_lines(test::recorded_file(calculation));
  ASSERT_FALSE(lines.empty()) << test::recorded_file(calculation);
  std::size_t answered = 0;
  for (const std::string& line : lines) {
    ASSERT_EQ(test::recorded_line(calculation, test::inputs_on(line)), line);
    if (!test::is_refused(line)) ++answered;
  }
  // An input that went away turns lines into refusals, which say nothing of figures.
  EXPECT_GE(2 * answered, lines.size()) << calculation.name;
}

INSTANTIATE_TEST_SUITE_P(All, RecordedFigures,
                         testing::ValuesIn(all_calculations().begin(), all_calculations().end()),
                         [](const auto& which) { return std::string(which.param->name); });

}  // namespace
}  // namespace commcost
