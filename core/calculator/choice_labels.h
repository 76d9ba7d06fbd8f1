#pragma once

#include <span>
#include <string_view>

namespace commcost {

/// What pages call the choices of a table of names, in their order; empty where the names say it.
std::span<const std::string_view> labels_of(std::span<const std::string_view> names);

}  // namespace commcost
