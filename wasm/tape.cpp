#include "tape.h"

#include <cstdint>
#include <cstring>

namespace commcost {
namespace {

constexpr std::size_t counted = sizeof(std::uint32_t);

std::size_t size_of(const Value& value) {
  std::size_t size = sizeof(Tag);
  if (value.number() != nullptr) size += sizeof(double);
  if (const std::string* text = value.text()) size += counted + text->size();
  if (const Value::Numbers* numbers = value.numbers()) size += counted + numbers->size() * sizeof(double);
  if (const Value::List* list = value.list()) {
    size += counted;
    for (const Value& item : *list) size += size_of(item);
  }
  if (const Value::Object* members = value.object()) {
    size += counted;
    for (const Member& member : *members) size += counted + member.name.size() + size_of(member.value);
  }
  return size;
}

class Writer {
 public:
  explicit Writer(std::string& tape) : tape_(tape) {}

  void write(const Value& value) {
    if (const bool* flag = value.flag()) return tag(*flag ? Tag::yes : Tag::no);
    if (const double* number = value.number()) return tag(Tag::number), bytes(number, sizeof *number);
    if (const std::string* text = value.text()) return tag(Tag::text), this->text(*text);
    if (const Value::Numbers* numbers = value.numbers()) {
      tag(Tag::numbers), count(numbers->size());
      return bytes(numbers->data(), numbers->size() * sizeof(double));
    }
    if (const Value::List* list = value.list()) {
      tag(Tag::list), count(list->size());
      for (const Value& item : *list) write(item);
      return;
    }
    if (const Value::Object* members = value.object()) {
      tag(Tag::object), count(members->size());
      for (const Member& member : *members) text(member.name), write(member.value);
      return;
    }
    tag(Tag::nothing);
  }

 private:
  void tag(Tag tag) { tape_.push_back(static_cast<char>(tag)); }
  void bytes(const void* data, std::size_t size) { tape_.append(static_cast<const char*>(data), size); }
  void count(std::size_t size) {
    const auto count = static_cast<std::uint32_t>(size);
    bytes(&count, sizeof count);
  }
  void text(const std::string& text) { count(text.size()), tape_.append(text); }

  std::string& tape_;
};

class Reader {
 public:
  explicit Reader(std::string_view tape) : tape_(tape) {}

  Value read() {
    switch (static_cast<Tag>(take(1)[0])) {
      case Tag::nothing:
        return {};
      case Tag::no:
        return false;
      case Tag::yes:
        return true;
      case Tag::number: {
        double number = 0;
        std::memcpy(&number, take(sizeof number).data(), sizeof number);
        return number;
      }
      case Tag::text:
        return text();
      case Tag::numbers:
        return numbers();
      case Tag::list:
        return list();
      case Tag::object:
        return object();
      case Tag::foreign:
        return Foreign{text()};
    }
    return {};
  }

 private:
  std::string_view take(std::size_t size) {
    const std::string_view taken = tape_.substr(0, size);
    tape_.remove_prefix(taken.size());
    return taken;
  }

  std::size_t count() {
    std::uint32_t count = 0;
    std::memcpy(&count, take(sizeof count).data(), sizeof count);
    return count;
  }

  std::string text() {
    const std::size_t size = count();
    return std::string(take(size));
  }

  Value numbers() {
    Value::Numbers numbers(count());
    std::memcpy(numbers.data(), take(numbers.size() * sizeof(double)).data(),
                numbers.size() * sizeof(double));
    return numbers;
  }

  Value list() {
    Value::List list(count());
    for (Value& item : list) item = read();
    return list;
  }

  Value object() {
    Value::Object members(count());
    for (Member& member : members) {
      member.name = text();
      member.value = read();
    }
    return members;
  }

  std::string_view tape_;
};

}  // namespace

void write(const Value& value, std::string& tape) {
  // Known beforehand: while it grew, a long tape would be copied again and again.
  tape.reserve(tape.size() + size_of(value));
  Writer(tape).write(value);
}

Value value_on(std::string_view tape) {
  return Reader(tape).read();
}

}  // namespace commcost
