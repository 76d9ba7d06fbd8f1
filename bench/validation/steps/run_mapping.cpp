#include "bench/validation/steps/run_mapping.h"

#include <cstdlib>

#include "bench/validation/csv.h"
#include "core/hardware/accelerators.h"

namespace commcost::validation::steps {
namespace {

constexpr Framework stacks[] = {
    {"megatron-bridge", "megatron", "megatron-core", 1, false},
    {"nemo", "megatron", "megatron-core", 1, false},
    {"primus", "primus", "megatron-core", 1, false},
    {"megatron-deepspeed", "megatron-deepspeed", "deepspeed", 1, false},
    {"llm-foundry", "llm-foundry", "fsdp", 3, true},
    {"torchtitan", "torchtitan", "torchtitan", 3, false},
    {"fms-fsdp", "fms-fsdp", "fsdp", 3, true},
    {"maxtext", "maxtext", "maxtext", 3, false, true},
    {"paxml", "paxml", "maxtext", 3, false},
    {"internevo", "internevo", "megatron-core", 1, false},
};

constexpr Precision precisions[] = {
    {"bf16", MatmulPrecision::bf16},   {"fp16", MatmulPrecision::fp16},   {"fp8", MatmulPrecision::fp8},
    {"mxfp8", MatmulPrecision::mxfp8}, {"nvfp4", MatmulPrecision::nvfp4},
};

struct Recomputed {
  std::string_view prefix;
  Recompute recompute;
};

// The first that fits. Kinds that keep nearly every activation count as none, single layers as all of them.
constexpr Recomputed recomputed[] = {
    {"none", Recompute::none},
    {"cpu-offload", Recompute::none},
    {"minimal_flash", Recompute::none},
    {"selective:mla_up_proj", Recompute::none},
    {"selective:layernorm+moe_act", Recompute::none},
    {"selective:moe_act+layernorm", Recompute::none},
    {"selective:mlp", Recompute::none},
    {"selective layer", Recompute::full},
    {"selective", Recompute::selective},
    {"minimal", Recompute::selective},
    {"full", Recompute::full},
    {"custom", Recompute::full},
    {"qkv", Recompute::full},
    {"save_", Recompute::full},
};

struct Sharding {
  std::string_view name;
  std::int64_t zero_stage;
};
constexpr Sharding shardings[] = {{"none", 0}, {"zero1", 1}, {"zero2", 2}, {"zero3", 3}, {"hsdp", 3}};

struct Network {
  std::string_view name;
  NetworkKind kind;
};
constexpr Network networks[] = {
    {"infiniband", NetworkKind::infiniband},
    {"infiniband/roce", NetworkKind::infiniband},
    {"roce", NetworkKind::roce},
    {"gcp roce", NetworkKind::roce},
    {"omnipath", NetworkKind::omnipath},
    {"slingshot", NetworkKind::slingshot},
    {"efa", NetworkKind::efa},
    {"ici", NetworkKind::ici},
    {"ici+dcn", NetworkKind::ethernet},  // between slices
};

constexpr ModelTraits traits[] = {{"gpt-oss", false, false}, {"mpt", true, false},  {"gpt3", true, true},
                                  {"gpt-", true, true},      {"bloom", true, true}, {"gemma", true, false}};

// Dies of an MI250X are counted, and chips of a TPU v7, though its software sees two devices in each.
constexpr Counted counted[] = {{"mi250x", "mi250x-gcd"}, {"tpu-v7x", "tpu-v7x", 2}};

}  // namespace

const Framework* framework_of(std::string_view framework) {
  for (const Framework& stack : stacks) {
    if (framework.starts_with(stack.prefix)) return &stack;
  }
  return nullptr;
}

StackRelease release_of(std::string_view version, Generation generation) {
  if (generation != Generation::blackwell) return StackRelease::any;
  if (version.starts_with("NeMo 25.09")) return StackRelease::nemo_25_09;
  return version.starts_with("NeMo 26.08") ? StackRelease::nemo_26_08 : StackRelease::any;
}

const Precision* precision_of(std::string_view name) {
  for (const Precision& precision : precisions) {
    if (precision.name == name) return &precision;
  }
  return nullptr;
}

Recompute recompute_of(std::string_view recompute) {
  for (const Recomputed& row : recomputed) {
    if (recompute.starts_with(row.prefix)) return row.recompute;
  }
  return Recompute::none;
}

std::int64_t zero_stage_of(std::string_view sharding, const Framework& stack) {
  for (const Sharding& row : shardings) {
    if (row.name == sharding) return row.zero_stage;
  }
  return stack.zero_stage;
}

std::int64_t shard_group_of(std::string_view note, std::string_view overlap_flags) {
  const auto after = [](std::string_view text, std::string_view words) -> std::int64_t {
    const std::size_t at = text.find(words);
    return at == std::string_view::npos ? 0 : std::atoll(std::string(text.substr(at + words.size())).c_str());
  };
  // "FSDP 64 x DP 8": shards, then copies.
  return contains(note, " x DP") ? after(note, "FSDP ") : after(overlap_flags, "zero1 group ");
}

std::int64_t slices_of(std::string_view id) {
  for (std::size_t at = id.find('-'); at != std::string_view::npos; at = id.find('-', at + 1)) {
    char* end = nullptr;
    const std::string rest(id.substr(at + 1));
    const std::int64_t slices = std::strtoll(rest.c_str(), &end, 10);
    if (slices > 0 && *end == 'x') return slices;
  }
  return 0;
}

PipelineSchedule schedule_of(std::string_view overlap_flags, std::int64_t virtual_stages) {
  if (virtual_stages > 1) return PipelineSchedule::interleaved;
  for (const std::string_view name : {"zbb", "zbv", "zero-bubble"}) {
    if (contains(overlap_flags, name)) return PipelineSchedule::zero_bubble;
  }
  return PipelineSchedule::one_f_one_b;
}

std::optional<NetworkKind> network_of(std::string_view network) {
  for (const Network& row : networks) {
    if (row.name == network) return row.kind;
  }
  return std::nullopt;
}

ModelTraits traits_of(std::string_view model) {
  for (const ModelTraits& row : traits) {
    if (model.starts_with(row.prefix)) return row;
  }
  return {};
}

std::string_view generation_of(std::string_view accelerator) {
  return row_of(find_accelerator(accelerator)->generation).id;
}

Counted counted_as(std::string_view gpu) {
  for (const Counted& row : counted) {
    if (row.gpu == gpu) return row;
  }
  return {gpu, gpu};
}

}  // namespace commcost::validation::steps
