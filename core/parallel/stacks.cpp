#include "core/parallel/stacks.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/name_list.h"
#include "core/compute/matrix_peak.h"
#include "core/parallel/rank_groups.h"
#include "core/parallel/recipes.h"
#include "core/parallel/stage_share.h"

namespace commcost {
namespace {

using enum AbilityScope;
using J = const Job&;

const GenerationRow& generation_of(J job) {
  return row_of(accelerator_of(job.machine).generation);
}
const Recipe& recipe_of(J job) {
  return all_recipes()[static_cast<std::size_t>(job.stack.recipe)];
}

bool runs_here(J job) {
  const Vendor vendor = generation_of(job).vendor;
  return recipe_of(job).runs_on.has(vendor) || recipe_of(job).ported_to.has(vendor);
}

// Whether the job has a stack, which trains what is trained or serves what is served.
bool is_of_its_use(J job) {
  return job.stack.recipe >= 0 &&
         (job.work.mode == Mode::training) == (recipe_of(job).use == RecipeUse::training);
}

template <PipelineSchedule... Schedules>
bool runs(J job) {
  return job.layout.pipeline_parallel == 1 || ((job.layout.pipeline_schedule == Schedules) || ...);
}

template <ContextScheme... Schemes>
bool exchanges_by(J job) {
  return ((job.layout.context_scheme == Schemes) || ...);
}
template <ContextScheme... Schemes>
bool exchanges(J job) {
  return job.layout.context_parallel == 1 || exchanges_by<Schemes...>(job);
}

bool has_replicas(J job) {
  return data_ranks(job.layout).size > 1;
}

template <std::int64_t... Stages>
bool shards(J job) {
  return !has_replicas(job) || ((job.layout.zero_stage == Stages) || ...);
}

bool is_selective(J job) {
  return job.work.recompute == Recompute::selective;
}

std::int64_t divided_up(std::int64_t whole, std::int64_t by) {
  return (whole + by - 1) / by;
}

// The last stage has what the others leave; a string of layers can express that where flags can't.
std::int64_t layers_of_last_stage(J job) {
  const std::int64_t stages = job.layout.pipeline_parallel;
  return job.model.num_layers - (stages - 1) * divided_up(job.model.num_layers, stages);
}
bool leaves_the_last_stage_layers(J job) {
  return job.layout.pipeline_parallel == 1 || stage_layers(job).last > 0;
}
bool ends_are_given(J job) {
  return job.layout.first_stage_layers + job.layout.last_stage_layers > 0;
}
// Every stage's layers divide by its chunks, but for the last stage's, whose last chunk alone may be empty.
bool chunks_divide(J job) {
  const auto& layout = job.layout;
  const std::int64_t chunks = layout.virtual_stages;
  if (chunks == 1 || layout.pipeline_parallel == 1) return true;
  if (ends_are_given(job)) {
    const std::int64_t others = layout.pipeline_parallel - (layout.first_stage_layers > 0 ? 1 : 0) -
                                (layout.last_stage_layers > 0 ? 1 : 0);
    const std::int64_t between = job.model.num_layers - layout.first_stage_layers - layout.last_stage_layers;
    return layout.first_stage_layers % chunks == 0 && layout.last_stage_layers % chunks == 0 &&
           (others == 0 || between / others % chunks == 0);
  }
  const std::int64_t each = divided_up(job.model.num_layers, layout.pipeline_parallel);
  if (each % chunks != 0) return false;
  return layers_of_last_stage(job) > (chunks - 2) * (each / chunks);
}

bool divide_evenly(J job) {
  return job.model.num_layers % (job.layout.pipeline_parallel * job.layout.virtual_stages) == 0;
}

bool halves_of_context_divide(J job) {
  return job.layout.context_parallel == 1 ||
         job.work.sequence_length % (2 * job.layout.context_parallel) == 0;
}

bool shares_tokens_with_experts(J job) {
  return job.layout.expert_parallel == 1 || job.layout.tensor_parallel == 1 || job.layout.sequence_parallel;
}

bool hides_dispatch(J job) {
  return job.layout.overlap_expert && job.layout.expert_parallel > 1;
}

bool sends_tokens(J job) {
  return job.layout.expert_parallel > 1;
}

bool sends_many_tokens(J job) {
  return job.layout.expert_exchange != ExchangeKernel::low_latency;
}

bool sends_each_copy(J job) {
  return !sends_tokens(job) || job.layout.expert_exchange == ExchangeKernel::nccl;
}

bool has_one_expert_rank(J job) {
  return job.layout.expert_parallel == 1;
}

bool has_whole_tokens(J job) {
  return !job.layout.sequence_parallel;
}

bool recomputes_every_layer(J job) {
  return job.work.recompute != Recompute::full || job.work.recomputed_layers == 0;
}

bool recomputes_whole_layers(J job) {
  return !is_selective(job);
}

bool keeps_activations(J job) {
  return job.work.offloaded_layers == 0;
}
bool keeps_optimizer(J job) {
  return job.work.offloaded_optimizer_percent == 0;
}

template <Fp8Scaling... Kinds>
bool scales_by(J job) {
  return job.work.matmul_precision != MatmulPrecision::fp8 || ((job.work.fp8_scaling == Kinds) || ...);
}

bool multiplies_in_16_bits_or_as_kept(J job) {
  const double bytes = operand_bytes(job.work.matmul_precision);
  return bytes == 0 || bytes >= 2;
}

// Whether userbuffers hide messages of ranks that share every token.
bool overlaps_tensor(J job) {
  const Layout& layout = job.layout;
  return layout.tensor_parallel > 1 && layout.sequence_parallel &&
         (layout.overlap_tensor || layout.overlap_tensor_forward);
}

constexpr double whole_percent = 100;

// The first rule of every stack that does not run everywhere; its recipe says where it does.
constexpr Ability on_hardware(std::string_view source) {
  return {"hardware", degrees, "accelerator", runs_here, "", source};
}

// For stacks of which no more is known.
constexpr Ability hardware_alone[] = {on_hardware("")};

constexpr auto one_f_one_b = PipelineSchedule::one_f_one_b;
constexpr auto interleaved = PipelineSchedule::interleaved;
constexpr auto gpipe = PipelineSchedule::gpipe;
constexpr auto dualpipe_v = PipelineSchedule::dualpipe_v;

constexpr Ability megatron_core_abilities[] = {
    on_hardware("megatron/training/initialize.py, initialize_megatron: requires CUDA"),
    {"pipeline.schedules", schedule, "pipeline_schedule", runs<one_f_one_b, interleaved>,
     "runs 1F1B and the interleaved schedule", "megatron/core/pipeline_parallel/schedules.py:53"},
    {"pipeline.layers_rule", schedule, "pipeline_parallel", leaves_the_last_stage_layers,
     "needs at least one layer on every stage", "megatron/training/arguments.py:998"},
    {"pipeline.chunks_rule", schedule, "virtual_stages", chunks_divide,
     "needs the same number of layers in every chunk", "megatron/training/arguments.py:973"},
    {"sequence.rule", degrees, "context_parallel", halves_of_context_divide,
     "needs a sequence length that is a multiple of 2 × CP", "megatron/training/arguments.py:1336"},
    {"sequence_parallel.experts", tokens, "sequence_parallel", shares_tokens_with_experts,
     "needs sequence parallelism to train experts with TP", "megatron/core/model_parallel_config.py:560"},
    {"zero.with_pipeline", zero, "zero_stage",
     [](J job) {
       return job.layout.pipeline_parallel == 1 || !has_replicas(job) || job.layout.zero_stage < 2;
     },
     "is not known to run ZeRO-2 or ZeRO-3 (Megatron-FSDP) with PP",
     "megatron/core/distributed/fsdp/mcore_fsdp_adapter.py:677"},
    {"dispatcher.kinds", degrees, "expert_exchange",
     [](J job) { return !sends_tokens(job) || sends_many_tokens(job); },
     "sends tokens by all-to-all, DeepEP's normal kernels or HybridEP",
     "megatron/core/transformer/transformer_config.py:891"},
    {"overlap.experts", tokens, "overlap_expert",
     [](J job) { return !hides_dispatch(job) || job.work.recompute != Recompute::full; },
     "cannot overlap token exchange with full recomputation",
     "megatron/core/transformer/transformer_config.py:3002"},
    {"overlap.experts", schedule, "overlap_expert",
     [](J job) { return !hides_dispatch(job) || runs<interleaved>(job); },
     "overlaps token exchange with PP only under the interleaved schedule",
     "megatron/core/transformer/transformer_config.py:3002"},
    {"overlap.tensor", tokens, "overlap_tensor",
     [](J job) {
       return !overlaps_tensor(job) ||
              static_cast<double>(job.layout.tensor_parallel) <= scale_up_domain(job.machine);
     },
     "overlaps tensor messages within one NVLink domain only", "megatron/training/arguments.py:1442"},
    {"dispatcher.wire", degrees, "dispatch_wire_bytes_per_element",
     [](J job) {
       const double wire = job.layout.dispatch_wire_bytes_per_element;
       return !sends_tokens(job) || wire == 0 || wire == static_cast<double>(job.work.bytes_per_element);
     },
     "sends tokens to experts in the precision they are kept in",
     "megatron/core/transformer/transformer_config.py:1782"},
    {"precision.fp8_recipes", degrees, "fp8_scaling", scales_by<Fp8Scaling::tensor, Fp8Scaling::block>,
     "scales FP8 by tensor or block", "megatron/core/transformer/transformer_config.py:594"},
    {"recompute.modules", tokens, "recompute_products",
     [](J job) { return !is_selective(job) || !job.work.recompute_products; },
     "recomputes whole modules, not every product", "megatron/core/transformer/transformer_config.py:562"},
    {"recompute.kinds", schedule, "recomputed_layers",
     [](J job) {
       const bool in_chunks = job.layout.pipeline_parallel > 1 && job.layout.virtual_stages > 1;
       return !in_chunks || job.work.recomputed_layers % job.layout.virtual_stages == 0;
     },
     "recomputes the same number of layers in every chunk",
     "megatron/core/transformer/transformer_config.py:551"},
    {"offload.activations", degrees, "offloaded_layers",
     [](J job) {
       return keeps_activations(job) ||
              (job.layout.pipeline_parallel == 1 && job.work.offloaded_layers < job.model.num_layers);
     },
     "offloads activations without PP, and not of every layer",
     "megatron/core/transformer/transformer_config.py:1331"},
    {"offload.activations", tokens, "offloaded_layers",
     [](J job) { return keeps_activations(job) || job.work.recompute == Recompute::none; },
     "offloads activations only without recomputation",
     "megatron/core/transformer/transformer_config.py:1331"},
    {"offload.optimizer", zero, "offloaded_optimizer_percent",
     [](J job) { return keeps_optimizer(job) || !has_replicas(job) || job.layout.zero_stage == 1; },
     "offloads the optimizer only where it is distributed (ZeRO-1)", "megatron/training/arguments.py:2918"},
};

// From before distributed optimizers and context parallelism, and without experts.
constexpr Ability megatron_2021_abilities[] = {
    on_hardware("arXiv:2104.04473, section 4.2"),
    {"pipeline.schedules", schedule, "pipeline_schedule", runs<one_f_one_b, interleaved>,
     "runs 1F1B and the interleaved schedule", "arXiv:2104.04473, section 2.2"},
    {"pipeline.layers_rule", schedule, "virtual_stages", divide_evenly,
     "needs a number of layers that stages and chunks divide evenly", "arXiv:2104.04473, section 2.2.2"},
    {"context.kinds", degrees, "context_parallel", [](J job) { return job.layout.context_parallel == 1; },
     "has no context parallelism", "arXiv:2104.04473, section 2"},
    {"experts", degrees, "expert_parallel", has_one_expert_rank, "has no expert parallelism",
     "arXiv:2104.04473, section 2"},
    {"precision", degrees, "matmul_precision", multiplies_in_16_bits_or_as_kept,
     "multiplies in 16 bits or in the precision of its weights", "arXiv:2104.04473, section 5"},
    {"zero.stages", zero, "zero_stage", shards<0>, "has no ZeRO", "arXiv:2104.04473, section 2.1"},
    {"recompute.kinds", degrees, "recomputed_layers", recomputes_every_layer, "recomputes every layer",
     "arXiv:2104.04473, section 3.5"},
    {"offload", degrees, "offloaded_layers", keeps_activations, "keeps activations on the GPU",
     "arXiv:2104.04473, section 2"},
    {"offload", degrees, "offloaded_optimizer_percent", keeps_optimizer, "keeps the optimizer on the GPU",
     "arXiv:2104.04473, section 2"},
};

constexpr Ability torchtitan_abilities[] = {
    on_hardware(".github/workflows/integration_test_8gpu_features.yaml, CUDA and ROCm"),
    {"pipeline.schedules", schedule, "pipeline_schedule", runs<gpipe, one_f_one_b, interleaved, dualpipe_v>,
     "runs GPipe, 1F1B, interleaved 1F1B and DualPipe-V", "torchtitan/distributed/pipeline_parallel.py:563"},
    {"pipeline.layers_rule", schedule, "virtual_stages",
     [](J job) {
       // Chunks of so many layers, with up to a layer's weight for each end.
       if (job.layout.pipeline_parallel == 1) return true;
       const double inner = stage_layers(job).inner;
       if (!leaves_the_last_stage_layers(job) || inner != std::floor(inner)) return false;
       const std::int64_t all = job.layout.pipeline_parallel * chunks_of_a_stage(job.layout);
       for (const std::int64_t ends : {0, 1, 2}) {
         const std::int64_t weight = job.model.num_layers + ends;
         if (divided_up(weight, divided_up(weight, all)) == all) return true;
       }
       return false;
     },
     "needs the same number of layers in every chunk", "torchtitan/distributed/pipeline_parallel.py:235"},
    {"precision", degrees, "fp8_scaling", scales_by<Fp8Scaling::tensor, Fp8Scaling::row>,
     "scales FP8 by tensor or row", "torchtitan/components/quantization/float8.py:53"},
    {"pipeline.tied", degrees, "pipeline_parallel",
     [](J job) { return job.layout.pipeline_parallel == 1 || !job.model.tied_embeddings; },
     "cannot split a model with tied embeddings into stages", "torchtitan/models/common/decoder.py:170"},
    {"tensor.heads", degrees, "tensor_parallel",
     [](J job) { return job.model.num_kv_heads % job.layout.tensor_parallel == 0; },
     "needs TP to divide the number of KV heads", "torchtitan/models/common/decoder.py:195"},
    {"sequence.rule", batch, "context_parallel",
     [](J job) {
       const std::int64_t pieces = (job.layout.sequence_parallel ? job.layout.tensor_parallel : 1) *
                                   (job.layout.context_parallel > 1 ? 2 * job.layout.context_parallel : 1);
       return job.work.batch_size * job.work.sequence_length % pieces == 0;
     },
     "needs 2 × CP × TP to divide the tokens of a micro-batch", "torchtitan/trainer.py:299"},
    {"experts.rule", degrees, "expert_tensor_parallel",
     [](J job) { return !sends_tokens(job) || expert_tensor_degree(job.layout) == 1; },
     "has no expert tensor parallelism", "torchtitan/distributed/parallel_dims.py:188"},
    {"sequence_parallel", tokens, "sequence_parallel",
     [](J job) { return job.layout.tensor_parallel == 1 || job.layout.sequence_parallel; },
     "turns sequence parallelism on by default", "torchtitan/config/configs.py:169"},
    {"zero.stages", zero, "zero_stage", shards<0, 2, 3>, "has no ZeRO-1",
     "torchtitan/distributed/fsdp.py:132"},
    {"zero.stages", zero, "zero_stage",
     [](J job) { return job.layout.context_parallel == 1 || job.layout.zero_stage >= 2; },
     "shards weights among context ranks", "torchtitan/distributed/parallel_dims.py, fsdp_enabled"},
    {"experts.rule", zero, "zero_stage",
     [](J job) {
       // Replicas that hold copies share no experts.
       const auto& layout = job.layout;
       const std::int64_t all = layout.data_parallel * layout.context_parallel;
       const std::int64_t group = layout.shard_group_size > 0 ? layout.shard_group_size : all;
       return layout.expert_parallel == 1 || (layout.zero_stage >= 2 ? group : layout.context_parallel) *
                                                     layout.tensor_parallel % layout.expert_parallel ==
                                                 0;
     },
     "shares experts among ranks that shard weights", "torchtitan/distributed/parallel_dims.py:188"},
    {"overlap.tensor", tokens, "overlap_tensor_forward",
     [](J job) {
       const Layout& layout = job.layout;
       return layout.tensor_parallel == 1 || !layout.sequence_parallel ||
              layout.overlap_tensor == layout.overlap_tensor_forward;
     },
     "overlaps tensor messages of both passes, or of none", "torchtitan/config/configs.py:307"},
    {"gradients.default", degrees, "gradient_bytes_per_element",
     [](J job) { return job.work.gradient_bytes_per_element == 4; }, "reduces gradients in 4 bytes",
     "torchtitan/config/configs.py:102"},
    {"context.kinds", degrees, "context_scheme", exchanges<ContextScheme::all_gather>,
     "exchanges keys and values by all-gather", "torchtitan/models/common/decoder.py:180"},
    {"dispatcher.kinds", degrees, "expert_exchange",
     [](J job) { return !sends_tokens(job) || sends_many_tokens(job); },
     "sends tokens by all-to-all, DeepEP's normal kernels or HybridEP",
     "torchtitan/models/common/config_utils.py:424"},
    {"recompute.kinds", tokens, "recomputed_layers", recomputes_every_layer,
     "recomputes every layer, or by operation in every layer",
     "torchtitan/distributed/activation_checkpoint.py:185"},
    {"offload", degrees, "offloaded_layers", keeps_activations, "keeps activations on the GPU",
     "torchtitan/config/configs.py:70"},
    {"offload", degrees, "offloaded_optimizer_percent", keeps_optimizer,
     "offloads the optimizer only with weights and gradients", "torchtitan/config/configs.py:70"},
};

constexpr Ability deepspeed_abilities[] = {
    on_hardware("accelerator/real_accelerator.py, SUPPORTED_ACCELERATOR_LIST"),
    {"pipeline.schedules", schedule, "pipeline_schedule", runs<one_f_one_b>, "runs 1F1B",
     "deepspeed/runtime/pipe/schedule.py:189"},
    {"pipeline.layers", schedule, "pipeline_parallel", leaves_the_last_stage_layers,
     "needs at least one layer on every stage", "deepspeed/runtime/pipe/module.py:116"},
    {"pipeline.with_zero", zero, "zero_stage",
     [](J job) {
       return job.layout.pipeline_parallel == 1 || !has_replicas(job) || job.layout.zero_stage < 2;
     },
     "refuses ZeRO-2 and ZeRO-3 with PP", "deepspeed/runtime/pipe/engine.py:77"},
    {"zero.shard_groups", zero, "shard_group_size",
     [](J job) { return job.layout.shard_group_size == 0 || job.layout.zero_stage == 3; },
     "shards within groups only at ZeRO-3", "deepspeed/runtime/zero/config.py:44"},
    {"tensor", tokens, "sequence_parallel", has_whole_tokens, "has no sequence parallelism",
     "deepspeed/runtime/engine.py:666"},
    {"context.kinds", degrees, "context_scheme", exchanges<ContextScheme::ulysses>,
     "splits sequences with Ulysses", "deepspeed/runtime/sequence_parallel/ulysses_sp.py:146"},
    {"recompute.kinds", tokens, "recompute", recomputes_whole_layers, "recomputes whole layers",
     "deepspeed/runtime/activation_checkpointing/config.py:27"},
    {"recompute.kinds", tokens, "recomputed_layers", recomputes_every_layer, "recomputes every layer",
     "deepspeed/runtime/activation_checkpointing/config.py:27"},
    {"zero.stages", zero, "offloaded_optimizer_percent",
     [](J job) { return keeps_optimizer(job) || job.layout.zero_stage >= 1; },
     "offloads the optimizer at ZeRO-1 to ZeRO-3", "deepspeed/runtime/zero/offload_config.py:60"},
    {"zero.stages", zero, "offloaded_optimizer_percent",
     [](J job) {
       return keeps_optimizer(job) || job.work.offloaded_optimizer_percent == whole_percent ||
              job.layout.zero_stage == 3;
     },
     "offloads a part of the optimizer only at ZeRO-3", "deepspeed/runtime/zero/offload_config.py:97"},
    {"dispatcher.kinds", degrees, "expert_exchange", sends_each_copy, "sends tokens by all-to-all",
     "deepspeed/moe/sharded_moe.py"},
    {"precision", degrees, "matmul_precision", multiplies_in_16_bits_or_as_kept,
     "multiplies in BF16, FP16 or the precision of its weights", "deepspeed/runtime/precision_config.py:63"},
    {"offload.activations", degrees, "offloaded_layers", keeps_activations,
     "offloads what its own checkpoints keep, not whole layers",
     "deepspeed/runtime/activation_checkpointing/config.py:42"},
};

constexpr Ability nanotron_abilities[] = {
    on_hardware("README.md, Installation: PyTorch for CUDA"),
    {"pipeline.schedules", schedule, "pipeline_schedule", runs<one_f_one_b, gpipe>, "runs 1F1B and GPipe",
     "src/nanotron/config/utils_config.py:104"},
    {"zero.stages", zero, "zero_stage", shards<0, 1>, "has ZeRO-1 only", "src/nanotron/helpers.py:409"},
    {"tensor.heads", degrees, "tensor_parallel",
     [](J job) { return job.model.num_kv_heads >= job.layout.tensor_parallel; },
     "needs at least as many KV heads as TP", "src/nanotron/config/config.py:544"},
    {"context.kinds", degrees, "context_scheme",
     [](J job) { return exchanges<ContextScheme::ring>(job) && halves_of_context_divide(job); },
     "splits sequences with ring attention, into multiples of 2 × CP", "src/nanotron/models/qwen.py:777"},
    {"experts", degrees, "expert_parallel",
     [](J job) { return !has_experts(job.model) || job.model.kv_rank == 0; },
     "has no latent attention in models with experts", "src/nanotron/nn/moe.py:70"},
    {"dispatcher.kinds", degrees, "expert_exchange", sends_each_copy, "sends tokens by all-to-all",
     "src/nanotron/nn/moe.py"},
    {"recompute", tokens, "recompute", recomputes_whole_layers, "recomputes whole layers",
     "src/nanotron/config/parallelism_config.py:26"},
    {"recompute", tokens, "recomputed_layers", recomputes_every_layer, "recomputes every layer",
     "src/nanotron/config/parallelism_config.py:26"},
    {"precision", degrees, "matmul_precision", multiplies_in_16_bits_or_as_kept,
     "multiplies in the precision of its weights", "src/nanotron/config/config.py:311"},
    {"offload", degrees, "offloaded_layers", keeps_activations, "keeps activations on the GPU",
     "src/nanotron/config/config.py"},
    {"offload", degrees, "offloaded_optimizer_percent", keeps_optimizer, "keeps the optimizer on the GPU",
     "src/nanotron/config/config.py"},
};

bool lacks_nvfp4(J job) {
  return job.work.matmul_precision != MatmulPrecision::nvfp4;
}

bool lacks_block_scales(J job) {
  return lacks_nvfp4(job) && job.work.matmul_precision != MatmulPrecision::mxfp8;
}

constexpr Ability maxtext_abilities[] = {
    on_hardware("base.yml:521; types.py:3882: nanoo_fp8"),
    {"pipeline.schedules", schedule, "pipeline_schedule", runs<gpipe>, "runs GPipe", "types.py:1261"},
    {"pipeline.layers_rule", schedule, "pipeline_parallel", divide_evenly,
     "needs a number of layers that the stages divide evenly", "types.py:3602"},
    {"pipeline.microbatches", batch, "global_batch_size",
     [](J job) {
       return job.layout.pipeline_parallel == 1 ||
              micro_batches(job.work, job.layout) % job.layout.pipeline_parallel == 0;
     },
     "needs a number of micro-batches that the stages divide evenly", "types.py:3612"},
    {"zero.stages", zero, "zero_stage", shards<0, 1, 3>, "has no ZeRO-2", "base.yml:690"},
    {"dispatcher.kinds", degrees, "expert_exchange", sends_each_copy, "sends tokens by all-to-all",
     "src/maxtext/layers/moe.py"},
    {"precision", degrees, "matmul_precision", lacks_block_scales, "has no MXFP8 or NVFP4 products",
     "types.py:3882"},
    {"recompute.default", tokens, "recomputed_layers", recomputes_every_layer,
     "has one policy of recomputation for all layers", "base.yml:358"},
    {"offload", degrees, "offloaded_layers", keeps_activations,
     "offloads activations by tensor, not by layer", "base.yml:384"},
    {"offload", degrees, "offloaded_optimizer_percent", keeps_optimizer,
     "updates on the device what the host keeps of the optimizer", "base.yml:384"},
};

constexpr Ability fsdp_abilities[] = {
    {"parallelism", degrees, "pipeline_parallel", [](J job) { return job.layout.pipeline_parallel == 1; },
     "has no pipeline parallelism", "src/accelerate/parallelism_config.py:267"},
    {"parallelism", degrees, "expert_parallel", has_one_expert_rank, "has no expert parallelism",
     "src/accelerate/parallelism_config.py:267"},
    {"rule.tp_cp", zero, "zero_stage",
     [](J job) {
       const bool split = job.layout.tensor_parallel * job.layout.context_parallel > 1;
       return !split || job.layout.data_parallel == 1 || job.layout.zero_stage >= 2;
     },
     "combines TP or CP with sharded replicas only", "src/accelerate/parallelism_config.py:338"},
    {"context.kinds", degrees, "context_scheme", exchanges<ContextScheme::ring, ContextScheme::all_gather>,
     "exchanges keys and values by ring or all-gather", "src/accelerate/utils/dataclasses.py:2216"},
    {"zero.stages", zero, "zero_stage", shards<0, 2, 3>, "has no ZeRO-1",
     "src/accelerate/utils/dataclasses.py:1666"},
    {"precision", degrees, "matmul_precision", lacks_nvfp4, "has no NVFP4 products",
     "accelerate, Low Precision Training Methods; release 1.11.0"},
    {"recompute", tokens, "recomputed_layers", recomputes_every_layer, "recomputes every layer it wraps",
     "src/accelerate/utils/dataclasses.py:1787"},
    {"offload", degrees, "offloaded_layers", keeps_activations, "keeps activations on the GPU",
     "src/accelerate/utils/dataclasses.py:1709"},
    {"offload", degrees, "offloaded_optimizer_percent", keeps_optimizer,
     "offloads the optimizer only with weights and gradients", "src/accelerate/utils/dataclasses.py:1709"},
};

bool sends_by_deepep_or_gathers(J job) {
  return !sends_tokens(job) || job.layout.expert_exchange != ExchangeKernel::by_rank;
}

// Before DeepEP's normal kernels have run, only the host knows how many tokens reach a rank.
bool replays_its_exchange(J job) {
  return !sends_tokens(job) || !job.stack.cuda_graphs || job.layout.expert_exchange != ExchangeKernel::normal;
}

bool holds_server_experts_once(J job) {
  return holds_experts_once(job.layout);
}

bool has_whole_experts(J job) {
  return !sends_tokens(job) || expert_tensor_degree(job.layout) == 1;
}

constexpr Ability vllm_abilities[] = {
    {"degrees", degrees, "expert_parallel", holds_server_experts_once,
     "divides experts among all GPUs of a server: set EP × ETP to TP or a multiple of it",
     "vllm/engine/arg_utils.py"},
    {"degrees", degrees, "expert_parallel", has_whole_experts,
     "spreads whole experts over the GPUs of a server: set ETP to 1", "vllm/engine/arg_utils.py"},
    {"all2all", degrees, "expert_exchange", sends_by_deepep_or_gathers,
     "sends tokens by DeepEP, or gathers them", "vllm/config/parallel.py"},
    {"all2all", degrees, "cuda_graphs", replays_its_exchange,
     "replays no CUDA graphs around DeepEP's normal kernels", "vllm/config/compilation.py"},
};

constexpr Ability sglang_abilities[] = {
    on_hardware("docs.sglang.io, Hardware Platforms"),
    {"degrees", degrees, "expert_parallel", holds_server_experts_once,
     "divides experts among all GPUs of a server: set EP × ETP to TP or a multiple of it",
     "python/sglang/srt/server_args.py"},
    {"all2all", degrees, "expert_parallel",
     [](J job) { return job.layout.expert_exchange == ExchangeKernel::nccl || has_whole_experts(job); },
     "sends tokens by DeepEP to whole experts only: set ETP to 1", "python/sglang/srt/server_args.py"},
    {"all2all", degrees, "expert_exchange", sends_by_deepep_or_gathers,
     "sends tokens by DeepEP, or gathers them", "python/sglang/srt/server_args.py"},
    {"all2all", degrees, "cuda_graphs", replays_its_exchange,
     "replays no CUDA graphs around DeepEP's normal kernels", "python/sglang/srt/arg_groups/moe_hook.py"},
};

constexpr Ability tensorrt_llm_abilities[] = {
    on_hardware("nvidia.github.io/TensorRT-LLM, Supported Hardware"),
    {"hardware", degrees, "accelerator",
     [](J job) { return accelerator_of(job.machine).generation >= Generation::ampere; },
     "needs an Ampere GPU or a later one", "nvidia.github.io/TensorRT-LLM, Supported Hardware"},
    {"degrees", degrees, "expert_parallel", holds_server_experts_once,
     "divides experts among all GPUs of a server: set EP × ETP to TP or a multiple of it",
     "tensorrt_llm/llmapi/llm_args.py"},
    {"degrees", degrees, "tensor_parallel",
     [](J job) { return groups_of_experts(job.layout) == 1 || job.layout.tensor_parallel == 1; },
     "attends with one GPU to each sequence where GPUs share the experts", "tensorrt_llm/llmapi/llm_args.py"},
    {"kv_dtype", degrees, "kv_bytes_per_element",
     [](J job) {
       const double kept = cached_bytes(job.work);
       if (kept == 1 || kept == static_cast<double>(job.work.bytes_per_element)) return true;
       return kept < 1 && matrix_peak_tflops(accelerator_of(job.machine), MatmulPrecision::nvfp4) > 0;
     },
     "keeps keys and values as activations, in FP8, or on Blackwell in NVFP4",
     "tensorrt_llm/llmapi/llm_args.py"},
};

constexpr Ability gpt_fast_abilities[] = {
    on_hardware("README.md"),
    {"degrees", degrees, "pipeline_parallel", [](J job) { return job.layout.pipeline_parallel == 1; },
     "has no pipeline parallelism", "tp.py"},
    {"degrees", degrees, "expert_parallel",
     [](J job) {
       return ranks_of_experts(job.layout) == job.layout.tensor_parallel && has_one_expert_rank(job);
     },
     "has no expert parallelism", "tp.py"},
    {"degrees", degrees, "tensor_parallel",
     [](J job) { return job.layout.tensor_parallel <= job.machine.gpus_per_node; },
     "splits a model over the GPUs of one node", "tp.py"},
    {"degrees", degrees, "matmul_precision", multiplies_in_16_bits_or_as_kept, "multiplies in 16 bits",
     "generate.py"},
};

constexpr StackSwitch megatron_core_switches[] = {
    {"matmul_precision", "precision.fp8_recipes", nullptr},
    {"gradient_bytes_per_element", "gradients.default", nullptr},
    {"expert_exchange", "dispatcher.kinds", sends_many_tokens},
    {"context_scheme", "context.kinds", nullptr},
    {"overlap_tensor", "overlap.tensor", nullptr},
    {"overlap_tensor_forward", "overlap.tensor", nullptr},
    {"overlap_data", "overlap.grad_reduce", nullptr},
    {"overlap_param_gather", "overlap.param_gather", nullptr},
    {"overlap_expert", "overlap.experts", nullptr},
    {"recompute_attention_core", "recompute.modules", nullptr},
    {"recompute_elementwise", "recompute.modules", nullptr},
    {"recompute_latent_projections", "recompute.modules", nullptr},
    {"recomputed_layers", "recompute.kinds", nullptr},
    {"offloaded_layers", "offload.activations", nullptr},
    {"offloaded_optimizer_percent", "offload.optimizer", nullptr},
    {"cuda_graphs", "cuda_graphs", nullptr},
};

constexpr StackSwitch torchtitan_switches[] = {
    {"matmul_precision", "precision", nullptr},    {"expert_exchange", "dispatcher.kinds", sends_many_tokens},
    {"overlap_tensor", "overlap.tensor", nullptr}, {"overlap_tensor_forward", "overlap.tensor", nullptr},
    {"cuda_graphs", "cuda_graphs", nullptr},
};

constexpr StackSwitch deepspeed_switches[] = {
    {"gradient_bytes_per_element", "gradients.default", nullptr},
    {"overlap_data", "overlap.data", nullptr},
    {"offloaded_optimizer_percent", "zero.stages", nullptr},
};

constexpr StackSwitch nanotron_switches[] = {
    {"gradient_bytes_per_element", "gradients", nullptr},
    {"overlap_tensor", "overlap.tensor", nullptr},
};

constexpr StackSwitch maxtext_switches[] = {
    {"matmul_precision", "precision", lacks_block_scales},
    {"context_scheme", "context.kinds", nullptr},
};

constexpr StackSwitch fsdp_switches[] = {
    {"matmul_precision", "precision", lacks_nvfp4},
    {"context_scheme", "context.kinds", exchanges_by<ContextScheme::ring, ContextScheme::all_gather>},
};

}  // namespace

constinit const StackRules megatron_core_rules{megatron_lm_source, megatron_core_abilities,
                                               megatron_core_switches};
constinit const StackRules megatron_2021_rules{{"arXiv:2104.04473", "", "2021"}, megatron_2021_abilities};
constinit const StackRules nanotron_rules{
    {"github.com/huggingface/nanotron", "2411b022", "2026-04-07"}, nanotron_abilities, nanotron_switches};
constinit const StackRules fsdp_rules{
    {"github.com/huggingface/accelerate", "16cb6eb8", "2026-07-24"}, fsdp_abilities, fsdp_switches};
constinit const StackRules torchtitan_rules{torchtitan_source, torchtitan_abilities, torchtitan_switches};
constinit const StackRules deepspeed_rules{deepspeed_source, deepspeed_abilities, deepspeed_switches};
constinit const StackRules maxtext_rules{
    {"github.com/AI-Hypercomputer/maxtext", "e591f30c", "2026-08-22"}, maxtext_abilities, maxtext_switches};

constinit const StackRules vllm_rules{vllm_source, vllm_abilities};
constinit const StackRules sglang_rules{sglang_source, sglang_abilities};
constinit const StackRules tensorrt_llm_rules{tensorrt_llm_source, tensorrt_llm_abilities};
constinit const StackRules gpt_fast_rules{{"github.com/meta-pytorch/gpt-fast", "6ecad9b", "2025-08-22"},
                                          gpt_fast_abilities};

namespace {

// Separate from the recipes, so that filling in a recipe does not load what its stack can run.
struct KnownRules {
  std::string_view recipe;
  const StackRules* rules;
};
constexpr KnownRules known_rules[] = {
    {"megatron-core", &megatron_core_rules},
    {"megatron-lm", &megatron_core_rules},
    {"megatron-2021", &megatron_2021_rules},
    {"nanotron", &nanotron_rules},
    {"fsdp", &fsdp_rules},
    {"torchtitan", &torchtitan_rules},
    {"deepspeed", &deepspeed_rules},
    {"maxtext", &maxtext_rules},
    {"vllm", &vllm_rules},
    {"sglang", &sglang_rules},
    {"tensorrt-llm", &tensorrt_llm_rules},
    {"gpt-fast", &gpt_fast_rules},
};

std::span<const Ability> abilities_of(const Recipe& recipe) {
  const StackRules* known = rules_of(recipe);
  return known != nullptr ? known->abilities : std::span<const Ability>(hardware_alone);
}
std::span<const Ability> abilities_of(J job) {
  return is_of_its_use(job) ? abilities_of(recipe_of(job)) : std::span<const Ability>();
}

std::vector<const Ability*> broken_of(std::span<const Ability> abilities, J job) {
  std::vector<const Ability*> broken;
  for (const Ability& ability : abilities)
    if (!ability.holds(job)) broken.push_back(&ability);
  return broken;
}

}  // namespace

const StackRules* rules_of(const Recipe& recipe) {
  const std::span<const Recipe> recipes = all_recipes();
  static const auto rules = [&] {
    std::array<const StackRules*, recipe_count> by_recipe{};
    for (const KnownRules& known : known_rules)
      by_recipe[static_cast<std::size_t>(find_recipe(known.recipe) - recipes.data())] = known.rules;
    return by_recipe;
  }();
  return rules[static_cast<std::size_t>(&recipe - recipes.data())];
}

const StackRules* rules_of(const Job& job) {
  return is_of_its_use(job) ? rules_of(recipe_of(job)) : nullptr;
}

bool is_checked(const Job& job) {
  return rules_of(job) != nullptr && recipe_of(job).runs_on.has(generation_of(job).vendor);
}

std::string_view rule_of(const Recipe& recipe, const Ability& ability) {
  if (!ability.says.empty()) return ability.says;
  static const auto hardware = [] {
    std::array<std::string, recipe_count> by_recipe;
    for (std::size_t at = 0; at < recipe_count; ++at) {
      const Recipe& one = all_recipes()[at];
      by_recipe[at] = "runs on " + hardware_of(one.runs_on);
      const std::string ported = hardware_of(one.ported_to);
      if (!ported.empty()) by_recipe[at] += ", and by a fork or plugin on " + ported;
    }
    return by_recipe;
  }();
  return hardware[static_cast<std::size_t>(&recipe - all_recipes().data())];
}

bool can_run(const Job& job, AbilityScope scope) {
  const auto known = abilities_of(job);
  return std::all_of(known.begin(), known.end(),
                     [&](const Ability& ability) { return ability.scope != scope || ability.holds(job); });
}

bool can_switch(const Job& job, std::string_view field) {
  const StackRules* known = rules_of(job);
  return known == nullptr ||
         std::any_of(known->switches.begin(), known->switches.end(), [&](const StackSwitch& one) {
           return one.field == field && (one.has == nullptr || one.has(job));
         });
}

std::vector<const Ability*> broken_abilities(const Job& job) {
  return broken_of(abilities_of(job), job);
}

std::vector<const Ability*> broken_abilities(Job job, std::string_view recipe) {
  job.stack.recipe = static_cast<int>(find_recipe(recipe) - all_recipes().data());
  return broken_of(abilities_of(recipe_of(job)), job);
}

const Ability* broken_ability(const Job& job) {
  const auto known = abilities_of(job);
  const auto broken =
      std::find_if(known.begin(), known.end(), [&](const Ability& one) { return !one.holds(job); });
  return broken == known.end() ? nullptr : &*broken;
}

std::string_view broken_rule(const Job& job) {
  const Ability* broken = broken_ability(job);
  return broken == nullptr ? std::string_view() : rule_of(recipe_of(job), *broken);
}

Problem problem_of_stack(const Job& job, std::string_view layout, const std::vector<std::string_view>& able) {
  const Recipe& recipe = recipe_of(job);
  const bool elsewhere = !runs_here(job);
  std::string message = "recipe (" + std::string(recipe.id) + ") ";
  message += elsewhere ? "does not run on " + std::string(accelerator_of(job.machine).name)
                       : "can run no " + std::string(layout);
  std::string_view before = ": ";
  for (const Ability* broken : broken_abilities(job)) {
    message += std::string(before) + std::string(recipe.name) + " " + std::string(rule_of(recipe, *broken));
    before = "; ";
    if (elsewhere) break;
  }
  const std::string names = in_words(able, " or ");
  const bool none = able.empty();
  message += none ? ". None of the stacks here can" : ". Try recipe " + names;
  return {"recipe", ProblemCode::inconsistent, message, none ? "none" : "such as " + names};
}

std::vector<std::string_view> recipes_for(Job job, const std::function<bool(const Job&)>& can) {
  std::vector<std::string_view> checked;
  std::vector<std::string_view> ported;
  std::string_view unchecked;
  for (const Recipe& recipe : all_recipes()) {
    job.stack.recipe = static_cast<int>(&recipe - all_recipes().data());
    if (!is_of_its_use(job) || !runs_here(job) || !can(job)) continue;
    if (is_checked(job)) {
      checked.push_back(recipe.id);
    } else if (rules_of(job) != nullptr) {
      ported.push_back(recipe.id);
    } else {
      unchecked = recipe.id;
    }
  }
  if (!checked.empty()) return checked;
  if (!ported.empty()) return ported;
  return unchecked.empty() ? checked : std::vector{unchecked};
}

}  // namespace commcost
