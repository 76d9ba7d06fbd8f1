#include "core/logs/model_config.h"

#include <cmath>
#include <span>

#include "core/base/number_text.h"
#include "core/logs/json.h"

namespace commcost {
namespace {

constexpr std::string_view config_field = "config";
constexpr double greatest_size = 4294967296;

// Names that mean the same, the first one first in messages.
using Names = std::span<const std::string_view>;

// How an architecture's experts are named.
enum class Experts { none, mixtral, qwen, deepseek, gpt_oss, llama4 };

// What transformers takes for granted of an architecture, where its configuration does not say it.
struct Architecture {
  std::string_view model_type;
  bool gated_mlp = true;
  bool tied_embeddings = false;  // where tie_word_embeddings is not given
  bool biases = false;           // in matrices and norms, as in GPT
  bool parallel_sublayers = false;
  bool learned_positions = false;
  Experts experts = Experts::none;
  bool latent_attention = false;
};

// transformers 4.56, src/transformers/models/<model_type>/configuration_<model_type>.py
constexpr Architecture architectures[] = {
    {.model_type = "llama"},
    {.model_type = "mistral"},
    {.model_type = "ministral"},
    {.model_type = "mixtral", .experts = Experts::mixtral},
    {.model_type = "qwen2"},
    {.model_type = "qwen3"},
    {.model_type = "qwen2_moe", .experts = Experts::qwen},
    {.model_type = "qwen3_moe", .experts = Experts::qwen},
    {.model_type = "deepseek", .experts = Experts::deepseek},
    {.model_type = "deepseek_v2", .experts = Experts::deepseek, .latent_attention = true},
    {.model_type = "deepseek_v3", .experts = Experts::deepseek, .latent_attention = true},
    {.model_type = "kimi_k2", .experts = Experts::deepseek, .latent_attention = true},
    {.model_type = "glm4_moe", .experts = Experts::deepseek},
    {.model_type = "gpt_oss", .experts = Experts::gpt_oss},
    {.model_type = "llama4_text", .experts = Experts::llama4},
    {.model_type = "gemma", .tied_embeddings = true},
    {.model_type = "gemma2", .tied_embeddings = true},
    {.model_type = "gemma3_text", .tied_embeddings = true},
    {.model_type = "phi3"},
    {.model_type = "olmo2"},
    {.model_type = "cohere", .tied_embeddings = true, .parallel_sublayers = true},
    {.model_type = "starcoder2", .gated_mlp = false, .tied_embeddings = true, .biases = true},
    {.model_type = "gpt2",
     .gated_mlp = false,
     .tied_embeddings = true,
     .biases = true,
     .learned_positions = true},
    {.model_type = "gpt_neox", .gated_mlp = false, .biases = true, .parallel_sublayers = true},
};

constexpr std::string_view hidden_names[] = {"hidden_size", "n_embd"};
constexpr std::string_view layer_names[] = {"num_hidden_layers", "n_layer"};
constexpr std::string_view head_names[] = {"num_attention_heads", "n_head"};
constexpr std::string_view kv_head_names[] = {"num_key_value_heads"};
constexpr std::string_view head_size_names[] = {"head_dim"};
constexpr std::string_view ffn_names[] = {"intermediate_size", "n_inner"};
constexpr std::string_view vocab_names[] = {"vocab_size"};
constexpr std::string_view context_names[] = {"max_position_embeddings", "n_positions"};

// What a shape leaves out where a configuration has it, and how that is said.
constexpr struct {
  std::string_view key;
  std::string_view says;
} left_out[] = {
    {"sliding_window", "layers that see a window alone are counted as seeing the whole sequence"},
    {"num_nextn_predict_layers", "layers that predict further tokens are left out"},
    {"vision_config", "the text part alone is read"},
    {"audio_config", "the text part alone is read"},
    {"quantization_config", "say how weights are stored by bytes_per_element"},
};

class Reader {
 public:
  explicit Reader(const Value& config) : config_(config) {}

  const Value* find(std::string_view key) const {
    const Value* found = config_.find(key);
    return found == nullptr || found->empty() ? nullptr : found;
  }

  /// A whole number from `least` on; `otherwise` where none of the names is given.
  std::int64_t whole(Names names, std::int64_t least, std::int64_t otherwise) {
    for (const std::string_view name : names) {
      const Value* found = find(name);
      if (found == nullptr) continue;
      const double* number = found->number();
      if (number != nullptr && *number >= static_cast<double>(least) && *number <= greatest_size &&
          *number == std::floor(*number)) {
        return static_cast<std::int64_t>(*number);
      }
      refuse(name, "must be a whole number of at least " + text_of(static_cast<double>(least)) + "; got " +
                       text_of(*found));
      return least;
    }
    return otherwise;
  }
  std::int64_t needed(Names names) {
    for (const std::string_view name : names) {
      if (find(name) != nullptr) return whole(names, 1, 1);
    }
    refuse(names.front(), "is missing");
    return 1;
  }
  std::int64_t needed(std::string_view name) { return needed(Names(&name, 1)); }
  std::int64_t whole(std::string_view name, std::int64_t least, std::int64_t otherwise) {
    return whole(Names(&name, 1), least, otherwise);
  }
  bool flag(std::string_view name, bool otherwise) {
    const Value* found = find(name);
    if (found == nullptr) return otherwise;
    if (found->flag() != nullptr) return *found->flag();
    refuse(name, "must be true or false; got " + text_of(*found));
    return otherwise;
  }

  void refuse(std::string_view key, const std::string& why) {
    problems_.push_back({std::string(config_field), ProblemCode::malformed,
                         "config.json: " + std::string(key) + " " + why, "a config.json of transformers"});
  }
  void remark(std::string_view key, std::string_view says) {
    remarks_.push_back({std::string(key), std::string(says)});
  }

  const Problems& problems() const { return problems_; }
  std::vector<ConfigRemark> take_remarks() { return std::move(remarks_); }

 private:
  const Value& config_;
  Problems problems_;
  std::vector<ConfigRemark> remarks_;
};

// Every layer from the first of experts on has some: others are not what a shape describes.
void expect_every_layer(Reader& config, std::string_view step) {
  if (config.whole(step, 1, 1) != 1) {
    config.refuse(step, "must be 1: layers with and without experts in turn are no shape");
  }
}

// Experts that every token visits, by their width together.
std::int64_t shared_experts(Reader& config, std::string_view key, std::int64_t expert_size) {
  const std::int64_t size = config.whole(key, 0, 0);
  if (size % expert_size != 0) {
    config.refuse(key, "(" + text_of(static_cast<double>(size)) +
                           ") must be a multiple of moe_intermediate_size (" +
                           text_of(static_cast<double>(expert_size)) + ")");
  }
  return size / expert_size;
}

void read_deepseek_experts(Reader& config, ModelShape& shape) {
  if (config.find("n_routed_experts") == nullptr) return;
  shape.num_experts = config.needed("n_routed_experts");
  shape.experts_per_token = config.needed("num_experts_per_tok");
  shape.num_shared_experts = config.whole("n_shared_experts", 0, 0);
  shape.expert_groups = config.whole("n_group", 1, 1);
  if (shape.expert_groups > 1) shape.routed_groups = config.whole("topk_group", 0, 0);
  shape.num_dense_layers = config.whole("first_k_dense_replace", 0, 0);
  if (shape.num_dense_layers > 0) shape.dense_ffn_hidden_size = shape.ffn_hidden_size;
  shape.ffn_hidden_size = config.needed("moe_intermediate_size");
  expect_every_layer(config, "moe_layer_freq");
}

void read_qwen_experts(Reader& config, ModelShape& shape) {
  shape.num_experts = config.needed("num_experts");
  shape.experts_per_token = config.needed("num_experts_per_tok");
  shape.ffn_hidden_size = config.needed("moe_intermediate_size");
  shape.num_shared_experts = shared_experts(config, "shared_expert_intermediate_size", shape.ffn_hidden_size);
  expect_every_layer(config, "decoder_sparse_step");
  const Value* plain = config.find("mlp_only_layers");
  const bool some = plain != nullptr && !(plain->list() != nullptr && plain->list()->empty());
  if (some)
    config.refuse("mlp_only_layers", "must be empty: layers without experts among others are no shape");
}

void read_experts(Reader& config, const Architecture& architecture, ModelShape& shape) {
  switch (architecture.experts) {
    case Experts::none:
      break;
    case Experts::mixtral:
    case Experts::gpt_oss:
      shape.num_experts = config.needed("num_local_experts");
      shape.experts_per_token = config.needed("num_experts_per_tok");
      break;
    case Experts::qwen:
      read_qwen_experts(config, shape);
      break;
    case Experts::deepseek:
      read_deepseek_experts(config, shape);
      break;
    case Experts::llama4:
      shape.num_experts = config.needed("num_local_experts");
      shape.experts_per_token = config.needed("num_experts_per_tok");
      shape.num_shared_experts = 1;
      expect_every_layer(config, "interleave_moe_layer_step");
      break;
  }
  if (shape.experts_per_token > shape.num_experts)
    config.refuse("num_experts_per_tok",
                  "must be at most the experts (" + text_of(static_cast<double>(shape.num_experts)) + ")");
  if (shape.num_dense_layers >= shape.num_layers && shape.num_experts > 1)
    config.refuse("first_k_dense_replace", "must be less than num_hidden_layers");
}

void read_latent_attention(Reader& config, ModelShape& shape) {
  shape.query_rank = config.whole("q_lora_rank", 0, 0);
  shape.kv_rank = config.needed("kv_lora_rank");
  shape.rope_head_size = config.needed("qk_rope_head_dim");
  shape.head_size = config.needed("qk_nope_head_dim");
  shape.num_kv_heads = shape.num_heads;
  const std::int64_t values = config.whole("v_head_dim", 1, shape.head_size);
  if (values != shape.head_size) {
    config.refuse("v_head_dim", "(" + text_of(static_cast<double>(values)) + ") must be qk_nope_head_dim (" +
                                    text_of(static_cast<double>(shape.head_size)) + ")");
  }
}

void read_attention(Reader& config, const Architecture& architecture, ModelShape& shape) {
  shape.num_heads = config.needed(head_names);
  if (architecture.latent_attention) return read_latent_attention(config, shape);
  shape.num_kv_heads = config.whole(kv_head_names, 1, shape.num_heads);
  shape.head_size = config.whole(head_size_names, 1, 0);
  if (shape.head_size == 0 && shape.hidden_size % shape.num_heads != 0)
    config.refuse("hidden_size", "must be a multiple of num_attention_heads, where head_dim is not given");
  if (shape.num_heads % shape.num_kv_heads != 0)
    config.refuse("num_key_value_heads", "must divide num_attention_heads");
}

void add_remarks(Reader& config, const Architecture& architecture) {
  for (const auto& [key, says] : left_out) {
    const Value* found = config.find(key);
    if (found == nullptr) continue;
    if (key == "sliding_window" && !config.flag("use_sliding_window", true)) continue;
    if (const double* number = found->number(); number != nullptr && *number == 0) continue;
    config.remark(key, says);
  }
  if (!architecture.biases && config.flag("attention_bias", false))
    config.remark("attention_bias", "biases of the attention's matrices are left out");
}

ModelShape shape_of(Reader& config, const Architecture& architecture) {
  ModelShape shape;
  shape.num_layers = config.needed(layer_names);
  shape.hidden_size = config.needed(hidden_names);
  shape.vocab_size = config.needed(vocab_names);
  shape.gated_mlp = architecture.gated_mlp;
  shape.biases = architecture.biases;
  shape.tied_embeddings = config.flag("tie_word_embeddings", architecture.tied_embeddings);
  shape.parallel_sublayers = architecture.parallel_sublayers && config.flag("use_parallel_residual", true);
  if (architecture.learned_positions) shape.num_positions = config.needed(context_names);
  read_attention(config, architecture, shape);
  shape.ffn_hidden_size = config.whole(ffn_names, 1, 0);
  if (shape.ffn_hidden_size == 0 && architecture.gated_mlp) config.refuse(ffn_names[0], "is missing");
  read_experts(config, architecture, shape);
  return shape;
}

const Architecture* find_architecture(std::string_view model_type) {
  for (const Architecture& architecture : architectures) {
    if (architecture.model_type == model_type) return &architecture;
  }
  return nullptr;
}

Problem unknown_architecture(const Value* model_type) {
  std::string known;
  for (const std::string_view name : config_model_types())
    known += (known.empty() ? "" : ", ") + std::string(name);
  return {std::string(config_field), ProblemCode::not_a_choice,
          model_type == nullptr
              ? "config.json: model_type is missing"
              : "config.json: model_type " + text_of(*model_type) + " is not known; known are " + known,
          known};
}

}  // namespace

std::vector<std::string_view> config_model_types() {
  std::vector<std::string_view> types;
  for (const Architecture& architecture : architectures) types.push_back(architecture.model_type);
  return types;
}

Outcome<ModelConfig> read_model_config(std::string_view json) {
  const Outcome<Value> parsed = parse_json(config_field, json);
  if (!parsed) return parsed.problems();
  const Value* text_part = parsed->find("text_config");
  const Value& part = text_part != nullptr && text_part->object() != nullptr ? *text_part : *parsed;
  const Value* model_type = part.find("model_type");
  const Architecture* architecture = model_type != nullptr && model_type->text() != nullptr
                                         ? find_architecture(*model_type->text())
                                         : nullptr;
  if (architecture == nullptr) return unknown_architecture(model_type);

  Reader config(part);
  ModelConfig read;
  read.model_type = architecture->model_type;
  read.shape = shape_of(config, *architecture);
  read.context_length = static_cast<double>(config.whole(context_names, 0, 0));
  add_remarks(config, *architecture);
  if (&part != &*parsed) config.remark("text_config", "the text part alone is read");
  if (!config.problems().empty()) return config.problems();
  read.shape = completed(read.shape);
  read.remarks = config.take_remarks();
  return read;
}

}  // namespace commcost
