#include "core/logs/log_lines.h"

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
    if (last.message == message && last.line + last.lines == line) {
      ++last.lines;
      return;
    }
  }
  problems.push_back({line, 1, std::string(message), shown(text)});
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
