#include "core/base/wire.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace commcost {
namespace {

constexpr std::size_t counted = sizeof(std::uint32_t);

}  // namespace

void WireWriter::count(std::size_t size) {
  const auto count = static_cast<std::uint32_t>(size);
  bytes(&count, sizeof count);
}

void WireWriter::number(double number) {
  finite_ = finite_ && std::isfinite(number);
  char* tagged = to_.add(1 + sizeof number);
  *tagged = static_cast<char>(WireTag::number);
  std::memcpy(tagged + 1, &number, sizeof number);
}

void WireWriter::text(std::string_view text) {
  tag(WireTag::text);
  name(text);
}

void WireWriter::numbers(std::span<const double> numbers) {
  for (const double number : numbers) finite_ = finite_ && std::isfinite(number);
  tag(WireTag::numbers);
  count(numbers.size());
  bytes(numbers.data(), numbers.size_bytes());
}

std::size_t WireWriter::room_for_numbers(std::size_t count) {
  tag(WireTag::numbers);
  this->count(count);
  const std::size_t begin = to_.size();
  to_.add(count * sizeof(double));
  return begin;
}

void WireWriter::wholes(std::span<const std::int32_t> numbers) {
  tag(WireTag::wholes);
  count(numbers.size());
  bytes(numbers.data(), numbers.size_bytes());
}

void WireWriter::list(std::size_t count) {
  tag(WireTag::list);
  this->count(count);
}

std::size_t WireWriter::columns(std::size_t rows) {
  tag(WireTag::columns);
  count(rows);
  count(0);
  return to_.size();
}

void WireWriter::end_columns(std::size_t place) {
  const auto size = static_cast<std::uint32_t>(to_.size() - place);
  std::memcpy(to_.data() + place - sizeof size, &size, sizeof size);
}

void WireWriter::object(std::size_t count, std::size_t left_out) {
  tag(WireTag::object);
  this->count(count);
  this->count(left_out);
}

void WireWriter::notes(std::span<const std::string> notes) {
  if (notes.empty()) return;
  tag(WireTag::noted);
  list(notes.size());
  for (const std::string& note : notes) text(note);
}

void WireWriter::name(std::string_view name) {
  count(name.size());
  bytes(name.data(), name.size());
}

void WireWriter::value(const Value& value) {
  if (const bool* flag = value.flag()) return this->flag(*flag);
  if (const double* number = value.number()) return this->number(*number);
  if (const std::string* text = value.text()) return this->text(*text);
  if (const Value::Numbers* numbers = value.numbers()) return this->numbers(*numbers);
  if (const Foreign* foreign = value.foreign()) return tag(WireTag::foreign), name(foreign->what);
  if (const Value::List* list = value.list()) {
    this->list(list->size());
    for (const Value& item : *list) this->value(item);
    return;
  }
  if (const Value::Object* members = value.object()) {
    object(members->size());
    for (const Member& member : *members) name(member.name), this->value(member.value);
    return;
  }
  nothing();
}

std::string_view WireReader::take(std::size_t size) {
  const std::string_view taken = wire_.substr(0, size);
  wire_.remove_prefix(taken.size());
  return taken;
}

std::size_t WireReader::count() {
  std::uint32_t count = 0;
  const std::string_view taken = take(sizeof count);
  std::memcpy(&count, taken.data(), taken.size());
  return count;
}

std::size_t WireReader::count_of(std::size_t least) {
  const std::size_t count = this->count();
  return std::min(count, wire_.size() / least);
}

double WireReader::number() {
  take(1);
  return real();
}

std::optional<std::size_t> WireReader::place() {
  std::uint32_t length = 0;
  if (wire_.size() >= counted) std::memcpy(&length, wire_.data(), counted);
  if (length < first_place) return std::nullopt;
  take(counted);
  return length - first_place;
}

std::string_view WireReader::name() {
  const std::size_t size = count();
  return take(size);
}

std::string_view WireReader::text() {
  take(1);
  return name();
}

std::size_t WireReader::columns() {
  take(1);
  const std::size_t rows = count();
  // Each row has a byte in each column.
  return std::min(rows, count_of(1));
}

WireTag WireReader::column() {
  const WireTag held = next();
  take(1);
  return held;
}

std::uint8_t WireReader::u8() {
  const std::string_view byte = take(1);
  return byte.empty() ? 0 : static_cast<std::uint8_t>(byte.front());
}

double WireReader::real() {
  double number = 0;
  const std::string_view taken = take(sizeof number);
  std::memcpy(&number, taken.data(), taken.size());
  return number;
}

std::size_t WireReader::choice() {
  take(1);
  return u8();
}

std::size_t WireReader::list() {
  take(1);
  return count_of(1);
}

WireReader::Members WireReader::object() {
  take(1);
  const std::size_t given = count();
  const std::size_t left_out = count();
  return {std::min(given, wire_.size() / (counted + 1)), left_out};
}

Value WireReader::numbers() {
  take(1);
  Value::Numbers numbers(count_of(sizeof(double)));
  const std::string_view taken = take(numbers.size() * sizeof(double));
  if (!numbers.empty()) std::memcpy(numbers.data(), taken.data(), taken.size());
  return numbers;
}

Value WireReader::wholes() {
  take(1);
  Wholes numbers(count_of(sizeof(std::int32_t)));
  const std::string_view taken = take(numbers.size() * sizeof(std::int32_t));
  if (!numbers.empty()) std::memcpy(numbers.data(), taken.data(), taken.size());
  return Value::List(numbers.begin(), numbers.end());
}

Value WireReader::value(int depth) {
  const WireTag tag = depth > 0 ? next() : WireTag::nothing;
  switch (tag) {
    case WireTag::no:
    case WireTag::yes:
      take(1);
      return tag == WireTag::yes;
    case WireTag::number:
      return number();
    case WireTag::text:
      return text();
    case WireTag::numbers:
      return numbers();
    case WireTag::wholes:
      return wholes();
    case WireTag::foreign:
      return Foreign{std::string(text())};
    case WireTag::list: {
      Value::List list;
      for (std::size_t left = this->list(); left > 0; --left) list.push_back(value(depth - 1));
      return list;
    }
    case WireTag::object: {
      Value::Object members;
      for (std::size_t left = object().count; left > 0; --left) {
        std::string name(this->name());
        members.push_back({std::move(name), value(depth - 1)});
      }
      return members;
    }
    case WireTag::nothing:
    case WireTag::row:
    case WireTag::noted:
    case WireTag::choice:
    case WireTag::columns:
      break;
  }
  take(1);
  return {};
}

void WireReader::pass(int depth) {
  switch (depth > 0 ? next() : WireTag::nothing) {
    case WireTag::number:
      number();
      return;
    case WireTag::text:
    case WireTag::foreign:
      text();
      return;
    case WireTag::numbers:
      take(1);
      take(count_of(sizeof(double)) * sizeof(double));
      return;
    case WireTag::wholes:
      take(1);
      take(count_of(sizeof(std::int32_t)) * sizeof(std::int32_t));
      return;
    case WireTag::list:
      for (std::size_t left = list(); left > 0; --left) pass(depth - 1);
      return;
    case WireTag::object:
      for (std::size_t left = object().count; left > 0; --left) name(), pass(depth - 1);
      return;
    case WireTag::columns:
      take(1 + counted);
      take(count());
      return;
    default:
      take(1);
  }
}

std::string_view WireReader::skip() {
  const std::string_view before = wire_;
  pass(deepest);
  return before.substr(0, before.size() - wire_.size());
}

}  // namespace commcost
