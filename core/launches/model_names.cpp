#include "core/launches/model_names.h"

#include <algorithm>
#include <iterator>

namespace commcost {
namespace {

// Hugging Face's repositories; torchtitan/models/*/config_registry.py @b5bcd76c;
// src/megatron/bridge/recipes @067f987d.
// clang-format off
constexpr ModelNames rows[] = {
    {"llama-2-7b", "meta-llama/Llama-2-7b-hf", "", "", ""},
    {"llama-2-13b", "meta-llama/Llama-2-13b-hf", "", "", ""},
    {"llama-2-70b", "meta-llama/Llama-2-70b-hf", "", "", ""},
    {"llama-3-8b", "meta-llama/Meta-Llama-3-8B", "", "", "llama3_8b_pretrain_2gpu_h100_bf16_config"},
    {"llama-3.1-8b", "meta-llama/Llama-3.1-8B", "llama3", "llama3_8b", "llama31_8b_pretrain_2gpu_h100_bf16_config"},
    {"llama-3-70b", "meta-llama/Meta-Llama-3-70B", "", "", "llama3_70b_pretrain_32gpu_h100_bf16_config"},
    {"llama-3.1-70b", "meta-llama/Llama-3.1-70B", "llama3", "llama3_70b", "llama31_70b_pretrain_32gpu_h100_bf16_config"},
    {"llama-3.1-405b", "meta-llama/Llama-3.1-405B", "llama3", "llama3_405b", "llama31_405b_pretrain_256gpu_h100_bf16_config"},
    {"llama-3.2-1b", "meta-llama/Llama-3.2-1B", "", "", "llama32_1b_pretrain_1gpu_h100_bf16_config"},
    {"llama-3.2-3b", "meta-llama/Llama-3.2-3B", "", "", "llama32_3b_pretrain_1gpu_h100_bf16_config"},
    {"mistral-7b-v0.1", "mistralai/Mistral-7B-v0.1", "", "", ""},
    {"mistral-7b-v0.3", "mistralai/Mistral-7B-v0.3", "", "", ""},
    {"mixtral-8x7b", "mistralai/Mixtral-8x7B-v0.1", "", "", ""},
    {"mixtral-8x22b", "mistralai/Mixtral-8x22B-v0.1", "", "", ""},
    {"qwen2.5-0.5b", "Qwen/Qwen2.5-0.5B", "", "", ""},
    {"qwen2.5-1.5b", "Qwen/Qwen2.5-1.5B", "", "", ""},
    {"qwen2.5-3b", "Qwen/Qwen2.5-3B", "", "", ""},
    {"qwen2.5-7b", "Qwen/Qwen2.5-7B", "", "", ""},
    {"qwen2.5-14b", "Qwen/Qwen2.5-14B", "", "", ""},
    {"qwen2.5-32b", "Qwen/Qwen2.5-32B", "", "", ""},
    {"qwen2.5-72b", "Qwen/Qwen2.5-72B", "", "", ""},
    {"qwen3-0.6b", "Qwen/Qwen3-0.6B", "qwen3", "qwen3_0_6b", ""},
    {"qwen3-1.7b", "Qwen/Qwen3-1.7B", "qwen3", "qwen3_1_7b", ""},
    {"qwen3-4b", "Qwen/Qwen3-4B", "", "", ""},
    {"qwen3-8b", "Qwen/Qwen3-8B", "", "", ""},
    {"qwen3-14b", "Qwen/Qwen3-14B", "qwen3", "qwen3_14b", ""},
    {"qwen3-32b", "Qwen/Qwen3-32B", "qwen3", "qwen3_32b", ""},
    {"qwen3-30b-a3b", "Qwen/Qwen3-30B-A3B", "qwen3", "qwen3_30b_a3b", ""},
    {"qwen3-235b-a22b", "Qwen/Qwen3-235B-A22B", "", "", ""},
    {"gpt-oss-20b", "openai/gpt-oss-20b", "gpt_oss", "gpt_oss_20b", ""},
    {"gpt-oss-120b", "openai/gpt-oss-120b", "gpt_oss", "gpt_oss_120b", ""},
    {"deepseek-moe-16b", "deepseek-ai/deepseek-moe-16b-base", "", "", ""},
    {"deepseek-v2-lite", "deepseek-ai/DeepSeek-V2-Lite", "", "", ""},
    {"deepseek-v2", "deepseek-ai/DeepSeek-V2", "", "", ""},
    {"deepseek-v3", "deepseek-ai/DeepSeek-V3", "deepseek_v3", "deepseek_v3_671b", "deepseek_v3_pretrain_1024gpu_h100_bf16_config"},
    {"deepseek-r1", "deepseek-ai/DeepSeek-R1", "", "", ""},
    {"moonlight-16b-a3b", "moonshotai/Moonlight-16B-A3B", "", "", ""},
    {"kimi-k2", "moonshotai/Kimi-K2-Instruct", "", "", ""},
    {"glm-4.5-air", "zai-org/GLM-4.5-Air", "", "", ""},
    {"glm-4.5", "zai-org/GLM-4.5", "", "", ""},
    {"glm-4.6", "zai-org/GLM-4.6", "", "", ""},
    {"gemma-2-2b", "google/gemma-2-2b", "", "", ""},
    {"gemma-2-9b", "google/gemma-2-9b", "", "", ""},
    {"gemma-2-27b", "google/gemma-2-27b", "", "", ""},
    {"falcon-7b", "tiiuae/falcon-7b", "", "", ""},
    {"falcon-40b", "tiiuae/falcon-40b", "", "", ""},
    {"falcon-180b", "tiiuae/falcon-180B", "", "", ""},
    {"bloom-176b", "bigscience/bloom", "", "", ""},
    {"phi-4", "microsoft/phi-4", "", "", ""},
    {"yi-34b", "01-ai/Yi-34B", "", "", ""},
    {"dbrx", "databricks/dbrx-base", "", "", ""},
};
// clang-format on

// Base, instructed and chat weights have one shape.
std::string_view without_tuning(std::string_view hub) {
  for (const std::string_view end :
       {"-Instruct-v0.1", "-Instruct-v0.3", "-Instruct", "-Chat", "-Base", "-it"}) {
    if (hub.ends_with(end)) return hub.substr(0, hub.size() - end.size());
  }
  return hub;
}

}  // namespace

const ModelNames* names_of(const ModelRow* model) {
  if (model == nullptr) return nullptr;
  const auto found = std::find_if(std::begin(rows), std::end(rows),
                                  [&](const ModelNames& row) { return row.id == model->id; });
  return found == std::end(rows) ? nullptr : &*found;
}

const ModelRow* model_named(std::string_view name, std::string_view ModelNames::*kind) {
  if (name.empty()) return nullptr;
  for (const bool tuned : {false, true}) {
    for (const ModelNames& row : rows) {
      const std::string_view known = row.*kind;
      const bool is = !known.empty() && (tuned ? known.starts_with(without_tuning(name)) &&
                                                     without_tuning(known) == without_tuning(name)
                                               : known == name);
      if (is) return find_model(row.id);
    }
  }
  return nullptr;
}

}  // namespace commcost
