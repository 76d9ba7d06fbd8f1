#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace commcost {

/// Lines that were not understood, or that contradict others: nothing in a log is dropped silently.
struct LogProblem {
  double line = 0;      ///< the first such line, from 1
  double lines = 1;     ///< how many, one after the other
  std::string message;  ///< what is wrong with them
  std::string text;     ///< the first one, cut short, control characters shown as ?
};

/// Adds a line to those that were not understood; a line of the same kind right after is counted with it.
void note(std::vector<LogProblem>& problems, double line, std::string_view message, std::string_view text);

/// Merges further ones in; both are ordered by line.
void merge_by_line(std::vector<LogProblem>& problems, std::vector<LogProblem> further);

/// The line without terminal colours (ESC [ ... letter); `buffer` holds it where it had any.
std::string_view without_colours(std::string_view line, std::string& buffer);

/// Whether a line is blank.
bool is_blank(std::string_view line);

/// Bytes of a line that are read; longer lines are cut.
inline constexpr std::size_t longest_line = 1048576;

/// Cuts a text that arrives in pieces into its lines. A progress bar that restarts its line with a carriage
/// return gives a line each time, all with one number.
class LineCutter {
 public:
  /// Calls `take(line, number)` for each line that ends in this piece; the first is 1.
  template <class Take>
  void read(std::string_view piece, const Take& take) {
    while (!piece.empty()) {
      const std::size_t end = end_of_line(piece);
      const std::string_view line = piece.substr(0, end);
      if (end == piece.size()) return keep(line);
      if (begun_.empty()) {
        take(line.substr(0, longest_line), number_);
      } else {
        keep(line);
        take(begun_, number_);
        begun_.clear();
      }
      if (piece[end] == '\n') ++number_;
      piece.remove_prefix(end + 1);
    }
  }
  /// The same for what no line feed ends.
  template <class Take>
  void finish(const Take& take) {
    if (!begun_.empty()) take(begun_, number_);
    begun_.clear();
  }

 private:
  static std::size_t end_of_line(std::string_view text);
  void keep(std::string_view part) { begun_ += part.substr(0, longest_line - begun_.size()); }

  std::string begun_;  // a line of which the end has not come yet
  double number_ = 1;
};

}  // namespace commcost
