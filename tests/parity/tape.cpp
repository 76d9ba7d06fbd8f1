#include "parity/tape.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace commcost::parity {
namespace {

enum class Tag : std::uint8_t { nothing, flag, number, text, list, numbers, object };

Tag tag_of(const Value& value) {
  if (value.flag() != nullptr) return Tag::flag;
  if (value.number() != nullptr) return Tag::number;
  if (value.text() != nullptr) return Tag::text;
  if (value.list() != nullptr) return Tag::list;
  if (value.numbers() != nullptr) return Tag::numbers;
  return value.object() != nullptr ? Tag::object : Tag::nothing;
}

std::uint32_t size_of(const Value& value) {
  const std::size_t size = value.text() != nullptr      ? value.text()->size()
                           : value.list() != nullptr    ? value.list()->size()
                           : value.numbers() != nullptr ? value.numbers()->size()
                           : value.object() != nullptr  ? value.object()->size()
                                                        : 0;
  return static_cast<std::uint32_t>(size);
}

// Where a double stands among all doubles: neighbours differ by one.
std::int64_t rank_of(double number) {
  std::int64_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  return bits >= 0 ? bits : std::numeric_limits<std::int64_t>::min() - bits;
}

double ulps_between(double one, double other) {
  if (std::isnan(one) && std::isnan(other)) return 0;
  if (!std::isfinite(one) || !std::isfinite(other)) return one == other ? 0 : HUGE_VAL;
  return std::abs(static_cast<double>(rank_of(one)) - static_cast<double>(rank_of(other)));
}

}  // namespace

Tape::~Tape() {
  if (file_ != nullptr) std::fclose(file_);
}

void Tape::put(const void* from, std::size_t size) {
  bytes_ += size;
  std::fwrite(from, 1, size, file_);
}

bool Tape::get(void* to, std::size_t size) {
  bytes_ += size;
  return std::fread(to, 1, size, file_) == size;
}

void Tape::write(const Value& value) {
  const Tag tag = tag_of(value);
  const std::uint32_t size = size_of(value);
  put(&tag, sizeof tag);
  if (const bool* flag = value.flag()) put(flag, sizeof *flag);
  if (const double* number = value.number()) put(number, sizeof *number);
  if (tag >= Tag::text) put(&size, sizeof size);
  if (const std::string* text = value.text()) put(text->data(), size);
  if (const Value::Numbers* numbers = value.numbers()) put(numbers->data(), size * sizeof(double));
  if (const Value::List* list = value.list()) {
    for (const Value& element : *list) write(element);
  }
  if (const Value::Object* members = value.object()) {
    for (const Member& member : *members) write(member.value);
  }
}

std::string Tape::compare(const Value& mine, double ulps, double& worst) {
  return compare_at("", mine, ulps, worst);
}

std::string Tape::compare_at(const std::string& path, const Value& mine, double ulps, double& worst) {
  Tag tag{};
  if (!get(&tag, sizeof tag)) return path + ": the other build wrote less";
  if (tag != tag_of(mine)) return path + ": something else than " + text_of(mine);
  const auto number = [&](const std::string& where, double own) -> std::string {
    double other = 0;
    if (!get(&other, sizeof other)) return where + ": the other build wrote less";
    const double off = ulps_between(own, other);
    worst = std::max(worst, off);
    return off <= ulps ? "" : where + ": " + text_of(own) + " here, " + text_of(other) + " there";
  };
  if (mine.number() != nullptr) return number(path, *mine.number());
  if (const bool* flag = mine.flag()) {
    bool other = false;
    return get(&other, sizeof other) && other == *flag ? "" : path + ": the other flag";
  }
  if (tag < Tag::text) return "";

  std::uint32_t size = 0;
  if (!get(&size, sizeof size) || size != size_of(mine)) return path + ": of another length";
  if (const std::string* text = mine.text()) {
    std::string other(size, '\0');
    return get(other.data(), size) && other == *text
               ? ""
               : path + ": \"" + *text + "\" here, \"" + other + "\" there";
  }
  for (std::uint32_t i = 0; i < size; ++i) {
    std::string difference;
    if (mine.numbers() != nullptr) difference = number(path + "[]", (*mine.numbers())[i]);
    if (mine.list() != nullptr) difference = compare_at(path + "[]", (*mine.list())[i], ulps, worst);
    if (mine.object() != nullptr) {
      const Member& member = (*mine.object())[i];
      difference = compare_at(path + "." + member.name, member.value, ulps, worst);
    }
    if (!difference.empty()) return difference;
  }
  return "";
}

}  // namespace commcost::parity
