#include "bench/validation/serving/class_report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

#include "bench/validation/series_errors.h"
#include "bench/validation/statistics.h"
#include "core/serving/serving_band.h"

namespace commcost::validation::serving {
namespace {

std::int64_t tensor(const ServingRow& row) {
  return row.job.layout.tensor_parallel;
}

bool in_band(const ServingRow& row) {
  const StepBand band = serving_band(row.job);
  const double ratio = std::exp(-row.error);
  return ratio >= band.low && ratio <= band.high;
}

}  // namespace

void print_rows(const std::vector<ServingRow>& rows) {
  for (const ServingRow& row : rows)
    std::printf("  %-6s %-40s %-26s tp %2d batch %4d %5.0f/%-5.0f measured %9.1f ms, error %+6.1f %%\n",
                row.id.c_str(), row.source.c_str(), row.model.c_str(), static_cast<int>(tensor(row)),
                static_cast<int>(row.job.work.batch_size), row.input_tokens, row.output_tokens,
                row.measured_ms, 100 * std::expm1(row.error));
}

void print_sources(const std::vector<ServingRow>& rows) {
  std::map<std::string, std::vector<double>> sources;
  std::map<std::string, double> inside;
  for (const ServingRow& row : rows) {
    for (const std::string& name : {row.source, std::string("all")}) {
      sources[name].push_back(row.error);
      inside[name] += in_band(row);
    }
  }
  std::printf("%-42s %5s %9s %8s %8s\n", "source", "rows", "|median|", "bias", "in band");
  for (const auto& [name, errors] : sources)
    std::printf("%-42s %5zu %7.1f %% %+6.1f %% %6.0f %%\n", name.c_str(), errors.size(),
                median(percents_off(errors)), 100 * std::expm1(median(errors)),
                100 * inside[name] / static_cast<double>(errors.size()));
}

void print_classes(const std::vector<ServingRow>& rows) {
  MeasuredClasses classes;
  for (const ServingRow& row : rows) {
    const std::string name = row.recipe + "|" + std::string(accelerator_of(row.job.machine).id) + "|dense";
    const std::string precision = std::to_string(static_cast<int>(row.job.work.matmul_precision));
    classes[name].errors[row.source + "|" + row.model + "|" + precision].push_back(row.error);
  }
  std::printf("\nErrors, ln(predicted / measured): core/serving/serving_band.cpp\n");
  print_class_rows(classes, "reach");
}

double median_error_percent(const std::vector<ServingRow>& rows, std::string_view part) {
  std::vector<double> errors;
  for (const ServingRow& row : rows)
    if (row.source.find(part) != std::string::npos) errors.push_back(row.error);
  return median(percents_off(errors));
}

double print_speedups(const std::vector<ServingRow>& rows) {
  struct Ends {
    const ServingRow* least = nullptr;
    const ServingRow* most = nullptr;
  };
  std::map<std::string, Ends> series;
  for (const ServingRow& row : rows) {
    Ends& ends = series[row.series];
    if (ends.least == nullptr || tensor(row) < tensor(*ends.least)) ends.least = &row;
    if (ends.most == nullptr || tensor(row) > tensor(*ends.most)) ends.most = &row;
  }
  std::map<std::string, std::vector<double>> off, measured, predicted;
  for (const auto& [name, ends] : series) {
    if (ends.least == ends.most) continue;
    const double truth = ends.least->measured_ms / ends.most->measured_ms;
    const double error = ends.least->error - ends.most->error;
    for (const std::string& heading : {ends.least->source, std::string("all")}) {
      off[heading].push_back(error);
      measured[heading].push_back(truth);
      predicted[heading].push_back(truth * std::exp(error));
    }
  }
  std::printf("\n%-42s %6s %9s %9s %9s\n", "speed-up, least to most tensor ranks", "series", "measured",
              "predicted", "|median|");
  for (const auto& [name, errors] : off)
    std::printf("%-42s %6zu %9.2f %9.2f %7.1f %%\n", name.c_str(), errors.size(), median(measured[name]),
                median(predicted[name]), median(percents_off(errors)));
  return median(percents_off(off["all"]));
}

}  // namespace commcost::validation::serving
