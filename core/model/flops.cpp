#include "core/model/flops.h"

#include "core/model/parameters.h"

namespace commcost {
namespace {

double mlp_weights(const ModelShape& shape, double width) {
  return (shape.gated_mlp ? 3.0 : 2.0) * static_cast<double>(shape.hidden_size) * width;
}

}  // namespace

double keys_per_query(const Work& work) {
  const auto sequence = static_cast<double>(work.sequence_length);
  // In decode the one query sees the whole cache, mask or none.
  return work.causal_attention && work.mode != Mode::decode ? sequence / 2 : sequence;
}

LayerFlops layer_flops(const ModelShape& shape, double tokens, double keys, bool with_experts) {
  const auto hidden = static_cast<double>(shape.hidden_size);
  const auto heads = static_cast<double>(shape.num_heads);
  const auto head = static_cast<double>(shape.head_size);
  LayerFlops flops;
  flops.attention_output = 2 * tokens * heads * head * hidden;
  if (shape.kv_rank > 0) {
    ModelShape matrices = shape;
    matrices.biases = false;
    flops.query_key_value = 2 * tokens * parameters_of(matrices).attention - flops.attention_output;
  } else {
    flops.query_key_value =
        2 * tokens * hidden * (heads + 2 * static_cast<double>(shape.num_kv_heads)) * head;
  }
  const double score = head + static_cast<double>(shape.kv_rank > 0 ? shape.rope_head_size : 0);
  flops.attention_core = 2 * tokens * keys * heads * (score + head);
  if (with_experts) {
    const auto visited = static_cast<double>(shape.experts_per_token + shape.num_shared_experts);
    const double router = hidden * static_cast<double>(shape.num_experts);
    flops.mlp =
        2 * tokens * (visited * mlp_weights(shape, static_cast<double>(shape.ffn_hidden_size)) + router);
  } else {
    const std::int64_t width = has_experts(shape) ? shape.dense_ffn_hidden_size : shape.ffn_hidden_size;
    flops.mlp = 2 * tokens * mlp_weights(shape, static_cast<double>(width));
  }
  return flops;
}

double logits_flops(const ModelShape& shape, double tokens) {
  return 2 * tokens * static_cast<double>(shape.hidden_size) * static_cast<double>(shape.vocab_size);
}

StepFlops step_flops(const ModelShape& shape, const Work& work, double sequences) {
  const bool training = work.mode == Mode::training;
  const double queries =
      sequences * (work.mode == Mode::decode ? 1.0 : static_cast<double>(work.sequence_length));
  const double keys = keys_per_query(work);
  const auto with_experts = static_cast<double>(expert_layers(shape));
  const double without = static_cast<double>(shape.num_layers) - with_experts;
  const LayerFlops plain = layer_flops(shape, queries, keys, false);
  const LayerFlops sparse = layer_flops(shape, queries, keys, true);
  const double layers = without * plain.total() + with_experts * sparse.total();

  StepFlops flops;
  flops.forward = layers + logits_flops(shape, training ? queries : sequences);
  if (training) {
    flops.backward = 2 * flops.forward;
    if (work.recompute == Recompute::full) flops.recompute = layers;
    if (work.recompute == Recompute::selective) {
      flops.recompute = without * plain.attention_core + with_experts * sparse.attention_core;
    }
  }
  flops.model = flops.forward + flops.backward;
  flops.hardware = flops.model + (work.recompute == Recompute::selective ? 3 : 1) * flops.recompute;
  return flops;
}

double utilization_percent(double flops, double time_ms, double num_gpus, double peak_tflops) {
  return 100 * flops / (time_ms * 1e-3 * num_gpus * peak_tflops * 1e12);
}

}  // namespace commcost
