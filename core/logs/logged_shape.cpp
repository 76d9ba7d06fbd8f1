#include "core/logs/logged_shape.h"

#include <cmath>

#include "core/logs/log_words.h"

namespace commcost {
namespace {

// Where the key is in the line, after any prefix from a launcher; npos if it is not.
std::size_t end_of_key(std::string_view line, std::string_view key) {
  for (std::size_t at = line.find(key); at != std::string_view::npos; at = line.find(key, at + 1))
    if (is_key(line, at, at + key.size())) return at + key.size();
  return std::string_view::npos;
}

}  // namespace

void LoggedShape::read(std::string_view line, double number) {
  if (line.find("-- end of arguments --") != std::string_view::npos) {
    in_dump_ = false;
    return;
  }
  if (line.find("-- arguments --") != std::string_view::npos) {
    *this = {};
    in_dump_ = true;
    line_ = number;
    return;
  }
  if (!in_dump_) return;
  const auto whole = [line](std::string_view key, std::int64_t& to) {
    const std::size_t end = end_of_key(line, key);
    if (end == std::string_view::npos) return;
    const auto said = number_after_key(line, end);
    if (said && *said >= 1 && *said <= 1e9 && *said == std::floor(*said))
      to = static_cast<std::int64_t>(*said);
  };
  const auto is_said = [line](std::string_view key, std::string_view word) {
    const std::size_t end = end_of_key(line, key);
    return end != std::string_view::npos && word_after_key(line, end) == word;
  };
  const auto set = [&is_said](std::string_view key, bool& to, bool by = true) {
    if (is_said(key, "True")) to = by;
    if (is_said(key, "False")) to = !by;
  };
  whole("num_layers", shape_.num_layers);
  whole("hidden_size", shape_.hidden_size);
  whole("num_attention_heads", shape_.num_heads);
  whole("kv_channels", shape_.head_size);
  whole("ffn_hidden_size", shape_.ffn_hidden_size);
  whole("vocab_size", shape_.vocab_size);
  whole("padded_vocab_size", padded_vocab_);
  whole("num_experts", shape_.num_experts);
  whole("moe_router_topk", shape_.experts_per_token);
  whole("moe_ffn_hidden_size", expert_width_);
  whole("moe_shared_expert_intermediate_size", shared_width_);
  whole("num_query_groups", query_groups_);
  whole("max_position_embeddings", positions_);
  set("swiglu", shape_.gated_mlp);
  set("untie_embeddings_and_output_weights", shape_.tied_embeddings, false);
  set("add_bias_linear", shape_.biases);
  set("group_query_attention", shares_heads_);
  if (is_said("position_embedding_type", "learned_absolute")) learns_positions_ = true;
  // Ranks of latent attention are printed for every model; which layers have experts may be a pattern.
  if (is_said("multi_latent_attention", "True")) is_other_ = true;
  const std::size_t pattern = end_of_key(line, "moe_layer_freq");
  if (pattern != std::string_view::npos && number_after_key(line, pattern) != 1) is_other_ = true;
}

std::optional<ModelShape> LoggedShape::shape() const {
  ModelShape said = shape_;
  if (is_other_ || said.num_layers < 1 || said.hidden_size < 1 || said.num_heads < 1) return std::nullopt;
  if (shares_heads_) said.num_kv_heads = query_groups_;
  // It is padded to what ranks can share.
  if (said.vocab_size == 0) said.vocab_size = padded_vocab_;
  if (learns_positions_) said.num_positions = positions_;
  if (said.num_experts > 1) {
    if (expert_width_ > 0) said.ffn_hidden_size = expert_width_;
    if (shared_width_ > 0) {
      if (said.ffn_hidden_size < 1 || shared_width_ % said.ffn_hidden_size != 0) return std::nullopt;
      said.num_shared_experts = shared_width_ / said.ffn_hidden_size;
    }
  } else {
    said.experts_per_token = 1;
  }
  return completed(said);
}

}  // namespace commcost
