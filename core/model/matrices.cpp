#include "core/model/matrices.h"

#include <algorithm>
#include <cmath>

namespace commcost {
namespace {

// Queries, keys and values of ordinary attention come from one product.
void add_attention(const ModelShape& shape, double ranks, LayerMatrices& layer) {
  const auto hidden = static_cast<double>(shape.hidden_size);
  const auto head = static_cast<double>(shape.head_size);
  const double heads = static_cast<double>(shape.num_heads) / ranks;
  const double kv_heads = std::max(1.0, static_cast<double>(shape.num_kv_heads) / ranks);

  AttentionWidths& widths = layer.attention;
  widths.heads = heads;
  widths.score_head = widths.value_head = head;
  widths.queries = heads * head;
  widths.keys = widths.values = kv_heads * head;
  widths.rotated = widths.queries + widths.keys;
  widths.cache = widths.keys + widths.values;
  widths.cached_head_width = widths.head_width();

  layer.add({.part = MatrixPart::query_key_value,
             .split = MatrixSplit::column,
             .inputs = hidden,
             .outputs = widths.all(),
             .biases = shape.biases ? widths.all() : 0});
  layer.add({.part = MatrixPart::attention_output,
             .split = MatrixSplit::row,
             .inputs = widths.queries,
             .outputs = hidden,
             .biases = shape.biases ? hidden : 0});
}

// Queries, keys and values go through latents of low rank; every head has keys and values of its own, which
// share one rotated part.
void add_latent_attention(const ModelShape& shape, double ranks, LayerMatrices& layer) {
  const auto hidden = static_cast<double>(shape.hidden_size);
  const auto head = static_cast<double>(shape.head_size);
  const auto value = static_cast<double>(shape.value_head_size > 0 ? shape.value_head_size : shape.head_size);
  const auto rope = static_cast<double>(shape.rope_head_size);
  const auto query_rank = static_cast<double>(shape.query_rank);
  const auto kv_rank = static_cast<double>(shape.kv_rank);
  const double heads = static_cast<double>(shape.num_heads) / ranks;

  AttentionWidths& widths = layer.attention;
  widths.heads = heads;
  widths.score_head = head + rope;
  widths.value_head = value;
  widths.queries = widths.keys = heads * widths.score_head;
  widths.values = heads * value;
  widths.rotated = heads * rope + rope;
  widths.latents = query_rank + kv_rank;
  widths.cache = kv_rank + rope;
  // In decode the projections up move to the queries and outputs, and the latents are attended to directly
  // (arXiv:2405.04434, section 2.1.2).
  widths.cached_head_width = widths.cache + kv_rank;

  const bool low_rank = query_rank > 0;
  const auto down = [&](double outputs, bool shares_input) {
    layer.add({.part = MatrixPart::query_key_value,
               .inputs = hidden,
               .outputs = outputs,
               .shares_input = shares_input});
  };
  const auto up = [&](double inputs, double outputs, bool from_latent) {
    layer.add({.part = MatrixPart::query_key_value,
               .split = MatrixSplit::column,
               .inputs = inputs,
               .outputs = outputs,
               .from_latent = from_latent});
  };
  if (low_rank) down(query_rank, false);
  up(low_rank ? query_rank : hidden, widths.queries, low_rank);
  down(kv_rank + rope, true);
  up(kv_rank, heads * head + widths.values, true);
  layer.add({.part = MatrixPart::attention_output,
             .split = MatrixSplit::row,
             .inputs = widths.values,
             .outputs = hidden});
}

// The gate, where there is one, is one product with the projection in.
void add_mlp(const ModelShape& shape, double width, const Matrix& alike, LayerMatrices& layer) {
  const auto hidden = static_cast<double>(shape.hidden_size);
  Matrix& in = layer.add(alike);
  in.part = MatrixPart::mlp_in;
  in.split = MatrixSplit::column;
  in.inputs = hidden;
  in.outputs = shape.gated_mlp ? 2 * width : width;
  in.biases = shape.biases ? in.outputs : 0;
  Matrix& out = layer.add(alike);
  out.part = MatrixPart::mlp_out;
  out.split = MatrixSplit::row;
  out.inputs = width;
  out.outputs = hidden;
  out.biases = shape.biases ? hidden : 0;
  out.shares_input = false;
}

void add_experts(const ModelShape& shape, const MatrixRanks& ranks, LayerMatrices& layer) {
  const auto width = static_cast<double>(shape.ffn_hidden_size);
  const auto experts = static_cast<double>(shape.num_experts);
  layer.add({.part = MatrixPart::router,
             .split = MatrixSplit::none,
             .inputs = static_cast<double>(shape.hidden_size),
             .outputs = experts});
  // As many fewer columns, as many more tokens: the ranks' FLOPs are the same.
  add_mlp(shape, width / ranks.expert_tensor,
          {.owner = MatrixOwner::routed_expert,
           .count = experts,
           .visits = static_cast<double>(shape.experts_per_token),
           .tokens = ranks.expert_tensor / ranks.tensor},
          layer);
  if (shape.num_shared_experts == 0) return;
  // Shared experts side by side are one MLP.
  add_mlp(shape, width * static_cast<double>(shape.num_shared_experts) / ranks.tensor,
          {.owner = MatrixOwner::shared_expert, .shares_input = true}, layer);
}

}  // namespace

double LayerMatrices::replicated_parameters() const {
  double whole = norms;
  for (const Matrix& matrix : *this) {
    if (matrix.owner == MatrixOwner::routed_expert) continue;
    if (matrix.split == MatrixSplit::none) whole += matrix.parameters();
    if (matrix.split == MatrixSplit::row) whole += matrix.biases;
  }
  return whole;
}

LayerMatrices layer_matrices(const ModelShape& shape, LayerKind kind, const MatrixRanks& ranks) {
  LayerMatrices layer;
  if (shape.kv_rank > 0) {
    add_latent_attention(shape, ranks.tensor, layer);
  } else {
    add_attention(shape, ranks.tensor, layer);
  }
  if (kind == LayerKind::moe) {
    add_experts(shape, ranks, layer);
  } else {
    const std::int64_t width = has_experts(shape) ? shape.dense_ffn_hidden_size : shape.ffn_hidden_size;
    add_mlp(shape, static_cast<double>(width) / ranks.tensor, {}, layer);
  }
  layer.gated = shape.gated_mlp;
  layer.norms = 2 * norm_parameters(shape) + layer.attention.latents;
  return layer;
}

Matrix head_matrix(const ModelShape& shape, double tensor_parallel) {
  return {.part = MatrixPart::mlp_out,
          .split = MatrixSplit::column,
          .inputs = static_cast<double>(shape.hidden_size),
          .outputs = std::ceil(static_cast<double>(shape.vocab_size) / tensor_parallel)};
}

}  // namespace commcost
