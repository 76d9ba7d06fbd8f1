#include "core/model/activations.h"

#include <algorithm>

#include "core/model/recomputation.h"

namespace commcost {
namespace {

// Elements per token that the attention core keeps of its inputs.
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

double LayerActivations::total() const {
  return of(Sublayer::attention) + of(Sublayer::mlp);
}

double LayerActivations::of(Sublayer sublayer) const {
  double bytes = 0;
  for (const Activation& activation : *this)
    if (activation.sublayer == sublayer) bytes += activation.bytes;
  return bytes;
}

LayerActivations layer_activations(const ModelShape& shape, const Work& work, const ActivationSplit& split,
                                   LayerKind kind) {
  return layer_activations(shape, work, split, layer_matrices(shape, kind, split.ranks));
}

LayerActivations layer_activations(const ModelShape& shape, const Work& work, const ActivationSplit& split,
                                   const LayerMatrices& layer) {
  const double local_tokens = tokens(work) / split.context_parallel;
  const auto element = static_cast<double>(work.bytes_per_element);
  // What lies between the matrices is whole on every tensor rank, unless they share the sequence.
  const double between = split.between();
  const double hidden = static_cast<double>(shape.hidden_size) * between;

  LayerActivations kept;
  const auto add = [&](Sublayer sublayer, Operation operation, double bytes_of_token) {
    if (bytes_of_token > 0) kept.add({sublayer, operation, local_tokens * bytes_of_token});
  };
  add(Sublayer::attention, Operation::norm, element * hidden);
  if (recomputes_all(work)) return kept;
  add(Sublayer::mlp, Operation::norm, element * hidden);
  add(Sublayer::attention, Operation::norm, element * layer.attention.latents * between);
  add(Sublayer::attention, Operation::attention_core, element * kept_by_core(layer, work));
  const bool elementwise = recomputes(work, &Work::recompute_elementwise);
  // A product in fewer bits keeps its input in these, for the weight gradient.
  const double operand = operand_bytes(work.matmul_precision);
  const double given = work.activation_bytes_per_element;
  const double input = given > 0 ? given : operand > 0 ? std::min(operand, element) : element;
  for (const Matrix& matrix : layer) {
    const Operation operation = operation_of(matrix.part);
    const bool in_attention = matrix.part <= MatrixPart::attention_output;
    const Sublayer sublayer = in_attention ? Sublayer::attention : Sublayer::mlp;
    const bool routed = matrix.owner == MatrixOwner::routed_expert;
    const double passes = matrix.passes() * (routed ? busiest_experts(work) : 1);
    if (!matrix.shares_input && !(elementwise && reads_elementwise(matrix))) {
      const double own = matrix.split == MatrixSplit::row ? 1 : routed ? split.brought() : between;
      add(sublayer, operation, input * matrix.inputs * passes * own);
    }
    if (matrix.part == MatrixPart::mlp_in)
      add(sublayer, Operation::activation,
          (given > 0 ? given : element) * matrix.outputs * passes *
              (1 - recomputed_share(matrix, layer, work)));
  }
  // A byte for each element of a mask.
  if (work.dropout) {
    add(Sublayer::attention, Operation::residual, hidden);
    add(Sublayer::mlp, Operation::residual, hidden);
  }
  if (!recomputes(work, &Work::recompute_attention_core) && !work.flash_attention) {
    const double scores = static_cast<double>(work.sequence_length) * layer.attention.heads;
    add(Sublayer::attention, Operation::attention_core, scores * (work.dropout ? 2 * element + 1 : element));
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
