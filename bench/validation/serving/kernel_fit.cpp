#include <cmath>
#include <cstdio>
#include <set>

#include "bench/validation/fitting.h"
#include "bench/validation/serving/kernel_rows.h"
#include "bench/validation/statistics.h"
#include "core/base/least_squares.h"

namespace commcost::validation::serving {
namespace {

template <class Constants>
struct KernelKnob {
  const char* name;
  double Constants::*value;
};

constexpr KernelKnob<ReduceKernelConstants> reduce_knobs[] = {
    {"start_ampere_us", &ReduceKernelConstants::start_ampere_us},
    {"start_hopper_us", &ReduceKernelConstants::start_hopper_us},
    {"start_blackwell_us", &ReduceKernelConstants::start_blackwell_us},
    {"start_infinity_us", &ReduceKernelConstants::start_infinity_us},
    {"start_pcie_us", &ReduceKernelConstants::start_pcie_us},
    {"start_for_each_rank", &ReduceKernelConstants::start_for_each_rank},
    {"two_shot_starts", &ReduceKernelConstants::two_shot_starts},
    {"nvls_starts", &ReduceKernelConstants::nvls_starts},
    {"link_share", &ReduceKernelConstants::link_share},
};
constexpr KernelKnob<ExchangeConstants> exchange_knobs[] = {
    {"start_hopper_us", &ExchangeConstants::start_hopper_us},
    {"start_blackwell_us", &ExchangeConstants::start_blackwell_us},
    {"normal_starts", &ExchangeConstants::normal_starts},
    {"combine_starts", &ExchangeConstants::combine_starts},
    {"network_starts", &ExchangeConstants::network_starts},
    {"link_share", &ExchangeConstants::link_share},
    {"network_share", &ExchangeConstants::network_share},
};

double predicted_us(const ReduceRow& row, const ReduceKernelConstants& constants) {
  return reduced_by(row.group, row.kernel, row.bytes, constants).time_us();
}
double predicted_us(const ExchangeRow& row, const ExchangeConstants& constants) {
  return exchange_us(row.group, row.exchange, constants);
}

template <class RowType, class Constants>
double error_of(const RowType& row, const Constants& constants) {
  return std::log(predicted_us(row, constants) / row.measured_us);
}

template <class RowType, class Constants, std::size_t Count>
Constants fitted(const std::vector<RowType>& rows, const std::string& out, Constants constants,
                 const KernelKnob<Constants> (&knobs)[Count]) {
  constexpr double width = 0.15;
  std::vector<Coordinate> coordinates;
  for (const KernelKnob<Constants>& knob : knobs) coordinates.push_back({&(constants.*knob.value)});
  descend(coordinates, {0.2, 0.004}, [&] {
    double sum = 0;
    for (const RowType& row : rows)
      if (row.source != out) sum += soft_l1(error_of(row, constants) / width);
    return sum;
  });
  return constants;
}

template <class RowType, class Constants, std::size_t Count>
double print(const char* what, const std::vector<RowType>& rows, const Constants& now,
             const KernelKnob<Constants> (&knobs)[Count]) {
  const Constants best = fitted(rows, "", now, knobs);
  std::printf("\n%s: %zu constants for %zu rows\n", what, Count, rows.size());
  for (const KernelKnob<Constants>& knob : knobs)
    std::printf("  %-22s %8.3f, now %8.3f\n", knob.name, best.*knob.value, now.*knob.value);
  std::set<std::string> sources;
  for (const RowType& row : rows) sources.insert(row.source);
  std::vector<double> errors, ratios;
  for (const std::string& out : sources) {
    const Constants without = fitted(rows, out, now, knobs);
    std::vector<double> own;
    for (const RowType& row : rows) {
      if (row.source != out) continue;
      const double error = error_of(row, without);
      own.push_back(error);
      ratios.push_back(std::exp(-error));
    }
    errors.insert(errors.end(), own.begin(), own.end());
    std::printf("  left out %-72s %4zu rows, median error %5.1f %%, bias %+6.1f %%\n", out.c_str(),
                own.size(), median(percents_off(own)), 100 * std::expm1(median(own)));
  }
  std::printf("  all, left out: median error %.1f %%; measured over predicted, 10th to 90th: %.2f to %.2f\n",
              median(percents_off(errors)), quantile(ratios, 0.1), quantile(ratios, 0.9));
  return median(percents_off(errors));
}

}  // namespace

KernelErrors print_kernels(const std::string& folder) {
  return {print("All-reduce kernels of serving stacks", reduce_rows(folder), reduce_kernel_constants,
                reduce_knobs),
          print("Dispatch and combine", exchange_rows(folder), exchange_constants, exchange_knobs)};
}

}  // namespace commcost::validation::serving
