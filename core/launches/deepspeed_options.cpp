#include <cmath>

#include "core/base/number_text.h"
#include "core/launches/hub_model.h"
#include "core/launches/torchrun_options.h"
#include "core/model/parameters.h"
#include "core/parallel/rank_groups.h"

namespace commcost {
namespace deepspeed {

using namespace launches;
using Of = const LaunchedJob&;

const Layout& layout_of(Of launched) {
  return launched.job.layout;
}
const Work& work_of(Of launched) {
  return launched.job.work;
}

bool has_replicas(Of launched) {
  return data_ranks(layout_of(launched)).size > 1;
}
bool sends_tokens(Of launched) {
  return layout_of(launched).expert_parallel > 1;
}
bool is_fp16(Of launched) {
  return work_of(launched).matmul_precision == MatmulPrecision::fp16;
}

constexpr StackOption in_file(StackOption option) {
  return option.in(OptionPlace::file);
}
// A switch of transformers' Trainer, with or without a value; it does not identify DeepSpeed.
constexpr StackOption trainers(StackOption option) {
  return option.as(OptionKind::values).in(OptionPlace::launcher);
}

constexpr std::string_view own_config = "ds.json";
constexpr std::string_view host_file = "\"${HOSTFILE:-hostfile}\"";
constexpr std::string_view on;
constexpr std::string_view adam_w = "\"AdamW\"";
constexpr std::string_view rate = "1e-4";

template <bool Halves>
Taken take_halves(LaunchedJob& launched, std::string_view value) {
  const auto is = switch_in(value);
  if (!is) return Taken::no;
  if (*is) {
    launched.job.work.bytes_per_element = 2;
    launched.job.work.gradient_bytes_per_element = 2;
    launched.job.work.matmul_precision = Halves ? MatmulPrecision::fp16 : MatmulPrecision::stored;
  }
  return Taken::yes;
}

// Read after batch and micro-batch: what is left of the product are replicas.
Taken take_accumulation(LaunchedJob& launched, std::string_view value) {
  const auto steps = whole_in(value);
  Work& work = launched.job.work;
  if (!steps || *steps < 1) return Taken::no;
  const std::int64_t of_a_replica = *steps * work.batch_size;
  if (work.global_batch_size < 1 || of_a_replica < 1) return Taken::silent;
  if (work.global_batch_size % of_a_replica != 0) return Taken::no;
  launched.job.layout.data_parallel = work.global_batch_size / of_a_replica;
  return Taken::yes;
}

// As transformers' Trainer counts it: every GPU is a replica.
Taken take_trainers_accumulation(LaunchedJob& launched, std::string_view value) {
  const auto steps = whole_in(value);
  Work& work = launched.job.work;
  const std::int64_t replicas = layout_of(launched).cluster_gpus;
  if (!steps || *steps < 1 || work.batch_size < 1 || replicas < 1) return Taken::no;
  work.global_batch_size = *steps * work.batch_size * replicas;
  return Taken::yes;
}

Taken take_recomputation(LaunchedJob& launched, std::string_view value) {
  const auto is = switch_in(value);
  if (!is) return Taken::no;
  launched.job.work.recompute = *is ? Recompute::full : Recompute::none;
  return Taken::yes;
}

std::string gradient_type(Of launched) {
  if (work_of(launched).gradient_bytes_per_element == 4) return "\"fp32\"";
  return is_fp16(launched) ? "\"fp16\"" : "\"bf16\"";
}
Taken take_gradient_type(LaunchedJob& launched, std::string_view value) {
  if (value != "fp32" && value != "bf16" && value != "fp16") return Taken::no;
  launched.job.work.gradient_bytes_per_element = value == "fp32" ? 4 : 2;
  return Taken::yes;
}

bool shards_in_groups(Of launched) {
  return has_replicas(launched) && layout_of(launched).zero_stage == 3 &&
         layout_of(launched).shard_group_size > 0;
}

// ZeRO++ keeps a second copy of the weights in each group, and shards everything else over all replicas.
Taken take_weight_groups(LaunchedJob& launched, std::string_view value) {
  const auto ranks = whole_in(value);
  Layout& layout = launched.job.layout;
  if (!ranks || *ranks < 1) return Taken::no;
  if (*ranks == 1 || layout.zero_stage < 3) return Taken::silent;
  layout.shard_group_size = *ranks;
  return Taken::partly;
}

// Adam and its variants: FusedAdam, DeepSpeedCPUAdam, OneBitAdam.
Taken take_optimizer(LaunchedJob&, std::string_view value) {
  return value.find("Adam") == std::string_view::npos ? Taken::no : Taken::silent;
}

// Read after the degree, which counts only if it is on.
Taken take_expert_switch(LaunchedJob& launched, std::string_view value) {
  const auto is = switch_in(value);
  if (!is) return Taken::no;
  if (*is) return Taken::silent;
  launched.job.layout.expert_parallel = 1;
  launched.job.layout.expert_tensor_parallel = 0;
  return Taken::yes;
}

constexpr double whole_percent = 100;

bool offloads_optimizer(Of launched) {
  return work_of(launched).offloaded_optimizer_percent > 0 && layout_of(launched).zero_stage >= 1;
}
Taken take_offload_device(LaunchedJob& launched, std::string_view value) {
  if (value != "cpu" && value != "none") return Taken::no;
  launched.job.work.offloaded_optimizer_percent = value == "cpu" ? whole_percent : 0;
  return Taken::yes;
}

// clang-format off
constexpr StackOption options[] = {
    nodes_gpus_option("--num_gpus"),
    nodes_option("--num_nodes"),
    fixed_option<host_file>("--hostfile").in(OptionPlace::launcher).when([](Of launched) {
      return launched_nodes(launched) > 1;
    }),
    fixed_option<on>("--deepspeed"),
    fixed_option<own_config>("--deepspeed_config"),
    StackOption{"--model", "model", OptionKind::value, hub_model, take_hub_model}.also("--model_name_or_path"),
    whole_option<&Work::sequence_length>("--sequence-length").also("--max_seq_length --model_max_length --block_size"),
    StackOption{"--recompute", "recompute", OptionKind::toggle, [](Of) { return std::string(); }, take_recomputation}
        .when([](Of launched) { return work_of(launched).recompute == Recompute::full; }),
    trainers(read_option<&Work::recompute>("--gradient_checkpointing", take_recomputation)),
    trainers(read_option<&Work::bytes_per_element>("--bf16", take_halves<false>)),
    trainers(read_option<&Work::bytes_per_element>("--fp16", take_halves<true>)),
    trainers(whole_option<&Work::batch_size>("--per_device_train_batch_size").only_read()),
    trainers(read_option<&Work::global_batch_size>("--gradient_accumulation_steps", take_trainers_accumulation))
        .because("says the batch with a micro-batch and a number of GPUs only"),

    in_file(option_of<&Work::global_batch_size>("train_batch_size", [](Of launched) {
      return text_of_whole(sequences_per_step(work_of(launched), layout_of(launched)));
    }, [](LaunchedJob& launched, std::string_view value) {
      const auto sequences = whole_in(value);
      if (!sequences || *sequences < 1) return Taken::no;
      launched.job.work.global_batch_size = *sequences;
      return Taken::yes;
    })),
    in_file(whole_option<&Work::batch_size>("train_micro_batch_size_per_gpu")),
    in_file(option_of<&Layout::data_parallel>("gradient_accumulation_steps", [](Of launched) {
      return text_of_whole(micro_batches(work_of(launched), layout_of(launched)));
    }, take_accumulation)),
    in_file(option_of<&Work::bytes_per_element>("bf16.enabled", [](Of launched) {
      return true_or_false(work_of(launched).bytes_per_element == 2 && !is_fp16(launched));
    }, take_halves<false>)),
    in_file(option_of<&Work::bytes_per_element>("fp16.enabled", [](Of launched) {
      return true_or_false(work_of(launched).bytes_per_element == 2 && is_fp16(launched));
    }, take_halves<true>)),
    in_file(option_of<&Work::gradient_bytes_per_element>("data_types.grad_accum_dtype", gradient_type,
                                                         take_gradient_type)),
    in_file(whole_option<&Layout::zero_stage>("zero_optimization.stage")),
    in_file(flag_option<&Layout::overlap_data>("zero_optimization.overlap_comm")),
    in_file(option_of<&Work::offloaded_optimizer_percent>("zero_optimization.offload_optimizer.device", [](Of) {
      return std::string("\"cpu\"");
    }, take_offload_device).when(offloads_optimizer)),
    in_file(StackOption{"zero_optimization.offload_optimizer.pin_memory", "", OptionKind::value,
                        [](Of) { return true_or_false(true); }}.when(offloads_optimizer)),
    in_file(option_of<&Work::offloaded_optimizer_percent>("zero_optimization.offload_optimizer.ratio", [](Of launched) {
      return share_of(work_of(launched).offloaded_optimizer_percent);
    }, take_offloaded_share).when([](Of launched) {
      return offloads_optimizer(launched) && layout_of(launched).zero_stage == 3 &&
             work_of(launched).offloaded_optimizer_percent < whole_percent;
    })),
    // As replicas that hold copies between groups, each of which shards among its ranks.
    in_file(whole_option<&Layout::shard_group_size>("zero_optimization.mics_shard_size").when(shards_in_groups)),
    in_file(read_option<&Layout::shard_group_size>("zero_optimization.zero_hpz_partition_size", take_weight_groups)
                .because("priced as MiCS: groups that shard gradients and optimizer too, not weights alone")),
    in_file(whole_option<&Layout::tensor_parallel>("tensor_parallel.autotp_size").when([](Of launched) {
      return layout_of(launched).tensor_parallel > 1;
    })),
    in_file(whole_option<&Layout::context_parallel>("sequence_parallel_size").when([](Of launched) {
      return layout_of(launched).context_parallel > 1;
    })),
    in_file(whole_option<&Layout::expert_parallel>("expert_parallel.autoep_size").when(sends_tokens)),
    in_file(option_of<&Layout::expert_tensor_parallel>("expert_parallel.expert_tensor_parallel_size", [](Of launched) {
      return text_of_whole(expert_tensor_degree(layout_of(launched)));
    }, [](LaunchedJob& launched, std::string_view value) {
      const auto degree = whole_in(value);
      if (!degree || *degree < 1) return Taken::no;
      launched.job.layout.expert_tensor_parallel = *degree;
      return Taken::yes;
    }).when(sends_tokens)),
    in_file(option_of<&Layout::expert_parallel>("expert_parallel.enabled", [](Of) { return true_or_false(true); },
                                                take_expert_switch).when(sends_tokens)),
    in_file(StackOption{"optimizer.type", "", OptionKind::value, [](Of) { return std::string(adam_w); }, take_optimizer}
                .because("priced as Adam, which keeps two moments of each weight")),
    in_file(fixed_option<rate>("optimizer.params.lr")),
};
// clang-format on

// Stages become replicas; the batch is a multiple of what these work on at once.
LaunchedJob without_stages(Of launched) {
  LaunchedJob other = launched;
  auto& [model, work, layout, stack, machine] = other.job;
  const std::int64_t sequences = sequences_per_step(work, layout);
  layout.data_parallel *= layout.pipeline_parallel;
  layout.pipeline_parallel = layout.virtual_stages = 1;
  layout.pipeline_schedule = PipelineSchedule::one_f_one_b;
  layout.first_stage_layers = layout.last_stage_layers = 0;
  const std::int64_t round = work.batch_size * layout.data_parallel;
  work.global_batch_size = (sequences + round - 1) / round * round;
  return other;
}

constexpr UnsaidRule unsaid[] = {
    {"model", [](Of launched) { return hub_name(launched).empty(); },
     "takes the model from a config.json: set MODEL to its folder"},
    {"pipeline_parallel", [](Of launched) { return layout_of(launched).pipeline_parallel > 1; },
     "has stages only where you wrap the model in PipelineModule(num_stages=…): this launch has PP 1, and PP "
     "times the replicas"},
    {"global_batch_size",
     [](Of launched) {
       const Job other = without_stages(launched).job;
       return other.work.global_batch_size != sequences_per_step(work_of(launched), layout_of(launched));
     },
     "needs a multiple of micro-batch × replicas, to which this launch rounds up: set another as "
     "train_batch_size"},
    {"bytes_per_element",
     [](Of launched) {
       return work_of(launched).bytes_per_element != 2 && work_of(launched).bytes_per_element != 4;
     },
     "has weights of 2 or 4 bytes"},
    {"matmul_precision",
     [](Of launched) {
       const Work& work = work_of(launched);
       return !multiplies_as_kept(work) && !(is_fp16(launched) && work.bytes_per_element == 2);
     },
     "multiplies in the precision of its weights"},
    {"gradient_bytes_per_element",
     [](Of launched) {
       const std::int64_t bytes = work_of(launched).gradient_bytes_per_element;
       return bytes != 4 && !(bytes == 2 && work_of(launched).bytes_per_element == 2);
     },
     "keeps gradients in 4 bytes, or in 2 as weights of 2"},
    {"overlap_tensor",
     [](Of launched) {
       const Layout& layout = layout_of(launched);
       return layout.tensor_parallel > 1 &&
              (layout.overlap_tensor || (layout.sequence_parallel && layout.overlap_tensor_forward));
     },
     "is not asked to overlap tensor parallelism here"},
    {"cuda_graphs", [](Of launched) { return launched.job.stack.cuda_graphs; },
     "trains without CUDA graphs here: capture them in the script"},
    {"overlap_expert",
     [](Of launched) { return sends_tokens(launched) && layout_of(launched).overlap_expert; },
     "does not overlap token exchange"},
};

constexpr std::string_view marks[] = {"deepspeed", "--deepspeed_config"};

void assume(LaunchedJob& launched) {
  Work& work = launched.job.work;
  work.bytes_per_element = work.gradient_bytes_per_element = 4;
  Layout& layout = launched.job.layout;
  layout.overlap_data = layout.overlap_tensor = layout.overlap_tensor_forward = layout.overlap_expert = false;
  layout.expert_exchange = ExchangeKernel::nccl;
}

// A transformers model built from its configuration, trained on random tokens.
constexpr std::string_view training_script = R"(import argparse
import contextlib
import json
import deepspeed
import torch
from transformers import AutoConfig, AutoModelForCausalLM

parser = argparse.ArgumentParser()
parser.add_argument("--local_rank", type=int, default=0)
parser.add_argument("--model")
parser.add_argument("--sequence-length", type=int)
parser.add_argument("--recompute", action="store_true")
args = deepspeed.add_config_arguments(parser).parse_args()
config = AutoConfig.from_pretrained(args.model)
with open(args.deepspeed_config) as file:
    shards_weights = json.load(file)["zero_optimization"]["stage"] == 3
sharded = deepspeed.zero.Init(config_dict_or_path=args.deepspeed_config) if shards_weights else contextlib.nullcontext()
with sharded:
    model = AutoModelForCausalLM.from_config(config)
if args.recompute:
    model.gradient_checkpointing_enable()
engine, *_ = deepspeed.initialize(args=args, model=model, model_parameters=model.parameters())
shape = (engine.train_micro_batch_size_per_gpu(), args.sequence_length)
for _ in range(10 * engine.gradient_accumulation_steps()):
    tokens = torch.randint(config.vocab_size, shape, device=engine.device)
    engine.backward(engine(input_ids=tokens, labels=tokens).loss)
    engine.step()
)";

void command(Of, LaunchScript& script) {
  script.launcher = "deepspeed";
  script.script = "train.py";
  script.files = {{std::string(own_config), json_text(script.entries)},
                  {"train.py", std::string(training_script)}};
}

// DeepSpeed's estimate for weights, gradients and optimizer, without a GPU.
void rehearse(Of launched, LaunchScript& script) {
  const Parameters parameters = parameters_of(launched.job.model);
  const bool weights = layout_of(launched).zero_stage == 3;
  const std::string total = text_of(std::floor(parameters.total));
  const std::string largest =
      text_of(std::floor(layer_parameters(parameters, launched.job.model, usual_layer(launched.job.model))));
  const std::string function = weights ? "estimate_zero3_model_states_mem_needs_all_cold"
                                       : "estimate_zero2_model_states_mem_needs_all_cold";
  script = {};
  script.launcher = "python -c 'from deepspeed.runtime.zero." +
                    std::string(weights ? "stage3" : "stage_1_and_2") + " import " + function + "\n" +
                    function + "(total_params=" + total +
                    (weights ? ", largest_layer_params=" + largest : std::string()) +
                    ", num_gpus_per_node=" + text_of_whole(launched_gpus_per_node(launched)) +
                    ", num_nodes=" + text_of_whole(launched_nodes(launched)) + ")'";
}

}  // namespace deepspeed

constinit const LaunchStack deepspeed_launches{
    "DeepSpeed",
    deepspeed_source,
    "deepspeed/runtime/config.py",
    "deepspeed",
    "",
    false,
    deepspeed::options,
    deepspeed::unsaid,
    deepspeed::marks,
    deepspeed::assume,
    deepspeed::command,
    deepspeed::rehearse,
    nullptr,
    deepspeed::without_stages,
};

}  // namespace commcost
