#include "core/logs/json_scanner.h"

#include "core/logs/json.h"

namespace commcost {
namespace {

// Of a key or a value; names of models are shorter.
constexpr std::size_t longest_scalar = 256;

// White space, a comma, or a byte of a byte order mark.
bool separates(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',' || c == ':' || c == '\xef' ||
         c == '\xbb' || c == '\xbf';
}

bool brackets(char c) {
  return c == '{' || c == '[' || c == '}' || c == ']' || c == '"';
}

}  // namespace

void JsonScanner::keep(char c) {
  if (scalar_.size() < longest_scalar) scalar_.push_back(c);
}

void JsonScanner::open_level(bool object) {
  if (levels_.empty()) {
    first_line_ = line_;
    path_.clear();
  } else if (!levels_.back().object) {
    path_.resize(levels_.back().path);
  }
  broken_ = levels_.size() >= static_cast<std::size_t>(deepest_json) ||
            (!levels_.empty() && levels_.back().awaits_key);
  if (!object) path_ += "[]";
  levels_.push_back({object, object, path_.size()});
}

bool JsonScanner::close_level(bool object) {
  if (levels_.empty() || levels_.back().object != object) {
    broken_ = true;
    return false;
  }
  path_.resize(levels_.back().path);
  levels_.pop_back();
  found_ = {JsonPlace::Kind::end_of_one, path_, {}};
  return object;
}

bool JsonScanner::ends_scalar(char c) const {
  return !in_text_ && !scalar_.empty() && (separates(c) || brackets(c));
}

// A key goes into the path; a value is passed on, except a number in a list.
bool JsonScanner::end_of_scalar(JsonPlace::Kind kind) {
  told_.swap(scalar_);
  scalar_.clear();
  if (levels_.empty()) {
    broken_ = true;
    return false;
  }
  Level& level = levels_.back();
  if (level.awaits_key) {
    broken_ = kind != JsonPlace::Kind::text;
    path_.resize(level.path);
    if (level.path > 0) path_ += '.';
    path_ += told_;
    level.awaits_key = false;
    return false;
  }
  if (!level.object) {
    if (kind == JsonPlace::Kind::number) return false;
    path_.resize(level.path);
  }
  found_ = {kind, path_, told_};
  return true;
}

bool JsonScanner::next_of_text(char c) {
  if (escaped_) {
    escaped_ = false;
    keep(c == 'n' || c == 't' || c == 'r' || c == 'u' ? '?' : c);
  } else if (c == '\\') {
    escaped_ = true;
  } else if (c == '"') {
    in_text_ = false;
    return end_of_scalar(JsonPlace::Kind::text);
  } else {
    keep(c);
  }
  return false;
}

bool JsonScanner::next(char c) {
  if (c == '\n') ++line_;
  if (in_text_) return next_of_text(c);
  switch (c) {
    case '{':
    case '[':
      open_level(c == '{');
      return false;
    case '}':
    case ']':
      return close_level(c == '}');
    case '"':
      in_text_ = true;
      return false;
    case ',':
      if (!levels_.empty()) levels_.back().awaits_key = levels_.back().object;
      return false;
    default:
      if (!separates(c)) keep(c);
      return false;
  }
}

}  // namespace commcost
