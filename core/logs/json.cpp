#include "core/logs/json.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>

#include "core/base/letters.h"
#include "core/base/number_text.h"

namespace commcost {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

void append_utf8(std::string& text, std::uint32_t code) {
  const auto byte = [&text](std::uint32_t bits) { text += static_cast<char>(bits); };
  if (code < 0x80) return byte(code);
  if (code < 0x800) {
    byte(0xc0 | code >> 6);
  } else {
    if (code < 0x10000) {
      byte(0xe0 | code >> 12);
    } else {
      byte(0xf0 | code >> 18);
      byte(0x80 | (code >> 12 & 0x3f));
    }
    byte(0x80 | (code >> 6 & 0x3f));
  }
  byte(0x80 | (code & 0x3f));
}

// The letter that a backslash turns the next one into; 0 if none of these.
char escaped(char c) {
  switch (c) {
    case '"':
    case '\\':
    case '/':
      return c;
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return 0;
  }
}

// Of the numbers that parse_number reads, those that JSON has: no plus, no needless 0 in front, digits on
// both sides of a point.
bool is_json_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || !is_digit(text[0])) return false;
  if (text.size() > 1 && text[0] == '0' && is_digit(text[1])) return false;
  const std::size_t behind_point = text.find('.') + 1;
  return behind_point == 0 || (behind_point < text.size() && is_digit(text[behind_point]));
}

bool is_high_unit(std::uint32_t unit) {
  return unit >= 0xd800 && unit < 0xdc00;
}
bool is_low_unit(std::uint32_t unit) {
  return unit >= 0xdc00 && unit < 0xe000;
}

// If several members have one name, the last one counts. By sorting: looking each up among those before it
// would take a minute for a file of 60,000.
void drop_repeated(Value::Object& members) {
  std::vector<std::size_t> by_name(members.size());
  std::iota(by_name.begin(), by_name.end(), std::size_t{0});
  std::stable_sort(by_name.begin(), by_name.end(), [&members](std::size_t one, std::size_t other) {
    return members[one].name < members[other].name;
  });
  std::vector<bool> repeated(members.size());
  bool any = false;
  for (std::size_t i = 1; i < by_name.size(); ++i) {
    if (members[by_name[i - 1]].name != members[by_name[i]].name) continue;
    repeated[by_name[i - 1]] = true;
    any = true;
  }
  if (!any) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (repeated[i]) continue;
    if (kept != i) members[kept] = std::move(members[i]);
    ++kept;
  }
  members.resize(kept);
}

class Parser {
 public:
  // A byte order mark is no part of the text.
  explicit Parser(std::string_view text) : text_(text), at_(text.starts_with("\xef\xbb\xbf") ? 3 : 0) {}

  bool whole(Value& value) {
    if (!element(value, 0)) return false;
    skip_space();
    return at_ == text_.size() || fail("nothing more");
  }
  /// What should have been at place(), if whole() was false.
  std::string_view wanted() const { return wanted_; }
  std::size_t line() const {
    return 1 + static_cast<std::size_t>(
                   std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n'));
  }
  std::string rest() const { return std::string(text_.substr(at_, 80)); }

 private:
  bool fail(std::string_view wanted) {
    if (wanted_.empty()) wanted_ = wanted;
    return false;
  }
  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }
  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool take(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  bool element(Value& value, int depth) {
    if (depth >= deepest_json) return fail("less nesting");
    skip_space();
    if (at_ >= text_.size()) return fail("a value");
    if (text_[at_] == '{') return object(value, depth);
    if (text_[at_] == '[') return list(value, depth);
    if (text_[at_] == '"') return text(value);
    if (take("true")) return value = Value(true), true;
    if (take("false")) return value = Value(false), true;
    if (take("null")) return value = Value(), true;
    return number(value);
  }

  bool object(Value& value, int depth) {
    Value::Object members;
    ++at_;
    if (take('}')) return value = Value(std::move(members)), true;
    do {
      skip_space();
      Member member;
      if (at_ >= text_.size() || text_[at_] != '"') return fail("a name in quotes");
      if (!quoted(member.name)) return false;
      if (!take(':')) return fail("a colon");
      if (!element(member.value, depth + 1)) return false;
      members.push_back(std::move(member));
    } while (take(','));
    if (!take('}')) return fail("a comma or }");
    drop_repeated(members);
    value = Value(std::move(members));
    return true;
  }

  bool list(Value& value, int depth) {
    Value::List elements;
    ++at_;
    if (take(']')) return value = Value(std::move(elements)), true;
    do {
      elements.emplace_back();
      if (!element(elements.back(), depth + 1)) return false;
    } while (take(','));
    if (!take(']')) return fail("a comma or ]");
    value = Value(std::move(elements));
    return true;
  }

  bool text(Value& value) {
    std::string read;
    if (!quoted(read)) return false;
    value = Value(std::move(read));
    return true;
  }

  bool number(Value& value) {
    const std::size_t from = at_;
    while (at_ < text_.size() &&
           std::string_view("+-.0123456789eE").find(text_[at_]) != std::string_view::npos)
      ++at_;
    const std::string_view spelled = text_.substr(from, at_ - from);
    const std::optional<double> read = is_json_number(spelled) ? parse_number(spelled) : std::nullopt;
    if (read && std::isfinite(*read)) return value = Value(*read), true;
    at_ = from;
    return fail(read ? "a smaller number" : "a value");
  }

  bool quoted(std::string& read) {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (static_cast<unsigned char>(text_[at_]) < 0x20) return fail("no control character in quotes");
      if (text_[at_] != '\\') {
        read += text_[at_];
      } else if (!escape(read)) {
        return false;
      }
    }
    if (at_ >= text_.size()) return fail("a closing quote");
    ++at_;
    return true;
  }

  // From the backslash to the last letter of its escape.
  bool escape(std::string& read) {
    if (++at_ >= text_.size()) return fail("an escape");
    if (const char plain = escaped(text_[at_]); plain != 0) return read += plain, true;
    if (text_[at_] != 'u') return fail("an escape");
    std::uint32_t code = 0;
    if (!unit(code)) return false;
    // Two units stand for a letter beyond the first 65,536.
    if (is_high_unit(code) && text_.substr(at_ + 1, 2) == "\\u") {
      const std::size_t before = at_;
      std::uint32_t low = 0;
      at_ += 2;
      if (!unit(low)) return false;
      if (is_low_unit(low)) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
      } else {
        at_ = before;  // an escape of its own
      }
    }
    append_utf8(read, is_high_unit(code) || is_low_unit(code) ? 0xfffd : code);
    return true;
  }

  bool unit(std::uint32_t& code) {
    for (int digit = 0; digit < 4; ++digit) {
      if (++at_ >= text_.size() || hex_digit(text_[at_]) < 0) return fail("four hexadecimal digits");
      code = code << 4 | static_cast<std::uint32_t>(hex_digit(text_[at_]));
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_;
  std::string_view wanted_;
};

}  // namespace

Outcome<Value> parse_json(std::string_view field, std::string_view text) {
  Parser parser(text);
  Value value;
  if (parser.whole(value)) return value;
  const std::string where = "line " + text_of(static_cast<double>(parser.line()));
  const std::string rest = parser.rest();
  return Problem{std::string(field), ProblemCode::malformed,
                 std::string(field) + " must be JSON: " + where + " needs " + std::string(parser.wanted()) +
                     (rest.empty() ? " at its end" : " before: " + text_of(Value(rest))),
                 "JSON"};
}

}  // namespace commcost
