#include "core/base/nearest_name.h"

#include <algorithm>
#include <cstddef>

namespace commcost {
namespace {

// No name in the tables is this long.
constexpr std::size_t longest = 64;

// Hyphens and underscores count as the same.
bool same(char one, char other) {
  return one == other || (one == '-' && other == '_') || (one == '_' && other == '-');
}

// Letters inserted, deleted, changed or swapped to turn one text into the other.
std::size_t distance(std::string_view one, std::string_view other) {
  std::size_t rows[3][longest + 1] = {};
  for (std::size_t j = 0; j <= other.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= one.size(); ++i) {
    const std::size_t* before = rows[(i + 1) % 3];
    const std::size_t* above = rows[(i - 1) % 3];
    std::size_t* row = rows[i % 3];
    row[0] = i;
    for (std::size_t j = 1; j <= other.size(); ++j) {
      row[j] =
          std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same(one[i - 1], other[j - 1]) ? 0 : 1)});
      if (i > 1 && j > 1 && same(one[i - 1], other[j - 2]) && same(one[i - 2], other[j - 1]))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return rows[one.size() % 3][other.size()];
}

}  // namespace

std::optional<std::string_view> nearest_name(std::string_view typed,
                                             const std::vector<std::string_view>& names) {
  if (typed.empty() || typed.size() > longest) return std::nullopt;
  std::optional<std::string_view> found;
  std::size_t least = 1 + std::max<std::size_t>(1, typed.size() / 3);
  for (const std::string_view name : names) {
    if (name.size() > longest) continue;
    const std::size_t away = distance(typed, name);
    if (away >= least) continue;
    least = away;
    found = name;
  }
  return found;
}

}  // namespace commcost
