#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace commcost {

/// Lines that were not understood, or that contradict others: nothing of a log is dropped in silence.
struct LogProblem {
  double line = 0;      ///< the first such line, from 1
  double lines = 1;     ///< how many, one after the other
  std::string message;  ///< what is wrong with them
  std::string text;     ///< the first one, cut short, control characters shown as ?
};

/// Adds a line to those that were not understood; one that follows its like is counted with it.
void note(std::vector<LogProblem>& problems, double line, std::string_view message, std::string_view text);

/// The line without terminal colours (ESC [ ... letter); `buffer` holds it where it had any.
std::string_view without_colours(std::string_view line, std::string& buffer);

/// Calls `take(line, number)` for each line of a text, from 1.
template <class Take>
void for_each_line(std::string_view text, const Take& take) {
  double number = 0;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    take(text.substr(from, end - from), ++number);
    from = end + 1;
  }
}

}  // namespace commcost
