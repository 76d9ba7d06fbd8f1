#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/model/shape.h"
#include "core/model/work.h"

namespace commcost {

/// How rotary positions are stretched beyond the sequences of the first training.
enum class RotaryScaling : std::uint8_t { none, llama3, yarn };

/// The settings of a model's rotary positions.
struct RotaryPositions {
  std::int64_t base = 0;                        ///< 0: not known here, or the model has none
  RotaryScaling scaling = RotaryScaling::none;  ///< where the base is known
  std::int64_t factor = 1;                      ///< of the scaling
};

/// A published model: its shape and where it was read.
struct ModelRow {
  std::string_view id;                ///< as in links and calls, such as "llama-3.1-405b"
  std::string_view name;              ///< as written, such as "Llama 3.1 405B"
  std::string_view family;            ///< models that are listed together
  std::string_view hub_ids{};         ///< its repositories on huggingface.co, a space between them
  std::string_view model_type{};      ///< in its configuration; empty: others of its shape have it
  double hub_weight_bytes = 2;        ///< of a layer's weight there, scales included
  ModelShape shape;                   ///< what it is made of
  RotaryPositions rotary = {};        ///< of the same source
  std::int64_t context_length;        ///< tokens it was made for
  double published_params_billion;    ///< parameters in billions, as published
  double published_tolerance = 0.01;  ///< relative: rounding, and parts that a shape leaves out
  std::string_view source;            ///< where the shape comes from
};

/// What its published checkpoint multiplies in: 8-bit weights in FP8, others in the precision they are kept
/// in.
MatmulPrecision hub_products(const ModelRow& model);

/// Every model, by family, small to large.
std::span<const ModelRow> all_models();

/// The model of that id, or null.
const ModelRow* find_model(std::string_view id);

/// The model of a repository on huggingface.co, whatever its case, or null.
const ModelRow* find_model_of_hub(std::string_view repository);

/// The same whoever owns the repository: by what follows the slash.
const ModelRow* find_model_of_copy(std::string_view name);

}  // namespace commcost
