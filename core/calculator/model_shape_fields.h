#pragma once

#include "core/calculator/common_fields.h"
#include "core/calculator/filled_fields.h"
#include "core/model/shape.h"

namespace commcost {

/// The inputs that describe a model, shared by every calculation that takes one.
inline constexpr auto model_shape_fields = of_group(
    "model",
    filled_by(
        "model",
        {
            num_layers_field<&ModelShape::num_layers>(),
            hidden_size_field<&ModelShape::hidden_size>(most_hidden),
            whole<&ModelShape::num_heads>(1, 1048576, "Attention heads").labelled("Attention heads"),
            whole<&ModelShape::num_kv_heads>(0, 1048576, "Key and value heads; 0: same as num_heads")
                .labelled("KV heads")
                .or_default(0),
            whole<&ModelShape::head_size>(0, 1048576, "Size of a head; 0: hidden_size / num_heads")
                .or_default(0),
            whole<&ModelShape::ffn_hidden_size>(0, 4294967296,
                                                "Inner width of the MLP, or of one expert; 0: 4 hidden_size")
                .labelled("MLP width")
                .or_default(0),
            flag<&ModelShape::gated_mlp>(
                "Whether the MLP has a gate (SwiGLU, GeGLU): three matrices, not two")
                .labelled("Gated MLP")
                .or_default(0),
            whole<&ModelShape::vocab_size>(0, 4294967296, "Vocabulary size; 0: no embedding and no LM head")
                .labelled("Vocabulary size")
                .or_default(0),
            flag<&ModelShape::tied_embeddings>("Whether the LM head shares the embedding's weights")
                .or_default(0),
            whole<&ModelShape::num_experts>(1, 65536, "Routed experts per layer; 1: dense model")
                .labelled("Experts")
                .or_default(1),
            whole<&ModelShape::experts_per_token>(1, 65536, "Routed experts per token").or_default(1),
            whole<&ModelShape::num_shared_experts>(0, 65536, "Shared experts, visited by every token")
                .labelled("Shared experts")
                .or_default(0),
            whole<&ModelShape::expert_groups>(1, 1024,
                                              "Groups of routed experts, for routing limited to some of them "
                                              "(node-limited routing); 1: none")
                .or_default(1),
            whole<&ModelShape::routed_groups>(0, 1024,
                                              "Groups to which a token's routed experts are limited; 0: all")
                .labelled("Groups per token")
                .or_default(0),
            whole<&ModelShape::num_dense_layers>(0, 1048576,
                                                 "Dense layers at the start of a model with experts")
                .labelled("Leading dense layers")
                .or_default(0),
            whole<&ModelShape::dense_ffn_hidden_size>(
                0, 4294967296, "Inner width of the MLP in layers without experts; 0: ffn_hidden_size")
                .labelled("MLP width of dense layers")
                .or_default(0),
            whole<&ModelShape::query_rank>(0, 1048576,
                                           "Latent attention: rank of the query projection; 0: full rank")
                .labelled("Query rank (MLA)")
                .or_default(0),
            whole<&ModelShape::kv_rank>(0, 1048576,
                                        "Latent attention: rank of keys and values; 0: ordinary attention")
                .labelled("KV rank (MLA)")
                .or_default(0),
            whole<&ModelShape::rope_head_size>(
                0, 1048576, "Latent attention: extra elements per head for rotary positions")
                .labelled("Rotary head size")
                .or_default(0),
            whole<&ModelShape::value_head_size>(0, 1048576,
                                                "Size of a head's values in latent attention; 0: head_size")
                .labelled("Value head size (MLA)")
                .or_default(0),
            whole<&ModelShape::num_positions>(0, 4294967296, "Learned positions; 0: none")
                .labelled("Learned positions")
                .or_default(0),
            flag<&ModelShape::biases>("Whether matrices and norms have biases, as in GPT").or_default(0),
            flag<&ModelShape::parallel_sublayers>(
                "Whether attention and MLP run in parallel on one input, as in GPT-NeoX")
                .labelled("Parallel attention and MLP")
                .or_default(0),
        }));

}  // namespace commcost
