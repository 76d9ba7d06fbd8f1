#include "core/model/parameters.h"

namespace commcost {
namespace {

double attention_of(const ModelShape& shape) {
  const auto hidden = static_cast<double>(shape.hidden_size);
  const auto heads = static_cast<double>(shape.num_heads);
  const auto head = static_cast<double>(shape.head_size);
  const double queries = heads * head;
  if (shape.kv_rank > 0) {
    const auto query_rank = static_cast<double>(shape.query_rank);
    const auto kv_rank = static_cast<double>(shape.kv_rank);
    const auto rope = static_cast<double>(shape.rope_head_size);
    const double query_width = heads * (head + rope);
    const double query =
        shape.query_rank > 0 ? hidden * query_rank + query_rank * query_width : hidden * query_width;
    return query + hidden * (kv_rank + rope) + kv_rank * 2 * queries + queries * hidden;
  }
  const double keys_and_values = 2 * static_cast<double>(shape.num_kv_heads) * head;
  const double biases = shape.biases ? queries + keys_and_values + hidden : 0;
  return hidden * (queries + keys_and_values) + queries * hidden + biases;
}

double mlp_of(const ModelShape& shape, std::int64_t width) {
  const auto hidden = static_cast<double>(shape.hidden_size);
  const auto inner = static_cast<double>(width);
  const double matrices = shape.gated_mlp ? 3 : 2;
  const double biases = shape.biases ? (matrices - 1) * inner + hidden : 0;
  return matrices * hidden * inner + biases;
}

}  // namespace

Parameters parameters_of(const ModelShape& shape) {
  const auto hidden = static_cast<double>(shape.hidden_size);
  const auto layers = static_cast<double>(shape.num_layers);
  const auto with_experts = static_cast<double>(expert_layers(shape));
  const double norm = shape.biases ? 2 * hidden : hidden;

  Parameters count;
  count.embedding = static_cast<double>(shape.vocab_size) * hidden;
  count.positions = static_cast<double>(shape.num_positions) * hidden;
  count.attention = attention_of(shape);
  count.norm = 2 * norm;
  count.mlp = mlp_of(shape, has_experts(shape) ? shape.dense_ffn_hidden_size : shape.ffn_hidden_size);
  count.final_norm = norm;
  count.lm_head = shape.tied_embeddings ? 0 : count.embedding;
  if (has_experts(shape)) {
    count.expert = mlp_of(shape, shape.ffn_hidden_size);
    count.shared_experts = static_cast<double>(shape.num_shared_experts) * count.expert;
    count.router = hidden * static_cast<double>(shape.num_experts);
  }
  const double outside = count.embedding + count.positions + count.final_norm + count.lm_head;
  const double dense = (layers - with_experts) * layer_parameters(count, shape, false);
  count.total = outside + dense + with_experts * layer_parameters(count, shape, true);
  const double unvisited = static_cast<double>(shape.num_experts - shape.experts_per_token) * count.expert;
  count.active = count.total - with_experts * unvisited;
  return count;
}

double layer_parameters(const Parameters& parameters, const ModelShape& shape, bool with_experts) {
  const double shared = parameters.attention + parameters.norm;
  if (!with_experts) return shared + parameters.mlp;
  return shared + parameters.shared_experts + parameters.router +
         static_cast<double>(shape.num_experts) * parameters.expert;
}

}  // namespace commcost
