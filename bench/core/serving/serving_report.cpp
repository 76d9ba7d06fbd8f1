// How far predicted serving steps are from published ones: `serving_report [--rows]`; `--fit` says what the
// constants should be, and judges by those that had not seen the source.
#include <cmath>
#include <cstdio>
#include <cstring>

#include "bench/core/serving/class_report.h"
#include "bench/core/serving/kernel_rows.h"
#include "bench/core/serving/machine_table.h"
#include "bench/core/serving/serving_fit.h"

int main(int count, char** arguments) {
  using namespace commcost::serving;
  bool fits = false;
  bool every_row = false;
  for (int i = 1; i < count; ++i) {
    fits |= std::strcmp(arguments[i], "--fit") == 0;
    every_row |= std::strcmp(arguments[i], "--rows") == 0;
  }
  const std::string data = COMMCOST_TEST_DATA;
  std::vector<ServingRow> rows = serving_rows(data);
  for (ServingRow& row : rows) row.error = std::log(predicted_ms(row) / row.measured_ms);
  if (fits) {
    std::printf("Constants of stacks, by a fit from what is known without serving rows\n");
    fit(rows);
  }
  std::printf("\nErrors %s\n",
              fits ? "by constants that had not seen the source (or the model, where one source has most)"
                   : "by the constants as they are");
  if (every_row) print_rows(rows);
  print_sources(rows);
  print_classes(rows);
  print_speedups(rows);
  if (fits) print_kernels(data);
  print_machines();
}
