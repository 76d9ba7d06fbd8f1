#include "core/model/catalog.h"

namespace commcost {
namespace {

constexpr std::string_view litgpt = "github.com/Lightning-AI/litgpt litgpt/config.py @2685705";

// GPT's matrices have biases, and its positions are learned.
constexpr ModelShape gpt(ModelShape shape, std::int64_t num_positions) {
  shape.biases = true;
  shape.num_positions = num_positions;
  return shape;
}

constexpr ModelShape parallel(ModelShape shape) {
  shape.parallel_sublayers = true;
  return shape;
}

// Latent attention, one shared expert, three layers without experts (arXiv:2412.19437, section 4.2).
constexpr ModelShape deepseek_v3() {
  ModelShape shape{61, 7168, 128, 128, 128, 2048, true, 129280, false, 256, 8};
  shape.num_shared_experts = 1;
  shape.num_dense_layers = 3;
  shape.dense_ffn_hidden_size = 18432;
  shape.query_rank = 1536;
  shape.kv_rank = 512;
  shape.rope_head_size = 64;
  return shape;
}

// clang-format off
// Shape: layers, hidden, heads, kv heads, head, ffn, gated, vocabulary, tied, experts, experts a token.
constexpr ModelRow models[] = {
    {"gpt2-small", "GPT-2 small", "GPT", gpt({12, 768, 12, 12, 64, 3072, false, 50257, true, 1, 1}, 1024), 1024, 0.124, "github.com/karpathy/nanoGPT; sizes github.com/openai/gpt-2 model_card.md"},
    {"gpt2-medium", "GPT-2 medium", "GPT", gpt({24, 1024, 16, 16, 64, 4096, false, 50257, true, 1, 1}, 1024), 1024, 0.355, "github.com/karpathy/nanoGPT; sizes github.com/openai/gpt-2 model_card.md"},
    {"gpt2-large", "GPT-2 large", "GPT", gpt({36, 1280, 20, 20, 64, 5120, false, 50257, true, 1, 1}, 1024), 1024, 0.774, "github.com/karpathy/nanoGPT; sizes github.com/openai/gpt-2 model_card.md"},
    {"gpt2-xl", "GPT-2 XL", "GPT", gpt({48, 1600, 25, 25, 64, 6400, false, 50257, true, 1, 1}, 1024), 1024, 1.558, "github.com/karpathy/nanoGPT; sizes github.com/openai/gpt-2 model_card.md"},
    {"gpt3-175b", "GPT-3 175B", "GPT", gpt({96, 12288, 96, 96, 128, 49152, false, 50257, true, 1, 1}, 2048), 2048, 174.6, "github.com/calculon-ai/calculon models/gpt3-175B.json @caa4b11"},
    {"llama-2-7b", "Llama 2 7B", "Llama 2", {32, 4096, 32, 32, 128, 11008, true, 32000, false, 1, 1}, 4096, 6.738, litgpt},
    {"llama-2-13b", "Llama 2 13B", "Llama 2", {40, 5120, 40, 40, 128, 13824, true, 32000, false, 1, 1}, 4096, 13.015, litgpt},
    {"llama-2-70b", "Llama 2 70B", "Llama 2", {80, 8192, 64, 8, 128, 28672, true, 32000, false, 1, 1}, 4096, 68.975, litgpt},
    {"llama-3-8b", "Llama 3 8B", "Llama 3", {32, 4096, 32, 8, 128, 14336, true, 128256, false, 1, 1}, 8192, 8.03, litgpt},
    {"llama-3.1-8b", "Llama 3.1 8B", "Llama 3", {32, 4096, 32, 8, 128, 14336, true, 128256, false, 1, 1}, 131072, 8.03, litgpt},
    {"llama-3-70b", "Llama 3 70B", "Llama 3", {80, 8192, 64, 8, 128, 28672, true, 128256, false, 1, 1}, 8192, 70.552, litgpt},
    {"llama-3.1-70b", "Llama 3.1 70B", "Llama 3", {80, 8192, 64, 8, 128, 28672, true, 128256, false, 1, 1}, 131072, 70.552, litgpt},
    {"llama-3.1-405b", "Llama 3.1 405B", "Llama 3", {126, 16384, 128, 8, 128, 53248, true, 128256, false, 1, 1}, 131072, 405.849, litgpt},
    {"llama-3.2-1b", "Llama 3.2 1B", "Llama 3", {16, 2048, 32, 8, 64, 8192, true, 128256, true, 1, 1}, 131072, 1.236, litgpt},
    {"llama-3.2-3b", "Llama 3.2 3B", "Llama 3", {28, 3072, 24, 8, 128, 8192, true, 128256, true, 1, 1}, 131072, 3.213, litgpt},
    {"mistral-7b-v0.1", "Mistral 7B v0.1", "Mistral", {32, 4096, 32, 8, 128, 14336, true, 32000, false, 1, 1}, 4096, 7.241, litgpt},
    {"mistral-7b-v0.3", "Mistral 7B v0.3", "Mistral", {32, 4096, 32, 8, 128, 14336, true, 32768, false, 1, 1}, 32768, 7.248, litgpt},
    {"mistral-large-2407", "Mistral Large 2407", "Mistral", {88, 12288, 96, 8, 128, 28672, true, 32768, false, 1, 1}, 32768, 122.6, litgpt},
    {"mixtral-8x7b", "Mixtral 8x7B", "Mistral", {32, 4096, 32, 8, 128, 14336, true, 32000, false, 8, 2}, 32768, 46.7, litgpt},
    {"mixtral-8x22b", "Mixtral 8x22B", "Mistral", {56, 6144, 48, 8, 128, 16384, true, 32768, false, 8, 2}, 65536, 140.6, litgpt},
    {"qwen2.5-0.5b", "Qwen2.5 0.5B", "Qwen", {24, 896, 14, 2, 64, 4864, true, 151936, true, 1, 1}, 32768, 0.494, litgpt},
    {"qwen2.5-1.5b", "Qwen2.5 1.5B", "Qwen", {28, 1536, 12, 2, 128, 8960, true, 151936, true, 1, 1}, 131072, 1.544, litgpt},
    {"qwen2.5-3b", "Qwen2.5 3B", "Qwen", {36, 2048, 16, 2, 128, 11008, true, 151936, true, 1, 1}, 32768, 3.086, litgpt},
    {"qwen2.5-7b", "Qwen2.5 7B", "Qwen", {28, 3584, 28, 4, 128, 18944, true, 152064, false, 1, 1}, 131072, 7.615, litgpt},
    {"qwen2.5-14b", "Qwen2.5 14B", "Qwen", {48, 5120, 40, 8, 128, 13824, true, 152064, false, 1, 1}, 131072, 14.77, litgpt},
    {"qwen2.5-32b", "Qwen2.5 32B", "Qwen", {64, 5120, 40, 8, 128, 27648, true, 152064, false, 1, 1}, 131072, 32.76, litgpt},
    {"qwen2.5-72b", "Qwen2.5 72B", "Qwen", {80, 8192, 64, 8, 128, 29568, true, 152064, false, 1, 1}, 131072, 72.7, litgpt},
    {"qwen3-0.6b", "Qwen3 0.6B", "Qwen", {28, 1024, 16, 8, 128, 3072, true, 151936, true, 1, 1}, 40960, 0.596, litgpt},
    {"qwen3-1.7b", "Qwen3 1.7B", "Qwen", {28, 2048, 16, 8, 128, 6144, true, 151936, true, 1, 1}, 40960, 1.72, litgpt},
    {"qwen3-4b", "Qwen3 4B", "Qwen", {36, 2560, 32, 8, 128, 9728, true, 151936, true, 1, 1}, 40960, 4.022, litgpt},
    {"qwen3-8b", "Qwen3 8B", "Qwen", {36, 4096, 32, 8, 128, 12288, true, 151936, false, 1, 1}, 40960, 8.19, litgpt},
    {"qwen3-14b", "Qwen3 14B", "Qwen", {40, 5120, 40, 8, 128, 17408, true, 151936, false, 1, 1}, 40960, 14.77, litgpt},
    {"qwen3-32b", "Qwen3 32B", "Qwen", {64, 5120, 64, 8, 128, 25600, true, 151936, false, 1, 1}, 40960, 32.76, litgpt},
    {"qwen3-30b-a3b", "Qwen3 30B-A3B", "Qwen", {48, 2048, 32, 4, 128, 768, true, 151936, false, 128, 8}, 40960, 30.53, litgpt},
    {"qwen3-235b-a22b", "Qwen3 235B-A22B", "Qwen", {94, 4096, 64, 4, 128, 1536, true, 151936, false, 128, 8}, 40960, 235.1, litgpt},
    {"gemma-2-2b", "Gemma 2 2B", "Gemma", {26, 2304, 8, 4, 256, 9216, true, 256000, true, 1, 1}, 8192, 2.614, litgpt},
    {"gemma-2-9b", "Gemma 2 9B", "Gemma", {42, 3584, 16, 8, 256, 14336, true, 256000, true, 1, 1}, 8192, 9.241, litgpt},
    {"gemma-2-27b", "Gemma 2 27B", "Gemma", {46, 4608, 32, 16, 128, 36864, true, 256000, true, 1, 1}, 8192, 27.23, litgpt},
    {"gemma-3-1b", "Gemma 3 1B", "Gemma", {26, 1152, 4, 1, 256, 6912, true, 262144, true, 1, 1}, 131072, 1, litgpt},
    {"gemma-3-4b", "Gemma 3 4B", "Gemma", {34, 2560, 8, 4, 256, 10240, true, 262144, true, 1, 1}, 131072, 3.88, litgpt},
    {"gemma-3-12b", "Gemma 3 12B", "Gemma", {48, 3840, 16, 8, 256, 15360, true, 262144, true, 1, 1}, 131072, 11.77, litgpt},
    {"gemma-3-27b", "Gemma 3 27B", "Gemma", {62, 5376, 32, 16, 128, 21504, true, 262144, true, 1, 1}, 131072, 27.01, litgpt},
    {"falcon-7b", "Falcon 7B", "Falcon", parallel({32, 4544, 71, 1, 64, 18176, false, 65024, true, 1, 1}), 2048, 6.92, litgpt},
    {"falcon-40b", "Falcon 40B", "Falcon", parallel({60, 8192, 128, 8, 64, 32768, false, 65024, true, 1, 1}), 2048, 41.3, litgpt},
    {"falcon-180b", "Falcon 180B", "Falcon", parallel({80, 14848, 232, 8, 64, 59392, false, 65024, true, 1, 1}), 2048, 178.6, litgpt},
    {"gpt-neox-20b", "GPT-NeoX 20B", "GPT", parallel(gpt({44, 6144, 64, 64, 96, 24576, false, 50257, false, 1, 1}, 0)), 2048, 20.55, "github.com/EleutherAI/gpt-neox configs/20B.yml @ea7aefd"},
    {"bloom-176b", "BLOOM 176B", "BLOOM", gpt({70, 14336, 112, 112, 128, 57344, false, 250680, true, 1, 1}, 0), 2048, 176.2, "github.com/bigscience-workshop/bigscience train/tr11-176B-ml @00327f8"},
    {"mt-nlg-530b", "MT-NLG 530B", "GPT", gpt({105, 20480, 128, 128, 160, 81920, false, 51200, true, 1, 1}, 2048), 2048, 529.5, "github.com/calculon-ai/calculon models/turing-530B.json @caa4b11"},
    {"deepseek-v3", "DeepSeek-V3", "DeepSeek", deepseek_v3(), 131072, 671, "github.com/deepseek-ai/DeepSeek-V3 inference/configs/config_671B.json @9b4e978"},
};
// clang-format on

static_assert(std::size(models) == model_count);

constexpr std::array<std::string_view, model_count> ids = [] {
  std::array<std::string_view, model_count> all{};
  for (std::size_t i = 0; i < model_count; ++i) all[i] = models[i].id;
  return all;
}();

}  // namespace

constinit const std::array<std::string_view, model_count> model_ids = ids;

std::span<const ModelRow> all_models() {
  return models;
}

const ModelRow* find_model(std::string_view id) {
  for (const ModelRow& model : models) {
    if (model.id == id) return &model;
  }
  return nullptr;
}

}  // namespace commcost
