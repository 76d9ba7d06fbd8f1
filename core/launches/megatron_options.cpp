#include <algorithm>

#include "core/base/number_text.h"
#include "core/launches/launch_stack.h"
#include "core/launches/megatron_words.h"
#include "core/launches/model_names.h"
#include "core/launches/pipeline_string.h"
#include "core/launches/torchrun_options.h"
#include "core/parallel/rank_groups.h"
#include "core/parallel/stage_share.h"

namespace commcost {
namespace megatron {

using namespace launches;

// --- The model.

constexpr std::string_view norms[] = {"RMSNorm", "LayerNorm"};
constexpr std::string_view null_tokenizer = "NullTokenizer";

// "([0]*3+[1]*58)": layers without experts, then those with.
std::string layer_pattern(Of launched) {
  const ModelShape& shape = shape_of(launched);
  return "([0]*" + text_of_whole(shape.num_dense_layers) + "+[1]*" +
         text_of_whole(shape.num_layers - shape.num_dense_layers) + ")";
}
Taken take_layer_pattern(LaunchedJob& launched, std::string_view value) {
  if (value == "1") return Taken::silent;
  constexpr std::string_view front = "([0]*";
  const std::size_t plus = value.find("+[1]*");
  if (!value.starts_with(front) || !value.ends_with(")") || plus == std::string_view::npos) return Taken::no;
  const auto dense = whole_in(value.substr(front.size(), plus - front.size()));
  if (!dense || *dense < 0) return Taken::no;
  launched.job.model.num_dense_layers = *dense;
  return Taken::yes;
}

// What precedes the size of the model's kind of MLP: a dense layer's, then an expert's.
Taken take_ffn(LaunchedJob& launched, std::string_view value) {
  const auto width = whole_in(value);
  if (!width || *width < 1) return Taken::no;
  launched.job.model.ffn_hidden_size = launched.job.model.dense_ffn_hidden_size = *width;
  return Taken::yes;
}

// --- The layout.

constexpr std::string_view context_schemes[] = {"p2p", "all_gather", "a2a"};
constexpr std::string_view strategies[] = {"no_shard", "optim", "optim_grads", "optim_grads_params"};

Taken take_strategy(LaunchedJob& launched, std::string_view value) {
  const auto* found = std::find(std::begin(strategies), std::end(strategies), value);
  if (found == std::end(strategies)) return Taken::no;
  launched.job.layout.zero_stage = found - std::begin(strategies);
  return Taken::yes;
}

Taken take_groups(LaunchedJob& launched, std::string_view value) {
  const auto groups = whole_in(value);
  Layout& layout = launched.job.layout;
  const std::int64_t ranks = layout.cluster_gpus / (layout.tensor_parallel * layout.pipeline_parallel);
  if (!groups || *groups < 1 || ranks < 1 || ranks % *groups != 0) return Taken::no;
  layout.shard_group_size = *groups > 1 ? ranks / *groups : 0;
  return Taken::yes;
}

// Last of all, so that whatever the defaults give is left to them.
Taken take_last_layers(LaunchedJob& launched, std::string_view value) {
  const auto layers = whole_in(value);
  Layout& layout = launched.job.layout;
  if (!layers || *layers < 1) return Taken::no;
  const bool as_dealt = layout.first_stage_layers == 0 && launched.job.model.num_layers > 0 &&
                        stage_share(launched.job).dealt.last == static_cast<double>(*layers);
  layout.last_stage_layers = as_dealt ? 0 : *layers;
  return Taken::yes;
}

Taken take_deepep(LaunchedJob& launched, std::string_view value) {
  const auto is = switch_in(value);
  if (!is) return Taken::no;
  if (!*is) return Taken::silent;
  launched.job.layout.expert_exchange = ExchangeKernel::normal;
  return Taken::yes;
}

// --- What a step works on.

// Short for the attention core of selective recomputation.
Taken take_recomputation(LaunchedJob& launched, std::string_view value) {
  const auto is = switch_in(value);
  if (!is) return Taken::no;
  if (!*is) return Taken::silent;
  launched.job.work.recompute = Recompute::selective;
  launched.job.work.recompute_attention_core = true;
  return Taken::yes;
}

template <MatmulPrecision Precision, std::int64_t GradientBytes>
Taken take_precision(LaunchedJob& launched, std::string_view) {
  launched.job.work.bytes_per_element = 2;
  launched.job.work.matmul_precision = Precision;
  launched.job.work.gradient_bytes_per_element = GradientBytes;
  return Taken::yes;
}
template <MatmulPrecision... Precisions>
bool multiplies_in(Of launched) {
  return ((work_of(launched).matmul_precision == Precisions) || ...);
}
constexpr auto eight_bits = multiplies_in<MatmulPrecision::fp8, MatmulPrecision::mxfp8>;
constexpr auto four_bits = multiplies_in<MatmulPrecision::nvfp4>;

constexpr std::string_view hybrid = "hybrid";
constexpr std::string_view e2m1 = "e2m1";
constexpr std::string_view nvfp4 = "nvfp4";

// The recipe decides which products use eight bits; without one, it is delayed scaling.
Taken take_fp8_format(LaunchedJob& launched, std::string_view value) {
  if (value != hybrid && value != "e4m3") return Taken::no;
  launched.job.work.matmul_precision = MatmulPrecision::fp8;
  return Taken::yes;
}

// Read after its format, without which it has no effect.
Taken take_fp8_recipe(LaunchedJob& launched, std::string_view value) {
  const bool scaled = value == "tensorwise" || value == "delayed" || value == "blockwise";
  if (!scaled && value != "mxfp8") return Taken::no;
  if (!eight_bits(launched)) return Taken::silent;
  launched.job.work.matmul_precision = scaled ? MatmulPrecision::fp8 : MatmulPrecision::mxfp8;
  launched.job.work.fp8_scaling = value == "blockwise" ? Fp8Scaling::block : Fp8Scaling::tensor;
  return Taken::yes;
}

template <std::int64_t Bytes>
Taken take_gradients(LaunchedJob& launched, std::string_view) {
  launched.job.work.gradient_bytes_per_element = Bytes;
  return Taken::yes;
}
template <std::int64_t Stage>
Taken take_zero(LaunchedJob& launched, std::string_view) {
  launched.job.layout.zero_stage = Stage;
  return Taken::yes;
}
std::string nothing(Of) {
  return {};
}

Taken take_fp4_format(LaunchedJob& launched, std::string_view value) {
  if (value != e2m1) return Taken::no;
  launched.job.work.matmul_precision = MatmulPrecision::nvfp4;
  return Taken::yes;
}
Taken take_fp4_recipe(LaunchedJob& launched, std::string_view value) {
  if (value != nvfp4) return Taken::no;
  return four_bits(launched) ? Taken::yes : Taken::silent;
}

Taken take_attention(LaunchedJob& launched, std::string_view value) {
  const bool fused = value == "flash" || value == "fused" || value == "auto";
  if (!fused && value != "unfused" && value != "local") return Taken::no;
  launched.job.work.flash_attention = fused;
  return Taken::yes;
}

// A negative factor is none, as Megatron-LM has it.
Taken take_capacity(LaunchedJob& launched, std::string_view value) {
  const auto factor = parse_number(value);
  if (!factor || *factor > 64 || (*factor >= 0 && *factor < least_above_zero)) return Taken::no;
  launched.job.work.expert_capacity_factor = std::max(0.0, *factor);
  return Taken::yes;
}

Taken take_dropout(LaunchedJob& launched, std::string_view value) {
  const auto share = parse_number(value);
  if (!share) return Taken::no;
  launched.job.work.dropout = *share > 0;
  return Taken::yes;
}

bool offloads_optimizer(Of launched) {
  return work_of(launched).offloaded_optimizer_percent > 0 &&
         !breaks(launched, "offloaded_optimizer_percent");
}
Taken take_optimizer_offload(LaunchedJob& launched, std::string_view value) {
  const auto is = switch_in(value);
  if (!is) return Taken::no;
  launched.job.work.offloaded_optimizer_percent = *is ? 100 : 0;
  return Taken::yes;
}

constexpr std::string_view one = "1";
constexpr std::string_view no_dropout = "0.0";
constexpr std::string_view fsdp_checkpoints = "fsdp_dtensor";
constexpr std::string_view rate = "1e-4";
constexpr std::string_view ten = "10";
constexpr std::string_view none = "0";
constexpr std::string_view on;

bool overlaps_pieces_alone(Of launched) {
  return overlaps_tensor(launched) && !layout_of(launched).overlap_tensor;
}
bool overlaps_whole_alone(Of launched) {
  return overlaps_tensor(launched) && !layout_of(launched).overlap_tensor_forward;
}

bool has_query_groups(Of launched) {
  return !is_latent(launched) && shape_of(launched).num_kv_heads < shape_of(launched).num_heads;
}
bool limits_groups(Of launched) {
  const ModelShape& shape = shape_of(launched);
  return routes(launched) && shape.routed_groups > 0 && shape.routed_groups < shape.expert_groups;
}

bool limits_experts(Of launched) {
  return routes(launched) && work_of(launched).expert_capacity_factor > 0;
}

// Set for a published model; a custom shape does not determine it.
RotaryPositions rotary_of(Of launched) {
  const bool has = launched.model != nullptr && shape_of(launched).num_positions == 0;
  return has ? launched.model->rotary : RotaryPositions{};
}
bool knows_rotary(Of launched) {
  return rotary_of(launched).base > 0;
}
template <RotaryScaling Scaling>
bool scales_rotary(Of launched) {
  return rotary_of(launched).scaling == Scaling;
}
std::string rotary_factor(Of launched) {
  return text_of_whole(rotary_of(launched).factor);
}

// clang-format off
constexpr StackOption options[] = {
    nodes_gpus_option(),
    nodes_option(),
    fixed_option<rank_of_node>("--node-rank").in(OptionPlace::launcher),
    fixed_option<master>("--master-addr").in(OptionPlace::launcher),
    fixed_option<master_port>("--master-port").in(OptionPlace::launcher),

    whole_option<&ModelShape::num_layers>("--num-layers"),
    whole_option<&ModelShape::hidden_size>("--hidden-size"),
    whole_option<&ModelShape::num_heads>("--num-attention-heads"),
    known_option("--group-query-attention", OptionKind::toggle).when(has_query_groups),
    whole_option<&ModelShape::num_kv_heads>("--num-query-groups").when(has_query_groups),
    whole_option<&ModelShape::head_size>("--kv-channels"),
    option_of<&ModelShape::ffn_hidden_size>("--ffn-hidden-size", [](Of launched) {
      const ModelShape& shape = shape_of(launched);
      return text_of_whole(routes(launched) ? shape.dense_ffn_hidden_size : shape.ffn_hidden_size);
    }, take_ffn),
    toggle_option<&ModelShape::gated_mlp>("--swiglu"),
    toggle_option<&ModelShape::biases, false>("--disable-bias-linear"),
    StackOption{"--normalization", "", OptionKind::value,
                [](Of launched) { return std::string(norms[shape_of(launched).biases]); }},
    // Read after it, as it limits which are learned; without this option all are.
    option_of<&ModelShape::num_positions>("--max-position-embeddings", [](Of launched) {
      const std::int64_t made_for = launched.model == nullptr ? 0 : launched.model->context_length;
      const std::int64_t positions = shape_of(launched).num_positions;
      return text_of_whole(positions > 0 ? positions : std::max(made_for, work_of(launched).sequence_length));
    }, [](LaunchedJob& launched, std::string_view value) {
      const auto positions = whole_in(value);
      if (!positions || *positions < 1) return Taken::no;
      launched.job.model.num_positions = *positions;
      return Taken::yes;
    }),
    option_of<&ModelShape::num_positions>("--position-embedding-type", [](Of launched) {
      return std::string(shape_of(launched).num_positions > 0 ? "learned_absolute" : "rope");
    }, [](LaunchedJob& launched, std::string_view value) {
      if (value != "learned_absolute") launched.job.model.num_positions = 0;
      return Taken::yes;
    }),
    StackOption{"--rotary-base", "", OptionKind::value,
                [](Of launched) { return text_of_whole(rotary_of(launched).base); }}.when(knows_rotary),
    StackOption{"--use-rope-scaling", "", OptionKind::toggle, nothing}.when(scales_rotary<RotaryScaling::llama3>),
    StackOption{"--rope-scaling-factor", "", OptionKind::value, rotary_factor}.when(scales_rotary<RotaryScaling::llama3>),
    StackOption{"--rotary-scaling-factor", "", OptionKind::value, rotary_factor}.when(scales_rotary<RotaryScaling::yarn>),
    toggle_option<&ModelShape::tied_embeddings, false>("--untie-embeddings-and-output-weights"),
    fixed_option<null_tokenizer>("--tokenizer-type"),
    whole_option<&ModelShape::vocab_size>("--vocab-size").when(
        [](Of launched) { return shape_of(launched).vocab_size > 0; }),

    known_option("--multi-latent-attention", OptionKind::toggle).when(is_latent),
    whole_option<&ModelShape::query_rank>("--q-lora-rank").when(
        [](Of launched) { return is_latent(launched) && shape_of(launched).query_rank > 0; }),
    whole_option<&ModelShape::kv_rank>("--kv-lora-rank").when(is_latent),
    whole_option<&ModelShape::head_size>("--qk-head-dim").when(is_latent),
    whole_option<&ModelShape::rope_head_size>("--qk-pos-emb-head-dim").when(is_latent),
    // Read after the other part of a head, as values have the same size by default.
    option_of<&ModelShape::value_head_size>("--v-head-dim", [](Of launched) {
      const ModelShape& shape = shape_of(launched);
      return text_of_whole(shape.value_head_size > 0 ? shape.value_head_size : shape.head_size);
    }, [](LaunchedJob& launched, std::string_view value) {
      const auto size = whole_in(value);
      if (!size || *size < 1) return Taken::no;
      launched.job.model.value_head_size = *size == launched.job.model.head_size ? 0 : *size;
      return Taken::yes;
    }).when(is_latent),

    whole_option<&ModelShape::num_experts>("--num-experts").when(routes),
    whole_option<&ModelShape::experts_per_token>("--moe-router-topk").when(routes),
    whole_option<&ModelShape::ffn_hidden_size>("--moe-ffn-hidden-size").when(routes),
    option_of<&ModelShape::num_dense_layers>("--moe-layer-freq", layer_pattern, take_layer_pattern).when(
        [](Of launched) { return routes(launched) && shape_of(launched).num_dense_layers > 0; }),
    option_of<&ModelShape::num_shared_experts>("--moe-shared-expert-intermediate-size", [](Of launched) {
      return text_of_whole(shape_of(launched).num_shared_experts * shape_of(launched).ffn_hidden_size);
    }, [](LaunchedJob& launched, std::string_view value) {
      const auto width = whole_in(value);
      const std::int64_t each = shape_of(launched).ffn_hidden_size;
      if (!width || each < 1 || *width < each || *width % each != 0) return Taken::no;
      launched.job.model.num_shared_experts = *width / each;
      return Taken::yes;
    }).when([](Of launched) { return routes(launched) && shape_of(launched).num_shared_experts > 0; }),
    whole_option<&ModelShape::expert_groups>("--moe-router-num-groups").when(limits_groups),
    whole_option<&ModelShape::routed_groups>("--moe-router-group-topk").when(limits_groups),
    option_of<&Work::expert_capacity_factor>("--moe-expert-capacity-factor", [](Of launched) {
      return text_of(work_of(launched).expert_capacity_factor);
    }, take_capacity).when(limits_experts),
    toggle_option<&Work::pad_expert_inputs>("--moe-pad-expert-input-to-capacity").when([](Of launched) {
      return limits_experts(launched) && work_of(launched).pad_expert_inputs;
    }),
    toggle_option<&Work::grouped_experts>("--moe-grouped-gemm").when([](Of launched) {
      return routes(launched) && work_of(launched).grouped_experts;
    }),
    known_option("--moe-permute-fusion", OptionKind::toggle).when(routes),

    whole_option<&Layout::tensor_parallel>("--tensor-model-parallel-size"),
    toggle_option<&Layout::sequence_parallel>("--sequence-parallel").when(splits_tokens),
    // Megatron-LM refuses it without sequence parallelism, and hides all-reduces by default.
    option_of<&Layout::overlap_tensor>("--tp-comm-overlap", nothing, take_tensor_overlap)
        .as(OptionKind::toggle).of_tuned().when(overlaps_tensor),
    // Read after it, as it excludes some: whole messages during weight gradients, or pieces during their
    // products.
    toggle_option<&Layout::overlap_tensor, false>("--no-tp-comm-bulk-dgrad").when(overlaps_pieces_alone),
    toggle_option<&Layout::overlap_tensor, false>("--no-tp-comm-bulk-wgrad").when(overlaps_pieces_alone),
    toggle_option<&Layout::overlap_tensor_forward, false>("--no-tp-comm-overlap-ag").when(overlaps_whole_alone),
    toggle_option<&Layout::overlap_tensor_forward, false>("--no-tp-comm-overlap-rs").when(overlaps_whole_alone),
    whole_option<&Layout::context_parallel>("--context-parallel-size"),
    choice_option<&Layout::context_scheme, context_schemes>("--cp-comm-type").when(
        [](Of launched) { return layout_of(launched).context_parallel > 1; }),
    whole_option<&Layout::expert_parallel>("--expert-model-parallel-size").when(routes),
    whole_option<&Layout::expert_tensor_parallel>("--expert-tensor-parallel-size").when([](Of launched) {
      return routes(launched) && layout_of(launched).expert_tensor_parallel > 0;
    }),
    option_of<&Layout::expert_exchange>("--moe-token-dispatcher-type", dispatcher, take_dispatcher)
        .when(routes).because(gathers_tokens),
    choice_option<&Layout::expert_exchange, backends>("--moe-flex-dispatcher-backend").when(is_flexible),
    read_option<&Layout::expert_exchange>("--moe-enable-deepep", take_deepep).as(OptionKind::toggle),
    toggle_option<&Layout::overlap_expert>("--overlap-moe-expert-parallel-comm").when([](Of launched) {
      return sends_tokens(launched) && layout_of(launched).overlap_expert && !breaks(launched, "overlap_expert");
    }),

    whole_option<&Layout::pipeline_parallel>("--pipeline-model-parallel-size"),
    option_of<&Layout::virtual_stages>("--num-virtual-stages-per-pipeline-rank", [](Of launched) {
      return text_of_whole(layout_of(launched).virtual_stages);
    }, take_chunks).when([](Of launched) {
      return has_stages(launched) && layout_of(launched).virtual_stages > 1 && !needs_pipeline_string(launched);
    }),
    read_option<&Layout::virtual_stages>("--num-layers-per-virtual-pipeline-stage", take_layers_of_a_chunk)
        .because("the layers of a stage aren't a multiple of it"),
    whole_option<&Layout::first_stage_layers>("--decoder-first-pipeline-num-layers").when(
        [](Of launched) { return has_stages(launched) && layout_of(launched).first_stage_layers > 0; }),
    option_of<&Layout::last_stage_layers>("--decoder-last-pipeline-num-layers", [](Of launched) {
      return text_of_whole(static_cast<std::int64_t>(stage_share(launched.job).dealt.last));
    }, take_last_layers).when([](Of launched) {
      if (!has_stages(launched) || needs_pipeline_string(launched)) return false;
      if (ends_are_given(launched)) return layout_of(launched).last_stage_layers > 0;
      return layout_of(launched).virtual_stages == 1 && deals_unevenly(launched);
    }),
    option_of<&Layout::virtual_stages>("--pipeline-model-parallel-layout", [](Of launched) { return pipeline_string(launched.job); }, take_pipeline_string).when(needs_pipeline_string),

    option_of<&Layout::zero_stage>("--use-distributed-optimizer", nothing, take_zero<1>)
        .as(OptionKind::toggle).when(is_sharded),
    option_of<&Layout::zero_stage>("--use-megatron-fsdp", nothing, take_zero<3>)
        .as(OptionKind::toggle).when(is_fsdp),
    option_of<&Layout::zero_stage>("--data-parallel-sharding-strategy", [](Of launched) {
      return std::string(strategies[layout_of(launched).zero_stage]);
    }, take_strategy).when(is_fsdp),
    fixed_option<fsdp_checkpoints>("--ckpt-format").when(is_fsdp),  // the only one that goes with it
    option_of<&Layout::shard_group_size>("--num-distributed-optimizer-instances", [](Of launched) {
      const Layout& layout = layout_of(launched);
      return text_of_whole(layout.data_parallel * layout.context_parallel / layout.shard_group_size);
    }, take_groups).when(
        [](Of launched) { return is_sharded(launched) && layout_of(launched).shard_group_size > 0; }),
    toggle_option<&Layout::overlap_data>("--overlap-grad-reduce").of_tuned().when(
        [](Of launched) { return has_replicas(launched) && layout_of(launched).overlap_data; }),
    toggle_option<&Layout::overlap_param_gather>("--overlap-param-gather").of_tuned().when([](Of launched) {
      return is_sharded(launched) && layout_of(launched).overlap_data && layout_of(launched).overlap_param_gather;
    }),

    whole_option<&Work::batch_size>("--micro-batch-size"),
    option_of<&Work::global_batch_size>("--global-batch-size", [](Of launched) {
      return text_of_whole(sequences_per_step(work_of(launched), layout_of(launched)));
    }, [](LaunchedJob& launched, std::string_view value) {
      const auto sequences = whole_in(value);
      if (!sequences || *sequences < 1) return Taken::no;
      launched.job.work.global_batch_size = *sequences;
      return Taken::yes;
    }),
    whole_option<&Work::sequence_length>("--seq-length"),

    choice_option<&Work::recompute, granularities>("--recompute-granularity").when(recomputes),
    read_option<&Work::recompute>("--recompute-activations", take_recomputation).as(OptionKind::toggle),
    option_of<&Work::recomputed_layers>("--recompute-method", method, take_method).when(recomputes_layers),
    option_of<&Work::recomputed_layers>("--recompute-num-layers", method_layers, take_method_layers)
        .when(recomputes_layers),
    option_of<&Work::recompute_elementwise>("--recompute-modules", recomputed_modules, take_modules)
        .as(OptionKind::values).when(names_modules).because(prices_modules),
    whole_option<&Work::offloaded_layers>("--cpu-offloading-num-layers").when(
        [](Of launched) { return work_of(launched).offloaded_layers > 0 && !breaks(launched, "offloaded_layers"); }),
    option_of<&Work::offloaded_optimizer_percent>("--optimizer-cpu-offload", nothing, take_optimizer_offload)
        .as(OptionKind::toggle).when(offloads_optimizer),
    option_of<&Work::offloaded_optimizer_percent>("--optimizer-offload-fraction", [](Of launched) {
      return share_of(work_of(launched).offloaded_optimizer_percent);
    }, take_offloaded_share).when(offloads_optimizer),
    // Without which the optimizer is not offloaded.
    fixed_option<on>("--use-precision-aware-optimizer").when(offloads_optimizer),

    option_of<&Work::bytes_per_element>("--bf16", nothing, take_precision<MatmulPrecision::stored, 4>)
        .as(OptionKind::toggle)
        .when([](Of launched) { return work_of(launched).bytes_per_element == 2 && !is_fp16(launched); }),
    option_of<&Work::bytes_per_element>("--fp16", nothing, take_precision<MatmulPrecision::fp16, 2>)
        .as(OptionKind::toggle)
        .when([](Of launched) { return work_of(launched).bytes_per_element == 2 && is_fp16(launched); }),
    option_of<&Work::matmul_precision>("--fp8-format", [](Of) { return std::string(hybrid); },
                                       take_fp8_format).when(eight_bits),
    option_of<&Work::matmul_precision>("--fp8-recipe", [](Of launched) {
      if (multiplies_in<MatmulPrecision::mxfp8>(launched)) return std::string("mxfp8");
      return std::string(work_of(launched).fp8_scaling == Fp8Scaling::block ? "blockwise" : "tensorwise");
    }, take_fp8_recipe).when(eight_bits),
    option_of<&Work::matmul_precision>("--fp4-format", [](Of) { return std::string(e2m1); },
                                       take_fp4_format).when(four_bits),
    option_of<&Work::matmul_precision>("--fp4-recipe", [](Of) { return std::string(nvfp4); },
                                       take_fp4_recipe).when(four_bits),
    option_of<&Work::gradient_bytes_per_element>("--grad-reduce-in-bf16", nothing, take_gradients<2>)
        .as(OptionKind::toggle).of_tuned().when([](Of launched) {
          const Work& work = work_of(launched);
          return work.bytes_per_element == 2 && !is_fp16(launched) && work.gradient_bytes_per_element == 2;
        }),
    option_of<&Work::gradient_bytes_per_element>("--accumulate-allreduce-grads-in-fp32", nothing, take_gradients<4>)
        .as(OptionKind::toggle).when([](Of launched) {
          const Work& work = work_of(launched);
          return work.bytes_per_element == 2 && is_fp16(launched) && work.gradient_bytes_per_element == 4;
        }),
    option_of<&Work::flash_attention>("--attention-backend", [](Of launched) {
      return std::string(work_of(launched).flash_attention ? "flash" : "unfused");
    }, take_attention),
    option_of<&Work::dropout>("--attention-dropout", [](Of) { return std::string(no_dropout); }, take_dropout)
        .when([](Of launched) { return !work_of(launched).dropout; }),
    option_of<&Work::dropout>("--hidden-dropout", [](Of) { return std::string(no_dropout); }, take_dropout)
        .when([](Of launched) { return !work_of(launched).dropout; }),

    option_of<&Stack::cuda_graphs>("--cuda-graph-impl", captured, take_captured).when([](Of launched) {
      return launched.job.stack.cuda_graphs;
    }),
    toggle_option<&Stack::cuda_graphs>("--enable-cuda-graph").also("--external-cuda-graph").only_read(),

    fixed_option<on>("--mock-data"),
    fixed_option<rate>("--lr"),
    fixed_option<ten>("--train-iters"),
    fixed_option<none>("--eval-iters"),
    fixed_option<one>("--log-interval"),
    fixed_option<on>("--log-throughput"),
};
// clang-format on

constexpr UnsaidRule unsaid[] = {
    {"parallel_sublayers", [](Of launched) { return shape_of(launched).parallel_sublayers; },
     "computes attention and the MLP one after the other"},
    {"vocab_size", [](Of launched) { return shape_of(launched).vocab_size == 0; },
     "always has an embedding and an LM head"},
    {"bytes_per_element",
     [](Of launched) {
       return work_of(launched).bytes_per_element != 2 && work_of(launched).bytes_per_element != 4;
     },
     "has weights of 2 or 4 bytes"},
    {"matmul_precision",
     [](Of launched) {
       const Work& work = work_of(launched);
       return !multiplies_as_kept(work) &&
              !(work.bytes_per_element == 2 && operand_bytes(work.matmul_precision) <= 2);
     },
     "multiplies in the precision of its weights, in FP8 or in NVFP4"},
    {"gradient_bytes_per_element",
     [](Of launched) {
       const Work& work = work_of(launched);
       const bool halves = work.bytes_per_element == 2 && work.gradient_bytes_per_element == 2;
       return !halves && work.gradient_bytes_per_element != 4;
     },
     "keeps gradients in 4 bytes, or in 2 as weights of 2"},
    keeps_activations,
    gathers_with_reduction,
};

constexpr std::string_view marks[] = {"pretrain_gpt.py"};

void assume(LaunchedJob& launched) {
  launched.job.model.tied_embeddings = launched.job.model.biases = true;
  Work& work = launched.job.work;
  work.bytes_per_element = work.gradient_bytes_per_element = 4;
  work.dropout = work.flash_attention = true;
  work.recompute_attention_core = true;
  work.grouped_experts = false;
  Layout& layout = launched.job.layout;
  layout.overlap_tensor = layout.overlap_tensor_forward = layout.overlap_data = layout.overlap_param_gather =
      layout.overlap_expert = false;
  layout.balanced_stages = false;
}

// megatron/training/arguments.py:1454: with TP or CP before Blackwell one queue keeps the order of kernels,
// which FSDP and overlapped token exchange must not have.
std::string connections(Of launched) {
  const Layout& layout = layout_of(launched);
  const Generation generation = accelerator_of(launched.job.machine).generation;
  const bool ordered = generation >= Generation::volta && generation < Generation::blackwell;
  if (is_fsdp(launched)) return {};
  if (ordered && layout.tensor_parallel * layout.context_parallel > 1) return "1";
  return sends_tokens(launched) && layout.overlap_expert ? "32" : std::string();
}

void command(Of launched, LaunchScript& script) {
  const std::string queues = connections(launched);
  if (!queues.empty()) script.variables.push_back({"CUDA_DEVICE_MAX_CONNECTIONS", queues});
  script.variables.push_back({"PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True"});
  script.variables.push_back({"TORCH_NCCL_AVOID_RECORD_STREAMS", "1"});
  script.launcher = "torchrun";
  script.script = "pretrain_gpt.py";
}

// One GPU does the work of rank 0 and sends nothing.
void rehearse(Of launched, LaunchScript& script) {
  script.launcher = "WORLD_SIZE=" + text_of_whole(launched_gpus(launched)) +
                    " RANK=0 LOCAL_RANK=0 MASTER_ADDR=localhost MASTER_PORT=29500 python";
  script.launcher_options.clear();
  script.script_options.emplace_back("--fake-process-group");
  // It has no flexible dispatcher: if an option is given twice, the last one counts.
  if (is_flexible(launched)) script.script_options.emplace_back("--moe-token-dispatcher-type alltoall");
}

// Options of a model that no input sets.
std::string left_out(Of launched) {
  std::string all = "norm epsilon";
  if (shape_of(launched).num_positions == 0 && !knows_rotary(launched)) all += ", rotary base and scaling";
  if (scales_rotary<RotaryScaling::yarn>(launched)) all += ", YaRN's mscale";
  if (is_latent(launched)) all += ", QK norm";
  if (routes(launched)) all += ", the router's scores, bias and balancing loss";
  if (is_latent(launched) && routes(launched)) all += ", multi-token prediction";
  return all;
}

}  // namespace megatron

constinit const LaunchStack megatron_lm_launches{
    "Megatron-LM",      megatron_lm_source, "megatron/training/arguments.py",
    "megatron-core",    "megatron-lm",      false,
    megatron::options,  megatron::unsaid,   megatron::marks,
    megatron::assume,   megatron::command,  megatron::rehearse,
    megatron::left_out,
};

}  // namespace commcost
