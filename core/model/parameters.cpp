#include "core/model/parameters.h"

namespace commcost {

Parameters parameters_of(const ModelShape& shape, const MatrixRanks& ranks) {
  Parameters count;
  const auto in_attention = [](const Matrix& matrix) {
    return matrix.part == MatrixPart::query_key_value || matrix.part == MatrixPart::attention_output;
  };
  const LayerMatrices dense = layer_matrices(shape, LayerKind::dense, ranks);
  for (const Matrix& matrix : dense) {
    (in_attention(matrix) ? count.attention : count.mlp) += matrix.parameters();
  }
  count.norm = dense.norms;
  if (has_experts(shape)) {
    for (const Matrix& matrix : layer_matrices(shape, LayerKind::moe, ranks)) {
      if (matrix.part == MatrixPart::router) count.router += matrix.parameters();
      if (matrix.owner == MatrixOwner::routed_expert) count.expert += matrix.size();
      if (matrix.owner == MatrixOwner::shared_expert) count.shared_experts += matrix.parameters();
    }
  }
  const auto hidden = static_cast<double>(shape.hidden_size);
  count.embedding = head_matrix(shape, ranks.tensor).parameters();
  count.positions = static_cast<double>(shape.num_positions) * hidden;
  count.final_norm = norm_parameters(shape);
  count.lm_head = shape.tied_embeddings ? 0 : count.embedding;
  count.total = count.embedding + count.positions + count.final_norm + count.lm_head +
                over_layers(shape, [&](LayerKind kind) { return layer_parameters(count, shape, kind); });
  const double unvisited = static_cast<double>(shape.num_experts - shape.experts_per_token) * count.expert;
  count.active = count.total - static_cast<double>(expert_layers(shape)) * unvisited;
  return count;
}

double layer_parameters(const Parameters& parameters, const ModelShape& shape, LayerKind kind) {
  const double everywhere = parameters.attention + parameters.norm;
  if (kind == LayerKind::dense) return everywhere + parameters.mlp;
  return everywhere + parameters.shared_experts + parameters.router +
         static_cast<double>(shape.num_experts) * parameters.expert;
}

}  // namespace commcost
