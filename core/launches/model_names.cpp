#include "core/launches/model_names.h"

#include <algorithm>
#include <iterator>

namespace commcost {
namespace {

// torchtitan/models/*/config_registry.py @b5bcd76c;
// src/megatron/bridge/recipes @067f987d.
// clang-format off
constexpr ModelNames rows[] = {
    {"llama-3-8b", "", "", "llama3_8b_pretrain_2gpu_h100_bf16_config"},
    {"llama-3.1-8b", "llama3", "llama3_8b", "llama31_8b_pretrain_2gpu_h100_bf16_config"},
    {"llama-3-70b", "", "", "llama3_70b_pretrain_32gpu_h100_bf16_config"},
    {"llama-3.1-70b", "llama3", "llama3_70b", "llama31_70b_pretrain_32gpu_h100_bf16_config"},
    {"llama-3.1-405b", "llama3", "llama3_405b", "llama31_405b_pretrain_256gpu_h100_bf16_config"},
    {"llama-3.2-1b", "", "", "llama32_1b_pretrain_1gpu_h100_bf16_config"},
    {"llama-3.2-3b", "", "", "llama32_3b_pretrain_1gpu_h100_bf16_config"},
    {"qwen3-0.6b", "qwen3", "qwen3_0_6b", ""},
    {"qwen3-1.7b", "qwen3", "qwen3_1_7b", ""},
    {"qwen3-14b", "qwen3", "qwen3_14b", ""},
    {"qwen3-32b", "qwen3", "qwen3_32b", ""},
    {"qwen3-30b-a3b", "qwen3", "qwen3_30b_a3b", ""},
    {"gpt-oss-20b", "gpt_oss", "gpt_oss_20b", ""},
    {"gpt-oss-120b", "gpt_oss", "gpt_oss_120b", ""},
    {"deepseek-v3", "deepseek_v3", "deepseek_v3_671b", "deepseek_v3_pretrain_1024gpu_h100_bf16_config"},
};
// clang-format on

}  // namespace

const ModelNames* names_of(const ModelRow* model) {
  if (model == nullptr) return nullptr;
  const auto found = std::find_if(std::begin(rows), std::end(rows),
                                  [&](const ModelNames& row) { return row.id == model->id; });
  return found == std::end(rows) ? nullptr : &*found;
}

const ModelRow* model_named(std::string_view name, std::string_view ModelNames::*kind) {
  if (name.empty()) return nullptr;
  const auto found = std::find_if(std::begin(rows), std::end(rows),
                                  [&](const ModelNames& row) { return row.*kind == name; });
  return found == std::end(rows) ? nullptr : find_model(found->id);
}

}  // namespace commcost
