#include "core/model/activations.h"

namespace commcost {

LayerActivations layer_activations(const ModelShape& shape, const Work& work, const ActivationSplit& split,
                                   bool with_experts) {
  const double local_tokens = tokens(work) / split.context_parallel;
  const auto element = static_cast<double>(work.bytes_per_element);
  const auto hidden = static_cast<double>(shape.hidden_size);
  const auto heads = static_cast<double>(shape.num_heads);
  const double mask = work.dropout ? 1 : 0;
  const double within = 1 / split.tensor_parallel;
  const double between = split.sequence_parallel ? within : 1;

  LayerActivations kept;
  if (work.recompute == Recompute::full) {
    kept.attention = element * local_tokens * hidden * between;
    return kept;
  }
  const double rope = shape.kv_rank > 0 ? static_cast<double>(shape.rope_head_size) : 0;
  const auto head = static_cast<double>(shape.head_size);
  const auto kv_heads = static_cast<double>(shape.num_kv_heads);
  // Queries, keys, values, and the input of the output projection, as wide as the queries.
  const double widths = heads * (head + rope) + kv_heads * (head + rope) + kv_heads * head + heads * head;
  kept.attention = local_tokens * (element * widths * within + (element + mask) * hidden * between);
  if (work.recompute == Recompute::none && !work.flash_attention) {
    const double scores = local_tokens * static_cast<double>(work.sequence_length) * heads;
    kept.attention_core = scores * (work.dropout ? 2 * element + mask : element) * within;
  }
  // The activation function's input and output; with a gate also the gate.
  const double inner_copies = shape.gated_mlp ? 3 : 2;
  if (with_experts) {
    const auto visited = static_cast<double>(shape.experts_per_token);
    const auto shared = static_cast<double>(shape.num_shared_experts);
    const double inner = inner_copies * static_cast<double>(shape.ffn_hidden_size) * (visited + shared);
    kept.mlp = local_tokens *
               (element * (inner * within + visited * hidden * within) + (element + mask) * hidden * between);
  } else {
    const std::int64_t width = has_experts(shape) ? shape.dense_ffn_hidden_size : shape.ffn_hidden_size;
    kept.mlp = local_tokens * (element * inner_copies * static_cast<double>(width) * within +
                               (element + mask) * hidden * between);
  }
  kept.norm = 2 * element * local_tokens * hidden * between;
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
  const LayerActivations layer = layer_activations(classic, classic_work, split, false);
  return static_cast<double>(shape.num_layers) * layer.total();
}

}  // namespace commcost
