#pragma once

#include <cstdint>

namespace commcost {

/// What a transformer is made of; field names as they cross the boundary.
struct ModelShape {
  std::int64_t num_layers = 0;       ///< transformer blocks
  std::int64_t hidden_size = 0;      ///< width of the residual stream, elements
  std::int64_t num_heads = 0;        ///< attention (query) heads
  std::int64_t num_kv_heads = 0;     ///< key and value heads, a divisor of num_heads
  std::int64_t head_size = 0;        ///< elements of a head
  std::int64_t ffn_hidden_size = 0;  ///< inner width of the MLP, of one expert where there are several
  bool gated_mlp = false;            ///< whether the MLP has a gate (SwiGLU, GeGLU): three matrices, not two
  std::int64_t vocab_size = 0;       ///< rows of the embedding
  bool tied_embeddings = false;      ///< whether the LM head is the embedding
  std::int64_t num_experts = 1;      ///< routed experts of a layer; 1 where dense
  std::int64_t experts_per_token = 1;  ///< experts that a token visits
};

}  // namespace commcost
