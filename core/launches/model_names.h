#pragma once

#include <span>
#include <string_view>

#include "core/model/catalog.h"

namespace commcost {

/// Names of a model of the catalogue in stacks; empty: it has no name there.
struct ModelNames {
  std::string_view id;                 ///< in the catalogue
  std::string_view torchtitan_module;  ///< whose config_registry has it
  std::string_view torchtitan_config;  ///< function there
  std::string_view bridge_recipe;      ///< function of Megatron-Bridge's recipes
};

/// The names of a model; null where none are known.
const ModelNames* names_of(const ModelRow* model);

/// The model that has `name` as one of its names; null: none has.
const ModelRow* model_named(std::string_view name, std::string_view ModelNames::*kind);

}  // namespace commcost
