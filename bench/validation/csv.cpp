#include "bench/validation/csv.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace commcost::validation {
namespace {

std::vector<std::string> cells_of(std::string_view line) {
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

}  // namespace

std::vector<Row> read_csv(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    std::exit(2);
  }
  std::vector<std::string> names;
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> cells = cells_of(line);
    if (names.empty()) {
      names = std::move(cells);
      continue;
    }
    Row row;
    cells.resize(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) row[names[i]] = std::move(cells[i]);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string_view text(const Row& row, std::string_view name) {
  const auto cell = row.find(name);
  return cell == row.end() ? std::string_view() : std::string_view(cell->second);
}

double number(const Row& row, std::string_view name, double otherwise) {
  const auto cell = row.find(name);
  return cell == row.end() || cell->second.empty() ? otherwise : std::strtod(cell->second.c_str(), nullptr);
}

std::int64_t whole(const Row& row, std::string_view name, std::int64_t otherwise) {
  return static_cast<std::int64_t>(number(row, name, static_cast<double>(otherwise)));
}

}  // namespace commcost::validation
