#pragma once

#include <string>
#include <string_view>

#include "core/calculator/engine.h"

namespace commcost {

// How a value crosses the boundary: in one piece, since a crossing costs far more than a byte. A tag of one
// byte, then, in the machine's order of bytes: a number as a double; text as a u32 of its UTF-8 bytes and
// these; numbers as a u32 of how many and these; a list as a u32 and its values; an object as a u32 and, for
// each member, its name as text without a tag and its value. web/engine/tape.ts is the other side.
enum class Tag : unsigned char { nothing, no, yes, number, text, numbers, list, object, foreign };

/// Adds the value to the tape's end.
void write(const Value& value, std::string& tape);

/// The value that a whole tape of the other side's writing holds.
Value value_on(std::string_view tape);

}  // namespace commcost
