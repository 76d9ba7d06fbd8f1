#include "support/random_jobs.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <vector>

#include "core/calculator/layout_fields.h"
#include "core/calculator/model_shape_fields.h"
#include "core/calculator/work_fields.h"
#include "core/compute/matrix_peak.h"

namespace commcost::test {
namespace {

// Compilers evaluate operands in different orders: every draw is a separate statement.

using Whole = std::int64_t;

template <class T, std::size_t Size>
T one_of(const std::array<T, Size>& choices, Random& random) {
  return choices[random.below(Size)];
}

Whole between(Whole least, Whole greatest, Random& random) {
  return least + random.below(greatest - least + 1);
}

// A divisor of `number` that is at most `greatest`.
Whole divisor(Whole number, Whole greatest, Random& random) {
  std::vector<Whole> divisors;
  for (Whole candidate = 1; candidate <= std::min(number, greatest); ++candidate) {
    if (number % candidate == 0) divisors.push_back(candidate);
  }
  return divisors[random.below(divisors.size())];
}

template <class Names>
auto any_of(const Names& names, Random& random) {
  return random.below(std::size(names));
}

ModelShape random_attention(Random& random) {
  ModelShape shape;
  shape.num_heads = one_of(std::array<Whole, 9>{4, 6, 8, 12, 16, 20, 24, 32, 64}, random);
  shape.head_size = one_of(std::array<Whole, 5>{32, 64, 80, 96, 128}, random);
  // Some models' heads are wider or narrower together than the residual stream.
  shape.hidden_size = shape.num_heads * shape.head_size;
  if (random.one_in(4)) shape.hidden_size = 64 * between(4, 64, random);
  switch (random.below(3)) {
    case 0:
      break;
    case 1:
      shape.num_kv_heads = divisor(shape.num_heads, shape.num_heads, random);
      break;
    default:
      shape.kv_rank = 64 * between(1, 8, random);
      shape.query_rank = random.one_in(3) ? 0 : 64 * between(1, 24, random);
      shape.rope_head_size = random.one_in(4) ? 0 : shape.head_size / 2;
      if (random.one_in(4)) shape.value_head_size = 2 * shape.head_size;
  }
  return shape;
}

void add_experts(ModelShape& shape, Random& random) {
  shape.num_experts = one_of(std::array<Whole, 6>{4, 6, 8, 16, 60, 64}, random);
  shape.experts_per_token = between(1, std::min<Whole>(8, shape.num_experts), random);
  if (random.one_in(2)) shape.num_shared_experts = between(1, 3, random);
  if (random.one_in(2)) {
    shape.expert_groups = divisor(shape.num_experts, 8, random);
    // As few groups as have enough experts, or more.
    const Whole each = shape.num_experts / shape.expert_groups;
    shape.routed_groups = between((shape.experts_per_token + each - 1) / each, shape.expert_groups, random);
  }
  if (random.one_in(2)) shape.num_dense_layers = between(0, shape.num_layers, random);
}

ModelShape random_shape(Random& random) {
  ModelShape shape = random_attention(random);
  shape.num_layers = random.one_in(6) ? between(1, 4, random) : between(2, 40, random);
  shape.gated_mlp = random.one_in(2);
  shape.biases = random.one_in(3);
  shape.parallel_sublayers = random.one_in(6);
  shape.vocab_size = random.one_in(8) ? 0 : between(1000, 160000, random);
  shape.tied_embeddings = random.one_in(3);
  shape.num_positions = random.one_in(4) ? 1024 * between(1, 4, random) : 0;
  if (random.one_in(2)) add_experts(shape, random);
  return shape;
}

bool splits_heads(const ModelShape& shape, Whole ranks) {
  const Whole kv_heads = shape.num_kv_heads == 0 ? shape.num_heads : shape.num_kv_heads;
  return kv_heads == shape.num_heads || kv_heads % ranks == 0 || ranks % kv_heads == 0;
}

Whole random_tensor_degree(const ModelShape& shape, Random& random) {
  if (random.one_in(4)) return 1;
  const Whole ranks = divisor(shape.num_heads, 16, random);
  return splits_heads(shape, ranks) ? ranks : 1;
}

// Ends that leave the others a whole number of layers each.
void draw_ends(const ModelShape& shape, Layout& layout, Random& random) {
  const Whole stages = layout.pipeline_parallel;
  if (stages == 1 || shape.num_layers < 2 * stages || !random.one_in(3)) return;
  const bool both = random.one_in(2);
  const Whole others = stages - (both ? 2 : 1);
  const Whole rest = shape.num_layers - others * between(1, shape.num_layers / stages, random);
  const Whole last = between(1, rest - 1, random);
  if (both) {
    layout.first_stage_layers = rest - last;
    layout.last_stage_layers = last;
  } else {
    (random.one_in(2) ? layout.first_stage_layers : layout.last_stage_layers) = rest;
  }
}

void draw_pipeline(const ModelShape& shape, Layout& layout, Random& random) {
  layout.pipeline_schedule = static_cast<PipelineSchedule>(any_of(pipeline_schedule_names, random));
  if (!random.one_in(3)) layout.pipeline_parallel = between(1, std::min<Whole>(8, shape.num_layers), random);
  if (layout.pipeline_schedule == PipelineSchedule::dualpipe && layout.pipeline_parallel > 1)
    layout.pipeline_parallel -= layout.pipeline_parallel % 2;
  if (layout.pipeline_schedule == PipelineSchedule::dualpipe_v)
    layout.pipeline_parallel = std::clamp<Whole>(shape.num_layers / 2, 1, layout.pipeline_parallel);
  const Whole chunks = std::min<Whole>(6, shape.num_layers / layout.pipeline_parallel);
  if (layout.pipeline_schedule == PipelineSchedule::interleaved) {
    layout.virtual_stages = between(1, chunks, random);
  }
  layout.balanced_stages = random.one_in(4);
  draw_ends(shape, layout, random);
  layout.scatter_gather = random.one_in(3);
}

void draw_replicas(const ModelShape& shape, Mode mode, Layout& layout, Random& random) {
  layout.data_parallel = random.one_in(4) ? 1 : one_of(std::array<Whole, 7>{2, 3, 4, 6, 8, 16, 64}, random);
  layout.context_scheme = static_cast<ContextScheme>(any_of(context_scheme_names, random));
  if (mode != Mode::decode && random.one_in(2)) {
    const bool heads = layout.context_scheme == ContextScheme::ulysses;
    layout.context_parallel = heads ? divisor(shape.num_heads / layout.tensor_parallel, 8, random)
                                    : one_of(std::array<Whole, 4>{2, 3, 4, 8}, random);
  }
  if (shape.num_experts > 1) {
    const Whole replicas = layout.data_parallel * layout.context_parallel;
    const bool folded = random.one_in(3);
    const Whole ranks = replicas * (folded ? layout.tensor_parallel : 1);
    if (folded) layout.expert_tensor_parallel = divisor(ranks, 16, random);
    const Whole degree = divisor(shape.num_experts, 64, random);
    layout.expert_parallel =
        ranks / std::max<Whole>(1, layout.expert_tensor_parallel) % degree == 0 ? degree : 1;
  }
  layout.zero_stage = between(0, 3, random);
  if (random.one_in(3))
    layout.shard_group_size = divisor(layout.data_parallel * layout.context_parallel, 64, random);
  layout.zero_gradients = static_cast<ZeroGradients>(any_of(zero_gradients_names, random));
  if (random.one_in(2))
    layout.bucket_size_bytes = random.one_in(2) ? 0 : mib * static_cast<double>(between(1, 500, random));
}

void draw_wire(Layout& layout, Random& random) {
  constexpr std::array<double, 6> bytes = {0, 0, 0, 0.5, 1, 2};
  layout.activation_wire_bytes_per_element = one_of(bytes, random);
  layout.gradient_wire_bytes_per_element = one_of(bytes, random);
  layout.parameter_wire_bytes_per_element = one_of(bytes, random);
  layout.dispatch_wire_bytes_per_element = one_of(bytes, random);
  layout.combine_wire_bytes_per_element = one_of(bytes, random);
}

Layout random_layout(const ModelShape& shape, Mode mode, Random& random) {
  Layout layout;
  layout.tensor_parallel = random_tensor_degree(shape, random);
  layout.sequence_parallel = random.one_in(2);
  draw_pipeline(shape, layout, random);
  draw_replicas(shape, mode, layout, random);
  draw_wire(layout, random);
  layout.regather_input = random.one_in(2);
  layout.overlap_tensor = random.one_in(2);
  layout.overlap_data = random.one_in(2);
  layout.overlap_param_gather = random.one_in(2);
  layout.accumulate_whole_gradients = random.one_in(2);
  layout.fused_quantization = random.one_in(2);
  layout.overlap_tensor_forward = random.one_in(2);
  layout.overlap_expert = random.one_in(2);
  layout.expert_exchange = static_cast<ExchangeKernel>(any_of(exchange_kernel_names, random));
  return layout;
}

Work random_work(const Layout& layout, Mode mode, Random& random) {
  Work work;
  work.mode = mode;
  work.sequence_length = layout.tensor_parallel * layout.context_parallel * between(1, 2048, random);
  work.batch_size = random.one_in(2) ? 1 : between(1, 8, random);
  if (mode == Mode::decode && layout.sequence_parallel) work.batch_size *= layout.tensor_parallel;
  const Whole round = ends_meet(layout)           ? 2 * layout.pipeline_parallel
                      : layout.virtual_stages > 1 ? layout.pipeline_parallel
                                                  : 1;
  work.global_batch_size =
      round * layout.data_parallel * work.batch_size * (random.one_in(4) ? 1 : between(1, 16, random));
  work.bytes_per_element = one_of(std::array<Whole, 4>{1, 2, 2, 4}, random);
  work.gradient_bytes_per_element = one_of(std::array<Whole, 3>{0, 2, 4}, random);
  work.optimizer_bytes_per_parameter = one_of(std::array<Whole, 3>{12, 12, 8}, random);
  work.recompute = static_cast<Recompute>(any_of(recompute_names, random));
  work.recompute_attention_core = !random.one_in(4);
  work.recompute_elementwise = random.one_in(4);
  work.recompute_latent_projections = random.one_in(4);
  work.recompute_products = random.one_in(4);
  work.causal_attention = random.one_in(2);
  work.flash_attention = random.one_in(2);
  work.dropout = random.one_in(2);
  if (random.one_in(4)) work.expert_imbalance_percent = static_cast<double>(between(1, 100, random));
  // With a generator of its own, so that the other draws stay the same.
  Random own(static_cast<std::uint64_t>(work.sequence_length + work.global_batch_size));
  if (own.one_in(6)) work.expert_capacity_factor = 0.25 * static_cast<double>(between(2, 8, own));
  work.pad_expert_inputs = own.one_in(2);
  if (random.one_in(3))
    work.matmul_precision = static_cast<MatmulPrecision>(any_of(matmul_precision_names, random));
  if (random.one_in(4)) work.activation_bytes_per_element = 1;
  if (random.one_in(3)) work.recomputed_layers = between(1, 8, random);
  if (random.one_in(6)) work.offloaded_layers = between(1, 8, random);
  if (random.one_in(6)) work.offloaded_optimizer_percent = static_cast<double>(between(1, 100, random));
  return work;
}

Mode random_mode(Random& random) {
  if (!random.one_in(4)) return Mode::training;
  return random.one_in(2) ? Mode::prefill : Mode::decode;
}

void read_into(Value::Object& inputs, std::span<const InputField> fields, const void* owner) {
  for (const InputField& input : fields) {
    inputs.push_back({std::string(input.field.name), value_of(input, owner)});
  }
}

}  // namespace

Job random_job(Random& random) {
  Job job;
  job.model = random_shape(random);
  const Mode mode = random_mode(random);
  job.layout = random_layout(job.model, mode, random);
  // Widths are what every tensor rank can have an equal part of.
  const Whole ranks = job.layout.tensor_parallel;
  job.model.ffn_hidden_size = std::lcm(ranks, expert_tensor_degree(job.layout)) * between(16, 1024, random);
  if (random.one_in(2)) job.model.dense_ffn_hidden_size = ranks * between(16, 1024, random);
  job.work = random_work(job.layout, mode, random);
  if (random.one_in(3)) job.stack.cuda_graphs = true;
  if (random.one_in(3)) job.stack.staged_layer_host_us = 3000;
  return completed(job);
}

Job random_training(Random& random) {
  for (;;) {
    const Job job = random_job(random);
    if (job.work.mode == Mode::training) return job;
  }
}

Job runnable(Job job, const Machine& machine) {
  job.machine = machine;
  MatmulPrecision& precision = job.work.matmul_precision;
  if (matrix_peak_tflops(accelerator_of(machine), precision) <= 0) precision = MatmulPrecision::stored;
  return completed(job);
}

Value::Object inputs_of(const Job& job) {
  Value::Object inputs;
  read_into(inputs, model_shape_fields, &job.model);
  read_into(inputs, work_fields, &job.work);
  read_into(inputs, layout_fields, &job.layout);
  return inputs;
}

}  // namespace commcost::test
