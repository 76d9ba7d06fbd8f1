#include "core/base/number_text.h"
#include "core/parallel/export_options.h"
#include "core/parallel/pipeline.h"
#include "core/parallel/rank_groups.h"

namespace commcost {
namespace {

// torchtitan/config/job_config.py; the list of its options is tests/data/stack_options.csv.
class Entries {
 public:
  void say(std::string_view section, std::string_view option, std::int64_t value, std::string_view field) {
    add(section, option, text_of(static_cast<double>(value)), field);
  }
  void say(std::string_view section, std::string_view option, std::string_view value,
           std::string_view field) {
    add(section, option, '"' + std::string(value) + '"', field);
  }
  void list(std::string_view section, std::string_view option, std::string value, std::string_view field) {
    add(section, option, std::move(value), field);
  }
  void cannot(std::string_view field, std::string_view why) {
    exported_.not_exported.push_back({field, std::string(why)});
  }
  ExportedLayout take() { return std::move(exported_); }

 private:
  void add(std::string_view section, std::string_view option, std::string value, std::string_view field) {
    exported_.options.push_back({std::string(section), std::string(option), std::move(value), field});
  }
  ExportedLayout exported_;
};

void say_training(const Job& job, Entries& entries) {
  const Work& work = job.work;
  const Layout& layout = job.layout;
  // With stages, a replica's share of the batch is cut into micro-batches by the pipeline.
  const std::int64_t sequences = sequences_per_step(work, layout);
  const std::int64_t local =
      layout.pipeline_parallel > 1 ? sequences / layout.data_parallel : work.batch_size;
  entries.say("training", "local_batch_size", local, "batch_size");
  entries.say("training", "global_batch_size", sequences, "global_batch_size");
  entries.say("training", "seq_len", work.sequence_length, "sequence_length");
  if (work.bytes_per_element == 2) {
    entries.say("training", "mixed_precision_param", "bfloat16", "bytes_per_element");
  } else if (work.bytes_per_element == 4) {
    entries.say("training", "mixed_precision_param", "float32", "bytes_per_element");
  } else {
    entries.cannot("bytes_per_element", "has weights of 2 or 4 bytes");
  }
  if (work.gradient_bytes_per_element != 4)
    entries.cannot("gradient_bytes_per_element", "reduces gradients in 32 bits");
}

// Replicas among which weights are sharded: with context ranks they make up the group.
std::int64_t sharded_replicas(const Layout& layout, Entries& entries) {
  if (layout.zero_stage < 2) return 1;
  const std::int64_t group = layout.shard_group_size;
  if (group == 0) return layout.data_parallel;
  if (group % layout.context_parallel == 0) return group / layout.context_parallel;
  entries.cannot("shard_group_size",
                 "always has context ranks share a shard group: all replicas are written");
  return layout.data_parallel;
}

void say_data(const Layout& layout, Entries& entries) {
  const std::int64_t sharded = sharded_replicas(layout, entries);
  entries.say("parallelism", "data_parallel_replicate_degree", layout.data_parallel / sharded,
              "data_parallel");
  entries.say("parallelism", "data_parallel_shard_degree", sharded, "data_parallel");
  if (layout.zero_stage < 2) return;
  entries.say("parallelism", "fsdp_reshard_after_forward", layout.zero_stage == 3 ? "always" : "never",
              "zero_stage");
}

void say_tensor(const Layout& layout, Entries& entries) {
  entries.say("parallelism", "tensor_parallel_degree", layout.tensor_parallel, "tensor_parallel");
  if (layout.tensor_parallel == 1) return;
  if (layout.overlap_tensor)
    entries.cannot("overlap_tensor", "hides tensor messages in a compiled model alone");
}

void say_schedule(const Layout& layout, Entries& entries) {
  constexpr std::string_view field = "pipeline_schedule";
  switch (layout.pipeline_schedule) {
    case PipelineSchedule::interleaved:
      entries.say("parallelism", "pipeline_parallel_schedule", "Interleaved1F1B", field);
      break;
    case PipelineSchedule::gpipe:
      entries.say("parallelism", "pipeline_parallel_schedule", "GPipe", field);
      break;
    case PipelineSchedule::dualpipe_v:
      entries.say("parallelism", "pipeline_parallel_schedule", "DualPipeV", field);
      break;
    case PipelineSchedule::dualpipe:
    case PipelineSchedule::zero_bubble:
    case PipelineSchedule::zero_bubble_2p:
    case PipelineSchedule::one_f_one_b:
      entries.say("parallelism", "pipeline_parallel_schedule", "1F1B", field);
      break;
  }
}

// The layers that stages behind the first begin with.
std::string split_points(Job job) {
  // Whatever schedule is written in its place, layers lie in a line.
  job.layout.pipeline_schedule = PipelineSchedule::one_f_one_b;
  const StageLayers layers = stage_share(job).dealt;
  std::string text;
  double next = layers.first;
  for (std::int64_t stage = 1; stage < job.layout.pipeline_parallel; ++stage, next += layers.inner) {
    text += (stage == 1 ? "\"layers." : ", \"layers.") + text_of(next) + '"';
  }
  return '[' + text + ']';
}

void say_stages(const Job& job, Entries& entries) {
  const Layout& layout = job.layout;
  const std::string_view end = layout.first_stage_layers > 0 ? "first_stage_layers" : "last_stage_layers";
  const bool even = layout.first_stage_layers + layout.last_stage_layers == 0;
  if (!even && chunks_of_a_stage(layout) == 1)
    return entries.list("parallelism", "pipeline_parallel_split_points", split_points(job), end);
  if (!even) entries.cannot(end, "deals layers evenly to chunks");
  const std::int64_t chunks = layout.pipeline_parallel * chunks_of_a_stage(layout);
  entries.say("parallelism", "pipeline_parallel_layers_per_stage",
              (job.model.num_layers + chunks - 1) / chunks, "virtual_stages");
}

void say_pipeline(const Job& job, Entries& entries) {
  const Layout& layout = job.layout;
  entries.say("parallelism", "pipeline_parallel_degree", layout.pipeline_parallel, "pipeline_parallel");
  if (layout.pipeline_parallel == 1) return;
  say_schedule(job.layout, entries);
  say_stages(job, entries);
  entries.say("parallelism", "pipeline_parallel_microbatch_size", job.work.batch_size, "batch_size");
}

void say_experts(const Layout& layout, Entries& entries) {
  constexpr std::string_view field = "expert_tensor_parallel";
  entries.say("parallelism", "expert_parallel_degree", layout.expert_parallel, "expert_parallel");
  // Without expert parallelism it has no effect: the tensor ranks share experts.
  if (layout.expert_parallel > 1)
    entries.say("parallelism", "expert_tensor_parallel_degree", expert_tensor_degree(layout), field);
}

void say_context_and_experts(const Job& job, Entries& entries) {
  const Layout& layout = job.layout;
  entries.say("parallelism", "context_parallel_degree", layout.context_parallel, "context_parallel");
  if (layout.context_parallel > 1) {
    entries.say("parallelism", "context_parallel_rotate_method", "allgather", "context_scheme");
  }
  if (has_experts(job.model)) say_experts(layout, entries);
}

void say_recomputation(const Work& work, Entries& entries) {
  const bool by_operation = work.recompute == Recompute::selective && work.recompute_elementwise &&
                            work.recompute_products && !work.recompute_attention_core;
  entries.say("activation_checkpoint", "mode",
              work.recompute == Recompute::full ? "full"
              : by_operation                    ? "selective"
                                                : "none",
              "recompute");
  if (by_operation) entries.say("activation_checkpoint", "selective_ac_option", "op", "recompute");
  if (work.recompute == Recompute::selective && !by_operation)
    entries.cannot("recompute",
                   "repeats norms, activation functions and every other product, or whole layers");
}

}  // namespace

ExportedLayout torchtitan_options(const Job& job) {
  Entries entries;
  say_training(job, entries);
  say_data(job.layout, entries);
  say_tensor(job.layout, entries);
  say_pipeline(job, entries);
  say_context_and_experts(job, entries);
  say_recomputation(job.work, entries);
  return entries.take();
}

}  // namespace commcost
