#include "core/parallel/recipes.h"

namespace commcost {
namespace {

// What selective recomputation repeats, as Work's flags of these names.
struct Selection {
  bool attention_core = false;
  bool elementwise = false;
  bool latent_projections = false;
  bool products = false;
};
constexpr Selection attention_core{.attention_core = true};
constexpr Selection by_operation{.elementwise = true, .products = true};

// What a stack does, so that a row says it in words. As set here: of today's stacks most.
struct Choices {
  bool flash_attention = true;
  bool dropout = false;
  Selection selective = attention_core;
  std::int64_t gradient_bytes_per_element = 4;
  bool overlap_tensor = false;
  bool overlap_tensor_forward = false;
  bool overlap_data = true;
  bool overlap_param_gather = true;
  bool regather_input = false;
  bool balanced_stages = false;
  bool scatter_gather = false;
  bool overlap_expert = false;
  ExchangeKernel expert_exchange = ExchangeKernel::nccl;
  double dispatch_wire_bytes_per_element = 0;
};

constexpr Recipe recipe(std::string_view id, std::string_view name, std::string_view version, RecipeUse use,
                        const Choices& does, const Pace& pace, std::string_view source,
                        const ServingPace& serving = {}) {
  Recipe row{id, name, version, use, {}, {}, pace, serving, source};
  row.work.flash_attention = does.flash_attention;
  row.work.dropout = does.dropout;
  row.work.recompute_attention_core = does.selective.attention_core;
  row.work.recompute_elementwise = does.selective.elementwise;
  row.work.recompute_latent_projections = does.selective.latent_projections;
  row.work.recompute_products = does.selective.products;
  row.work.gradient_bytes_per_element = does.gradient_bytes_per_element;
  row.layout.overlap_tensor = does.overlap_tensor;
  row.layout.overlap_tensor_forward = does.overlap_tensor_forward;
  row.layout.overlap_data = does.overlap_data;
  row.layout.overlap_param_gather = does.overlap_param_gather;
  row.layout.regather_input = does.regather_input;
  row.layout.balanced_stages = does.balanced_stages;
  row.layout.scatter_gather = does.scatter_gather;
  row.layout.overlap_expert = does.overlap_expert;
  row.layout.expert_exchange = does.expert_exchange;
  row.layout.dispatch_wire_bytes_per_element = does.dispatch_wire_bytes_per_element;
  return row;
}

using enum RecipeUse;

constexpr Choices megatron_2021 = {.flash_attention = false,
                                   .dropout = true,
                                   .gradient_bytes_per_element = 0,
                                   .overlap_data = false,
                                   .regather_input = true,
                                   .scatter_gather = true};
constexpr Choices no_gradients = {.gradient_bytes_per_element = 0};

// By `validation steps --fit`: the constants that rows of a stack ask for; the rest is as Pace{} has it.
constexpr Pace megatron_core_pace{.expert_efficiency_percent = 66, .straggler_percent = 1.3};
constexpr Pace megatron_2021_pace{.host_us_per_kernel = 39};
// FlashAttention-2 reaches 335 of H100's 989 TFLOP/s (arXiv:2307.08691).
constexpr Pace nanotron_pace{.compute_efficiency_percent = 77,
                             .attention_efficiency_percent = 44,
                             .host_us_per_kernel = 39,
                             .staged_layer_host_us = 2200,
                             .straggler_percent = 7,
                             .held_bytes_per_logit = 16};
// LLM Foundry's fused cross-entropy keeps logits and their gradient in 16 bits.
constexpr Pace fsdp_pace{.compute_efficiency_percent = 78, .held_bytes_per_logit = 4};
constexpr Pace torchtitan_pace{.compute_efficiency_percent = 72};
constexpr Pace deepspeed_pace{.compute_efficiency_percent = 73};
// One program for all devices, compiled: nothing is launched from a host.
constexpr Pace maxtext_pace{
    .compute_efficiency_percent = 105, .host_us_per_kernel = 0, .cuda_graphs = true, .pipeline_sync_us = 0};
constexpr Pace serving_pace{.cuda_graphs = true};
// By `validation serving --fit`, as above; stacks without rows, or that ask for nothing else, have what
// ServingPace{} has.
constexpr ServingPace vllm_serving{.sequence_host_us = 80};
constexpr ServingPace gpt_fast_serving{.kernel_start_us = 4};
constexpr ServingPace faster_transformer_serving{.kernel_start_us = 9.9,
                                                 .allreduce_kernel = ReduceKernel::nccl};

constexpr Recipe recipes[] = {
    recipe(
        "megatron-core", "Megatron-Core", "0.13", training,
        {.gradient_bytes_per_element = 2,
         .overlap_tensor = true,
         .overlap_tensor_forward = true,
         .regather_input = true},
        megatron_core_pace,
        "docs.nvidia.com/nemo/megatron-bridge training/communication-overlap; github.com/NVIDIA/Megatron-LM "
        "@d98e8a6 megatron/core/tensor_parallel/layers.py, megatron/training/arguments.py"),
    recipe("megatron-2021", "Megatron-LM of 2021", "2.5", training, megatron_2021, megatron_2021_pace,
           "arXiv:2104.04473, section 4.1; arXiv:2205.05198, section 4.2.2 and table 2"),
    recipe(
        "nanotron", "nanotron", "0.4", training,
        {.overlap_tensor = true,
         .overlap_param_gather = false,
         .regather_input = true,
         .balanced_stages = true},
        nanotron_pace,
        "github.com/huggingface/nanotron configs: tp_linear_async_communication, tp_recompute_allgather, "
        "accumulate_grad_in_fp32; blocks dealt to stages by their compute; optim/zero.py gathers the weights "
        "after the update, before anything else"),
    recipe("fsdp", "PyTorch FSDP", "2.4", training, {.selective = by_operation}, fsdp_pace,
           "docs.pytorch.org fsdp: gradients in the type of the sharded parameters, backward prefetch; "
           "pytorch.org/blog/activation-checkpointing-techniques: selective by operation; "
           "github.com/mosaicml/llm-foundry llmfoundry/models/mpt: loss_fn fused_crossentropy"),
    recipe(
        "torchtitan", "torchtitan", "0.2", training, {.selective = by_operation, .balanced_stages = true},
        torchtitan_pace,
        "github.com/pytorch/torchtitan torchtitan/config: mixed_precision_reduce float32, "
        "pipeline_parallel_last_stage_less_layers 1, enable_async_tensor_parallel off, selective_ac_option "
        "op; distributed/activation_checkpoint.py"),
    recipe("deepspeed", "DeepSpeed", "0.16", training,
           {.gradient_bytes_per_element = 0, .overlap_param_gather = false}, deepspeed_pace,
           "deepspeed.ai/docs/config-json: grad_accum_dtype is the model's, overlap_comm as its examples set "
           "it; runtime/zero/stage_1_and_2.py gathers the weights in the optimizer's step"),
    recipe("maxtext", "MaxText", "2025", training,
           {.selective = {.elementwise = true},
            .overlap_tensor = true,
            .overlap_tensor_forward = true,
            .regather_input = true},
           maxtext_pace,
           "github.com/AI-Hypercomputer/maxtext configs/base.yml: flash attention, weights of 32 bits, "
           "remat_policy minimal keeps products, so that what products read is gathered again; "
           "logical_axis_rules share what lies between matrices over the tensor axis, as sequence_parallel "
           "does; XLA's collective matmul and latency hiding scheduler"),
    recipe("hai-llm", "HAI-LLM (DeepSeek-V3)", "2024", training,
           {.selective = {.elementwise = true, .latent_projections = true},
            .gradient_bytes_per_element = 4,
            .overlap_expert = true,
            .expert_exchange = ExchangeKernel::normal,
            .dispatch_wire_bytes_per_element = 1},
           {},
           "arXiv:2412.19437, sections 3.2 and 3.3: DualPipe hides dispatch and combine, kernels send one "
           "copy to each node and links from there, dispatch in fp8 and combine in bf16, gradients in fp32, "
           "norms, "
           "activation functions and the latents' projections up are computed again; "
           "github.com/deepseek-ai/DeepEP"),
    recipe("vllm", "vLLM", "0.9", serving, no_gradients, serving_pace, "docs.vllm.ai: attention backends",
           vllm_serving),
    recipe("sglang", "SGLang", "0.4", serving, no_gradients, serving_pace,
           "docs.sglang.ai: attention backends"),
    recipe("tensorrt-llm", "TensorRT-LLM", "0.20", serving, no_gradients, serving_pace,
           "nvidia.github.io/TensorRT-LLM: fused multi-head attention"),
    recipe("gpt-fast", "gpt-fast", "2024", serving, no_gradients, serving_pace,
           "github.com/pytorch-labs/gpt-fast README: scaled_dot_product_attention under torch.compile",
           gpt_fast_serving),
    recipe("faster-transformer", "FasterTransformer", "5.3", serving, no_gradients, serving_pace,
           "github.com/NVIDIA/FasterTransformer @df4a7534 docs/gpt_guide.md", faster_transformer_serving),
};

static_assert(std::size(recipes) == recipe_count);
static_assert(recipes[usual_training_recipe].use == training &&
              recipes[usual_serving_recipe].use == serving &&
              recipes[usual_serving_recipe - 1].use == training);

constexpr std::array<std::string_view, recipe_count> ids = [] {
  std::array<std::string_view, recipe_count> all{};
  for (std::size_t i = 0; i < recipe_count; ++i) all[i] = recipes[i].id;
  return all;
}();

}  // namespace

constinit const std::array<std::string_view, recipe_count> recipe_ids = ids;

std::span<const Recipe> all_recipes() {
  return recipes;
}

const Recipe* find_recipe(std::string_view id) {
  for (const Recipe& recipe : recipes) {
    if (recipe.id == id) return &recipe;
  }
  return nullptr;
}

void fill(Setting& setting, const Recipe& recipe) {
  copy_stack({{}, recipe.work, recipe.layout, recipe.pace}, setting);
  setting.pace.recipe = static_cast<int>(&recipe - recipes);
}

void copy_stack(const Setting& from, Setting& to) {
  to.pace = from.pace;
  to.work.flash_attention = from.work.flash_attention;
  to.work.dropout = from.work.dropout;
  to.work.recompute_attention_core = from.work.recompute_attention_core;
  to.work.recompute_elementwise = from.work.recompute_elementwise;
  to.work.recompute_latent_projections = from.work.recompute_latent_projections;
  to.work.recompute_products = from.work.recompute_products;
  to.work.gradient_bytes_per_element = from.work.gradient_bytes_per_element;
  to.layout.overlap_tensor = from.layout.overlap_tensor;
  to.layout.overlap_tensor_forward = from.layout.overlap_tensor_forward;
  to.layout.overlap_data = from.layout.overlap_data;
  to.layout.overlap_param_gather = from.layout.overlap_param_gather;
  to.layout.regather_input = from.layout.regather_input;
  to.layout.balanced_stages = from.layout.balanced_stages;
  to.layout.scatter_gather = from.layout.scatter_gather;
  to.layout.overlap_expert = from.layout.overlap_expert;
  to.layout.expert_exchange = from.layout.expert_exchange;
  to.layout.dispatch_wire_bytes_per_element = from.layout.dispatch_wire_bytes_per_element;
  to.layout.combine_wire_bytes_per_element = from.layout.combine_wire_bytes_per_element;
}

}  // namespace commcost
