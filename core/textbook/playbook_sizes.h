#pragma once

#include <string_view>
#include <vector>

#include "core/model/shape.h"
#include "core/model/work.h"

namespace commcost {

/// The rows of the Ultra-Scale Playbook's appendix A2.
enum class SizeQuantity {
  tokens,
  hidden_state,
  weight_matrix,
  weight_gradient,
  weight_optimizer,
  attention,
  mlp,
  layer,
  layers,
  embedding,
  lm_head,
  positions,
  parameters,
  gradients,
  optimizer,
  activations,
};
inline constexpr std::string_view size_quantity_names[] = {
    "tokens",     "hidden_state", "weight_matrix", "weight_gradient", "weight_optimizer", "attention",
    "mlp",        "layer",        "layers",        "embedding",       "lm_head",          "positions",
    "parameters", "gradients",    "optimizer",     "activations"};

/// How large one thing is: by the shape, and by A2's rule of thumb (16 h^2 a layer).
struct SizeRow {
  SizeQuantity thing;
  double elements = 0;                ///< exact, of this shape
  double bytes = 0;                   ///< as the work keeps them; 0 for a count of tokens
  double rule_of_thumb_elements = 0;  ///< as A2 prints it; optimizer states in elements of 2 bytes, as there
};

/// The table A2 for a model and a micro-batch, unsplit.
std::vector<SizeRow> model_sizes(const ModelShape& shape, const Work& work);

}  // namespace commcost
