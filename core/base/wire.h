#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/value.h"
#include "core/base/wire_bytes.h"

namespace commcost {

// How values cross the boundary between JavaScript and C++; tests hold the two sides to each other. In one
// piece, since a crossing costs far more than a byte. A tag of one byte, then, in the machine's byte order:
//   number   a double                      text     a u32 of its UTF-8 bytes and these
//   numbers  a u32 of how many and these   list     a u32 and its values
//   object   a u32 of its members, a u32 of those that were left out, and for each member its name (as
//            text, without a tag) and its value. In the inputs of a calculation a name may be replaced by a
//            u32 greater than any text's length: first_place plus the field's place in the table
//   wholes   a u32 of how many and these, each a u32: a list of whole numbers
//   row      the values of a table's fields in their order; the reader knows the table
//   foreign  as text: in words what no field takes
//   choice   a byte: which of its field's choices; the reader knows these
//   columns  rows of a table, column by column: a u32 of how many rows, a u32 of the bytes that follow, and
//            for each field the tag of its values (number: doubles; yes: a byte for each flag; choice: a
//            byte each; list: any values), then one value for each row
//   noted    a list of sentences, then the row or object that is to have them among its members, as `notes`
// web/engine/wire.ts is the other side. A format of our own: JSON has no NaN and turns every double into
// text, CBOR would bring names of every row along and a library on both sides.
enum class WireTag : std::uint8_t {
  nothing,
  no,
  yes,
  number,
  text,
  numbers,
  list,
  object,
  foreign,
  row,
  wholes,
  noted,
  choice,
  columns
};

/// From here on, a name's length is a field's place in its table.
inline constexpr std::uint32_t first_place = 0xffff0000;

/// A list of whole numbers from 0 to 2^31 - 1; in JavaScript a plain one.
using Wholes = std::vector<std::int32_t>;

/// Adds values to the end of such bytes.
class WireWriter {
 public:
  explicit WireWriter(WireBytes& to) : to_(to) {}

  /// Makes room for `more` further bytes at once.
  void reserve(std::size_t more) { to_.reserve(to_.size() + more); }

  void nothing() { tag(WireTag::nothing); }
  void flag(bool flag) { tag(flag ? WireTag::yes : WireTag::no); }
  void number(double number);
  void text(std::string_view text);
  void choice(std::uint8_t which) { tag(WireTag::choice), u8(which); }
  void numbers(std::span<const double> numbers);
  /// Starts `count` numbers; returns the place of the first, for the caller to fill them in.
  std::size_t room_for_numbers(std::size_t count);
  void wholes(std::span<const std::int32_t> numbers);
  /// Starts a list; its values follow.
  void list(std::size_t count);
  /// Starts an object; a name() and a value follow for each member. `left_out`: members that are not written.
  void object(std::size_t count, std::size_t left_out = 0);
  void name(std::string_view name);
  /// Starts a row; a value for each field of its table follows.
  void row() { tag(WireTag::row); }
  /// Starts that many rows as columns; a column() for each field follows, then end_columns() with the place
  /// that this returns.
  std::size_t columns(std::size_t rows);
  void end_columns(std::size_t place);
  /// Starts a column; a value of that tag follows for each row: a u8() or a real() each, or any values in a
  /// list.
  void column(WireTag held) { tag(held); }
  void u8(std::uint8_t byte) { *to_.add(1) = static_cast<char>(byte); }
  void real(double number) {
    finite_ = finite_ && std::isfinite(number);
    bytes(&number, sizeof number);
  }
  /// The notes on the inputs of the row or object that follows; writes nothing if there are none.
  void notes(std::span<const std::string> notes);
  void value(const Value& value);
  /// A value as another writer has written it.
  void written(std::string_view value) { bytes(value.data(), value.size()); }

  /// The address of what was written at that place; valid until more is written.
  char* at(std::size_t place) { return to_.data() + place; }

  /// Whether every number so far was finite.
  bool finite() const { return finite_; }

 private:
  void tag(WireTag tag) { *to_.add(1) = static_cast<char>(tag); }
  void bytes(const void* data, std::size_t size) {
    if (size > 0) std::memcpy(to_.add(size), data, size);
  }
  void count(std::size_t size);

  WireBytes& to_;
  bool finite_ = true;
};

/// Reads what a WireWriter wrote. From any other bytes it makes some value, but never reads past them.
class WireReader {
 public:
  explicit WireReader(std::string_view wire) : wire_(wire) {}

  bool at_end() const { return wire_.empty(); }
  /// The tag of the next value.
  WireTag next() const { return wire_.empty() ? WireTag::nothing : static_cast<WireTag>(wire_.front()); }
  /// The next value, whole. A row is nothing: see value_of() in core/base/result.h.
  Value value() { return value(deepest); }
  /// The next value, which must be of that type.
  double number();
  std::string_view text();
  /// How many rows follow as columns.
  std::size_t columns();
  /// The tag of the values in the next column.
  WireTag column();
  std::uint8_t u8();
  double real();
  std::size_t choice();
  std::size_t list();
  struct Members {
    std::size_t count;     ///< that follow
    std::size_t left_out;  ///< that were not written
  };
  Members object();
  std::string_view name();
  /// The place that stands for the next member's name; nothing if a name follows.
  std::optional<std::size_t> place();
  /// Skips the next tag: a row's, or that of notes.
  void row() { take(1); }
  /// Skips the next value and returns its bytes.
  std::string_view skip();
  /// All bytes that are left.
  std::string_view rest() const { return wire_; }

 private:
  static constexpr int deepest = 32;

  Value value(int depth);
  void pass(int depth);
  std::string_view take(std::size_t size);
  std::size_t count();
  /// A count of things that take at least `least` bytes each.
  std::size_t count_of(std::size_t least);
  Value numbers();
  Value wholes();

  std::string_view wire_;
};

}  // namespace commcost
