#include "core/base/statistics.h"

#include <algorithm>
#include <cmath>

namespace commcost {
namespace {

// Heaps sort as fast as a log is read, in a fraction of the code of std::sort.
void sort(std::vector<double>& values) {
  std::make_heap(values.begin(), values.end());
  std::sort_heap(values.begin(), values.end());
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return std::nan("");
  sort(values);
  const double at = share * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (at - static_cast<double>(low)) * (values[high] - values[low]);
}

}  // namespace commcost
