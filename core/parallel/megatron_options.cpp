#include <algorithm>

#include "core/base/number_text.h"
#include "core/parallel/export_options.h"
#include "core/parallel/pipeline.h"
#include "core/parallel/rank_groups.h"

namespace commcost {
namespace {

// megatron/training/arguments.py; the list of its options is tests/data/stack_options.csv.
class Arguments {
 public:
  explicit Arguments(const Job& job) : broken_(broken_abilities(job, megatron_core_rules)) {}
  void say(std::string_view option, std::string_view value, std::string_view field) {
    exported_.options.push_back({"", std::string(option), std::string(value), field});
  }
  void say(std::string_view option, std::int64_t value, std::string_view field) {
    say(option, text_of(static_cast<double>(value)), field);
  }
  void set(std::string_view option, std::string_view field) { say(option, "", field); }
  /// Whether what the field asks for breaks a rule of the stack.
  bool breaks(std::string_view field) const {
    return std::any_of(broken_.begin(), broken_.end(),
                       [field](const Ability* one) { return one->field == field; });
  }
  void cannot(std::string_view field, std::string_view why) {
    exported_.not_exported.push_back({field, std::string(why)});
  }
  ExportedLayout take() { return std::move(exported_); }

 private:
  std::vector<const Ability*> broken_;
  ExportedLayout exported_;
};

void say_batch(const Job& job, Arguments& arguments) {
  const Work& work = job.work;
  arguments.say("--micro-batch-size", work.batch_size, "batch_size");
  arguments.say("--global-batch-size", sequences_per_step(work, job.layout), "global_batch_size");
  arguments.say("--seq-length", work.sequence_length, "sequence_length");
}

void say_tensor(const Layout& layout, Arguments& arguments) {
  arguments.say("--tensor-model-parallel-size", layout.tensor_parallel, "tensor_parallel");
  if (layout.tensor_parallel == 1) return;
  if (layout.sequence_parallel) arguments.set("--sequence-parallel", "sequence_parallel");
  // Megatron-LM refuses it without sequence parallelism, and hides all-reduces without being asked.
  if (layout.overlap_tensor && layout.sequence_parallel) arguments.set("--tp-comm-overlap", "overlap_tensor");
}

// Whether flags cannot say how many layers a chunk has.
bool needs_layout_string(const Job& job) {
  const StageLayers dealt = stage_share(job).dealt;
  const bool given = job.layout.first_stage_layers + job.layout.last_stage_layers > 0;
  return !given && job.layout.virtual_stages > 1 && dealt.first != dealt.last && dealt.last > 0 &&
         static_cast<std::int64_t>(dealt.first) % job.layout.virtual_stages == 0;
}

// Entries of a layout string, stage by stage and chunk by chunk: the last stage's last chunks have what is
// left.
std::string layers_by_chunk(const Job& job, std::int64_t each, std::int64_t last) {
  const Layout& layout = job.layout;
  const std::int64_t chunk = each / layout.virtual_stages;
  std::string entries = "E";
  for (std::int64_t round = 0; round < layout.virtual_stages; ++round) {
    for (std::int64_t stage = 0; stage < layout.pipeline_parallel; ++stage) {
      const bool is_last = stage == layout.pipeline_parallel - 1;
      const std::int64_t layers = is_last ? std::clamp(last - round * chunk, std::int64_t{0}, chunk) : chunk;
      if (round + stage > 0) entries += '|';
      entries.append(static_cast<std::size_t>(layers), 't');
    }
  }
  return entries + "L";
}

// How many layers the ends have, where they are given or layers do not divide.
void say_uneven_stages(const Job& job, Arguments& arguments) {
  const Layout& layout = job.layout;
  if (layout.first_stage_layers > 0)
    arguments.say("--decoder-first-pipeline-num-layers", layout.first_stage_layers, "first_stage_layers");
  if (layout.last_stage_layers > 0)
    arguments.say("--decoder-last-pipeline-num-layers", layout.last_stage_layers, "last_stage_layers");
  if (layout.first_stage_layers + layout.last_stage_layers > 0) return;
  const StageLayers dealt = stage_share(job).dealt;
  const auto each = static_cast<std::int64_t>(dealt.first);
  const auto last = static_cast<std::int64_t>(dealt.last);
  if (each == last || last == 0) return;
  const std::string_view field = layout.balanced_stages ? "balanced_stages" : "num_layers";
  if (layout.virtual_stages == 1) {
    arguments.say("--decoder-last-pipeline-num-layers", last, field);
  } else if (needs_layout_string(job)) {
    arguments.say("--pipeline-model-parallel-layout", layers_by_chunk(job, each, last), field);
  }
}

void say_pipeline(const Job& job, Arguments& arguments) {
  const Layout& layout = job.layout;
  arguments.say("--pipeline-model-parallel-size", layout.pipeline_parallel, "pipeline_parallel");
  if (layout.pipeline_parallel == 1) return;
  // A string of layers tells the chunks by itself.
  if (layout.pipeline_schedule == PipelineSchedule::interleaved && !needs_layout_string(job))
    arguments.say("--num-virtual-stages-per-pipeline-rank", layout.virtual_stages, "virtual_stages");
  say_uneven_stages(job, arguments);
}

// What takes tokens to their experts and back.
void say_dispatch(const Job& job, Arguments& arguments) {
  const Layout& layout = job.layout;
  const ModelShape& shape = job.model;
  if (shape.routed_groups > 0 && shape.routed_groups < shape.expert_groups) {
    arguments.say("--moe-router-num-groups", shape.expert_groups, "expert_groups");
    arguments.say("--moe-router-group-topk", shape.routed_groups, "routed_groups");
  }
  if (layout.expert_parallel == 1) return;
  const bool flexible =
      layout.expert_exchange == ExchangeKernel::normal || layout.expert_exchange == ExchangeKernel::by_rank;
  arguments.say("--moe-token-dispatcher-type", flexible ? "flex" : "alltoall", "expert_parallel");
  if (flexible)
    arguments.say("--moe-flex-dispatcher-backend",
                  layout.expert_exchange == ExchangeKernel::normal ? "deepep" : "hybridep",
                  "expert_exchange");
  if (layout.overlap_expert && !arguments.breaks("overlap_expert"))
    arguments.set("--overlap-moe-expert-parallel-comm", "overlap_expert");
}

void say_context_and_experts(const Job& job, Arguments& arguments) {
  const Layout& layout = job.layout;
  arguments.say("--context-parallel-size", layout.context_parallel, "context_parallel");
  constexpr std::string_view schemes[] = {"p2p", "allgather", "a2a"};
  if (layout.context_parallel > 1)
    arguments.say("--cp-comm-type", schemes[static_cast<std::size_t>(layout.context_scheme)],
                  "context_scheme");
  if (!has_experts(job.model)) return;
  arguments.say("--expert-model-parallel-size", layout.expert_parallel, "expert_parallel");
  if (expert_tensor_degree(layout) != layout.tensor_parallel)
    arguments.say("--expert-tensor-parallel-size", expert_tensor_degree(layout), "expert_tensor_parallel");
  say_dispatch(job, arguments);
}

void say_data(const Layout& layout, Arguments& arguments) {
  if (data_ranks(layout).size == 1) return;
  constexpr std::string_view strategies[] = {"no_shard", "optim", "optim_grads", "optim_grads_params"};
  if (layout.zero_stage >= 1) arguments.set("--use-distributed-optimizer", "zero_stage");
  if (layout.zero_stage >= 1 && layout.shard_group_size > 0)
    arguments.say("--num-distributed-optimizer-instances",
                  layout.data_parallel * layout.context_parallel / layout.shard_group_size,
                  "shard_group_size");
  if (layout.zero_stage >= 2) {
    arguments.set("--use-megatron-fsdp", "zero_stage");
    arguments.say("--data-parallel-sharding-strategy", strategies[layout.zero_stage], "zero_stage");
    arguments.say("--ckpt-format", "fsdp_dtensor", "zero_stage");  // the only one that goes with it
  }
  if (!layout.overlap_data) return;
  arguments.set("--overlap-grad-reduce", "overlap_data");
  if (layout.zero_stage >= 1 && layout.overlap_param_gather)
    arguments.set("--overlap-param-gather", "overlap_param_gather");
}

// Of what selective recomputation repeats, the modules that Megatron-LM can name.
std::string recomputed_modules(const Job& job) {
  const Work& work = job.work;
  std::string modules;
  const auto add = [&](bool is, std::string_view module) {
    if (is) modules.append(modules.empty() ? "" : " ").append(module);
  };
  add(work.recompute_attention_core, "core_attn");
  add(work.recompute_elementwise, "layernorm");
  add(work.recompute_elementwise && has_experts(job.model), "moe_act");
  add(work.recompute_latent_projections && job.model.kv_rank > 0, "mla_up_proj");
  return modules;
}

void say_selective_recomputation(const Job& job, Arguments& arguments) {
  const std::string modules = recomputed_modules(job);
  if (!modules.empty()) arguments.say("--recompute-granularity", "selective", "recompute");
  // The one that it repeats without being asked.
  if (!modules.empty() && modules != "core_attn") arguments.say("--recompute-modules", modules, "recompute");
  if (job.work.recompute_elementwise && !has_experts(job.model))
    arguments.cannot("recompute_elementwise", "keeps the activation function of an MLP without experts");
}

void say_recomputation(const Job& job, Arguments& arguments) {
  if (job.work.recompute == Recompute::none) return;
  if (job.work.recompute == Recompute::selective) return say_selective_recomputation(job, arguments);
  arguments.say("--recompute-granularity", "full", "recompute");
  arguments.say("--recompute-method", "uniform", "recompute");
  arguments.say("--recompute-num-layers", std::int64_t{1}, "recompute");
}

void say_numbers(const Work& work, Arguments& arguments) {
  if (work.bytes_per_element == 2) {
    arguments.set("--bf16", "bytes_per_element");
    if (work.gradient_bytes_per_element == 2)
      arguments.set("--grad-reduce-in-bf16", "gradient_bytes_per_element");
  } else if (work.bytes_per_element != 4) {
    arguments.cannot("bytes_per_element", "has weights of 2 or 4 bytes");
  }
  if (work.flash_attention) arguments.say("--attention-backend", "flash", "flash_attention");
  if (work.dropout) return;
  arguments.say("--attention-dropout", "0.0", "dropout");
  arguments.say("--hidden-dropout", "0.0", "dropout");
}

}  // namespace

ExportedLayout megatron_options(const Job& job) {
  Arguments arguments(job);
  say_tensor(job.layout, arguments);
  say_pipeline(job, arguments);
  say_context_and_experts(job, arguments);
  say_data(job.layout, arguments);
  say_batch(job, arguments);
  say_recomputation(job, arguments);
  say_numbers(job.work, arguments);
  return arguments.take();
}

}  // namespace commcost
