#include "bench/validation/collectives/measured.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <span>

#include "core/collective/bus_bandwidth.h"

namespace commcost::accuracy {
namespace {

using Row = std::map<std::string, std::string>;

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

std::vector<Row> read_table(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    std::cerr << "cannot read " << path << '\n';
    std::exit(2);
  }
  std::vector<Row> rows;
  std::vector<std::string> names;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> cells = cells_of(line);
    if (names.empty()) {
      names = cells;
      continue;
    }
    Row row;
    for (std::size_t i = 0; i < names.size(); ++i) row[names[i]] = i < cells.size() ? cells[i] : "";
    rows.push_back(std::move(row));
  }
  return rows;
}

double number(const std::string& text) {
  return std::strtod(text.c_str(), nullptr);
}

template <class Enum>
Enum choice(std::span<const std::string_view> names, const std::string& name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  std::cerr << "not a choice: " << name << '\n';
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
  for (const Row& row : read_table(path)) {
    const std::string source = "vtrain-" + row.at("gpu") + "-" + row.at("ranks");
    if (found.empty() || found.back().first.source != source) {
      Series series;
      series.source = source;
      series.site = "vtrain";
      series.healthy = true;
      const Fabric* fabric = find_fabric(row.at("gpu") == "A100" ? "a100-sxm-80gb" : "v100-sxm");
      series.group = group_of(*fabric, number(row.at("ranks")), 8, 0);
      found.emplace_back(std::move(series), Sums{});
    }
    for (const char* column : {"time_us_out_of_place", "time_us_in_place"}) {
      found.back().second.add(number(row.at("bytes")), number(row.at(column)));
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
  for (Row& row : read_table(data_folder + "/measured_groups.csv"))
    groups[row.at("source_id")] = std::move(row);
  std::map<std::string, bool> healthy;
  for (const Row& row : read_table(data_folder + "/measured_sources.csv")) {
    healthy[row.at("source_id")] = row.at("healthy") == "yes";
  }

  std::vector<Series> all;
  std::map<std::string, std::size_t> places;
  std::vector<Sums> sums;
  for (const Row& row : read_table(data_folder + "/measured_collectives.csv")) {
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
      series.group = group_of(*fabric, number(row.at("ranks")), number(row.at("gpus_per_node")),
                              number(group.at("nic_gb_per_sec")));
      series.group.launch = choice<Launch>(launch_names, group.at("launch"));
      if (!group.at("network").empty()) {
        series.group.network = choice<NetworkKind>(network_kind_names, group.at("network"));
      }
      series.several_nodes = series.group.spans_nodes();
      all.push_back(std::move(series));
    }
    const double size = number(row.at("size_bytes"));
    double time = number(row.at("time_us"));
    const std::size_t place = places[key];
    if (time <= 0) {
      // Some sources print the bus bandwidth alone.
      const double bus = number(row.at("busbw_gbps"));
      if (bus <= 0) continue;
      time = size * bus_bandwidth_factor(all[place].collective, all[place].group.num_gpus) / (bus * 1e3);
    }
    if (size > 0) sums[place].add(size, time);
  }
  for (std::size_t i = 0; i < all.size(); ++i) all[i].points = sums[i].points();
  add_ranks_table(data_folder + "/measured_allreduce_ranks.csv", all);
  return all;
}

}  // namespace commcost::accuracy
