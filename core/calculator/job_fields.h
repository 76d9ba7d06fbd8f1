#pragma once

#include "core/calculator/filled_fields.h"
#include "core/calculator/job_part.h"
#include "core/calculator/layout_fields.h"
#include "core/calculator/model_shape_fields.h"
#include "core/calculator/stack_fields.h"
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

template <class Inputs>
void fill_named_shape(void* owner, std::size_t model) {
  auto& inputs = *static_cast<Inputs*>(owner);
  inputs.model = static_cast<int>(model);
  inputs.job.model = all_models()[model].shape;
}

inline void fill_recipe(void* job, std::size_t recipe) {
  fill(*static_cast<Job*>(job), all_recipes()[recipe]);
}

inline std::size_t usual_recipe_of(const void* job) {
  return usual_training_recipe_on(accelerator_of(static_cast<const Job*>(job)->machine));
}

}  // namespace detail

inline constexpr InputField model_field[] = {
    preset<detail::fill_shape>(
        "model", model_ids,
        "Model, an id in model_catalog or on huggingface.co; fills in the shape where it is not given")
        .or_as(model_hub_ids)};

/// The same for inputs that also keep which of the catalog it is.
template <class Inputs>
inline constexpr InputField named_model_field[] = {
    preset<detail::fill_named_shape<Inputs>>("model", model_ids, model_field[0].field.help)
        .or_as(model_hub_ids)};

inline constexpr InputField recipe_field[] = {
    preset<detail::fill_recipe>("recipe", recipe_ids,
                                "Software stack, an id in recipe_catalog; fills in its settings")
        .labelled("Software")
        .or_default(usual_training_recipe)};

/// A stack that trains, filled by the accelerator: the first that runs there.
inline constexpr InputField training_recipe_field[] = {
    preset<detail::fill_recipe>("recipe", std::span(recipe_ids).first(usual_serving_recipe),
                                "Software stack that trains, an id in recipe_catalog; fills in its settings")
        .labelled(recipe_field[0].field.label)
        .or_default(usual_training_recipe)
        .filled_by("accelerator")
        .usually(detail::usual_recipe_of)};

/// The fields of a job of `Inputs` but for its machine, which stand behind that's.
template <class Inputs>
inline constexpr FieldGroup job_groups[] = {
    of_job<Inputs>(training_recipe_field),
    of_job<Inputs, &Job::model>(model_field),
    of_job<Inputs, &Job::model>(model_shape_fields),
    of_job<Inputs, &Job::work>(work_fields),
    of_job<Inputs, &Job::work>(recipe_work_fields),
    of_job<Inputs, &Job::layout>(layout_fields),
    of_job<Inputs, &Job::layout>(recipe_layout_fields),
    of_job<Inputs, &Job::stack>(stack_fields),
};

}  // namespace commcost
