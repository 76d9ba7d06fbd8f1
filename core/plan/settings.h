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

/// Software options that a search may decide: inputs of a step, by their names.
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

/// One setting: its place in a job, and what may be tried.
struct Setting {
  std::string_view name;
  std::int64_t (*of)(const Job& job);
  void (*put)(Job& job, std::int64_t value);
  std::vector<std::int64_t> (*others)(const Job& job);  ///< values that differ in meaning from the job's own
  bool (*matters)(const Job& job);  ///< whether any other value changes the step of a completed job
  bool (*differs)(const Job& job) =
      nullptr;  ///< whether its own value differs in meaning from another that is tried; null: always
};
std::span<const Setting> all_settings();

/// The most combinations of values that a search tries.
inline constexpr std::size_t most_combinations = 64;

/// A job with one value of each setting that is searched.
struct Combination {
  Job job;
  std::vector<std::size_t> changed;  ///< places of settings whose value is not the given one
};

/// Everything that the stack has and the hardware can run: first the combination that is given, then those
/// with more and more changes.
std::vector<Combination> all_combinations(const PlanInputs& inputs);

/// Whether every change of a combination affects a completed job; if one does not, the combination without it
/// is the same.
bool all_matter(const Combination& combination, const Job& job);
/// Whether they may with some schedule, micro-batch, recomputation and ZeRO stage, with the degrees as they
/// are.
bool all_may_matter(const Combination& combination, const Job& job);

/// A searched setting, and the values tried.
struct SearchedSetting {
  std::size_t place;                 ///< among all settings
  std::vector<std::int64_t> values;  ///< the given value, then others that stack and hardware have
  std::vector<std::int64_t> lacked;  ///< others that the hardware has and the stack lacks
  std::string reason;                ///< why there are no others; empty where there are
};
std::vector<SearchedSetting> searched_settings(const PlanInputs& inputs);

/// The problem that more combinations are asked for than are tried; empty if they are not.
Problems combination_problems(const PlanInputs& inputs);

}  // namespace commcost
