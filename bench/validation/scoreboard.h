#pragma once

#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Tables of web/scoreboard: measurements and their predictions.
namespace commcost::validation {

/// A column, and a row's cell in it.
template <class Scored>
struct Column {
  const char* name;
  std::string (*cell)(const Scored& row);
};

/// Prints the columns' names, and a line for each row.
template <class Scored>
void print_scoreboard(std::span<const Column<Scored>> columns, const std::vector<Scored>& rows) {
  std::string line;
  const auto add = [&](const std::string& cell) { line += (line.empty() ? "" : ",") + cell; };
  for (const Column<Scored>& column : columns) add(column.name);
  std::puts(line.c_str());
  for (const Scored& row : rows) {
    line.clear();
    for (const Column<Scored>& column : columns) add(column.cell(row));
    std::puts(line.c_str());
  }
}

/// A text that may hold commas.
std::string quoted(std::string_view text);

/// A number with so many decimals.
std::string rounded(double value, int decimals);

/// A number in as few digits as say it to six.
std::string digits(double value);

/// How far a prediction is off, percent.
inline std::string error_percent(double predicted, double measured) {
  return rounded(100 * (predicted / measured - 1), 1);
}

}  // namespace commcost::validation
