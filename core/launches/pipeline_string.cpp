#include "core/launches/pipeline_string.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

#include "core/base/number_text.h"
#include "core/launches/stack_option.h"
#include "core/parallel/stage_share.h"

namespace commcost {
namespace {

// Longer than any model is deep.
constexpr std::size_t longest_pipeline = 65536;

// The times that something is repeated, behind its *; 1 where there is none.
std::optional<std::size_t> repetitions(std::string_view& rest) {
  if (!rest.starts_with('*')) return 1;
  rest.remove_prefix(1);
  const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  const auto times = whole_in(rest.substr(0, digits));
  if (!times || *times < 1 || static_cast<std::size_t>(*times) > longest_pipeline) return std::nullopt;
  rest.remove_prefix(digits);
  return static_cast<std::size_t>(*times);
}

// The string with all that is repeated written out.
std::optional<std::string> written_out(std::string_view rest) {
  std::string all;
  while (!rest.empty()) {
    std::string_view part = rest.substr(0, 1);
    if (part == "(") {
      const std::size_t end = rest.find(')');
      if (end == std::string_view::npos) return std::nullopt;
      part = rest.substr(1, end - 1);
      rest.remove_prefix(end + 1);
    } else {
      rest.remove_prefix(1);
    }
    const auto times = repetitions(rest);
    if (!times || part.find_first_not_of("EtmL|") != std::string_view::npos) return std::nullopt;
    if (all.size() + part.size() * *times > longest_pipeline) return std::nullopt;
    for (std::size_t time = 0; time < *times; ++time) all += part;
  }
  return all;
}

}  // namespace

std::string pipeline_string(const Job& job) {
  const Layout& layout = job.layout;
  const StageLayers dealt = stage_share(job).dealt;
  const auto between = static_cast<double>(layout.pipeline_parallel - 2);
  const auto longer =
      static_cast<std::int64_t>(std::lround((dealt.inner - std::floor(dealt.inner)) * between));
  const std::int64_t chunks = layout.virtual_stages;
  const auto most = static_cast<std::int64_t>(std::max({dealt.first, dealt.inner, dealt.last}));
  const std::int64_t chunk = (most + chunks - 1) / chunks;
  std::string entries = "E";
  for (std::int64_t round = 0; round < chunks; ++round) {
    for (std::int64_t stage = 0; stage < layout.pipeline_parallel; ++stage) {
      const double share = stage == 0                              ? dealt.first
                           : stage == layout.pipeline_parallel - 1 ? dealt.last
                                                                   : dealt.inner + (stage <= longer ? 1 : 0);
      const auto layers = static_cast<std::int64_t>(share);
      const std::int64_t here =
          layers % chunks == 0 ? layers / chunks : std::clamp(layers - round * chunk, std::int64_t{0}, chunk);
      if (round + stage > 0) entries += '|';
      entries.append(static_cast<std::size_t>(here), 't');
    }
  }
  return entries + "L";
}

std::optional<StringLayers> layers_of_stages(std::string_view text, std::int64_t stages) {
  const auto all = written_out(text);
  if (!all || stages < 1) return std::nullopt;
  const std::int64_t pieces = std::count(all->begin(), all->end(), '|') + 1;
  if (pieces % stages != 0) return std::nullopt;
  std::vector<std::int64_t> layers(static_cast<std::size_t>(stages));
  std::size_t piece = 0;
  for (const char entry : *all) {
    if (entry == '|') ++piece;
    if (entry == 't') ++layers[piece % layers.size()];
  }
  StringLayers said{pieces / stages, layers.front(), static_cast<double>(layers.front()), layers.back()};
  if (layers.size() == 2 || layers.size() == 1) return said;
  const auto first = layers.begin() + 1;
  const auto end = layers.end() - 1;
  said.inner =
      static_cast<double>(std::accumulate(first, end, std::int64_t{0})) / static_cast<double>(end - first);
  const std::int64_t more = *first - *(end - 1);
  const bool falls = more == 1 && std::is_sorted(layers.begin(), layers.end(), std::greater<>());
  const bool alike = std::all_of(first, end, [&](std::int64_t one) { return one == *first; });
  return alike || falls ? std::optional(said) : std::nullopt;
}

}  // namespace commcost
