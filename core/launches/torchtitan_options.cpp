#include <algorithm>

#include "core/launches/launch_stack.h"
#include "core/launches/model_names.h"
#include "core/launches/torchrun_options.h"
#include "core/parallel/rank_groups.h"
#include "core/parallel/stage_share.h"

namespace commcost {
namespace torchtitan {

using namespace launches;
using Of = const LaunchedJob&;

bool has_stages(Of launched) {
  return launched.job.layout.pipeline_parallel > 1;
}

std::int64_t divided_up(std::int64_t whole, std::int64_t by) {
  return (whole + by - 1) / by;
}

// How many layers fewer the first and the last stage have than those between.
struct ShorterEnds {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

// As the job deals its layers out.
ShorterEnds ends_of(Of launched) {
  const StageLayers dealt = stage_share(launched.job).dealt;
  const double most = std::max({dealt.first, dealt.inner, dealt.last});
  return {static_cast<std::int64_t>(most - dealt.first), static_cast<std::int64_t>(most - dealt.last)};
}

std::int64_t chunks(Of launched) {
  return launched.job.layout.pipeline_parallel * chunks_of_a_stage(launched.job.layout);
}

std::int64_t layers_of_a_chunk(Of launched, ShorterEnds ends) {
  return divided_up(launched.job.model.num_layers + ends.first + ends.last, chunks(launched));
}

// The layers that the options let the ends lack: torchtitan makes chunks of equal size, then deals them out
// evenly. Nothing if that would not give the job's chunks or its ends.
std::optional<ShorterEnds> said_ends(Of launched) {
  const std::int64_t layers = launched.job.model.num_layers;
  const Layout& layout = launched.job.layout;
  const bool wants_ends = layout.first_stage_layers + layout.last_stage_layers > 0;
  const StageLayers dealt = stage_share(launched.job).dealt;
  const bool has_inner = layout.pipeline_parallel > 2;
  if (dealt.last <= 0) return std::nullopt;
  const bool longer = has_inner && dealt.inner < std::max(dealt.first, dealt.last);
  const ShorterEnds exact = ends_of(launched);
  const std::int64_t each = layers_of_a_chunk(launched, exact);
  if (!longer && each * chunks(launched) == layers + exact.first + exact.last &&
      std::max(exact.first, exact.last) < each)
    return exact;
  if (wants_ends) return std::nullopt;
  for (const ShorterEnds ends : {ShorterEnds{0, 0}, ShorterEnds{0, 1}, ShorterEnds{1, 1}}) {
    const std::int64_t weighed = layers + ends.first + ends.last;
    if (divided_up(weighed, layers_of_a_chunk(launched, ends)) == chunks(launched)) return ends;
  }
  return std::nullopt;
}

bool deals_layers(Of launched) {
  return has_stages(launched) && said_ends(launched);
}

// Copies that do not share weights. ZeRO-1 starts as ZeRO-2, which needs no more memory.
std::int64_t copies(Of launched) {
  const Layout& layout = launched.job.layout;
  if (layout.zero_stage < 1) return layout.data_parallel;
  const std::int64_t group = layout.shard_group_size;
  if (group == 0 || group % layout.context_parallel != 0) return 1;
  return layout.data_parallel * layout.context_parallel / group;
}

// Among context ranks too.
bool shards(Of launched) {
  const Layout& layout = launched.job.layout;
  return layout.zero_stage >= 1 && layout.data_parallel * layout.context_parallel > copies(launched);
}

Taken take_copies(LaunchedJob& launched, std::string_view value) {
  const auto number = whole_in(value);
  if (!number || *number < 1) return Taken::no;
  launched.job.layout.data_parallel = *number;
  return Taken::yes;
}

// Behind the number of copies. One of -1 takes the GPUs that are left.
Taken take_shards(LaunchedJob& launched, std::string_view value) {
  const auto number = whole_in(value);
  Layout& layout = launched.job.layout;
  if (!number || *number < -1 || *number == 0) return Taken::no;
  const std::int64_t others =
      layout.data_parallel * layout.tensor_parallel * layout.pipeline_parallel * layout.context_parallel;
  const std::int64_t degree = *number > 0 ? *number : std::max<std::int64_t>(1, layout.cluster_gpus / others);
  const std::int64_t replicas = layout.data_parallel;
  layout.data_parallel = replicas * degree;
  const std::int64_t group = degree * layout.context_parallel;
  layout.shard_group_size = replicas > 1 && group > 1 ? group : 0;
  layout.zero_stage = group > 1 ? 3 : 0;
  return Taken::yes;
}

constexpr std::string_view reshards[] = {"", "never", "never", "always"};
Taken take_reshard(LaunchedJob& launched, std::string_view value) {
  std::int64_t& stage = launched.job.layout.zero_stage;
  if (value == "default") return Taken::silent;
  if (value != "never" && value != "always") return Taken::no;
  if (stage > 0) stage = value == "never" ? 2 : 3;
  return Taken::yes;
}

constexpr std::string_view schedules[] = {"1F1B", "Interleaved1F1B", "", "GPipe", "", "", "DualPipeV"};
constexpr std::string_view recomputation[] = {"none", "selective", "full"};
constexpr std::string_view stored_types[] = {"float32", "bfloat16"};

std::int64_t tokens_of_a_micro_batch(Of launched) {
  return launched.job.work.batch_size * launched.job.work.sequence_length;
}
std::int64_t tokens_of_a_step(Of launched) {
  return sequences_per_step(launched.job.work, launched.job.layout) * launched.job.work.sequence_length;
}

template <auto Member>
Taken take_sequences(LaunchedJob& launched, std::string_view value) {
  const auto tokens = whole_in(value);
  const std::int64_t length = launched.job.work.sequence_length;
  if (!tokens || *tokens < 1 || length < 1 || *tokens % length != 0) return Taken::no;
  in<Member>(launched.job) = *tokens / length;
  return Taken::yes;
}

// Read after the ends, the schedule and the model.
Taken take_layers_of_a_chunk(LaunchedJob& launched, std::string_view value) {
  const auto each = whole_in(value);
  Layout& layout = launched.job.layout;
  if (!each || *each < 1 || launched.job.model.num_layers < 1) return Taken::no;
  const ShorterEnds ends{layout.first_stage_layers, layout.last_stage_layers};
  const std::int64_t all = divided_up(launched.job.model.num_layers + ends.first + ends.last, *each);
  if (all % layout.pipeline_parallel != 0) return Taken::no;
  if (layout.pipeline_schedule == PipelineSchedule::interleaved)
    layout.virtual_stages = all / layout.pipeline_parallel;
  layout.first_stage_layers = layout.last_stage_layers = 0;
  if ((launched.job.model.num_layers + ends.first + ends.last) % all != 0) return Taken::yes;
  // Sets the ends if the layers do not come out so by default.
  const std::int64_t of_a_stage =
      (launched.job.model.num_layers + ends.first + ends.last) / layout.pipeline_parallel;
  const StageLayers dealt = stage_share(launched.job).dealt;
  const auto first = static_cast<double>(of_a_stage - ends.first);
  const auto last = static_cast<double>(of_a_stage - ends.last);
  if (dealt.first != first) layout.first_stage_layers = of_a_stage - ends.first;
  if (dealt.last != last || layout.first_stage_layers > 0) layout.last_stage_layers = of_a_stage - ends.last;
  return Taken::yes;
}

template <auto Member>
Taken take_shorter_end(LaunchedJob& launched, std::string_view value) {
  const auto layers = whole_in(value);
  if (!layers || *layers < 0) return Taken::no;
  in<Member>(launched.job) = *layers;  // until the layers of a chunk are known
  return Taken::yes;
}

// --- Keys of its TOML files, until these were retired.

template <auto Member>
Taken take_positive(LaunchedJob& launched, std::string_view value) {
  const auto number = whole_in(value);
  if (!number) return Taken::no;
  if (*number < 1) return Taken::silent;  // -1: as computed
  in<Member>(launched.job) = *number;
  return Taken::yes;
}

// Read after the degrees: by default, a pipeline cuts it into micro-batches of one sequence.
Taken take_local_batch(LaunchedJob& launched, std::string_view value) {
  const auto sequences = whole_in(value);
  Work& work = launched.job.work;
  if (!sequences || *sequences < 1) return Taken::no;
  constexpr std::int64_t most = 1 << 20;
  const std::int64_t replicas = launched.job.layout.data_parallel;
  if (*sequences > most || replicas > most) return Taken::no;
  work.batch_size = has_stages(launched) ? 1 : *sequences;
  if (has_stages(launched)) work.global_batch_size = *sequences * replicas;
  return Taken::yes;
}

Taken take_recomputation(LaunchedJob& launched, std::string_view value) {
  const auto* found = std::find(std::begin(recomputation), std::end(recomputation), value);
  if (found == std::end(recomputation)) return Taken::no;
  launched.job.work.recompute = static_cast<Recompute>(found - std::begin(recomputation));
  return Taken::yes;
}

constexpr std::string_view ten = "10";

constexpr StackOption options[] = {
    nodes_gpus_option().also("NGPU"),
    nodes_option(),
    fixed_option<rendezvous_backend>("--rdzv-backend").in(OptionPlace::launcher),
    fixed_option<rendezvous>("--rdzv-endpoint").in(OptionPlace::launcher),
    fixed_option<rank_of_node>("--node-rank").in(OptionPlace::launcher),
    StackOption{"--module", "", OptionKind::value,
                [](Of launched) {
                  const ModelNames* names = names_of(launched.model);
                  return names == nullptr || names->torchtitan_module.empty()
                             ? std::string("\"$MODULE\"")
                             : std::string(names->torchtitan_module);
                }}
        .also("MODULE"),
    StackOption{"--config", "model", OptionKind::value,
                [](Of launched) {
                  const ModelNames* names = names_of(launched.model);
                  return names == nullptr || names->torchtitan_config.empty()
                             ? std::string("\"$CONFIG\"")
                             : std::string(names->torchtitan_config);
                },
                [](LaunchedJob& launched, std::string_view value) {
                  const ModelRow* model = model_named(value, &ModelNames::torchtitan_config);
                  if (model == nullptr) return Taken::no;
                  launched.model = model;
                  launched.job.model = completed(model->shape);
                  launched.job.stack.cuda_graphs = !has_experts(model->shape);
                  return Taken::yes;
                }}
        .also("CONFIG"),
    whole_option<&Work::sequence_length>("--training.max_context_length").also("--training.seq_len"),
    option_of<&Work::batch_size>(
        "--training.num_tokens_per_microbatch_per_dp_rank",
        [](Of launched) { return text_of_whole(tokens_of_a_micro_batch(launched)); },
        take_sequences<&Work::batch_size>),
    option_of<&Work::global_batch_size>(
        "--training.num_tokens_per_train_step",
        [](Of launched) { return text_of_whole(tokens_of_a_step(launched)); },
        take_sequences<&Work::global_batch_size>),
    option_of<&Work::bytes_per_element>(
        "--training.mixed_precision_param",
        [](Of launched) { return std::string(stored_types[launched.job.work.bytes_per_element == 2]); },
        [](LaunchedJob& launched, std::string_view value) {
          if (value != stored_types[0] && value != stored_types[1]) return Taken::no;
          launched.job.work.bytes_per_element = value == stored_types[0] ? 4 : 2;
          return Taken::yes;
        }),
    whole_option<&Layout::tensor_parallel>("--parallelism.tensor_parallel_degree"),
    toggle_option<&Layout::sequence_parallel, false>("--parallelism.no-enable-sequence-parallel")
        .when([](Of launched) {
          return launched.job.layout.tensor_parallel > 1 && !launched.job.layout.sequence_parallel;
        }),
    whole_option<&Layout::context_parallel>("--parallelism.context_parallel_degree"),
    whole_option<&Layout::pipeline_parallel>("--parallelism.pipeline_parallel_degree"),
    option_of<&Layout::data_parallel>(
        "--parallelism.data_parallel_replicate_degree",
        [](Of launched) { return text_of_whole(copies(launched)); }, take_copies),
    option_of<&Layout::shard_group_size>(
        "--parallelism.data_parallel_shard_degree",
        [](Of launched) { return text_of_whole(launched.job.layout.data_parallel / copies(launched)); },
        take_shards),
    option_of<&Layout::zero_stage>(
        "--parallelism.fsdp_reshard_after_forward",
        [](Of launched) { return std::string(reshards[launched.job.layout.zero_stage]); }, take_reshard)
        .when(shards),
    choice_option<&Layout::pipeline_schedule, schedules>("--parallelism.pipeline_parallel_schedule")
        .when([](Of launched) {
          return has_stages(launched) &&
                 !schedules[static_cast<std::size_t>(launched.job.layout.pipeline_schedule)].empty();
        }),
    option_of<&Layout::first_stage_layers>(
        "--parallelism.pipeline_parallel_first_stage_less_layers",
        [](Of launched) { return text_of_whole(said_ends(launched)->first); },
        take_shorter_end<&Layout::first_stage_layers>)
        .when(deals_layers),
    option_of<&Layout::last_stage_layers>(
        "--parallelism.pipeline_parallel_last_stage_less_layers",
        [](Of launched) { return text_of_whole(said_ends(launched)->last); },
        take_shorter_end<&Layout::last_stage_layers>)
        .when(deals_layers),
    option_of<&Layout::virtual_stages>(
        "--parallelism.pipeline_parallel_layers_per_stage",
        [](Of launched) { return text_of_whole(layers_of_a_chunk(launched, *said_ends(launched))); },
        take_layers_of_a_chunk)
        .when(deals_layers),
    StackOption{
        "--parallelism.num_pp_microbatches", "", OptionKind::value,
        [](Of launched) { return text_of_whole(micro_batches(launched.job.work, launched.job.layout)); }}
        .when(has_stages),
    whole_option<&Layout::expert_parallel>("--parallelism.expert_parallel_degree").when([](Of launched) {
      return has_experts(launched.job.model);
    }),
    known_option("--compile.enable", OptionKind::toggle).when([](Of launched) {
      return launched.job.layout.overlap_tensor && launched.job.layout.tensor_parallel > 1;
    }),
    option_of<&Layout::overlap_tensor>(
        "--compile.enable_async_tensor_parallel", [](Of) { return std::string(); }, take_tensor_overlap)
        .as(OptionKind::toggle)
        .when([](Of launched) {
          return launched.job.layout.overlap_tensor && launched.job.layout.tensor_parallel > 1;
        })
        .also("--parallelism.enable_async_tensor_parallel"),
    read_option<&Work::batch_size>("--training.local_batch_size", take_local_batch)
        .also("--training.batch_size"),
    read_option<&Work::batch_size>("--parallelism.pipeline_parallel_microbatch_size",
                                   take_positive<&Work::batch_size>),
    read_option<&Work::global_batch_size>("--training.global_batch_size",
                                          take_positive<&Work::global_batch_size>),
    read_option<&Work::recompute>("--activation_checkpoint.mode", take_recomputation),
    read_option<&Work::recompute>("--job.config_file",
                                  [](LaunchedJob&, std::string_view) { return Taken::no; })
        .also("CONFIG_FILE")
        .because("torchtitan retired its TOML files in February 2026: paste what is in it"),
    // On unless this, or a recipe with experts, turns it off.
    toggle_option<&Stack::cuda_graphs, false>("--training.disable_cuda_graphs"),
    fixed_option<ten>("--training.steps"),
    // The policy's class; words after it would be read as the policy's own.
    choice_option<&Work::recompute, recomputation>("activation-checkpoint").as(OptionKind::with_colon),
};

bool repeats_by_operation(const Work& work) {
  return work.recompute_elementwise && work.recompute_products && !work.recompute_attention_core;
}

constexpr UnsaidRule unsaid[] = {
    {"zero_stage", [](Of launched) { return launched.job.layout.zero_stage == 1 && shards(launched); },
     "has no ZeRO-1: the launch shards gradients too (ZeRO-2)"},
    {"model",
     [](Of launched) {
       const ModelNames* names = names_of(launched.model);
       return names == nullptr || names->torchtitan_config.empty();
     },
     "trains the models of its config registries: write a function for this one, and set MODULE and CONFIG"},
    {"bytes_per_element",
     [](Of launched) {
       return launched.job.work.bytes_per_element != 2 && launched.job.work.bytes_per_element != 4;
     },
     "gathers weights in 2 or 4 bytes"},
    {"matmul_precision", [](Of launched) { return !multiplies_as_kept(launched.job.work); },
     "converts linear layers to FP8, MXFP8 or NVFP4 in the configuration function: add its converters there"},
    {"gradient_bytes_per_element",
     [](Of launched) { return launched.job.work.gradient_bytes_per_element != 4; },
     "reduces gradients in 4 bytes"},
    {"shard_group_size",
     [](Of launched) {
       const Layout& layout = launched.job.layout;
       return layout.zero_stage >= 2 && layout.shard_group_size > 0 &&
              layout.shard_group_size % layout.context_parallel != 0;
     },
     "has all context ranks in one shard group: all replicas are written"},
    {"pipeline_parallel", [](Of launched) { return has_stages(launched) && !deals_layers(launched); },
     "deals layers out evenly, its ends aside: list them in module_fqns_per_model_part in the configuration "
     "function"},
    {"expert_exchange",
     [](Of launched) {
       return launched.job.layout.expert_parallel > 1 &&
              launched.job.layout.expert_exchange != ExchangeKernel::nccl;
     },
     "chooses the token dispatcher in the configuration function: moe_comm_backend"},
    {"cuda_graphs",
     [](Of launched) { return launched.job.stack.cuda_graphs && has_experts(launched.job.model); },
     "turns CUDA graphs off in its recipes with experts: turn them on in the configuration function"},
    {"overlap_expert",
     [](Of launched) {
       return launched.job.layout.expert_parallel > 1 && launched.job.layout.overlap_expert;
     },
     "does not overlap token exchange with another micro-batch"},
    {"recompute",
     [](Of launched) {
       return launched.job.work.recompute == Recompute::selective && !repeats_by_operation(launched.job.work);
     },
     "repeats norms, activation functions and every other product, or whole layers"},
};

constexpr std::string_view marks[] = {"torchtitan.train", "./run_train.sh", "run_train.sh"};

void assume(LaunchedJob& launched) {
  Layout& layout = launched.job.layout;
  layout.sequence_parallel = true;
  layout.overlap_tensor = layout.overlap_tensor_forward = false;
  launched.job.stack.cuda_graphs = true;
  layout.balanced_stages = false;
  launched.job.work.gradient_bytes_per_element = 4;
}

void command(Of, LaunchScript& script) {
  script.variables = {{"PYTORCH_ALLOC_CONF", "expandable_segments:True"}};
  script.launcher = "torchrun";
  script.script = "-m torchtitan.train";
}

// One GPU does one step as any rank, and sends nothing.
void rehearse(Of launched, LaunchScript& script) {
  script.launcher =
      "COMM_MODE=fake_backend NGPU=" + text_of_whole(launched_gpus(launched)) + " RANK=0 ./run_train.sh";
  script.launcher_options.clear();
  script.script.clear();
}

}  // namespace torchtitan

constinit const LaunchStack torchtitan_launches{
    "torchtitan",
    torchtitan_source,
    "torchtitan/config/configs.py",
    "torchtitan",
    "",
    false,
    torchtitan::options,
    torchtitan::unsaid,
    torchtitan::marks,
    torchtitan::assume,
    torchtitan::command,
    torchtitan::rehearse,
    [](const LaunchedJob&) {
      return std::string(
          "the model's configuration, data set and tokenizer: there is no mock data, so download both first");
    },
};

}  // namespace commcost
