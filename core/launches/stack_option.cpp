#include "core/launches/stack_option.h"

#include <algorithm>
#include <cmath>

#include "core/base/number_text.h"

namespace commcost {

std::optional<std::int64_t> whole_in(std::string_view value) {
  constexpr double most = 1e15;
  if (value.find_first_of(",'") != std::string_view::npos) return std::nullopt;
  const auto number = parse_number(value);
  if (!number || *number != std::floor(*number) || !(std::abs(*number) <= most)) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

Taken take_offloaded_share(LaunchedJob& launched, std::string_view share) {
  const auto number = parse_number(share);
  if (!number || !(*number >= 0 && *number <= 1)) return Taken::no;
  double& percent = launched.job.work.offloaded_optimizer_percent;
  if (percent == 0) return Taken::silent;
  // As it was, of up to eight decimals.
  percent = std::round(*number * 1e10) / 1e8;
  return Taken::yes;
}

std::string share_of(double percent) {
  return text_of(percent / 100);
}

std::string text_of_whole(std::int64_t number) {
  return text_of(static_cast<double>(number));
}

Taken take_tensor_overlap(LaunchedJob& launched, std::string_view value) {
  const auto is = switch_in(value);
  if (!is) return Taken::no;
  launched.job.layout.overlap_tensor = launched.job.layout.overlap_tensor_forward = *is;
  return Taken::yes;
}

std::string true_or_false(bool is) {
  return is ? "true" : "false";
}

std::optional<bool> switch_in(std::string_view value) {
  constexpr std::string_view on[] = {"", "true", "True", "1", "yes", "on"};
  constexpr std::string_view off[] = {"false", "False", "0", "no", "off"};
  const auto is = [value](std::string_view word) { return word == value; };
  if (std::any_of(std::begin(on), std::end(on), is)) return true;
  if (std::any_of(std::begin(off), std::end(off), is)) return false;
  return std::nullopt;
}

}  // namespace commcost
