#include "bench/validation/collectives/measured.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <span>

#include "bench/validation/csv.h"
#include "core/collective/bus_bandwidth.h"

namespace commcost::validation::collectives {
namespace {

template <class Enum>
Enum choice(std::span<const std::string_view> names, const std::string& name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  std::fprintf(stderr, "not a choice: %s\n", name.c_str());
  std::exit(2);
}

/// Sums of logarithms by size, so that rows of one size become their geometric mean.
struct Sums {
  std::map<double, std::pair<double, int>> by_size;

  void add(double size, double time) {
    auto& [sum, count] = by_size[size];
    sum += std::log(time);
    ++count;
  }
  std::vector<Point> points() const {
    std::vector<Point> all;
    for (const auto& [size, sum] : by_size) all.push_back({size, std::exp(sum.first / sum.second)});
    return all;
  }
};

void add_ranks_table(const std::string& path, std::vector<Series>& all) {
  std::vector<std::pair<Series, Sums>> found;
  for (const Row& row : read_csv(path)) {
    const std::string source = "vtrain-" + row.at("gpu") + "-" + row.at("ranks");
    if (found.empty() || found.back().first.source != source) {
      Series series;
      series.source = source;
      series.site = "vtrain";
      series.healthy = true;
      const Fabric* fabric = find_fabric(row.at("gpu") == "A100" ? "a100-sxm-80gb" : "v100-sxm");
      series.group = group_of(*fabric, number(row, "ranks"), 8, 0);
      found.emplace_back(std::move(series), Sums{});
    }
    for (const char* column : {"time_us_out_of_place", "time_us_in_place"}) {
      found.back().second.add(number(row, "bytes"), number(row, column));
    }
  }
  for (auto& [series, sums] : found) {
    series.points = sums.points();
    all.push_back(std::move(series));
  }
}

}  // namespace

std::vector<Series> measured_series(const std::string& data_folder) {
  std::map<std::string, Row> groups;
  for (Row& row : read_csv(data_folder + "/measured_groups.csv"))
    groups[row.at("source_id")] = std::move(row);
  std::map<std::string, bool> healthy;
  for (const Row& row : read_csv(data_folder + "/measured_sources.csv")) {
    healthy[row.at("source_id")] = row.at("healthy") == "yes";
  }

  std::vector<Series> all;
  std::map<std::string, std::size_t> places;
  std::vector<Sums> sums;
  for (const Row& row : read_csv(data_folder + "/measured_collectives.csv")) {
    const Row& group = groups.at(row.at("source_id"));
    if (group.at("used") != "yes") continue;
    const std::string key = row.at("source_id") + "/" + row.at("collective") + "/" + row.at("ranks");
    if (!places.contains(key)) {
      places[key] = all.size();
      sums.emplace_back();
      Series series;
      series.source = row.at("source_id");
      series.site = group.at("site");
      series.collective = choice<Collective>(collective_names, row.at("collective"));
      series.healthy = healthy[series.source];
      const Fabric* fabric = find_fabric(group.at("accelerator"));
      series.group = group_of(*fabric, number(row, "ranks"), number(row, "gpus_per_node"),
                              number(group, "nic_gb_per_sec"));
      series.group.launch = choice<Launch>(launch_names, group.at("launch"));
      if (!group.at("network").empty()) {
        series.group.network = choice<NetworkKind>(network_kind_names, group.at("network"));
      }
      all.push_back(std::move(series));
    }
    const double size = number(row, "size_bytes");
    double time = number(row, "time_us");
    const std::size_t place = places[key];
    if (time <= 0) {
      // Some sources print the bus bandwidth alone.
      const double bus = number(row, "busbw_gbps");
      if (bus <= 0) continue;
      time = size * bus_bandwidth_factor(all[place].collective, all[place].group.num_gpus) / (bus * 1e3);
    }
    if (size > 0) sums[place].add(size, time);
  }
  for (std::size_t i = 0; i < all.size(); ++i) all[i].points = sums[i].points();
  add_ranks_table(data_folder + "/measured_allreduce_ranks.csv", all);
  return all;
}

}  // namespace commcost::validation::collectives
