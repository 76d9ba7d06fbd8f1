#pragma once

#include <cstdint>

namespace commcost {

/// What a transformer is made of; field names as they cross the boundary. 0 stands for the usual value where
/// one is named: completed() puts it in, and every formula expects a completed shape.
struct ModelShape {
  std::int64_t num_layers = 0;             ///< transformer blocks
  std::int64_t hidden_size = 0;            ///< width of the residual stream, elements
  std::int64_t num_heads = 0;              ///< attention (query) heads
  std::int64_t num_kv_heads = 0;           ///< key and value heads, a divisor of num_heads; 0: num_heads
  std::int64_t head_size = 0;              ///< elements of a head; 0: hidden_size / num_heads
  std::int64_t ffn_hidden_size = 0;        ///< inner width of the MLP, or of one expert; 0: 4 hidden_size
  bool gated_mlp = false;                  ///< whether the MLP has a gate (SwiGLU, GeGLU): three matrices
  std::int64_t vocab_size = 0;             ///< rows of the embedding; 0: neither embedding nor LM head
  bool tied_embeddings = false;            ///< whether the LM head is the embedding
  std::int64_t num_experts = 1;            ///< routed experts of a layer; 1 where dense
  std::int64_t experts_per_token = 1;      ///< experts that a token visits
  std::int64_t num_shared_experts = 0;     ///< additional experts that every token visits
  std::int64_t expert_groups = 1;          ///< groups of routed experts, for group-limited routing
  std::int64_t routed_groups = 0;          ///< groups to which a token's experts are limited; 0: all
  std::int64_t num_dense_layers = 0;       ///< first layers without experts, in a model with experts
  std::int64_t dense_ffn_hidden_size = 0;  ///< inner width of their MLP; 0: ffn_hidden_size
  std::int64_t query_rank = 0;             ///< latent attention: rank of the queries; 0: full
  std::int64_t kv_rank = 0;          ///< latent attention: rank of keys and values; 0: ordinary attention
  std::int64_t rope_head_size = 0;   ///< latent attention: extra elements of a head, for the position
  std::int64_t value_head_size = 0;  ///< latent attention: elements of a head's values; 0: head_size
  std::int64_t num_positions = 0;    ///< learned positions; 0: none
  bool biases = false;               ///< whether matrices and norms have biases, as in GPT
  bool parallel_sublayers = false;   ///< whether attention and MLP share input and sum, as in GPT-NeoX

  bool operator==(const ModelShape&) const = default;
};

/// The shape with the usual values in place of zeros.
ModelShape completed(ModelShape shape);

/// A layer with one MLP, or one with experts.
enum class LayerKind { dense, moe };

/// Whether some layers have routed experts.
inline bool has_experts(const ModelShape& shape) {
  return shape.num_experts > 1;
}

/// Sums over tensor ranks that a layer needs in a forward pass: one after attention, one after the MLP.
inline int sums_per_layer(const ModelShape& shape) {
  return shape.parallel_sublayers ? 1 : 2;
}

/// Layers with routed experts.
inline std::int64_t expert_layers(const ModelShape& shape) {
  return has_experts(shape) ? shape.num_layers - shape.num_dense_layers : 0;
}

/// The kind of layer that a model is known for: with experts, where it has them.
inline LayerKind usual_layer(const ModelShape& shape) {
  return has_experts(shape) ? LayerKind::moe : LayerKind::dense;
}

/// The sum of `of(kind)` over all layers of a model.
template <typename OfKind>
double over_layers(const ModelShape& shape, const OfKind& of) {
  const auto moe = static_cast<double>(expert_layers(shape));
  const double dense = static_cast<double>(shape.num_layers) - moe;
  double sum = 0;
  if (dense > 0) sum += dense * of(LayerKind::dense);
  if (moe > 0) sum += moe * of(LayerKind::moe);
  return sum;
}

/// Parameters of one norm: a scale, and a shift where the shape has biases.
inline double norm_parameters(const ModelShape& shape) {
  const auto hidden = static_cast<double>(shape.hidden_size);
  return shape.biases ? 2 * hidden : hidden;
}

}  // namespace commcost
