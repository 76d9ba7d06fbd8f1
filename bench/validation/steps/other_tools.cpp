#include "bench/validation/steps/other_tools.h"

#include <cmath>
#include <cstdio>
#include <map>

#include "bench/validation/csv.h"
#include "bench/validation/statistics.h"

namespace commcost::validation::steps {

void print_other_tools(const std::string& data, const std::vector<MeasuredStep>& rows) {
  std::map<std::string, std::vector<double>> errors;
  std::printf("\nOther tools on the same runs, s\n");
  for (const Row& row : read_csv(data + "/published_predictions.csv")) {
    for (const MeasuredStep& step : rows) {
      if (step.id != text(row, "id")) continue;
      const double theirs = number(row, "predicted_ms");
      const double ours = predicted_ms(step);
      const std::string tool(text(row, "tool"));
      errors[tool].push_back(100 * std::fabs(theirs / step.measured_ms - 1));
      errors["commcost on " + tool + "'s"].push_back(100 * std::fabs(ours / step.measured_ms - 1));
      std::printf("  %-20s measured %8.2f  %-12s %8.2f (%+5.1f %%)  commcost %8.2f (%+5.1f %%)\n",
                  step.id.c_str(), step.measured_ms / 1e3, tool.c_str(), theirs / 1e3,
                  100 * (theirs / step.measured_ms - 1), ours / 1e3, 100 * (ours / step.measured_ms - 1));
    }
  }
  for (const auto& [tool, list] : errors) {
    std::printf("  %-24s mean %.1f %%, median %.1f %%\n", tool.c_str(), mean(list), median(list));
  }
}

}  // namespace commcost::validation::steps
