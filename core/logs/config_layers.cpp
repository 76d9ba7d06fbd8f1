#include "core/logs/config_layers.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "core/base/number_text.h"

namespace commcost {
namespace {

/// Most layers of which a rule or a list is followed.
constexpr std::int64_t most_layers = 100000;

// Which layers have experts, by their number from 0.
using HasExperts = std::function<bool(std::int64_t layer)>;

// The layers whose numbers a list has.
std::vector<bool> listed(const Value* list, std::int64_t layers) {
  std::vector<bool> all(static_cast<std::size_t>(layers));
  if (list == nullptr || list->list() == nullptr) return all;
  for (const Value& one : *list->list()) {
    if (one.number() != nullptr && *one.number() >= 0 && *one.number() < static_cast<double>(layers))
      all[static_cast<std::size_t>(*one.number())] = true;
  }
  return all;
}

// The entry of a layer in a list of texts or numbers; null where it has none.
const Value* entry_of(const Value& list, std::int64_t layer) {
  if (list.list() == nullptr || layer >= static_cast<std::int64_t>(list.list()->size())) return nullptr;
  return &(*list.list())[static_cast<std::size_t>(layer)];
}

// Each family has its own way to say it; huggingface/transformers src/transformers/models @008e5743.
HasExperts experts_by(ConfigKeys& config, std::int64_t layers, std::int64_t usual, std::string_view& key) {
  const auto every = [&config](std::string_view name) { return config.whole(name, 1, 1); };
  if (const Value* types = config.find("mlp_layer_types"); types != nullptr && types->list() != nullptr) {
    key = "mlp_layer_types";
    return [types](std::int64_t layer) {
      const Value* type = entry_of(*types, layer);
      return type == nullptr || type->text() == nullptr || *type->text() != "dense";
    };
  }
  if (const Value* sparse = config.find("moe_layers"); sparse != nullptr && sparse->list() != nullptr) {
    key = "moe_layers";
    return
        [all = listed(sparse, layers)](std::int64_t layer) { return all[static_cast<std::size_t>(layer)]; };
  }
  if (config.find("interleave_moe_layer_step") != nullptr) {
    key = "interleave_moe_layer_step";
    return [step = every(key)](std::int64_t layer) { return (layer + 1) % step == 0; };
  }
  if (config.find("moe_layer_start_index") != nullptr) {
    key = "moe_layer_start_index";
    const std::int64_t first = config.whole(key, 0, 0);
    const std::int64_t last = config.whole("moe_layer_end_index", -1, -1);
    const std::int64_t step = every("moe_layer_interval");
    return [=](std::int64_t layer) {
      return layer >= first && layer <= (last < 0 ? layers : last) && (layer + 1) % step == 0;
    };
  }
  if (config.find("expert_layer_period") != nullptr) {
    key = "expert_layer_period";
    const std::int64_t offset = config.whole("expert_layer_offset", 0, 0);
    return [step = every(key), offset](std::int64_t layer) { return layer % step == offset % step; };
  }
  const Value* frequency = config.find("moe_layer_freq");
  if (frequency != nullptr && frequency->list() != nullptr) {
    key = "moe_layer_freq";
    return [frequency](std::int64_t layer) {
      const Value* here = entry_of(*frequency, layer);
      return here == nullptr || here->number() == nullptr || *here->number() != 0;
    };
  }
  const std::int64_t first = config.whole("first_k_dense_replace", 0, usual);
  const std::int64_t step = every("decoder_sparse_step");
  const std::int64_t of = every("moe_layer_freq");
  key = first > 0 ? "first_k_dense_replace" : step > 1 ? "decoder_sparse_step" : "mlp_only_layers";
  return [=, plain = listed(config.find("mlp_only_layers"), layers)](std::int64_t layer) {
    return layer >= first && layer % of == 0 && (layer + 1) % step == 0 &&
           !plain[static_cast<std::size_t>(layer)];
  };
}

// What a type of layer is counted as full attention for, under the names of types and block letters; nothing:
// it is full attention, or an MLP.
std::optional<LeftOut> kind_of(std::string_view type) {
  if (type == "sliding_attention" || type == "chunked_attention") return LeftOut::window;
  if (type == "linear_attention" || type == "lightning_attention") return LeftOut::linear_attention;
  if (type == "mamba" || type == "mamba2") return LeftOut::state_space;
  if (type == "conv") return LeftOut::convolution;
  if (type.find("sparse") != std::string_view::npos || type.find("compressed") != std::string_view::npos)
    return LeftOut::sparse_attention;
  return {};
}

// Layers that are not marked by a type each: Kimi Linear, MiniMax, Jamba, Falcon H1. Returns whether there
// are any.
bool remark_other_layers(ConfigKeys& config, std::int64_t layers) {
  const auto remark = [&](std::string_view key, std::int64_t count, LeftOut kind) {
    config.remark(key, kind, {count, layers});
    return true;
  };
  if (const Value* linear = config.find("linear_attn_config.kda_layers");
      linear != nullptr && linear->list() != nullptr)
    return remark("linear_attn_config", std::min(layers, static_cast<std::int64_t>(linear->list()->size())),
                  LeftOut::linear_attention);
  if (const Value* types = config.find("attn_type_list"); types != nullptr && types->list() != nullptr) {
    const auto linear = std::count_if(types->list()->begin(), types->list()->end(), [](const Value& type) {
      return type.number() != nullptr && *type.number() == 0;
    });
    return remark("attn_type_list", std::min(layers, static_cast<std::int64_t>(linear)),
                  LeftOut::linear_attention);
  }
  if (const std::int64_t every = config.whole("attn_layer_period", 1, 1); every > 1) {
    const std::int64_t first = std::min(layers, config.whole("attn_layer_offset", 0, 0) % every);
    return remark("attn_layer_period", layers - (layers - first + every - 1) / every, LeftOut::state_space);
  }
  if (config.whole("mamba_d_ssm", 0, 0) > 0 && config.find("layer_types") == nullptr)
    config.remark("mamba_d_ssm", LeftOut::state_beside);
  return false;
}

}  // namespace

std::int64_t dense_layers(ConfigKeys& config, std::int64_t layers, std::int64_t usual) {
  if (layers > most_layers) {
    config.refuse("num_hidden_layers",
                  "must be at most " + digits_of(most_layers) + " in a model with experts");
    return 0;
  }
  std::string_view key;
  const HasExperts has = experts_by(config, layers, usual, key);
  std::int64_t dense = 0;
  bool leading = true;
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    if (has(layer)) continue;
    leading = leading && dense == layer;
    ++dense;
  }
  if (!leading) config.remark(key, LeftOut::moved_dense, {dense, layers});
  return dense;
}

std::int64_t layers_of_blocks(ConfigKeys& config) {
  std::int64_t blocks = 0;
  std::int64_t states = 0;
  std::int64_t mlps = 0;
  std::string_view key = "hybrid_override_pattern";
  if (const Value* pattern = config.find(key); pattern != nullptr && pattern->text() != nullptr) {
    for (const char block : *pattern->text()) {
      ++blocks;
      if (block == 'M') ++states;
      if (block == '-' || block == 'E') ++mlps;
    }
  } else if (const Value* types = config.find("layers_block_type");
             types != nullptr && types->list() != nullptr && config.find("layer_types") == nullptr) {
    key = "layers_block_type";
    for (const Value& type : *types->list()) {
      ++blocks;
      if (type.text() == nullptr) continue;
      if (*type.text() == "mamba") ++states;
      if (*type.text() == "mlp" || *type.text() == "moe") ++mlps;
    }
  }
  // If it has no block of its own for it, each layer has an MLP.
  if (mlps == 0) return 0;
  config.remark(key, LeftOut::single_blocks, {blocks, states});
  return mlps;
}

void remark_beside(ConfigKeys& config) {
  if (config.whole("hidden_size_per_layer_input", 0, 0) > 0)
    config.remark("hidden_size_per_layer_input", LeftOut::own_embeddings);
  if (const std::int64_t sharing = config.whole("num_kv_shared_layers", 0, 0); sharing > 0)
    config.remark("num_kv_shared_layers", LeftOut::shared_cache, {sharing});
  if (config.whole("zero_expert_num", 0, 0) > 0) config.remark("zero_expert_num", LeftOut::zero_experts);
  if (config.whole("o_lora_rank", 0, 0) > 0) config.remark("o_lora_rank", LeftOut::low_rank_output);
  if (const std::int64_t streams = config.whole("hc_mult", 1, 1); streams > 1)
    config.remark("hc_mult", LeftOut::hyper_connections, {streams});
}

void remark_attention(ConfigKeys& config, std::int64_t layers) {
  if (remark_other_layers(config, layers)) return;
  if (const Value* types = config.find("layer_types"); types != nullptr && types->list() != nullptr) {
    std::map<LeftOut, std::int64_t> counts;
    for (const Value& type : *types->list())
      if (const auto kind = type.text() != nullptr ? kind_of(*type.text()) : std::nullopt) ++counts[*kind];
    for (const auto& [kind, count] : counts) config.remark("layer_types", kind, {count, layers});
    if (!counts.empty()) return;
  } else if (const std::int64_t every = config.whole("full_attention_interval", 1, 1); every > 1) {
    config.remark("full_attention_interval", LeftOut::linear_attention, {layers - layers / every, layers});
    return;
  }
  constexpr std::string_view selected[] = {"index_topk", "compress_ratios"};
  if (const std::string_view key = config.given(selected); !key.empty())
    config.remark(key, LeftOut::selected_tokens);
  const Value* window = config.find("sliding_window");
  if (window == nullptr || !config.flag("use_sliding_window", true)) return;
  if (const double* tokens = window->number(); tokens != nullptr && *tokens == 0) return;
  config.remark("sliding_window", LeftOut::windows);
}

}  // namespace commcost
