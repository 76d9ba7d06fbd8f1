#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace commcost {

/// The name likely meant by one that is not in `names`: up to a third of its letters missing, added, changed
/// or swapped; none if nothing is that close. If several are, the first.
std::optional<std::string_view> nearest_name(std::string_view typed,
                                             const std::vector<std::string_view>& names);

}  // namespace commcost
