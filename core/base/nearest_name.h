#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace commcost {

/// The name that was likely meant by one that is none of `names`: up to a third of its letters left out, put
/// in, changed or swapped; nothing where none is as near. Of several that are, the first.
std::optional<std::string_view> nearest_name(std::string_view typed,
                                             const std::vector<std::string_view>& names);

}  // namespace commcost
