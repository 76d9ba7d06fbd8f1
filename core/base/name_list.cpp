#include "core/base/name_list.h"

#include <algorithm>

#include "core/base/letters.h"

namespace commcost {

std::string_view first_name(std::string_view names) {
  return names.substr(0, names.find(' '));
}

std::string_view names_behind_first(std::string_view names) {
  names.remove_prefix(std::min(names.size(), first_name(names).size() + 1));
  return names;
}

bool names_one_of(std::string_view names, std::string_view name) {
  const auto same = [](char a, char b) { return lower(a) == lower(b); };
  while (!names.empty()) {
    const std::string_view one = first_name(names);
    if (std::equal(one.begin(), one.end(), name.begin(), name.end(), same)) return true;
    names = names_behind_first(names);
  }
  return false;
}

std::string in_words(std::span<const std::string_view> names, std::string_view last) {
  std::string text;
  for (std::size_t at = 0; at < names.size(); ++at) {
    if (at > 0) text += at + 1 == names.size() ? last : ", ";
    text += names[at];
  }
  return text;
}

}  // namespace commcost
