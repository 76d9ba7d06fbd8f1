#include "core/logs/model_config.h"

#include <algorithm>
#include <cmath>

#include "core/base/number_text.h"
#include "core/logs/architectures.h"
#include "core/logs/config_layers.h"
#include "core/logs/json.h"

namespace commcost {
namespace {

constexpr std::string_view hidden_names[] = {"hidden_size", "n_embd", "d_model", "n_embed"};
constexpr std::string_view layer_names[] = {"num_hidden_layers", "n_layer", "n_layers", "num_layers"};
constexpr std::string_view head_names[] = {"num_attention_heads", "n_head", "n_heads"};
constexpr std::string_view kv_head_names[] = {"num_key_value_heads", "num_kv_heads", "n_head_kv",
                                              "attn_config.kv_n_heads"};
constexpr std::string_view head_size_names[] = {"head_dim", "attention_head_dim", "kv_channels"};
constexpr std::string_view ffn_names[] = {"intermediate_size", "n_inner",      "ffn_dim",
                                          "ffn_hidden_size",   "block_ff_dim", "ffn_config.ffn_hidden_size"};
constexpr std::string_view vocab_names[] = {"vocab_size"};
constexpr std::string_view context_names[] = {"max_position_embeddings", "n_positions", "max_seq_len"};
constexpr std::string_view expert_names[] = {"num_local_experts", "num_experts", "n_routed_experts",
                                             "moe_num_experts", "ffn_config.moe_num_experts"};
constexpr std::string_view routed_names[] = {
    "num_experts_per_tok", "num_experts_per_token", "moe_topk",        "moe_top_k",           "moe_k",
    "top_k_experts",       "experts_per_token",     "moe_router_topk", "ffn_config.moe_top_k"};
constexpr std::string_view expert_width_names[] = {"moe_intermediate_size", "expert_ffn_hidden_size",
                                                   "moe_ffn_hidden_size"};
constexpr std::string_view dense_width_names[] = {"intermediate_size_mlp"};
constexpr std::string_view shared_width_names[] = {"shared_expert_intermediate_size",
                                                   "shared_intermediate_size",
                                                   "moe_shared_expert_intermediate_size", "share_expert_dim"};
constexpr std::string_view shared_names[] = {"n_shared_experts", "num_shared_experts",
                                             "moe_num_shared_experts", "num_shared_expert"};
constexpr std::string_view group_names[] = {"n_group"};
constexpr std::string_view routed_group_names[] = {"topk_group"};
constexpr std::string_view value_size_names[] = {"v_head_dim"};
constexpr std::string_view key_size_names[] = {"qk_nope_head_dim"};
constexpr std::string_view key_rank_names[] = {"kv_lora_rank"};
constexpr std::string_view query_rank_names[] = {"q_lora_rank"};
constexpr std::string_view rope_names[] = {"qk_rope_head_dim"};
constexpr std::string_view gate_names[] = {"attn_output_gate", "gating"};
constexpr std::string_view further_token_names[] = {"num_nextn_predict_layers", "num_mtp_modules",
                                                    "mtp_num_hidden_layers"};
constexpr std::string_view other_senses[] = {"vision_config", "audio_config"};

// Experts that every token visits, by their number or by their width together.
std::int64_t shared_experts(ConfigKeys& config, std::int64_t expert_size, std::int64_t usual) {
  // Gemma 4's dense MLP stands next to the experts of its layer: every token visits it.
  constexpr std::string_view own_width[] = {"intermediate_size"};
  const bool next_to_dense = config.flag("enable_moe_block", false);
  const auto width = next_to_dense ? config.whole(own_width, 0) : config.whole(shared_width_names, 0);
  if (!width) return config.optional(shared_names, 0, usual);
  const auto experts =
      static_cast<std::int64_t>(std::round(static_cast<double>(*width) / static_cast<double>(expert_size)));
  if (*width != experts * expert_size) {
    config.remark(next_to_dense ? own_width[0] : config.given(shared_width_names), LeftOut::shared_width,
                  {*width, expert_size, experts});
  }
  return experts;
}

// Experts and what lies between them: group-limited routing, layers without experts.
void read_experts(ConfigKeys& config, const ModelShape& usual, ModelShape& shape) {
  const std::int64_t dense_width = config.whole(dense_width_names, 1).value_or(shape.ffn_hidden_size);
  shape.num_experts = config.optional(expert_names, 0, usual.num_experts > 1 ? usual.num_experts : 0);
  if (shape.num_experts <= 1) {
    shape.num_experts = 1;
    return;
  }
  shape.experts_per_token = config.needed(routed_names, usual.num_experts > 1 ? usual.experts_per_token : 0);
  // Of some architectures the MLP's width is the experts'.
  if (!config.given(expert_width_names).empty() || usual.dense_ffn_hidden_size > 0)
    shape.ffn_hidden_size = config.needed(expert_width_names, usual.ffn_hidden_size);
  // A width that is left out, as GPT-2's n_inner may be, is the usual multiple of the hidden size.
  shape.num_shared_experts =
      shared_experts(config, completed(shape).ffn_hidden_size, usual.num_shared_experts);
  const std::int64_t usual_groups = usual.expert_groups > 1 ? usual.expert_groups : 0;
  shape.expert_groups = std::max<std::int64_t>(1, config.optional(group_names, 0, usual_groups));
  if (shape.expert_groups > 1)
    shape.routed_groups = config.optional(routed_group_names, 0, usual.routed_groups);
  shape.num_dense_layers = dense_layers(config, shape.num_layers, usual.num_dense_layers);
  if (shape.num_dense_layers > 0) shape.dense_ffn_hidden_size = dense_width;
  if (shape.num_dense_layers == shape.num_layers)
    config.refuse(config.given(expert_names), "says that there are experts, but no layer has any");
  if (shape.experts_per_token > shape.num_experts)
    config.refuse(config.given(routed_names),
                  "must be at most the experts (" + digits_of(shape.num_experts) + ")");
  if (shape.num_experts % shape.expert_groups != 0 || shape.routed_groups > shape.expert_groups)
    config.refuse("n_group", "must divide the experts, and topk_group must be at most n_group");
}

void read_latent_attention(ConfigKeys& config, const ModelShape& usual, ModelShape& shape) {
  shape.query_rank = config.optional(query_rank_names, 0, usual.query_rank);
  shape.kv_rank = config.needed(key_rank_names, usual.kv_rank);
  shape.rope_head_size = config.needed(rope_names, usual.rope_head_size);
  shape.head_size = config.needed(key_size_names, usual.head_size);
  shape.num_kv_heads = shape.num_heads;
  const std::int64_t values = config.whole(value_size_names, 1).value_or(usual.value_head_size);
  if (values != shape.head_size) shape.value_head_size = values;
}

// Falcon's own names.
std::int64_t usual_kv_heads(ConfigKeys& config, const ModelShape& usual) {
  if (config.flag("multi_query", false) && !config.flag("new_decoder_architecture", false)) return 1;
  return usual.num_kv_heads;
}

void read_attention(ConfigKeys& config, const ModelShape& usual, ModelShape& shape) {
  shape.num_heads = config.needed(head_names, usual.num_heads);
  if (config.find(key_rank_names[0]) != nullptr || usual.kv_rank > 0)
    return read_latent_attention(config, usual, shape);
  shape.num_kv_heads = config.optional(kv_head_names, 1, usual_kv_heads(config, usual));
  if (shape.num_kv_heads == 0) shape.num_kv_heads = shape.num_heads;
  shape.head_size = config.optional(head_size_names, 1, usual.head_size);
  if (shape.head_size == 0 && shape.hidden_size % shape.num_heads != 0)
    config.refuse("hidden_size", "must be a multiple of num_attention_heads, where head_dim is not given");
  if (shape.num_heads % shape.num_kv_heads != 0)
    config.refuse(config.given(kv_head_names).empty() ? kv_head_names[0] : config.given(kv_head_names),
                  "must divide num_attention_heads");
  if (!config.given(query_rank_names).empty()) config.remark(query_rank_names[0], LeftOut::low_rank_queries);
}

void add_remarks(ConfigKeys& config, const Architecture& architecture, std::int64_t layers) {
  remark_attention(config, layers);
  remark_beside(config);
  if (const std::string_view key = config.given(further_token_names);
      !key.empty() && config.whole(key, 0, 0) > 0)
    config.remark(key, LeftOut::further_tokens);
  const std::string_view gate = config.given(gate_names);
  if (architecture.output_gate || (!gate.empty() && config.flag(gate, false)))
    config.remark(gate.empty() ? gate_names[0] : gate, LeftOut::output_gate);
  if (!architecture.biases && config.flag("attention_bias", false))
    config.remark("attention_bias", LeftOut::attention_biases);
}

ModelShape shape_of(ConfigKeys& config, const Architecture& architecture) {
  const ModelShape& usual = architecture.usual;
  ModelShape shape;
  const std::int64_t of_blocks = layers_of_blocks(config);
  shape.num_layers = of_blocks > 0 ? of_blocks : config.needed(layer_names, usual.num_layers);
  shape.hidden_size = config.needed(hidden_names, usual.hidden_size);
  shape.vocab_size = config.needed(vocab_names, usual.vocab_size);
  shape.gated_mlp = architecture.gated_mlp;
  shape.biases = architecture.biases;
  shape.tied_embeddings = config.flag("tie_word_embeddings", architecture.tied_embeddings);
  shape.parallel_sublayers = architecture.parallel_sublayers && config.flag("use_parallel_residual", true) &&
                             config.flag("parallel_attn", true);
  if (architecture.learned_positions) shape.num_positions = config.needed(context_names, 0);
  read_attention(config, usual, shape);
  const bool expert_width_alone =
      config.given(ffn_names).empty() && !config.given(expert_width_names).empty();
  if (expert_width_alone) {
    shape.ffn_hidden_size = config.whole(expert_width_names, 1).value_or(1);
  } else if (architecture.gated_mlp) {
    shape.ffn_hidden_size = config.needed(
        ffn_names, usual.dense_ffn_hidden_size > 0 ? usual.dense_ffn_hidden_size : usual.ffn_hidden_size);
  } else {
    shape.ffn_hidden_size = config.optional(ffn_names, 1, usual.ffn_hidden_size);
  }
  read_experts(config, usual, shape);
  return shape;
}

}  // namespace

Outcome<ModelConfig> read_model_config(std::string_view json) {
  const Outcome<Value> parsed = parse_json("config", json);
  if (!parsed) return parsed.problems();
  const Value* text_part = parsed->find("text_config");
  if (text_part == nullptr) text_part = parsed->find("llm_config");
  const bool has_part = text_part != nullptr && text_part->object() != nullptr;
  const ConfigKeys whole(*parsed);
  ConfigKeys config(has_part ? *text_part : *parsed);
  const Value* named =
      config.find("model_type") != nullptr ? config.find("model_type") : whole.find("model_type");
  if (named == nullptr || named->text() == nullptr || named->text()->empty()) {
    config.refuse("model_type", "is missing");
    return config.problems();
  }
  ModelConfig read;
  read.model_type = *named->text();
  const Architecture* known = find_architecture(read.model_type);
  if (known == nullptr)
    config.remark("model_type", shortened(read.model_type) +
                                    " isn't known; it is read by its keys, as a decoder with gated MLPs");
  const Architecture architecture = known != nullptr ? *known : Architecture{.model_type = read.model_type};
  read.shape = shape_of(config, architecture);
  read.context_length = static_cast<double>(config.whole(context_names, 0).value_or(0));
  add_remarks(config, architecture, read.shape.num_layers);
  if (has_part || !whole.given(other_senses).empty())
    config.remark(has_part ? "text_config" : whole.given(other_senses), LeftOut::text_part);
  read.quantization = read_quantization(whole, config);
  if (!config.problems().empty()) return config.problems();
  read.shape = completed(read.shape);
  read.remarks = config.take_remarks();
  return read;
}

}  // namespace commcost
