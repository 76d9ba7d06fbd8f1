#include "bench/validation/collectives/scoreboard_rows.h"

#include <cstdio>

#include "core/network/band.h"
#include "core/network/predict.h"

namespace commcost::accuracy {
namespace {

std::string accelerator_of(const Fabric* fabric) {
  for (const Accelerator& accelerator : all_accelerators()) {
    if (&accelerator.fabric == fabric) return std::string(accelerator.id);
  }
  return "";
}

void print_series(const Series& series, const Constants& without) {
  const GpuGroup& group = series.group;
  const Curve curve = predicted_curve(group, series.collective, without).curve;
  const Basis basis = basis_of(group, series.collective);
  const auto name = [](auto names, auto value) { return names[static_cast<std::size_t>(value)].data(); };
  for (const Point& point : series.points) {
    const double predicted_us = curve.time_us(point.message_size_bytes);
    const Band band = band_of(group, basis, point.message_size_bytes);
    std::printf("%s,%s,%s,%s,%s,%g,%g,%s,%s,%.0f,%.2f,%.2f,%.2f,%.2f,%.1f,%d\n",
                name(accuracy_class_names, accuracy_class_of(group)), series.source.c_str(),
                series.site.c_str(), accelerator_of(group.fabric).c_str(),
                name(collective_names, series.collective), group.num_gpus, group.nodes,
                group.spans_nodes() ? name(network_kind_names, group.network) : "",
                name(launch_names, group.launch), point.message_size_bytes, point.time_us, predicted_us,
                predicted_us * band.low, predicted_us * band.high, 100 * (predicted_us / point.time_us - 1),
                series.healthy ? 0 : 1);
  }
}

}  // namespace

void print_scoreboard(const std::vector<Series>& all, const std::map<std::string, Constants>& without) {
  std::printf(
      "class,source,site,accelerator,collective,num_gpus,nodes,network,launch,message_size_bytes,measured_us,"
      "predicted_us,low_us,high_us,error_percent,doubtful\n");
  for (const Series& series : all) print_series(series, without.at(series.site));
}

}  // namespace commcost::accuracy
