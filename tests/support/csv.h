#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "support/files.h"

namespace commcost::test {

/// One row of a table in tests/data, read by column name.
class CsvRow {
 public:
  CsvRow(std::shared_ptr<const std::vector<std::string>> names, std::string line)
      : names_(std::move(names)), line_(std::move(line)) {
    // Quoted cells may hold commas; a doubled quote inside them is not used in our tables.
    std::string cell;
    bool quoted = false;
    for (const char c : line_) {
      if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        cells_.push_back(std::move(cell));
        cell.clear();
      } else {
        cell += c;
      }
    }
    cells_.push_back(std::move(cell));
  }

  /// The cell of that column; empty, with a failed expectation, if there is none.
  const std::string& at(const std::string& name) const {
    for (std::size_t i = 0; i < names_->size() && i < cells_.size(); ++i) {
      if ((*names_)[i] == name) return cells_[i];
    }
    static const std::string none;
    ADD_FAILURE() << "no column " << name << " in: " << line_;
    return none;
  }

  /// The cell as a number, decimal or C99 hex.
  double number(const std::string& name) const { return std::strtod(at(name).c_str(), nullptr); }

  /// The whole line, for messages.
  const std::string& line() const { return line_; }

 private:
  std::shared_ptr<const std::vector<std::string>> names_;
  std::vector<std::string> cells_;
  std::string line_;
};

/// The rows of a CSV file whose first line (after lines that begin with #) names the columns.
inline std::vector<CsvRow> read_csv(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << "cannot read " << path;
  std::shared_ptr<std::vector<std::string>> names;
  std::vector<CsvRow> rows;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    if (names == nullptr) {
      names = std::make_shared<std::vector<std::string>>();
      std::istringstream cells(line);
      for (std::string name; std::getline(cells, name, ',');) names->push_back(name);
    } else {
      rows.emplace_back(names, line);
    }
  }
  return rows;
}

}  // namespace commcost::test
