#pragma once

#include "core/calculator/filled_fields.h"
#include "core/calculator/layout_fields.h"
#include "core/calculator/model_shape_fields.h"
#include "core/calculator/pace_fields.h"
#include "core/calculator/work_fields.h"
#include "core/model/model_rows.h"
#include "core/parallel/recipes.h"

// A model, what it works on and how that is spread: the inputs that every calculation of a step shares, with
// the presets that fill them.
namespace commcost {

namespace detail {

inline void fill_shape(void* shape, std::size_t model) {
  *static_cast<ModelShape*>(shape) = all_models()[model].shape;
}

inline void fill_recipe(void* setting, std::size_t recipe) {
  fill(*static_cast<Setting*>(setting), all_recipes()[recipe]);
}

}  // namespace detail

inline constexpr InputField model_field[] = {preset<detail::fill_shape>(
    "model", model_ids, "Model, an id in model_catalog; fills in the shape where it is not given")};

inline constexpr InputField recipe_field[] = {
    preset<detail::fill_recipe>("recipe", recipe_ids,
                                "Software stack, an id in recipe_catalog; fills in its settings")
        .labelled("Software")
        .or_default(0)};

/// The fields of a Setting, a base of `Inputs`.
template <class Inputs>
inline constexpr FieldGroup setting_groups[] = {
    group<Inputs, Setting>(recipe_field),
    {model_field, [](void* inputs) -> void* { return &static_cast<Inputs*>(inputs)->shape; }},
    {model_shape_fields, [](void* inputs) -> void* { return &static_cast<Inputs*>(inputs)->shape; }},
    {work_fields, [](void* inputs) -> void* { return &static_cast<Inputs*>(inputs)->work; }},
    {recipe_work_fields, [](void* inputs) -> void* { return &static_cast<Inputs*>(inputs)->work; }},
    {layout_fields, [](void* inputs) -> void* { return &static_cast<Inputs*>(inputs)->layout; }},
    {recipe_layout_fields, [](void* inputs) -> void* { return &static_cast<Inputs*>(inputs)->layout; }},
    {pace_fields, [](void* inputs) -> void* { return &static_cast<Inputs*>(inputs)->pace; }},
};

}  // namespace commcost
