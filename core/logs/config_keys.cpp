#include "core/logs/config_keys.h"

#include <algorithm>
#include <cmath>

#include "core/base/number_text.h"

namespace commcost {
namespace {

constexpr double greatest_size = 4294967296;

}  // namespace

std::string digits_of(std::int64_t number) {
  return text_of(static_cast<double>(number));
}

const Value* ConfigKeys::member(std::string_view name) const {
  const Value* found = &config_;
  while (found != nullptr && !name.empty()) {
    const std::size_t point = name.find('.');
    found = found->find(name.substr(0, point));
    name.remove_prefix(point == std::string_view::npos ? name.size() : point + 1);
  }
  return found;
}

const Value* ConfigKeys::find(std::string_view name) const {
  const Value* found = member(name);
  return found == nullptr || found->empty() ? nullptr : found;
}

bool ConfigKeys::has(ConfigNames names) const {
  return std::any_of(names.begin(), names.end(),
                     [this](std::string_view name) { return member(name) != nullptr; });
}

std::string_view ConfigKeys::given(ConfigNames names) const {
  for (const std::string_view name : names)
    if (find(name) != nullptr) return name;
  return {};
}

// Widths and counts may be lists, a number a layer.
std::optional<double> ConfigKeys::mean_of(std::string_view name, const Value& found) {
  if (found.number() != nullptr) return *found.number();
  if (found.list() == nullptr || found.list()->empty()) return {};
  double sum = 0;
  bool same = true;
  for (const Value& one : *found.list()) {
    if (one.number() == nullptr) return {};
    sum += *one.number();
    same = same && *one.number() == *found.list()->front().number();
  }
  const double mean = std::round(sum / static_cast<double>(found.list()->size()));
  if (!same) remark(name, "differs between layers; all have the mean, " + text_of(mean));
  return mean;
}

std::int64_t ConfigKeys::whole_of(std::string_view name, const Value& found, std::int64_t least) {
  const std::optional<double> number = mean_of(name, found);
  if (number && *number >= static_cast<double>(least) && *number <= greatest_size &&
      *number == std::floor(*number)) {
    return static_cast<std::int64_t>(*number);
  }
  refuse(name, "must be a whole number of at least " + digits_of(least) + "; got " + text_of(found));
  return least;
}

std::optional<std::int64_t> ConfigKeys::whole(ConfigNames names, std::int64_t least) {
  const std::string_view name = given(names);
  if (name.empty()) return {};
  return whole_of(name, *find(name), least);
}

std::int64_t ConfigKeys::whole(std::string_view name, std::int64_t least, std::int64_t otherwise) {
  return whole(ConfigNames(&name, 1), least).value_or(otherwise);
}

std::int64_t ConfigKeys::optional(ConfigNames names, std::int64_t least, std::int64_t usual) {
  if (const auto number = whole(names, least)) return *number;
  if (has(names)) return 0;
  if (usual != 0)
    remark(names.front(), "isn't given; " + digits_of(usual) + ", the default of this model_type");
  return usual;
}

std::int64_t ConfigKeys::needed(ConfigNames names, std::int64_t usual) {
  if (given(names).empty() && (usual == 0 || has(names))) {
    refuse(names.front(), "is missing");
    return 1;
  }
  return optional(names, 1, usual);
}

bool ConfigKeys::flag(std::string_view name, bool otherwise) {
  const Value* found = find(name);
  if (found == nullptr) return otherwise;
  if (found->flag() != nullptr) return *found->flag();
  refuse(name, "must be true or false; got " + text_of(*found));
  return otherwise;
}

void ConfigKeys::refuse(std::string_view key, const std::string& why) {
  problems_.push_back({"config", ProblemCode::malformed, "config.json: " + std::string(key) + " " + why,
                       "a config.json of transformers"});
}

}  // namespace commcost
