#include "core/parallel/recipes.h"

#include <algorithm>
#include <iterator>

namespace commcost {
namespace {

constexpr Selection by_operation{.elementwise = true, .products = true};

using enum RecipeUse;
using enum Vendor;

// Ports: github.com/ROCm/Megatron-LM, HabanaAI/Megatron-LM; PyTorch/XLA's own FSDP (github.com/pytorch/xla,
// optimum-neuron); nanotron under PyTorch for ROCm in place of CUDA's; docs.vllm.ai, Hardware Plugins, and
// github.com/vllm-project/vllm-neuron; github.com/sgl-project/sglang-jax and docs.habana.ai, SGLang Inference
// Server with Intel Gaudi.
constexpr Vendors on_nvidia = {nvidia};
constexpr Vendors on_gpus = {nvidia, amd};
constexpr Vendors everywhere = {nvidia, amd, intel, aws, google};

constexpr Choices megatron_2021 = {.flash_attention = false,
                                   .dropout = true,
                                   .gradient_bytes_per_element = 0,
                                   .overlap_data = false,
                                   .regather_input = true,
                                   .scatter_gather = true};
constexpr Choices no_gradients = {.gradient_bytes_per_element = 0};
constexpr Choices tensorrt_llm = {.gradient_bytes_per_element = 0,
                                  .expert_exchange = ExchangeKernel::by_rank};

// By `validation steps --fit`: the constants that a stack's rows move; the rest is as in Stack{}.
constexpr Stack megatron_core_stack{
    .grouped_gemm_time_scale = 1.44, .elementwise_time_scale = 0.82, .straggler_percent = 1.3};
constexpr Stack megatron_2021_stack{.host_us_per_kernel = 38};
constexpr Stack nanotron_stack{.flash_attention_2 = true,
                               .host_us_per_kernel = 39,
                               .staged_layer_host_us = 2200,
                               .straggler_percent = 6.6,
                               .held_bytes_per_logit = 16};
// LLM Foundry's fused cross-entropy keeps logits and their gradient in 16 bits.
constexpr Stack fsdp_stack{
    .attention_time_scale = 1.32, .flash_attention_2 = true, .held_bytes_per_logit = 4};
constexpr Stack torchtitan_stack{.gemm_time_scale = 1.17, .flash_attention_2 = true};
constexpr Stack deepspeed_stack{.gemm_time_scale = 1.26, .flash_attention_2 = true};
// One program for all devices, compiled: nothing is launched from a host.
constexpr Stack maxtext_stack{
    .gemm_time_scale = 0.88, .host_us_per_kernel = 0, .cuda_graphs = true, .pipeline_sync_us = 0};
// DeepEP's mode is auto by default (python/sglang/srt/server_args.py).
constexpr Stack sglang_stack{.cuda_graphs = true,
                             .serving = {.kernel_library = KernelLibrary::sglang, .exchange_by_pass = true}};
// By `validation serving --fit`, as above; stacks without rows, or whose rows move nothing, have the values
// of ServingPace{}.
constexpr Stack tensorrt_llm_stack{.cuda_graphs = true,
                                   .serving = {.kernel_library = KernelLibrary::tensorrt_llm}};
constexpr Stack vllm_stack{
    .cuda_graphs = true,
    .serving = {.kernel_start_us = 5.9, .sequence_host_us = 71, .kernel_library = KernelLibrary::vllm}};
constexpr Stack gpt_fast_stack{.cuda_graphs = true, .serving = {.kernel_start_us = 0.77}};
// What passes through its stages in micro-batches: github.com/NVIDIA/FasterTransformer, getLocalBatchSize.
constexpr Stack faster_transformer_stack{
    .cuda_graphs = true,
    .serving = {.kernel_start_us = 4.6, .allreduce_kernel = ReduceKernel::nccl, .micro_batch_tokens = 1024}};

constexpr Recipe recipes[] = {
    {"megatron-core",
     "Megatron-Core",
     "0.13",
     training,
     on_nvidia,
     {amd, intel},
     {.gradient_bytes_per_element = 2,
      .overlap_tensor = true,
      .overlap_tensor_forward = true,
      .regather_input = true},
     megatron_core_stack,
     "docs.nvidia.com/nemo/megatron-bridge training/communication-overlap; github.com/NVIDIA/Megatron-LM "
     "@d98e8a6 megatron/core/tensor_parallel/layers.py, megatron/training/arguments.py"},
    // As cloned, without any flag of NVIDIA's recipes.
    {"megatron-lm",
     "Megatron-LM (as cloned)",
     "2026-08",
     training,
     on_nvidia,
     {amd, intel},
     {.dropout = true,
      .grouped_experts = false,
      .overlap_data = false,
      .overlap_param_gather = false,
      .regather_input = true},
     {},
     "github.com/NVIDIA/Megatron-LM @d98e8a6 megatron/training/arguments.py: "
     "accumulate_allreduce_grads_in_fp32 "
     "under bf16 (3069), tp_comm_overlap, overlap_grad_reduce (3121) and overlap_param_gather (3148) off; "
     "megatron/core/transformer/transformer_config.py: hidden_dropout and attention_dropout 0.1 (188, 191), "
     "attention_backend auto (151), moe_grouped_gemm off (850); megatron/core/tensor_parallel/layers.py"},
    {"megatron-2021",
     "Megatron-LM of 2021",
     "2.5",
     training,
     on_nvidia,
     {},
     megatron_2021,
     megatron_2021_stack,
     "arXiv:2104.04473, section 4.1; arXiv:2205.05198, section 4.2.2 and table 2"},
    {"nanotron",
     "nanotron",
     "0.4",
     training,
     on_nvidia,
     {amd},
     {.overlap_tensor = true, .overlap_param_gather = false, .regather_input = true, .balanced_stages = true},
     nanotron_stack,
     "github.com/huggingface/nanotron configs: tp_linear_async_communication, tp_recompute_allgather, "
     "accumulate_grad_in_fp32; blocks dealt to stages by their compute; optim/zero.py gathers the weights "
     "after the update, before anything else"},
    {"maxtext",
     "MaxText",
     "2025",
     training,
     {google, nvidia, amd},
     {},
     {.selective = {.elementwise = true},
      .overlap_tensor = true,
      .overlap_tensor_forward = true,
      .regather_input = true,
      .context_scheme = ContextScheme::all_gather},
     maxtext_stack,
     "github.com/AI-Hypercomputer/maxtext configs/base.yml: flash attention, weights of 32 bits, "
     "remat_policy minimal keeps products, so that what products read is gathered again; "
     "logical_axis_rules share what lies between matrices over the tensor axis, as sequence_parallel "
     "does; XLA's collective matmul and latency hiding scheduler"},
    {"fsdp",
     "PyTorch FSDP",
     "2.4",
     training,
     {nvidia, amd, intel},
     {google, aws},
     {.selective = by_operation},
     fsdp_stack,
     "docs.pytorch.org fsdp: gradients in the type of the sharded parameters, backward prefetch; "
     "pytorch.org/blog/activation-checkpointing-techniques: selective by operation; "
     "github.com/mosaicml/llm-foundry llmfoundry/models/mpt: loss_fn fused_crossentropy"},
    {"torchtitan",
     "torchtitan",
     "0.2",
     training,
     on_gpus,
     {},
     {.selective = by_operation, .balanced_stages = true, .context_scheme = ContextScheme::all_gather},
     torchtitan_stack,
     "github.com/pytorch/torchtitan torchtitan/config: mixed_precision_reduce float32, "
     "pipeline_parallel_last_stage_less_layers 1, enable_async_tensor_parallel off, selective_ac_option "
     "op; distributed/activation_checkpoint.py"},
    {"deepspeed",
     "DeepSpeed",
     "0.16",
     training,
     {nvidia, amd, intel},
     {},
     {.gradient_bytes_per_element = 0,
      .grouped_experts = false,
      .overlap_param_gather = false,
      .context_scheme = ContextScheme::ulysses},
     deepspeed_stack,
     "deepspeed.ai/docs/config-json: grad_accum_dtype is the model's, overlap_comm as its examples set "
     "it; runtime/zero/stage_1_and_2.py gathers the weights in the optimizer's step; moe/experts.py "
     "loops over a rank's experts"},
    {"hai-llm",
     "HAI-LLM (DeepSeek-V3)",
     "2024",
     training,
     on_nvidia,
     {},
     {.selective = {.elementwise = true, .latent_projections = true},
      .gradient_bytes_per_element = 4,
      .fp8_scaling = Fp8Scaling::block,
      .overlap_expert = true,
      .expert_exchange = ExchangeKernel::normal,
      .dispatch_wire_bytes_per_element = 1},
     {},
     "arXiv:2412.19437, sections 3.2 and 3.3: DualPipe hides dispatch and combine, kernels send one "
     "copy to each node and links from there, dispatch in fp8 and combine in bf16, gradients in fp32, "
     "norms, "
     "activation functions and the latents' projections up are computed again; "
     "github.com/deepseek-ai/DeepEP"},
    {"other",
     "Another stack",
     "2025",
     training,
     everywhere,
     {},
     {},
     {},
     "what most stacks of today do; constants as they are known without steps; how far published stacks lie "
     "from that: `validation steps --other`"},
    {"vllm",
     "vLLM",
     "0.9",
     serving,
     on_gpus,
     {google, intel, aws},
     no_gradients,
     vllm_stack,
     "docs.vllm.ai: attention backends; serving/expert_parallel_deployment: allgather_reducescatter"},
    {"sglang",
     "SGLang",
     "0.4",
     serving,
     on_gpus,
     {google, intel},
     no_gradients,
     sglang_stack,
     "docs.sglang.ai: attention backends; advanced_features/expert_parallelism: --moe-a2a-backend none"},
    {"tensorrt-llm",
     "TensorRT-LLM",
     "0.20",
     serving,
     on_nvidia,
     {},
     tensorrt_llm,
     tensorrt_llm_stack,
     "nvidia.github.io/TensorRT-LLM: fused multi-head attention; github.com/NVIDIA/TensorRT-LLM "
     "tensorrt_llm/_torch/modules/fused_moe/communication/communication_factory.py"},
    {"gpt-fast",
     "gpt-fast",
     "2024",
     serving,
     on_gpus,
     {},
     no_gradients,
     gpt_fast_stack,
     "github.com/pytorch-labs/gpt-fast README: scaled_dot_product_attention under torch.compile"},
    {"faster-transformer",
     "FasterTransformer",
     "5.3",
     serving,
     on_nvidia,
     {},
     no_gradients,
     faster_transformer_stack,
     "github.com/NVIDIA/FasterTransformer @df4a7534 docs/gpt_guide.md"},
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

std::size_t usual_training_recipe_on(const Accelerator& accelerator) {
  const Vendor vendor = row_of(accelerator.generation).vendor;
  const auto* usual = std::find_if(std::begin(recipes), std::end(recipes), [vendor](const Recipe& recipe) {
    return recipe.use == training && (recipe.runs_on.has(vendor) || recipe.ported_to.has(vendor));
  });
  return static_cast<std::size_t>(usual - recipes);
}

void fill(Job& job, const Recipe& recipe) {
  const Choices& does = recipe.does;
  Work& work = job.work;
  work.flash_attention = does.flash_attention;
  work.dropout = does.dropout;
  work.recompute_attention_core = does.selective.attention_core;
  work.recompute_elementwise = does.selective.elementwise;
  work.recompute_latent_projections = does.selective.latent_projections;
  work.recompute_products = does.selective.products;
  work.gradient_bytes_per_element = does.gradient_bytes_per_element;
  work.grouped_experts = does.grouped_experts;
  work.fp8_scaling = does.fp8_scaling;
  Layout& layout = job.layout;
  layout.overlap_tensor = does.overlap_tensor;
  layout.overlap_tensor_forward = does.overlap_tensor_forward;
  layout.overlap_data = does.overlap_data;
  layout.overlap_param_gather = does.overlap_param_gather;
  layout.regather_input = does.regather_input;
  layout.balanced_stages = does.balanced_stages;
  layout.scatter_gather = does.scatter_gather;
  layout.overlap_expert = does.overlap_expert;
  layout.context_scheme = does.context_scheme;
  layout.expert_exchange = does.expert_exchange;
  layout.dispatch_wire_bytes_per_element = does.dispatch_wire_bytes_per_element;
  layout.combine_wire_bytes_per_element = does.combine_wire_bytes_per_element;
  job.stack = recipe.stack;
  job.stack.recipe = static_cast<int>(&recipe - recipes);
}

}  // namespace commcost
