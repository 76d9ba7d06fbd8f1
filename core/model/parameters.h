#pragma once

#include "core/model/matrices.h"

namespace commcost {

/// The parameters of a model by where they sit, in elements: matrices, norms, and biases where the shape has
/// them.
struct Parameters {
  double embedding = 0;       ///< token embedding, V h
  double positions = 0;       ///< learned positions
  double attention = 0;       ///< attention of one layer
  double norm = 0;            ///< the norms of one layer: two, and those of the latents
  double mlp = 0;             ///< MLP of one layer without experts
  double expert = 0;          ///< one routed expert
  double shared_experts = 0;  ///< shared experts of one layer with experts
  double router = 0;          ///< router of one layer with experts
  double final_norm = 0;      ///< norm before the LM head
  double lm_head = 0;         ///< V h, 0 where tied
  double total = 0;           ///< the whole model
  double active = 0;          ///< those that one token meets
};

/// Counts a completed shape: 12 h^2 + 13 h a layer for the classic shape (arXiv:2104.04473, section 5.1), 16
/// h^2 with a gate of width 4 h (Ultra-Scale Playbook, A2); latent attention as DeepSeek-V3
/// (arXiv:2412.19437, section 2.1.1). With ranks: what one of them holds of each.
Parameters parameters_of(const ModelShape& shape, const MatrixRanks& ranks = {});

/// Parameters of one layer with routed experts, all of them counted, or of one without.
double layer_parameters(const Parameters& parameters, const ModelShape& shape, LayerKind kind);

}  // namespace commcost
