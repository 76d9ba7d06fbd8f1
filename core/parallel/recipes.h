#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "core/parallel/serving_pace.h"
#include "core/parallel/setting.h"

namespace commcost {

/// What a stack is for.
enum class RecipeUse { training, serving };
inline constexpr std::string_view recipe_use_names[] = {"training", "serving"};

/// What a training or serving stack does where nobody says otherwise: values for those fields of work and
/// layout that fill() names.
struct Recipe {
  std::string_view id;       ///< as in links and calls, such as "megatron-core"
  std::string_view name;     ///< as written
  std::string_view version;  ///< of the stack, that the values are of
  RecipeUse use;             ///< which kind of step it runs
  Work work;                 ///< read by fill() alone
  Layout layout;             ///< read by fill() alone
  Pace pace;                 ///< as fitted: `validation steps --fit`
  ServingPace serving;       ///< of a serving stack, as fitted: `validation serving --fit`
  std::string_view source;   ///< where the values come from
};

/// How many recipes there are, and their ids in the order of all_recipes().
inline constexpr std::size_t recipe_count = 13;
extern const std::array<std::string_view, recipe_count> recipe_ids;
/// Where the usual stack of each use stands among them.
inline constexpr std::size_t usual_training_recipe = 0;
inline constexpr std::size_t usual_serving_recipe = 8;

/// Every recipe, training first; the first of each use is the usual one.
std::span<const Recipe> all_recipes();

/// The recipe of that id, or null.
const Recipe* find_recipe(std::string_view id);

/// Puts the values of a recipe into a setting.
void fill(Setting& setting, const Recipe& recipe);

/// Puts those values of another setting into one.
void copy_stack(const Setting& from, Setting& to);

}  // namespace commcost
