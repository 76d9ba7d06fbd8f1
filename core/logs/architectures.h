#pragma once

#include <array>
#include <string_view>

#include "core/model/shape.h"

namespace commcost {

/// What the transformers library assumes about an architecture where its configuration says nothing.
struct Architecture {
  std::string_view model_type;
  bool gated_mlp = true;
  bool tied_embeddings = false;
  bool biases = false;  ///< in matrices and norms, as in GPT
  bool parallel_sublayers = false;
  bool learned_positions = false;
  bool output_gate = false;  ///< whether attention has its own gate, which no shape holds
  ModelShape usual{};        ///< defaults of its configuration class; 0: none
};

/// Every architecture that has a configuration class of its own here, by family.
inline constexpr auto architectures = [] {
  // Numbers by which classes differ from Llama's or that published files leave out; huggingface/transformers
  // src/transformers/models/<model_type>/configuration_<model_type>.py @008e5743, for remote code the
  // checkpoint's own.
  constexpr ModelShape deepseek_v3 = {
      .num_layers = 61,
      .hidden_size = 7168,
      .num_heads = 128,
      .head_size = 128,
      .ffn_hidden_size = 2048,
      .vocab_size = 129280,
      .num_experts = 256,
      .experts_per_token = 8,
      .num_shared_experts = 1,
      .expert_groups = 8,
      .routed_groups = 4,
      .num_dense_layers = 3,
      .dense_ffn_hidden_size = 18432,
      .query_rank = 1536,
      .kv_rank = 512,
      .rope_head_size = 64,
  };
  constexpr ModelShape qwen3_next = {
      .num_layers = 48,
      .hidden_size = 2048,
      .num_heads = 16,
      .num_kv_heads = 2,
      .head_size = 256,
      .ffn_hidden_size = 512,
      .vocab_size = 151936,
      .num_experts = 512,
      .experts_per_token = 10,
      .num_shared_experts = 1,
      .dense_ffn_hidden_size = 5632,
  };
  constexpr ModelShape qwen3_5_moe = {
      .num_layers = 40,
      .hidden_size = 2048,
      .num_heads = 16,
      .num_kv_heads = 2,
      .head_size = 256,
      .ffn_hidden_size = 512,
      .vocab_size = 248320,
      .num_experts = 256,
      .experts_per_token = 8,
      .num_shared_experts = 1,
      .dense_ffn_hidden_size = 512,
  };
  // clang-format off
  return std::to_array<Architecture>({
      {.model_type = "llama", .usual = {.num_layers = 32, .hidden_size = 4096, .num_heads = 32, .ffn_hidden_size = 11008, .vocab_size = 32000}},
      {.model_type = "llama4", .usual = {.num_layers = 48, .hidden_size = 5120, .num_heads = 40, .num_kv_heads = 8, .head_size = 128, .ffn_hidden_size = 8192, .vocab_size = 202048, .num_experts = 16, .experts_per_token = 1, .num_shared_experts = 1}},
      {.model_type = "mistral", .usual = {.num_layers = 32, .hidden_size = 4096, .num_heads = 32, .num_kv_heads = 8, .ffn_hidden_size = 14336, .vocab_size = 32000}},
      {.model_type = "ministral", .usual = {.num_kv_heads = 8}},
      {.model_type = "ministral3", .usual = {.num_layers = 34, .hidden_size = 4096, .num_heads = 32, .num_kv_heads = 8, .head_size = 128, .ffn_hidden_size = 14336, .vocab_size = 131072}},
      {.model_type = "mixtral", .usual = {.num_layers = 32, .hidden_size = 4096, .num_heads = 32, .num_kv_heads = 8, .ffn_hidden_size = 14336, .vocab_size = 32000, .num_experts = 8, .experts_per_token = 2}},
      {.model_type = "qwen2"},
      {.model_type = "qwen2_moe", .usual = {.ffn_hidden_size = 1408, .num_experts = 60, .experts_per_token = 4, .dense_ffn_hidden_size = 5632}},
      {.model_type = "qwen3", .usual = {.head_size = 128}},
      {.model_type = "qwen3_moe", .usual = {.num_kv_heads = 4, .ffn_hidden_size = 768, .num_experts = 128, .experts_per_token = 8, .dense_ffn_hidden_size = 6144}},
      {.model_type = "qwen3_vl_moe", .usual = {.num_kv_heads = 4, .ffn_hidden_size = 768, .num_experts = 128, .experts_per_token = 8, .dense_ffn_hidden_size = 6144}},
      {.model_type = "qwen3_next", .output_gate = true, .usual = qwen3_next},
      {.model_type = "qwen3_5", .output_gate = true, .usual = {.head_size = 256, .vocab_size = 248320}},
      {.model_type = "qwen3_5_moe", .output_gate = true, .usual = qwen3_5_moe},
      {.model_type = "gemma", .tied_embeddings = true, .usual = {.head_size = 256}},
      {.model_type = "gemma2", .tied_embeddings = true, .usual = {.num_layers = 26, .hidden_size = 2304, .num_heads = 8, .num_kv_heads = 4, .head_size = 256, .ffn_hidden_size = 9216, .vocab_size = 256000}},
      {.model_type = "gemma3", .tied_embeddings = true, .usual = {.num_layers = 26, .hidden_size = 2304, .num_heads = 8, .num_kv_heads = 4, .head_size = 256, .ffn_hidden_size = 9216, .vocab_size = 262208}},
      {.model_type = "gemma3n", .tied_embeddings = true},
      {.model_type = "gemma4", .tied_embeddings = true, .usual = {.num_layers = 30, .hidden_size = 2304, .num_kv_heads = 4, .head_size = 256, .ffn_hidden_size = 9216, .vocab_size = 262144}},
      {.model_type = "gpt_oss", .usual = {.num_layers = 36, .hidden_size = 2880, .num_heads = 64, .num_kv_heads = 8, .head_size = 64, .ffn_hidden_size = 2880, .vocab_size = 201088, .num_experts = 128, .experts_per_token = 4}},
      {.model_type = "deepseek"},
      {.model_type = "deepseek_v2", .usual = {.head_size = 128, .ffn_hidden_size = 1407, .num_experts = 64, .num_shared_experts = 2, .kv_rank = 512, .rope_head_size = 64}},
      {.model_type = "deepseek_v3", .usual = deepseek_v3},
      {.model_type = "deepseek_v32", .usual = deepseek_v3},
      {.model_type = "deepseek_v4", .usual = {.num_layers = 43, .hidden_size = 4096, .num_heads = 64, .num_kv_heads = 1, .head_size = 512, .ffn_hidden_size = 2048, .vocab_size = 129280, .num_experts = 256, .experts_per_token = 6, .num_shared_experts = 1}},
      {.model_type = "kimi_k2"},
      {.model_type = "kimi_k25"},
      {.model_type = "kimi_linear"},
      {.model_type = "glm4"},
      {.model_type = "glm4_moe", .usual = {.num_layers = 46, .hidden_size = 4096, .num_heads = 96, .num_kv_heads = 8, .ffn_hidden_size = 1408, .vocab_size = 151552, .num_experts = 128, .experts_per_token = 8, .num_shared_experts = 1, .num_dense_layers = 1, .dense_ffn_hidden_size = 10944}},
      {.model_type = "glm4_moe_lite"},
      {.model_type = "glm_moe_dsa", .usual = {.num_layers = 78, .hidden_size = 6144, .num_heads = 64, .head_size = 192, .ffn_hidden_size = 2048, .vocab_size = 154880, .num_experts = 256, .experts_per_token = 8, .num_shared_experts = 1, .num_dense_layers = 3, .dense_ffn_hidden_size = 12288, .query_rank = 2048, .kv_rank = 512, .rope_head_size = 64, .value_head_size = 256}},
      {.model_type = "minimax", .usual = {.num_kv_heads = 8, .num_experts = 8, .experts_per_token = 2}},
      {.model_type = "minimax_m2", .usual = {.num_layers = 62, .hidden_size = 3072, .num_heads = 48, .num_kv_heads = 8, .head_size = 128, .ffn_hidden_size = 1536, .vocab_size = 200064, .num_experts = 256, .experts_per_token = 8}},
      {.model_type = "phi", .gated_mlp = false, .biases = true, .parallel_sublayers = true},
      {.model_type = "phi3", .usual = {.num_layers = 32, .hidden_size = 3072, .num_heads = 32, .ffn_hidden_size = 8192, .vocab_size = 32064}},
      {.model_type = "phimoe"},
      {.model_type = "olmo2"},
      {.model_type = "olmo3", .usual = {.num_layers = 32, .hidden_size = 4096, .num_heads = 32, .ffn_hidden_size = 11008, .vocab_size = 50304}},
      {.model_type = "olmoe"},
      {.model_type = "granite"},
      {.model_type = "granitemoehybrid", .tied_embeddings = true},
      {.model_type = "falcon", .gated_mlp = false, .tied_embeddings = true, .parallel_sublayers = true},
      {.model_type = "falcon_h1"},
      {.model_type = "nemotron", .gated_mlp = false},
      {.model_type = "nemotron_h", .gated_mlp = false, .usual = {.hidden_size = 4096, .num_heads = 32, .num_kv_heads = 8, .head_size = 128, .ffn_hidden_size = 21504, .vocab_size = 131072}},
      {.model_type = "ernie4_5", .tied_embeddings = true, .usual = {.head_size = 128}},
      {.model_type = "ernie4_5_moe", .tied_embeddings = true, .usual = {.num_layers = 28, .hidden_size = 2560, .num_heads = 20, .num_kv_heads = 4, .ffn_hidden_size = 1536, .vocab_size = 103424, .num_experts = 64, .experts_per_token = 6, .num_shared_experts = 2, .num_dense_layers = 1, .dense_ffn_hidden_size = 12288}},
      {.model_type = "smollm3", .tied_embeddings = true, .usual = {.num_layers = 36, .hidden_size = 2048, .num_heads = 16, .num_kv_heads = 4, .ffn_hidden_size = 11008, .vocab_size = 128256}},
      {.model_type = "cohere", .tied_embeddings = true, .parallel_sublayers = true},
      {.model_type = "cohere2", .tied_embeddings = true, .parallel_sublayers = true, .usual = {.num_layers = 40, .hidden_size = 8192, .num_heads = 64, .ffn_hidden_size = 22528, .vocab_size = 256000}},
      {.model_type = "dbrx"},
      {.model_type = "bloom", .gated_mlp = false, .tied_embeddings = true, .biases = true},
      {.model_type = "starcoder2", .gated_mlp = false, .tied_embeddings = true, .biases = true, .usual = {.num_layers = 30, .hidden_size = 3072, .num_heads = 24, .num_kv_heads = 2, .ffn_hidden_size = 12288, .vocab_size = 49152}},
      {.model_type = "opt", .gated_mlp = false, .tied_embeddings = true, .biases = true, .learned_positions = true},
      {.model_type = "gpt2", .gated_mlp = false, .tied_embeddings = true, .biases = true, .learned_positions = true},
      {.model_type = "gpt_neox", .gated_mlp = false, .biases = true, .parallel_sublayers = true},
      {.model_type = "exaone4"},
      {.model_type = "hunyuan"},
      {.model_type = "hunyuan_v1_moe"},
      {.model_type = "seed_oss", .usual = {.num_layers = 64, .hidden_size = 4096, .num_heads = 80, .num_kv_heads = 8, .head_size = 128, .ffn_hidden_size = 27648, .vocab_size = 155136}},
      {.model_type = "longcat_flash"},
      {.model_type = "lfm2"},
      {.model_type = "jamba"},
  });
  // clang-format on
}();

/// The architecture of that name, of its text part ("gemma3_text") too, or null.
constexpr const Architecture* find_architecture(std::string_view model_type) {
  constexpr std::string_view text = "_text";
  if (model_type.size() > text.size() && model_type.substr(model_type.size() - text.size()) == text)
    model_type.remove_suffix(text.size());
  for (const Architecture& architecture : architectures)
    if (architecture.model_type == model_type) return &architecture;
  return nullptr;
}

}  // namespace commcost
