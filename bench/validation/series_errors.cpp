#include "bench/validation/series_errors.h"

#include <cmath>
#include <cstdio>

#include "bench/validation/statistics.h"

namespace commcost::validation {
namespace {

std::string part_of(const std::string& name, int part) {
  std::size_t from = 0;
  for (; part > 0; --part) from = name.find('|', from) + 1;
  return name.substr(from, name.find('|', from) - from);
}

}  // namespace

SeriesErrors ErrorsBySeries::summed_up() const {
  std::vector<std::pair<double, double>> signed_errors;
  std::vector<std::pair<double, double>> sizes;
  for (const auto& [series, values] : errors) {
    const double weight = 1 / static_cast<double>(values.size());
    for (const double value : values) {
      signed_errors.emplace_back(value, weight);
      sizes.emplace_back(100 * std::fabs(std::expm1(value)), weight);
    }
  }
  return {static_cast<int>(errors.size()),       static_cast<int>(signed_errors.size()),
          weighted_quantile(sizes, 0.5),         weighted_quantile(signed_errors, 0.1),
          weighted_quantile(signed_errors, 0.5), weighted_quantile(signed_errors, 0.9)};
}

void print_class_rows(const MeasuredClasses& classes, const std::string& reach) {
  for (const auto& [name, one] : classes) {
    const SeriesErrors sum = one.summed_up();
    const std::string accelerator = part_of(name, 1);
    std::printf("    {\"%s\", \"%s\", %s, %s, {%d, %d, %.1f, %.3f, %.3f, %.3f}, ", part_of(name, 0).c_str(),
                accelerator.c_str(),
                std::string(row_of(find_accelerator(accelerator)->generation).id).c_str(),
                part_of(name, 2).c_str(), sum.series, sum.runs, sum.median_percent, sum.tenth, sum.middle,
                sum.nine_tenths);
    if (!reach.empty()) {
      std::printf("%s},\n", reach.c_str());
      continue;
    }
    std::printf("{");
    for (std::size_t i = 0; i < one.most.size(); ++i) std::printf("%s%.0f", i > 0 ? ", " : "", one.most[i]);
    std::printf("}},\n");
  }
}

}  // namespace commcost::validation
