#include "core/step/training_step.h"

#include <algorithm>
#include <cmath>

#include "core/base/units.h"
#include "core/model/flops.h"
#include "core/step/constants.h"

namespace commcost {
namespace {

// A step, computed piece by piece.
struct Pieces {
  LayerTime layer;
  HeadTime head;
  UpdateTime update;
  PipelinePlan plan;
};

PipelinePlan pipeline_plan(const TrainingStepInputs& inputs, const MachineScales& scales, const Pricing& pricing) {
  PipelinePlan plan;
  plan.schedule = inputs.pipeline_schedule;
  plan.stages = static_cast<double>(inputs.pipeline_parallel);
  plan.virtual_stages = static_cast<double>(inputs.virtual_stages);
  plan.micro_batches = static_cast<double>(micro_batches(inputs, inputs));
  plan.layers = stage_layers(inputs, inputs);
  plan.transfer_us = transfer_us(inputs, inputs, inputs, inputs, pricing);
  plan.replica_nodes = replica_nodes(inputs, inputs);
  plan.training = inputs.mode == Mode::training;
  plan.overlap_data = inputs.overlap_data;
  plan.overlap_scale = scales.overlap;
  plan.sync_us = constants::pipeline_sync_us * scales.pipeline_sync;
  plan.straggler_share = constants::straggler_share * scales.straggler;
  return plan;
}

Pieces pieces_of(const TrainingStepInputs& inputs, const MachineScales& scales) {
  const ComputeRates rates = compute_rates(inputs, inputs.bytes_per_element, scales);
  const Pricing pricing(inputs, scales);
  return {layer_time(inputs, inputs, inputs, inputs, rates, pricing, scales),
          head_time(inputs, inputs, inputs, inputs, rates, pricing),
          update_time(inputs, parameters_of(inputs), inputs, inputs, inputs, rates, pricing),
          pipeline_plan(inputs, scales, pricing)};
}

StepParts parts_of(const Pieces& pieces) {
  return step_parts(pieces.layer, pieces.head, pieces.update, pieces.plan);
}

StepMemory memory_of(const TrainingStepInputs& inputs) {
  const StageState state = stage_state(inputs, parameters_of(inputs), inputs, inputs);
  const auto stages = static_cast<double>(inputs.pipeline_parallel);
  const double held = inputs.mode == Mode::training
                          ? in_flight(inputs.pipeline_schedule, stages, static_cast<double>(inputs.virtual_stages),
                                      static_cast<double>(micro_batches(inputs, inputs)))
                          : static_cast<double>(micro_batches(inputs, inputs));
  return step_memory(layer_memory(inputs, inputs, inputs), state, stage_layers(inputs, inputs), stages, held);
}

StepParts with_everything_hidden(Pieces pieces) {
  pieces.layer.tensor = pieces.layer.context = pieces.layer.expert = Traffic{};
  pieces.head.tensor_us = 0;
  pieces.update.once_us = pieces.update.per_micro_batch_us = 0;
  StepParts parts = parts_of(pieces);
  parts.pipeline_us = 0;
  return parts;
}

StepParts with_nothing_hidden(Pieces pieces) {
  for (Traffic* traffic : {&pieces.layer.tensor, &pieces.layer.context, &pieces.layer.expert}) {
    traffic->hidden_us = traffic->slow_down_us = 0;
  }
  pieces.plan.overlap_data = false;
  return parts_of(pieces);
}

double elasticity(const TrainingStepInputs& inputs, double MachineScales::*property, double base_us) {
  constexpr double nudge = 1.01;
  MachineScales scales;
  scales.*property = nudge;
  return std::log(parts_of(pieces_of(inputs, scales)).total_us() / base_us) / std::log(nudge);
}

LinkClass class_of(const RankGroup& group) {
  return group.crosses_nodes() ? LinkClass::network : LinkClass::scale_up;
}

// Bytes that one rank sends when n ranks exchange a vector once round a ring.
double once_round(double ranks, double bytes) {
  return (ranks - 1) / ranks * bytes;
}

std::vector<DimensionTraffic> traffic_of(const TrainingStepInputs& inputs, const Pieces& pieces, const StepParts& parts) {
  std::vector<DimensionTraffic> rows;
  const double step_us = parts.total_us();
  const auto add = [&](Dimension dimension, const RankGroup& group, double sent, double time_us, double exposed_us) {
    if (group.ranks <= 1) return;
    rows.push_back({dimension, class_of(group), sent, time_us * 1e-3, exposed_us * 1e-3, 100 * exposed_us / step_us});
  };
  const bool training = inputs.mode == Mode::training;
  const double count = pieces.plan.micro_batches;
  const double layers = pieces.plan.layers.first;
  const double local_tokens = tokens(inputs) / static_cast<double>(inputs.context_parallel);
  const double hidden_bytes =
      local_tokens * static_cast<double>(inputs.hidden_size) * inputs.activation_wire_bytes_per_element;
  const double passes = !training ? 1 : inputs.recompute == Recompute::full ? 3 : 2;

  const RankGroup tensor = tensor_group(inputs, inputs);
  const double sums = inputs.parallel_sublayers ? 1 : 2;
  const double head_sums = inputs.vocab_size > 0 && inputs.pipeline_parallel == 1 ? (training ? 2 : 1) : 0;
  add(Dimension::tensor, tensor,
      count * (layers * passes * sums + head_sums) * 2 * once_round(tensor.ranks, hidden_bytes),
      count * (layers * pieces.layer.tensor.total_us() + (head_sums > 0 ? pieces.head.tensor_us : 0)), parts.tensor_us);

  const RankGroup context = context_group(inputs, inputs);
  const double width = inputs.activation_wire_bytes_per_element * static_cast<double>(inputs.head_size) /
                       static_cast<double>(inputs.tensor_parallel);
  const double keys_and_values = tokens(inputs) * width * 2 * static_cast<double>(inputs.num_kv_heads);
  const double context_sent =
      inputs.context_scheme == ContextScheme::ulysses
          ? passes * once_round(context.ranks, local_tokens * width * 2 *
                                                   static_cast<double>(inputs.num_heads + inputs.num_kv_heads))
          : (passes + (training ? 1 : 0)) * once_round(context.ranks, keys_and_values);
  add(Dimension::context, context, count * layers * context_sent, count * layers * pieces.layer.context.total_us(),
      parts.context_us);

  const RankGroup expert = expert_group(inputs, inputs);
  const double sparse = static_cast<double>(expert_layers(inputs)) / static_cast<double>(inputs.num_layers);
  const double dispatched = sparse * hidden_bytes * static_cast<double>(inputs.experts_per_token) /
                            (inputs.sequence_parallel ? static_cast<double>(inputs.tensor_parallel) : 1);
  add(Dimension::expert, expert, count * layers * passes * 2 * once_round(expert.ranks, dispatched),
      count * layers * pieces.layer.expert.total_us(), parts.expert_us);

  const RankGroup pipeline = pipeline_group(inputs, inputs);
  const bool shared = inputs.sequence_parallel || inputs.scatter_gather;
  const double hop = hidden_bytes / (shared ? static_cast<double>(inputs.tensor_parallel) : 1);
  add(Dimension::pipeline, pipeline, count * (training ? 2 : 1) * pieces.plan.virtual_stages * hop,
      count * (training ? 2 : 1) * pieces.plan.virtual_stages * pieces.plan.transfer_us, parts.pipeline_us);

  if (training) {
    const RankGroup replicas = gradient_group(inputs, inputs);
    const Parameters count_of = parameters_of(inputs);
    const double held = std::max(first_stage_parameters(inputs, count_of, inputs).total(),
                                 last_stage_parameters(inputs, count_of, inputs).total());
    double vectors = inputs.gradient_wire_bytes_per_element;
    if (inputs.zero_stage == 0) vectors *= 2;
    if (inputs.zero_stage == 1 || inputs.zero_stage == 2) {
      vectors *= inputs.zero_gradients == ZeroGradients::all_reduce ? 2 : 1;
      vectors += inputs.parameter_wire_bytes_per_element;
    }
    if (inputs.zero_stage >= 3) vectors = count * (vectors + 2 * inputs.parameter_wire_bytes_per_element);
    add(Dimension::data, replicas, once_round(replicas.ranks, held * vectors),
        pieces.update.once_us + count * pieces.update.per_micro_batch_us, parts.data_us);
  }
  return rows;
}

}  // namespace

TrainingStepInputs completed(TrainingStepInputs inputs) {
  static_cast<ModelShape&>(inputs) = completed(static_cast<const ModelShape&>(inputs));
  static_cast<Machine&>(inputs) = completed(static_cast<const Machine&>(inputs));
  apply(inputs.software, accelerator_of(inputs), inputs, inputs);
  inputs.software = Software::given;
  static_cast<Work&>(inputs) = completed(static_cast<const Work&>(inputs));
  static_cast<Layout&>(inputs) = completed(static_cast<const Layout&>(inputs), inputs);
  return inputs;
}

double available_bytes(const Accelerator& accelerator) {
  return (accelerator.memory_gb - constants::memory_reserved_gb) * gb_per_sec;
}

StepSummary step_summary(const TrainingStepInputs& inputs, const MachineScales& scales) {
  return {parts_of(pieces_of(inputs, scales)), memory_of(inputs)};
}

Outcome<TrainingStep> training_step(const TrainingStepInputs& given) {
  Problems problems = step_problems(given);
  if (!problems.empty()) return problems;
  const TrainingStepInputs inputs = completed(given);
  const Accelerator& accelerator = accelerator_of(inputs);
  const Pieces pieces = pieces_of(inputs, {});

  TrainingStep step;
  step.parts = parts_of(pieces);
  step.memory = memory_of(inputs);
  const double total_us = step.parts.total_us();
  const double exposed_us = step.parts.tensor_us + step.parts.context_us + step.parts.expert_us +
                            step.parts.pipeline_us + step.parts.data_us;
  step.step_time_ms = total_us * 1e-3;
  const double doubt_us = total_us * constants::band_share + exposed_us * constants::communication_band_share;
  step.step_time_low_ms = (total_us - doubt_us) * 1e-3;
  step.step_time_high_ms = (total_us + doubt_us) * 1e-3;
  step.all_hidden_ms = with_everything_hidden(pieces).total_us() * 1e-3;
  step.none_hidden_ms = with_nothing_hidden(pieces).total_us() * 1e-3;
  step.bubble_percent = 100 * step.parts.bubble_us / total_us;
  step.memory_gib = step.memory.total() / gib;
  step.memory_available_gib = available_bytes(accelerator) / gib;
  step.fits = step.memory.total() <= available_bytes(accelerator);
  step.num_gpus = static_cast<double>(gpus_needed(inputs));
  step.micro_batches = pieces.plan.micro_batches;

  const auto sequences = static_cast<double>(sequences_per_step(inputs, inputs));
  const StepFlops flops = step_flops(inputs, inputs, sequences);
  const double peak = matrix_peak_tflops(accelerator, inputs.bytes_per_element);
  step.mfu_percent = utilization_percent(flops.model, step.step_time_ms, step.num_gpus, peak);
  step.hfu_percent = utilization_percent(flops.hardware, step.step_time_ms, step.num_gpus, peak);
  const double all_tokens =
      sequences * (inputs.mode == Mode::decode ? 1.0 : static_cast<double>(inputs.sequence_length));
  step.tokens_per_sec_per_gpu = all_tokens / (total_us * 1e-6) / step.num_gpus;

  step.traffic = traffic_of(inputs, pieces, step.parts);
  const double compute_us = pieces.plan.micro_batches * pieces.plan.layers.first * pieces.layer.compute_us();
  const double backward_us = pieces.plan.layers.first * (pieces.layer.backward_us + pieces.layer.recompute_us);
  for (const DimensionTraffic& row : step.traffic) {
    if (row.dimension == Dimension::tensor) {
      step.tensor_bandwidth_to_hide_gb_per_sec = row.sent_bytes / compute_us * 1e-3;
    }
    if (row.dimension == Dimension::data) {
      step.data_bandwidth_to_hide_gb_per_sec =
          row.sent_bytes / (inputs.zero_stage >= 3 ? compute_us : backward_us) * 1e-3;
    }
  }
  step.elasticities = {elasticity(inputs, &MachineScales::link, total_us),
                       elasticity(inputs, &MachineScales::network, total_us),
                       elasticity(inputs, &MachineScales::latency, total_us),
                       elasticity(inputs, &MachineScales::matmul, total_us),
                       elasticity(inputs, &MachineScales::hbm, total_us),
                       elasticity(inputs, &MachineScales::launch, total_us),
                       elasticity(inputs, &MachineScales::overlap, total_us)};
  return step;
}

}  // namespace commcost
