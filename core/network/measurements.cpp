#include "core/network/measurements.h"

#include <cmath>

#include "core/base/number_text.h"

namespace commcost {
namespace {

constexpr double steps_an_octave = 128;
constexpr char first_letter = 35;
constexpr int letters = 90;

/// The digit of a letter: the printable characters from # on without ? and backslash, which would need
/// escapes.
int digit_of(char letter) {
  return letter - first_letter - (letter > '?' ? 1 : 0) - (letter > '\\' ? 1 : 0);
}

/// Takes a number off the front of `text`.
double take_number(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  const double number = parse_number(text.substr(0, end)).value_or(0);
  text.remove_prefix(end);
  return number;
}

}  // namespace

MeasuredPoints points_of(const PackedSeries& series) {
  MeasuredPoints points;
  std::string_view runs = series.sizes;
  while (!runs.empty()) {
    double size = take_number(runs);
    char how = 'x';
    double by = 0;
    if (!runs.empty() && runs[0] != 'x') {
      how = runs[0];
      runs.remove_prefix(1);
      by = take_number(runs);
    }
    if (!runs.empty()) runs.remove_prefix(1);  // the x
    const double count = take_number(runs);
    for (double i = 0; i < count; ++i) {
      points.message_size_bytes.push_back(size);
      size = how == '*' ? size * by : size + by;
    }
    if (!runs.empty()) runs.remove_prefix(1);  // the blank
  }
  int code = 0;
  for (std::size_t i = 0; i + 1 < series.times.size(); i += 2) {
    code += digit_of(series.times[i]) * letters + digit_of(series.times[i + 1]) - letters * letters / 2;
    points.time_us.push_back(std::exp2(code / steps_an_octave));
  }
  return points;
}

}  // namespace commcost
