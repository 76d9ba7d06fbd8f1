#pragma once

#include <string_view>

namespace commcost::test {

/// Whether a name is lower-case words and numbers joined by single underscores, beginning with a letter.
inline bool is_snake_case(std::string_view name) {
  if (name.empty() || name.front() < 'a' || name.front() > 'z' || name.back() == '_') return false;
  char last = '_';
  for (const char c : name) {
    const bool word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (!word && (c != '_' || last == '_')) return false;
    last = c;
  }
  return true;
}

}  // namespace commcost::test
