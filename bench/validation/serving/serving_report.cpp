// How far predicted serving steps, all-reduce kernels and expert exchanges are from published ones. Judged
// are predictions by constants that had not seen the source.
#include <cmath>
#include <cstdio>

#include "bench/validation/reports.h"
#include "bench/validation/serving/class_report.h"
#include "bench/validation/serving/kernel_rows.h"
#include "bench/validation/serving/machine_table.h"
#include "bench/validation/serving/scoreboard_rows.h"
#include "bench/validation/serving/serving_fit.h"

namespace commcost::validation::serving {
namespace {

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

bool report(const Options& options) {
  if (options.kernels) {
    print_measured_kernels(reduce_rows(options.data));
    return true;
  }
  std::vector<ServingRow> rows = serving_rows(options.data);
  if (options.csv) {
    fit(rows, false);
    print_serving(rows);
    return true;
  }
  for (ServingRow& row : rows) row.error = std::log(predicted_ms(row) / row.measured_ms);
  std::printf("Errors by the constants as they are\n");
  print_sources(rows);
  if (options.fit) std::printf("\nConstants of stacks, by a fit from what is known without serving rows\n");
  fit(rows, options.fit);
  std::printf(
      "\nErrors by constants that had not seen the source (or the model, where one source has most)\n");
  if (options.every_row) print_rows(rows);
  print_sources(rows);
  print_classes(rows);
  const double speedup_percent = print_speedups(rows);
  print_machines();
  return keeps_limits(rows, speedup_percent, print_kernels(options.data));
}

}  // namespace commcost::validation::serving
