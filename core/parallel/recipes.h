#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "core/hardware/accelerators.h"
#include "core/parallel/job.h"

namespace commcost {

/// What a stack is for.
enum class RecipeUse { training, serving };
inline constexpr std::string_view recipe_use_names[] = {"training", "serving"};

/// What selective recomputation repeats, as Work's flags of the same names.
struct Selection {
  bool attention_core = false;
  bool elementwise = false;
  bool latent_projections = false;
  bool products = false;
};

/// A stack's choices, in the fields of Work and Layout with the same names. The defaults are those of most of
/// today's stacks.
struct Choices {
  bool flash_attention = true;
  bool dropout = false;
  Selection selective{.attention_core = true};
  std::int64_t gradient_bytes_per_element = 4;
  bool grouped_experts = true;
  Fp8Scaling fp8_scaling = Fp8Scaling::tensor;
  bool overlap_tensor = false;
  bool overlap_tensor_forward = false;
  bool overlap_data = true;
  bool overlap_param_gather = true;
  bool regather_input = false;
  bool balanced_stages = false;
  bool scatter_gather = false;
  bool overlap_expert = false;
  ContextScheme context_scheme = ContextScheme::ring;
  ExchangeKernel expert_exchange = ExchangeKernel::nccl;
  double dispatch_wire_bytes_per_element = 0;
  double combine_wire_bytes_per_element = 0;
};

/// The default settings of a training or serving stack.
struct Recipe {
  std::string_view id;       ///< as in links and calls, such as "megatron-core"
  std::string_view name;     ///< as written
  std::string_view version;  ///< of the stack, that the values are of
  RecipeUse use;             ///< which kind of step it runs
  Vendors runs_on;           ///< itself
  Vendors ported_to;         ///< by a fork or plugin
  Choices does;              ///< put into a job by fill()
  Stack stack;               ///< as fitted: `validation steps --fit`, `validation serving --fit`
  std::string_view source;   ///< where the values come from
};

/// How many recipes there are, and their ids in the order of all_recipes().
inline constexpr std::size_t recipe_count = 15;
extern const std::array<std::string_view, recipe_count> recipe_ids;
/// The index of the usual stack of each use.
inline constexpr std::size_t usual_training_recipe = 0;
inline constexpr std::size_t usual_serving_recipe = 10;

/// Every recipe, training first; the first of each use is the usual one.
std::span<const Recipe> all_recipes();

/// The recipe of that id, or null.
const Recipe* find_recipe(std::string_view id);

/// The default training recipe on that accelerator: the first that runs there.
std::size_t usual_training_recipe_on(const Accelerator& accelerator);

/// Puts the values of a recipe into a job.
void fill(Job& job, const Recipe& recipe);

}  // namespace commcost
