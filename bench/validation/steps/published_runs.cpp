#include "bench/validation/steps/published_runs.h"

#include <cstdio>
#include <numeric>

#include "bench/validation/csv.h"
#include "bench/validation/steps/run_mapping.h"
#include "core/model/flops.h"
#include "core/parallel/layout_problems.h"
#include "core/parallel/recipes.h"

namespace commcost::validation::steps {
namespace {

constexpr std::int64_t rope_head_of_latent_attention = 64;

// Why a row cannot be predicted; empty where it can.
std::string unusable(const Row& row) {
  const std::string_view note = text(row, "note");
  const std::string_view id = text(row, "id");
  const std::string_view model = text(row, "model");
  if (contains(note, "INCONSISTENT")) return "inconsistent in itself";
  if (contains(note, "hybrid") || model.starts_with("nemotron-h") || model.starts_with("nemotron-3")) {
    return "hybrid of attention and state space";
  }
  if (contains(id, "-lora") || contains(id, "-sft") || contains(note, "LoRA") || contains(note, "SFT,")) {
    return "fine-tuning";
  }
  for (const std::string_view name : {"layers", "hidden", "heads", "ffn"}) {
    if (number(row, name) == 0) return "no shape";
  }
  for (const std::string_view name : {"gpus", "seq", "tp", "pp", "dp", "global_batch", "value"}) {
    if (number(row, name) == 0) return "no " + std::string(name);
  }
  if (number(row, "micro_batch") == 0 && !id.starts_with("nemo-longseq")) return "no micro-batch";
  if (precision_of(text(row, "precision")) == nullptr) return "no precision";
  if (framework_of(text(row, "framework")) == nullptr) return "unknown stack";
  if (find_accelerator(counted_as(text(row, "gpu")).accelerator) == nullptr) {
    return "unknown accelerator " + std::string(text(row, "gpu"));
  }
  const double degrees = number(row, "tp") * number(row, "pp") * number(row, "cp", 1) * number(row, "dp");
  const double ranks = number(row, "gpus") * static_cast<double>(counted_as(text(row, "gpu")).ranks);
  return degrees == ranks ? "" : "degrees do not multiply to the GPUs";
}

ModelShape shape_of(const Row& row) {
  const ModelTraits traits = traits_of(text(row, "model"));
  ModelShape shape;
  shape.num_layers = whole(row, "layers");
  shape.hidden_size = whole(row, "hidden");
  shape.num_heads = whole(row, "heads");
  shape.num_kv_heads = whole(row, "kv_heads");
  shape.head_size = whole(row, "head_size");
  shape.ffn_hidden_size = whole(row, "ffn");
  shape.gated_mlp = whole(row, "gated") == 1;
  shape.vocab_size = whole(row, "vocab");
  shape.tied_embeddings = traits.tied_embeddings;
  shape.biases = traits.biases;
  if (whole(row, "num_experts", 1) > 1) {
    shape.num_experts = whole(row, "num_experts");
    shape.experts_per_token = whole(row, "experts_per_token", 1);
    shape.num_shared_experts = whole(row, "shared_experts");
    shape.num_dense_layers = whole(row, "dense_layers");
    if (shape.num_dense_layers > 0) shape.dense_ffn_hidden_size = shape.ffn_hidden_size;
    shape.ffn_hidden_size = whole(row, "moe_ffn", shape.ffn_hidden_size);
  }
  if (whole(row, "kv_rank") > 0) {
    shape.kv_rank = whole(row, "kv_rank");
    shape.query_rank = whole(row, "q_rank");
    shape.rope_head_size = rope_head_of_latent_attention;
  }
  return shape;
}

std::int64_t shard_group_of_row(const Row& row, const Layout& layout) {
  const std::int64_t group = shard_group_of(text(row, "note"), text(row, "overlap_flags"));
  if (group > 0) return group / counted_as(text(row, "gpu")).ranks;
  if (text(row, "sharding") != "hsdp") return 0;
  if (const std::int64_t slices = slices_of(text(row, "id")); slices > 0)
    return layout.data_parallel / slices;
  return contains(text(row, "note"), "HSDP = shard in node") ? whole(row, "gpus_per_node", 8) : 0;
}

Layout layout_of_row(const Row& row, const Framework& stack, Layout layout) {
  layout.tensor_parallel = whole(row, "tp");
  layout.sequence_parallel =
      layout.tensor_parallel > 1 && (whole(row, "sp") == 1 || stack.shares_between_matrices);
  layout.pipeline_parallel = whole(row, "pp");
  layout.virtual_stages = layout.pipeline_parallel > 1 ? whole(row, "vp", 1) : 1;
  layout.pipeline_schedule = schedule_of(text(row, "overlap_flags"), layout.virtual_stages);
  layout.data_parallel = whole(row, "dp") / counted_as(text(row, "gpu")).ranks;
  layout.zero_stage = zero_stage_of(text(row, "sharding"), stack);
  layout.shard_group_size = shard_group_of_row(row, layout);
  layout.context_parallel = whole(row, "cp", 1);
  if (whole(row, "num_experts", 1) > 1) {
    const std::int64_t degree = whole(row, "ep", 1);
    const std::int64_t replicas = layout.data_parallel * layout.context_parallel;
    const bool folded = replicas % degree != 0 && stage_ranks(layout) % degree == 0;
    if (folded) layout.expert_tensor_parallel = 1;
    // A degree that the stages have no ranks for is a misprint.
    layout.expert_parallel = folded ? degree : std::gcd(degree, replicas);
  }
  const bool narrow = stack.gradients_in_16_bits || contains(text(row, "overlap_flags"), "grad_sync bf16");
  if (narrow) layout.gradient_wire_bytes_per_element = 2;
  const std::string_view flags = text(row, "overlap_flags");
  layout.overlap_expert = contains(flags, "a2a_overlap");
  if (contains(flags, "hybridep")) layout.expert_exchange = ExchangeKernel::by_rank;
  if (contains(flags, "deepep")) layout.expert_exchange = ExchangeKernel::normal;
  if (contains(flags, "no tp overlap")) layout.overlap_tensor_forward = false;
  if (contains(flags, "tp_userbuffer_overlap") || contains(flags, "asyncTP"))
    layout.overlap_tensor_forward = true;
  return layout;
}

// Sequences of a replica; a row that gives less than one counts those of a rank that shares a sequence.
std::int64_t micro_batch_of(const Row& row) {
  const double given =
      number(row, "micro_batch", 1) * static_cast<double>(counted_as(text(row, "gpu")).ranks);
  return static_cast<std::int64_t>(number(row, "micro_batch", 1) < 1 ? given * number(row, "cp", 1) : given);
}

Job job_of(const Row& row, std::string_view recipe) {
  const Framework& stack = *framework_of(text(row, "framework"));
  Job in;
  fill(in, *find_recipe(recipe));
  in.model = shape_of(row);
  in.layout = layout_of_row(row, stack, in.layout);
  in.work.sequence_length = whole(row, "seq");
  in.work.batch_size = micro_batch_of(row);
  in.work.global_batch_size = whole(row, "global_batch");
  in.work.matmul_precision = precision_of(text(row, "precision"))->matmul;
  in.stack.cuda_graphs |= contains(text(row, "overlap_flags"), "cuda_graph");
  in.work.recompute = recompute_of(text(row, "recompute"));
  const Accelerator* accelerator = find_accelerator(counted_as(text(row, "gpu")).accelerator);
  in.machine.accelerator = static_cast<int>(accelerator - all_accelerators().data());
  in.machine.gpus_per_node = whole(row, "gpus_per_node", 8);
  in.machine.nic_gb_per_sec = number(row, "nic_gb_per_sec");
  if (const auto kind = network_of(text(row, "network"))) in.machine.network = static_cast<int>(*kind);
  return in;
}

// Where only a FLOP rate was published: the LM head is counted, attention in full unless the note says
// otherwise.
double flops_of(const Row& row, const Job& in) {
  const std::string_view note = text(row, "note");
  const bool full =
      contains(note, "full attention") || contains(note, "predates") || text(row, "id").starts_with("nemo");
  Work work = completed(in.work);
  work.causal_attention = contains(note, "causal") && !full;
  const bool hardware = contains(note, "hardware") || contains(note, "HARDWARE");
  work.recompute = hardware ? Recompute::full : Recompute::none;
  const StepFlops flops =
      step_flops(completed(in.model), work, static_cast<double>(in.work.global_batch_size));
  return hardware ? flops.hardware : flops.model;
}

double measured_ms(const Row& row, const Job& in) {
  const std::string_view metric = text(row, "metric");
  const double value = number(row, "value");
  const double sequences = number(row, "global_batch");
  const double tokens = sequences * number(row, "seq");
  if (metric == "step_time") return 1e3 * value;
  if (metric == "tokens_per_sec_per_gpu") return 1e3 * tokens / (value * number(row, "gpus"));
  if (metric == "tokens_per_sec_total") return 1e3 * tokens / value;
  if (metric == "samples_per_sec") return 1e3 * sequences / value;
  return 1e3 * flops_of(row, in) / (value * 1e12 * number(row, "gpus"));
}

// Where interleaving cannot be with the row's own counts, the same without it is nearest.
void predict(PublishedRun& run) {
  Outcome<TrainingStep> step = training_step({run.job});
  if (!step && run.job.layout.virtual_stages > 1) {
    for (Layout* layout : {&run.job.layout, &run.as_other.layout}) {
      layout->virtual_stages = 1;
      layout->pipeline_schedule = PipelineSchedule::one_f_one_b;
    }
    step = training_step({run.job});
  }
  if (step) run.step = std::move(step).value();
}

}  // namespace

PublishedRuns published_runs(const std::string& data) {
  PublishedRuns found;
  for (const Row& row : read_csv(data + "/measured_steps_2.csv")) {
    if (const std::string why = unusable(row); !why.empty()) {
      ++found.left_out[why];
      continue;
    }
    PublishedRun run;
    run.id = text(row, "id");
    run.source = text(row, "source");
    run.version = text(row, "framework_version");
    run.family = framework_of(text(row, "framework"))->family;
    run.recipe = framework_of(text(row, "framework"))->recipe;
    run.generation = generation_of(text(row, "gpu"));
    run.gpu = text(row, "gpu");
    run.model = text(row, "model");
    run.precision = text(row, "precision");
    for (const std::string_view name : {"sharding", "recompute", "overlap_flags"}) {
      run.details += std::string(text(row, name)) + "|";
    }
    run.recompute_stated = !text(row, "recompute").empty();
    run.suspicious = contains(text(row, "note"), "suspicious") || contains(text(row, "note"), "regression");
    run.gpus = number(row, "gpus");
    run.job = job_of(row, run.recipe);
    run.as_other = job_of(row, "other");
    run.job.stack.release = release_of(run.version, accelerator_of(run.job.machine).generation);
    run.measured_ms = measured_ms(row, run.job);
    predict(run);
    found.runs.push_back(std::move(run));
  }
  return found;
}

std::string class_of(const PublishedRun& run) {
  return run.family + " " + std::string(run.generation) + (run.has_experts() ? " MoE" : " dense");
}

std::string layout_of(const PublishedRun& run) {
  const Layout& layout = run.job.layout;
  char text[160];
  std::snprintf(text, sizeof text, "tp%d pp%d v%d cp%d ep%d dp%d mb%d gb%d",
                static_cast<int>(layout.tensor_parallel), static_cast<int>(layout.pipeline_parallel),
                static_cast<int>(layout.virtual_stages), static_cast<int>(layout.context_parallel),
                static_cast<int>(layout.expert_parallel), static_cast<int>(layout.data_parallel),
                static_cast<int>(run.job.work.batch_size), static_cast<int>(run.job.work.global_batch_size));
  return text;
}

}  // namespace commcost::validation::steps
