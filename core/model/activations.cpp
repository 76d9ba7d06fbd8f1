#include "core/model/activations.h"

#include "core/model/recomputation.h"

namespace commcost {
namespace {

// Elements of a token that the attention core keeps of its inputs.
double kept_by_core(const LayerMatrices& layer, const Work& work) {
  double outputs = 0;
  double again = 0;
  for (const Matrix& matrix : layer) {
    if (matrix.part != MatrixPart::query_key_value || matrix.split != MatrixSplit::column) continue;
    outputs += matrix.outputs;
    again += recomputed_share(matrix, layer, work) * matrix.outputs;
  }
  // Keys from latents have a rotated part, put to each head's, that no projection up writes.
  return again > 0 && layer.attention.latents > 0 ? outputs - again : layer.attention.all() - again;
}

}  // namespace

LayerActivations layer_activations(const ModelShape& shape, const Work& work, const ActivationSplit& split,
                                   LayerKind kind) {
  return layer_activations(shape, work, split, layer_matrices(shape, kind, split.ranks));
}

LayerActivations layer_activations(const ModelShape& shape, const Work& work, const ActivationSplit& split,
                                   const LayerMatrices& layer) {
  const double local_tokens = tokens(work) / split.context_parallel;
  const auto element = static_cast<double>(work.bytes_per_element);
  const auto hidden = static_cast<double>(shape.hidden_size);
  const double mask = work.dropout ? 1 : 0;
  // What lies between the matrices is whole on every tensor rank, unless they share the sequence.
  const double between = split.between();

  LayerActivations kept;
  if (recomputes_all(work)) {
    kept.attention = element * local_tokens * hidden * between;
    return kept;
  }
  const bool elementwise = recomputes(work, &Work::recompute_elementwise);
  double attention = kept_by_core(layer, work) + layer.attention.latents * between;
  double mlp = 0;
  // A product in fewer bits keeps its input so, for the weight gradient.
  const double operand = operand_bytes(work.matmul_precision);
  const double as_multiplied = operand > 0 && operand < element ? operand / element : 1;
  const double given = work.activation_bytes_per_element / element;
  const double input = given > 0 ? given : as_multiplied;
  for (const Matrix& matrix : layer) {
    const bool in_attention =
        matrix.part == MatrixPart::query_key_value || matrix.part == MatrixPart::attention_output;
    double& width = in_attention ? attention : mlp;
    const bool routed = matrix.owner == MatrixOwner::routed_expert;
    const double passes = matrix.passes() * (routed ? busiest_experts(work) : 1);
    if (!matrix.shares_input && !(elementwise && reads_elementwise(matrix))) {
      const double own = matrix.split == MatrixSplit::row ? 1 : routed ? split.brought() : between;
      width += input * matrix.inputs * passes * own;
    }
    // The activation function keeps what it reads.
    if (matrix.part == MatrixPart::mlp_in)
      width +=
          (given > 0 ? given : 1) * matrix.outputs * passes * (1 - recomputed_share(matrix, layer, work));
  }
  // Dropout follows both sublayers.
  kept.attention = local_tokens * (element * attention + mask * hidden * between);
  kept.mlp = local_tokens * (element * mlp + mask * hidden * between);
  kept.norm = 2 * element * local_tokens * hidden * between;
  if (!recomputes(work, &Work::recompute_attention_core) && !work.flash_attention) {
    const double scores = local_tokens * static_cast<double>(work.sequence_length) * layer.attention.heads;
    kept.attention_core = scores * (work.dropout ? 2 * element + mask : element);
  }
  return kept;
}

double rule_of_thumb_activations(const ModelShape& shape, const Work& work, const ActivationSplit& split) {
  ModelShape classic;
  classic.num_layers = shape.num_layers;
  classic.hidden_size = shape.hidden_size;
  classic.num_heads = shape.num_heads;
  classic = completed(classic);
  Work classic_work = work;
  classic_work.bytes_per_element = 2;
  classic_work.dropout = true;
  classic_work.recompute_attention_core = true;
  classic_work.recompute_elementwise = false;
  classic_work.recompute_products = false;
  const LayerActivations layer = layer_activations(classic, classic_work, split, LayerKind::dense);
  return static_cast<double>(shape.num_layers) * layer.total();
}

}  // namespace commcost
