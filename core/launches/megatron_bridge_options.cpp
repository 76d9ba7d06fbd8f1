#include <algorithm>

#include "core/launches/launch_stack.h"
#include "core/launches/megatron_words.h"
#include "core/launches/model_names.h"
#include "core/launches/pipeline_string.h"
#include "core/launches/torchrun_options.h"

namespace commcost {
namespace bridge {

using namespace launches;
using namespace megatron;

constexpr std::string_view pretraining = "pretrain";
constexpr std::string_view mock = "mock";
constexpr std::string_view ten = "10";
constexpr std::string_view null_word = "null";

// By place of a MatmulPrecision.
constexpr std::string_view precisions[] = {
    "bf16_mixed",           "", "", "bf16_with_fp8_current_scaling_mixed", "bf16_with_mxfp8_mixed",
    "bf16_with_nvfp4_mixed"};

constexpr std::string_view by_block = "bf16_with_fp8_subchannel_scaling_mixed";

std::string precision(Of launched) {
  const MatmulPrecision said = work_of(launched).matmul_precision;
  if (said == MatmulPrecision::fp8 && work_of(launched).fp8_scaling == Fp8Scaling::block)
    return std::string(by_block);
  return std::string(precisions[said == MatmulPrecision::bf16 ? 0 : static_cast<std::size_t>(said)]);
}
Taken take_precision(LaunchedJob& launched, std::string_view value) {
  const bool scaled = value == "bf16_with_fp8_delayed_scaling_mixed" || value == by_block;
  const auto* found = std::find(std::begin(precisions), std::end(precisions), scaled ? precisions[3] : value);
  if (value.empty() || found == std::end(precisions)) return Taken::no;
  launched.job.work.bytes_per_element = 2;
  launched.job.work.matmul_precision = static_cast<MatmulPrecision>(found - std::begin(precisions));
  launched.job.work.fp8_scaling = value == by_block ? Fp8Scaling::block : Fp8Scaling::tensor;
  return Taken::yes;
}

// Its recipes set their own value if none is given.
constexpr StackOption known(StackOption option) {
  return option.as(OptionKind::with_equals);
}

std::string granularity(Of launched) {
  return recomputes(launched)
             ? std::string(granularities[static_cast<std::size_t>(work_of(launched).recompute)])
             : std::string(null_word);
}
Taken take_granularity(LaunchedJob& launched, std::string_view value) {
  const auto* found = std::find(std::begin(granularities), std::end(granularities), value);
  if (value != null_word && (value.empty() || found == std::end(granularities))) return Taken::no;
  launched.job.work.recompute =
      value == null_word ? Recompute::none : static_cast<Recompute>(found - std::begin(granularities));
  return Taken::yes;
}

std::string modules(Of launched) {
  std::string list = recomputed_modules(launched);
  std::replace(list.begin(), list.end(), ' ', ',');
  return '[' + list + ']';
}

Taken take_optimizer(LaunchedJob& launched, std::string_view value) {
  const auto is = switch_in(value);
  if (!is) return Taken::no;
  launched.job.layout.zero_stage = *is ? 1 : 0;
  return Taken::yes;
}
// Behind it: what shards the optimizer too.
Taken take_fsdp(LaunchedJob& launched, std::string_view value) {
  const auto is = switch_in(value);
  if (!is) return Taken::no;
  if (*is) launched.job.layout.zero_stage = 3;
  return Taken::yes;
}

// Any layers that are not dealt out evenly by default, where chunks and stages are those of a string.
bool needs_string(Of launched) {
  return deals_unevenly(launched) && !breaks(launched, "virtual_stages") &&
         !breaks(launched, "pipeline_schedule");
}

// clang-format off
constexpr StackOption options[] = {
    nodes_gpus_option(),
    nodes_option(),
    fixed_option<rank_of_node>("--node-rank").in(OptionPlace::launcher),
    fixed_option<master>("--master-addr").in(OptionPlace::launcher),
    fixed_option<master_port>("--master-port").in(OptionPlace::launcher),
    StackOption{"--recipe", "model", OptionKind::value, [](Of launched) {
      const ModelNames* names = names_of(launched.model);
      return names == nullptr || names->bridge_recipe.empty() ? std::string("\"$RECIPE\"")
                                                              : std::string(names->bridge_recipe);
    }, [](LaunchedJob& launched, std::string_view value) {
      const ModelRow* model = model_named(value, &ModelNames::bridge_recipe);
      if (model == nullptr) return Taken::no;
      launched.model = model;
      launched.job.model = completed(model->shape);
      return Taken::yes;
    }},
    only_option<pretraining>("--mode").because("priced as pretraining, which updates every weight"),
    fixed_option<mock>("--dataset"),

    known(whole_option<&Work::sequence_length>("model.seq_length")),
    known(whole_option<&Work::batch_size>("train.micro_batch_size")),
    known(option_of<&Work::global_batch_size>("train.global_batch_size", [](Of launched) {
      return text_of_whole(sequences_per_step(work_of(launched), layout_of(launched)));
    }, [](LaunchedJob& launched, std::string_view value) {
      const auto sequences = whole_in(value);
      if (!sequences || *sequences < 1) return Taken::no;
      launched.job.work.global_batch_size = *sequences;
      return Taken::yes;
    })),
    known(fixed_option<ten>("train.train_iters")),
    known(option_of<&Work::matmul_precision>("mixed_precision", precision, take_precision).when([](Of launched) {
      return !precision(launched).empty();
    })),

    known(whole_option<&Layout::tensor_parallel>("model.tensor_model_parallel_size")),
    known(flag_option<&Layout::sequence_parallel>("model.sequence_parallel")),
    known(option_of<&Layout::overlap_tensor>("comm_overlap.tp_comm_overlap", [](Of launched) {
      return true_or_false(overlaps_tensor(launched));
    }, take_tensor_overlap).when(splits_tokens)),
    known(whole_option<&Layout::context_parallel>("model.context_parallel_size")),
    known(whole_option<&Layout::expert_parallel>("model.expert_model_parallel_size")),
    known(whole_option<&Layout::expert_tensor_parallel>("model.expert_tensor_parallel_size").when([](Of launched) {
      return routes(launched) && layout_of(launched).expert_tensor_parallel > 0;
    })),
    known(option_of<&Layout::expert_exchange>("model.moe_token_dispatcher_type", dispatcher, take_dispatcher)
        .when(routes).because(gathers_tokens)),
    known(choice_option<&Layout::expert_exchange, backends>("model.moe_flex_dispatcher_backend").when(is_flexible)),
    known(flag_option<&Layout::overlap_expert>("comm_overlap.overlap_moe_expert_parallel_comm").when([](Of launched) {
      return sends_tokens(launched) && !breaks(launched, "overlap_expert");
    })),

    known(whole_option<&Layout::pipeline_parallel>("model.pipeline_model_parallel_size")),
    known(option_of<&Layout::virtual_stages>("model.virtual_pipeline_model_parallel_size", [](Of launched) {
      const std::int64_t chunks = layout_of(launched).virtual_stages;
      return chunks > 1 ? text_of_whole(chunks) : std::string(null_word);
    }, [](LaunchedJob& launched, std::string_view value) {
      return value == null_word ? Taken::silent : take_chunks(launched, value);
    })),
    known(option_of<&Layout::virtual_stages>("model.pipeline_model_parallel_layout", [](Of launched) {
      return pipeline_string(launched.job);
    }, take_pipeline_string).when(needs_string)),

    known(option_of<&Layout::zero_stage>("ddp.use_distributed_optimizer", [](Of launched) {
      return true_or_false(is_sharded(launched));
    }, take_optimizer)),
    known(option_of<&Layout::zero_stage>("ddp.use_megatron_fsdp", [](Of launched) {
      return true_or_false(is_fsdp(launched));
    }, take_fsdp)),
    known(flag_option<&Layout::overlap_data>("ddp.overlap_grad_reduce")),
    known(option_of<&Layout::overlap_param_gather>("ddp.overlap_param_gather", [](Of launched) {
      const Layout& layout = layout_of(launched);
      return true_or_false(is_sharded(launched) && layout.overlap_data && layout.overlap_param_gather);
    }, [](LaunchedJob& launched, std::string_view value) {
      const auto is = switch_in(value);
      if (!is) return Taken::no;
      launched.job.layout.overlap_param_gather = *is;
      return Taken::yes;
    })),
    known(option_of<&Work::gradient_bytes_per_element>("ddp.grad_reduce_in_fp32", [](Of launched) {
      return true_or_false(work_of(launched).gradient_bytes_per_element == 4);
    }, [](LaunchedJob& launched, std::string_view value) {
      const auto is = switch_in(value);
      if (!is) return Taken::no;
      launched.job.work.gradient_bytes_per_element = *is ? 4 : 2;
      return Taken::yes;
    })),

    known(option_of<&Stack::cuda_graphs>("model.cuda_graph_impl", captured, take_captured)),
    known(option_of<&Work::recompute>("model.recompute_granularity", granularity, take_granularity)),
    known(option_of<&Work::recomputed_layers>("model.recompute_method", method, take_method).when(recomputes_layers)),
    known(option_of<&Work::recomputed_layers>("model.recompute_num_layers", method_layers, take_method_layers)
        .when(recomputes_layers)),
    known(option_of<&Work::recompute_elementwise>("model.recompute_modules", modules, take_modules).when([](Of launched) {
      return is_selective(launched) && recomputes(launched);
    }).because(prices_modules)),
};
// clang-format on

constexpr UnsaidRule unsaid[] = {
    {"model",
     [](Of launched) {
       const ModelNames* names = names_of(launched.model);
       return names == nullptr || names->bridge_recipe.empty();
     },
     "starts from a recipe of the model: write one, and set RECIPE to its name"},
    {"bytes_per_element",
     [](Of launched) { return work_of(launched).bytes_per_element != 2 || precision(launched).empty(); },
     "is written here with BF16 weights, or FP8 and NVFP4 products of them"},
    {"gradient_bytes_per_element",
     [](Of launched) {
       const std::int64_t bytes = work_of(launched).gradient_bytes_per_element;
       return bytes != 2 && bytes != 4;
     },
     "reduces gradients in 2 or 4 bytes"},
    {"zero_stage", [](Of launched) { return has_replicas(launched) && layout_of(launched).zero_stage == 2; },
     "takes from the recipe what it shards next to the optimizer: set data_parallel_sharding_strategy to "
     "optim_grads there"},
    {"shard_group_size",
     [](Of launched) { return is_sharded(launched) && layout_of(launched).shard_group_size > 0; },
     "takes the number of optimizer instances in the recipe: set num_distributed_optimizer_instances there"},
    {"context_scheme",
     [](Of launched) {
       return layout_of(launched).context_parallel > 1 &&
              layout_of(launched).context_scheme != ContextScheme::ring;
     },
     "takes the context scheme from the recipe: set cp_comm_type there"},
    {"overlap_tensor_forward",
     [](Of launched) {
       const Layout& layout = layout_of(launched);
       return splits_tokens(launched) && layout.overlap_tensor != layout.overlap_tensor_forward;
     },
     "overlaps tensor messages whole and in pieces, or neither, as its recipes have it"},
    keeps_activations,
    {"offloaded_layers", [](Of launched) { return work_of(launched).offloaded_layers > 0; },
     "takes offloading from the recipe: set cpu_offloading and cpu_offloading_num_layers of the model there"},
    {"offloaded_optimizer_percent",
     [](Of launched) { return work_of(launched).offloaded_optimizer_percent > 0; },
     "takes offloading from the recipe: set optimizer_cpu_offload and optimizer_offload_fraction there"},
    {"dropout", [](Of launched) { return work_of(launched).dropout; }, "has no dropout in its recipes"},
    {"flash_attention", [](Of launched) { return !work_of(launched).flash_attention; },
     "fuses attention in its recipes"},
    gathers_with_reduction,
};

constexpr std::string_view marks[] = {"run_recipe.py"};

void assume(LaunchedJob& launched) {
  Work& work = launched.job.work;
  work.bytes_per_element = 2;
  work.gradient_bytes_per_element = 4;
  work.dropout = false;
  Layout& layout = launched.job.layout;
  layout.zero_stage = 1;
  layout.balanced_stages = layout.overlap_expert = layout.overlap_tensor = layout.overlap_tensor_forward =
      false;
}

// Its recipes bring their environment.
void command(Of, LaunchScript& script) {
  script.variables = {{"TORCH_NCCL_HIGH_PRIORITY", "1"}};
  script.launcher = "torchrun";
  script.script = "scripts/training/run_recipe.py";
}

// One process builds the whole configuration, writes it down and ends.
void rehearse(Of, LaunchScript& script) {
  script.launcher = "python";
  script.launcher_options.clear();
  script.script_options.emplace_back("--dry-run");
  script.script_options.emplace_back("logger.save_config_filepath=config.yaml");
}

}  // namespace bridge

constinit const LaunchStack megatron_bridge_launches{
    "Megatron-Bridge",
    {"github.com/NVIDIA-NeMo/Megatron-Bridge", "067f987d", "2026-08-22"},
    "scripts/training/README.md",
    "megatron-core",
    "",
    false,
    bridge::options,
    bridge::unsaid,
    bridge::marks,
    bridge::assume,
    bridge::command,
    bridge::rehearse,
    [](const LaunchedJob&) { return std::string("what the recipe says of model and optimizer"); },
};

}  // namespace commcost
