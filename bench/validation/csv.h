#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace commcost::validation {

/// A row of a table: its cells by the columns' names.
using Row = std::map<std::string, std::string, std::less<>>;

/// Every row of a CSV file; lines that begin with # are comments, cells may be quoted. Ends the program where
/// there is no such file.
std::vector<Row> read_csv(const std::string& path);

/// A cell, empty where the table has no such column.
std::string_view text(const Row& row, std::string_view name);

/// A cell as a number; `otherwise` where it is empty.
double number(const Row& row, std::string_view name, double otherwise = 0);
std::int64_t whole(const Row& row, std::string_view name, std::int64_t otherwise = 0);

/// Whether `part` occurs in `text`.
inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace commcost::validation
