#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace commcost {

/// An item that JsonScanner passes.
struct JsonPlace {
  enum class Kind : std::uint8_t {
    number,     ///< or true, false, null, NaN, Infinity: `text` spells it
    text,       ///< a string
    end_of_one  ///< of an object
  };
  Kind kind = Kind::number;
  std::string_view path;  ///< keys from the outermost value on, as "a.b"; of a list's elements, "a[].b"
  std::string_view text;  ///< cut short where it is long
};

/// Scans the values of JSON texts that follow one another, in pieces that may end anywhere, and keeps none of
/// them: files of any length take the same memory. Numbers in lists, and anything nested deeper than
/// deepest_json, are skipped.
class JsonScanner {
 public:
  /// Calls `take(place)` for each; nothing more once the text is not JSON.
  template <class Take>
  void read(std::string_view piece, const Take& take) {
    for (const char c : piece) {
      if (broken_) return;
      if (ends_scalar(c) && end_of_scalar(JsonPlace::Kind::number)) take(found_);
      if (next(c)) take(found_);
    }
  }

  /// Whether it is JSON so far.
  bool good() const { return !broken_; }
  /// Whether a value has begun and not ended.
  bool open() const { return !levels_.empty() || in_text_ || !scalar_.empty(); }
  /// The line that was reached, from 1.
  double line() const { return line_; }
  /// The line on which the outermost value began.
  double first_line() const { return first_line_; }

 private:
  struct Level {
    bool object;
    bool awaits_key;
    std::size_t path;  // its length at this level
  };

  bool ends_scalar(char c) const;
  bool next(char c);
  bool next_of_text(char c);
  bool end_of_scalar(JsonPlace::Kind kind);
  void open_level(bool object);
  bool close_level(bool object);
  void keep(char c);

  std::vector<Level> levels_;
  std::string path_;
  std::string scalar_;  // as far as it was read
  std::string told_;    // the previous one, which the last item refers to
  bool in_text_ = false;
  bool escaped_ = false;
  bool broken_ = false;
  double line_ = 1;
  double first_line_ = 1;
  JsonPlace found_;
};

}  // namespace commcost
