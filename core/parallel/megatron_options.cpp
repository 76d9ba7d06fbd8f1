#include "core/base/number_text.h"
#include "core/parallel/export_options.h"
#include "core/parallel/pipeline.h"
#include "core/parallel/rank_groups.h"

namespace commcost {
namespace {

// megatron/training/arguments.py; the list of its options is tests/data/stack_options.csv.
class Arguments {
 public:
  void say(std::string_view option, std::string_view value, std::string_view field) {
    exported_.options.push_back({"", std::string(option), std::string(value), field});
  }
  void say(std::string_view option, std::int64_t value, std::string_view field) {
    say(option, text_of(static_cast<double>(value)), field);
  }
  void set(std::string_view option, std::string_view field) { say(option, "", field); }
  void cannot(std::string_view field, std::string_view why) {
    exported_.not_exported.push_back({field, std::string(why)});
  }
  ExportedLayout take() { return std::move(exported_); }

 private:
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

// How many layers the ends have, where they are given or layers do not divide.
void say_uneven_stages(const Job& job, Arguments& arguments) {
  const Layout& layout = job.layout;
  if (layout.first_stage_layers > 0)
    arguments.say("--decoder-first-pipeline-num-layers", layout.first_stage_layers, "first_stage_layers");
  if (layout.last_stage_layers > 0)
    arguments.say("--decoder-last-pipeline-num-layers", layout.last_stage_layers, "last_stage_layers");
  if (layout.first_stage_layers + layout.last_stage_layers > 0) return;
  const std::int64_t chunks = layout.pipeline_parallel * layout.virtual_stages;
  const std::int64_t layers = job.model.num_layers;
  if (layout.balanced_stages && layout.virtual_stages == 1 && (layers + 1) % chunks == 0)
    return arguments.set("--account-for-loss-in-pipeline-split", "balanced_stages");
  if (layout.balanced_stages)
    arguments.cannot("balanced_stages",
                     "layers and loss together do not divide by the stages: layers are dealt out evenly");
  if (layers % chunks == 0) return;
  const std::int64_t each = (layers + layout.pipeline_parallel - 1) / layout.pipeline_parallel;
  const std::int64_t last = layers - (layout.pipeline_parallel - 1) * each;
  if (layout.virtual_stages == 1 && last > 0)
    return arguments.say("--decoder-last-pipeline-num-layers", last, "num_layers");
  arguments.cannot("num_layers", "layers that do not divide by stages and chunks");
}

void say_pipeline(const Job& job, Arguments& arguments) {
  const Layout& layout = job.layout;
  arguments.say("--pipeline-model-parallel-size", layout.pipeline_parallel, "pipeline_parallel");
  if (layout.pipeline_parallel == 1) return;
  if (layout.pipeline_schedule == PipelineSchedule::interleaved)
    arguments.say("--num-virtual-stages-per-pipeline-rank", layout.virtual_stages, "virtual_stages");
  if (layout.pipeline_schedule != PipelineSchedule::interleaved &&
      layout.pipeline_schedule != PipelineSchedule::one_f_one_b)
    arguments.cannot("pipeline_schedule", "1F1B is what runs without chunks");
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
  const bool deepep = layout.expert_exchange == ExchangeKernel::normal;
  arguments.say("--moe-token-dispatcher-type", deepep ? "flex" : "alltoall", "expert_parallel");
  if (deepep) {
    arguments.set("--moe-enable-deepep", "expert_exchange");
  } else if (layout.expert_exchange != ExchangeKernel::nccl) {
    arguments.cannot("expert_exchange", "tokens go by all-to-all, or by DeepEP's normal kernels");
  }
  if (!layout.overlap_expert) return;
  if (layout.pipeline_parallel == 1 || layout.pipeline_schedule == PipelineSchedule::interleaved)
    return arguments.set("--overlap-moe-expert-parallel-comm", "overlap_expert");
  arguments.cannot("overlap_expert", "stages hide them in chunks alone");
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
    arguments.cannot("recompute_elementwise", "the activation function of an MLP without experts is kept");
  if (job.work.recompute_products) arguments.cannot("recompute_products", "products are kept");
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
    arguments.cannot("bytes_per_element", "weights have 2 or 4 bytes");
  }
  if (work.flash_attention) arguments.set("--use-flash-attn", "flash_attention");
  if (work.dropout) return;
  arguments.say("--attention-dropout", "0.0", "dropout");
  arguments.say("--hidden-dropout", "0.0", "dropout");
}

}  // namespace

ExportedLayout megatron_options(const Job& job) {
  Arguments arguments;
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
