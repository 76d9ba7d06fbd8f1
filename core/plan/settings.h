#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/problem.h"
#include "core/plan/space.h"

namespace commcost {

/// What the software may do in more than one way, and a search may decide: inputs of a step, by their names.
inline constexpr std::string_view setting_names[] = {
    "matmul_precision",
    "gradient_bytes_per_element",
    "expert_exchange",
    "context_scheme",
    "overlap_tensor",
    "overlap_tensor_forward",
    "overlap_data",
    "overlap_param_gather",
    "overlap_expert",
    "recompute_attention_core",
    "recompute_elementwise",
    "recompute_latent_projections",
    "recomputed_layers",
    "offloaded_layers",
    "offloaded_optimizer_percent",
    "cuda_graphs",
};

/// One of them: where a job holds it, and what may be tried.
struct Setting {
  std::string_view name;
  std::int64_t (*of)(const Job& job);
  void (*put)(Job& job, std::int64_t value);
  std::vector<std::int64_t> (*others)(
      const Job& job);              ///< values that mean something else than the job's own
  bool (*matters)(const Job& job);  ///< whether any other value changes the step of a completed job
  bool (*differs)(const Job& job) =
      nullptr;  ///< whether its own value means something else than another that is tried; null: always
};
std::span<const Setting> all_settings();

/// Most combinations of values that a search tries.
inline constexpr std::size_t most_combinations = 64;

/// A job with one value of each setting that is searched.
struct Combination {
  Job job;
  std::vector<std::size_t> changed;  ///< settings whose value is not the one that was given, by their places
};

/// All that the stack has and the hardware can run: first the one that is given, then those that change more
/// and more of it.
std::vector<Combination> all_combinations(const PlanInputs& inputs);

/// Whether every change of a combination has an effect on a completed job; where one has none, the
/// combination without it is the same.
bool all_matter(const Combination& combination, const Job& job);
/// Whether they may with some schedule, micro-batch, recomputation and ZeRO stage, the degrees as they are.
bool all_may_matter(const Combination& combination, const Job& job);

/// A searched setting, and what is tried of it.
struct SearchedSetting {
  std::size_t place;                 ///< among all settings
  std::vector<std::int64_t> values;  ///< the one that is given, then others that stack and hardware have
  std::vector<std::int64_t> lacked;  ///< others that the hardware has and the stack lacks
  std::string reason;                ///< why there are no others; empty where there are
};
std::vector<SearchedSetting> searched_settings(const PlanInputs& inputs);

/// That more combinations are asked for than are tried; empty where they are not.
Problems combination_problems(const PlanInputs& inputs);

}  // namespace commcost
