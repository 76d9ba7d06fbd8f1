// How far predicted serving steps are from published ones: `serving_report [--rows]`; `--fit` says what the
// constants should be, and judges by those that had not seen the source; `--csv` and `--kernels` print what
// the page shows of steps and of all-reduce kernels.
#include <cmath>
#include <cstdio>
#include <cstring>

#include "bench/validation/serving/class_report.h"
#include "bench/validation/serving/kernel_rows.h"
#include "bench/validation/serving/machine_table.h"
#include "bench/validation/serving/scoreboard_rows.h"
#include "bench/validation/serving/serving_fit.h"

namespace {

using namespace commcost::serving;

// By part of a source's name: at most so many percent in the median.
struct Limit {
  const char* what;
  double percent;
};

constexpr Limit limits[] = {{"TensorRT-LLM H100", 20},
                            {"vLLM H100", 20},
                            {"MI300X", 20},
                            {"FasterTransformer", 15},
                            {"gpt-fast", 15}};
constexpr double speedup_limit = 15;
constexpr double reduce_limit = 20;
constexpr double exchange_limit = 25;

bool kept(const char* what, double percent, double limit) {
  const bool good = percent <= limit;
  std::printf("  %-40s %5.1f %% of %2.0f %%%s\n", what, percent, limit, good ? "" : ": missed");
  return good;
}

bool keeps_limits(const std::vector<ServingRow>& rows, double speedup_percent, const KernelErrors& kernels) {
  std::printf("\nTargets, on what no constant saw\n");
  bool good = true;
  for (const Limit& limit : limits)
    good &= kept(limit.what, median_error_percent(rows, limit.what), limit.percent);
  good &= kept("speed-up over tensor degrees", speedup_percent, speedup_limit);
  good &= kept("all-reduce kernels", kernels.reduce_percent, reduce_limit);
  good &= kept("dispatch and combine", kernels.exchange_percent, exchange_limit);
  return good;
}

}  // namespace

int main(int count, char** arguments) {
  bool fits = false;
  bool every_row = false;
  bool csv = false;
  bool kernels_csv = false;
  for (int i = 1; i < count; ++i) {
    fits |= std::strcmp(arguments[i], "--fit") == 0;
    every_row |= std::strcmp(arguments[i], "--rows") == 0;
    csv |= std::strcmp(arguments[i], "--csv") == 0;
    kernels_csv |= std::strcmp(arguments[i], "--kernels") == 0;
  }
  const std::string data = COMMCOST_TEST_DATA;
  if (kernels_csv) {
    print_measured_kernels(data);
    return 0;
  }
  std::vector<ServingRow> rows = serving_rows(data);
  if (csv) {
    fit(rows);
    print_scoreboard(rows);
    return 0;
  }
  for (ServingRow& row : rows) row.error = std::log(predicted_ms(row) / row.measured_ms);
  if (fits) {
    std::printf("Constants of stacks, by a fit from what is known without serving rows\n");
    print(fit(rows));
  }
  std::printf("\nErrors %s\n",
              fits ? "by constants that had not seen the source (or the model, where one source has most)"
                   : "by the constants as they are");
  if (every_row) print_rows(rows);
  print_sources(rows);
  print_classes(rows);
  const double speedup_percent = print_speedups(rows);
  print_machines();
  if (!fits) return 0;
  const KernelErrors kernels = print_kernels(data);
  return keeps_limits(rows, speedup_percent, kernels) ? 0 : 1;
}
