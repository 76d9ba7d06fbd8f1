#pragma once

#include <string>
#include <string_view>

#include "core/base/outcome.h"
#include "core/base/value.h"

namespace commcost {

/// Deepest nesting of a JSON text that is read.
inline constexpr int deepest_json = 64;

/// The value that a JSON text (RFC 8259) spells, or where and why it is invalid: `field` is the input's name.
/// null is nothing; if a name is given twice, the last counts; half a surrogate pair is U+FFFD; a byte order
/// mark is skipped. Evaluates nothing.
Outcome<Value> parse_json(std::string_view field, std::string_view text);

}  // namespace commcost
