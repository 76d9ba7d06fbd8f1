#include "bench/validation/collectives/scoreboard_rows.h"

#include "bench/validation/scoreboard.h"
#include "core/network/band.h"
#include "core/network/predict.h"

namespace commcost::validation::collectives {
namespace {

struct Scored {
  const Series* series;
  Point point;
  double predicted_us;
  Band band;

  const GpuGroup& group() const { return series->group; }
};

std::string accelerator_of(const Fabric* fabric) {
  for (const Accelerator& accelerator : all_accelerators()) {
    if (&accelerator.fabric == fabric) return std::string(accelerator.id);
  }
  return "";
}

template <class Names, class Value>
std::string name_of(const Names& names, Value value) {
  return std::string(names[static_cast<std::size_t>(value)]);
}

std::string network_of(const GpuGroup& group) {
  return group.spans_nodes() ? name_of(network_kind_names, group.network) : "";
}

constexpr Column<Scored> columns[] = {
    {"class",
     [](const Scored& row) { return name_of(accuracy_class_names, accuracy_class_of(row.group())); }},
    {"source", [](const Scored& row) { return row.series->source; }},
    {"site", [](const Scored& row) { return row.series->site; }},
    {"accelerator", [](const Scored& row) { return accelerator_of(row.group().fabric); }},
    {"collective", [](const Scored& row) { return name_of(collective_names, row.series->collective); }},
    {"num_gpus", [](const Scored& row) { return digits(row.group().num_gpus); }},
    {"nodes", [](const Scored& row) { return digits(row.group().nodes); }},
    {"network", [](const Scored& row) { return network_of(row.group()); }},
    {"launch", [](const Scored& row) { return name_of(launch_names, row.group().launch); }},
    {"message_size_bytes", [](const Scored& row) { return rounded(row.point.message_size_bytes, 0); }},
    {"measured_us", [](const Scored& row) { return rounded(row.point.time_us, 2); }},
    {"predicted_us", [](const Scored& row) { return rounded(row.predicted_us, 2); }},
    {"low_us", [](const Scored& row) { return rounded(row.predicted_us * row.band.low, 2); }},
    {"high_us", [](const Scored& row) { return rounded(row.predicted_us * row.band.high, 2); }},
    {"error_percent", [](const Scored& row) { return error_percent(row.predicted_us, row.point.time_us); }},
    {"doubtful", [](const Scored& row) { return rounded(!row.series->healthy, 0); }},
};

}  // namespace

void print_collectives(const std::vector<Series>& all, const std::map<std::string, Constants>& without) {
  std::vector<Scored> rows;
  for (const Series& series : all) {
    const GpuGroup& group = series.group;
    const Curve curve = predicted_curve(group, series.collective, without.at(series.site)).curve;
    const Basis basis = basis_of(group, series.collective);
    for (const Point& point : series.points) {
      const double size = point.message_size_bytes;
      rows.push_back({&series, point, curve.time_us(size), band_of(group, basis, size)});
    }
  }
  print_scoreboard<Scored>(columns, rows);
}

}  // namespace commcost::validation::collectives
