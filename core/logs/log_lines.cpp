#include "core/logs/log_lines.h"

#include <algorithm>
#include <iterator>

namespace commcost {
namespace {

constexpr std::size_t shown_of_line = 80;

std::string shown(std::string_view line) {
  std::string text(line.substr(0, shown_of_line));
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~') c = '?';
  }
  if (line.size() > shown_of_line) text += "...";
  return text;
}

}  // namespace

void note(std::vector<LogProblem>& problems, double line, std::string_view message, std::string_view text) {
  if (!problems.empty()) {
    LogProblem& last = problems.back();
    if (last.message == message && line <= last.line + last.lines) {
      if (line == last.line + last.lines) ++last.lines;
      return;
    }
  }
  problems.push_back({line, 1, std::string(message), shown(text)});
}

void merge_by_line(std::vector<LogProblem>& problems, std::vector<LogProblem> further) {
  const auto middle = static_cast<std::ptrdiff_t>(problems.size());
  std::move(further.begin(), further.end(), std::back_inserter(problems));
  std::inplace_merge(problems.begin(), problems.begin() + middle, problems.end(),
                     [](const LogProblem& one, const LogProblem& other) { return one.line < other.line; });
}

bool is_blank(std::string_view line) {
  return std::all_of(line.begin(), line.end(), [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); });
}

std::size_t LineCutter::end_of_line(std::string_view text) {
  return static_cast<std::size_t>(
      std::find_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }) - text.begin());
}

std::string_view without_colours(std::string_view line, std::string& buffer) {
  if (line.find('\x1b') == std::string_view::npos) return line;
  buffer.clear();
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '\x1b' && at + 1 < line.size() && line[at + 1] == '[') {
      at += 2;
      while (at < line.size() && (line[at] < '@' || line[at] > '~')) ++at;
    } else {
      buffer += line[at];
    }
  }
  return buffer;
}

}  // namespace commcost
