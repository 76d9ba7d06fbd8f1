#include "core/step/training_step.h"

#include <algorithm>
#include <cmath>

#include "core/base/units.h"
#include "core/model/flops.h"
#include "core/parallel/layout_problems.h"
#include "core/parallel/ledger.h"
#include "core/parallel/pipeline.h"
#include "core/step/constants.h"
#include "core/step/duration.h"

namespace commcost {
namespace {

// A step, computed piece by piece.
struct Pieces {
  LayerTime layer;
  HeadTime head;
  UpdateTime update;
  PipelinePlan plan;
};

Pieces pieces_of(const PlacedSetting& placed, const MachineScales& scales) {
  const auto& [setting, machine] = placed;
  const ComputeRates rates = compute_rates(machine, setting.work.bytes_per_element, scales);
  const Pricing pricing(machine, scales);
  const StageShare share = stage_share(setting);
  return {layer_time(setting, machine, rates, pricing, scales), head_time(setting, machine, rates, pricing),
          update_time(setting, held_parameters(setting, share), machine, rates, pricing),
          pipeline_plan(setting, share, machine, scales, pricing)};
}

StepParts parts_of(const Pieces& pieces) {
  return step_parts(pieces.layer, pieces.head, pieces.update, pieces.plan);
}

StepMemory memory_of(const Setting& setting) {
  const StageShare share = stage_share(setting);
  const auto count = static_cast<double>(micro_batches(setting.work, setting.layout));
  return step_memory(layer_memory(setting), stage_state(setting, share, held_parameters(setting, share)),
                     stage_layers(setting, share), static_cast<double>(setting.layout.pipeline_parallel),
                     micro_batches_held(setting, count));
}

StepParts with_everything_hidden(Pieces pieces) {
  pieces.layer.tensor = pieces.layer.context = pieces.layer.expert = Traffic{};
  pieces.head.tensor_us = 0;
  pieces.update.gradients_us = pieces.update.weights_us = pieces.update.per_micro_batch_us = 0;
  pieces.plan.transfer_us = 0;
  StepParts parts = parts_of(pieces);
  return parts;
}

StepParts with_nothing_hidden(Pieces pieces) {
  for (Traffic* traffic : {&pieces.layer.tensor, &pieces.layer.context, &pieces.layer.expert}) {
    traffic->hidden_us = traffic->slow_down_us = 0;
  }
  pieces.plan.overlap_data = false;
  return parts_of(pieces);
}

double elasticity(const PlacedSetting& placed, MachineScales scales, double MachineScales::*property,
                  double base_us) {
  constexpr double nudge = 1.01;
  scales.*property *= nudge;
  return std::log(parts_of(pieces_of(placed, scales)).total_us() / base_us) / std::log(nudge);
}

// Under which heading the step waits for a dimension.
Dimension heading_of(Dimension dimension) {
  const bool with_tensor = dimension == Dimension::sequence || dimension == Dimension::vocabulary;
  return with_tensor ? Dimension::tensor : dimension;
}

double exposed_us(const StepParts& parts, Dimension dimension) {
  switch (dimension) {
    case Dimension::data:
      return parts.data_us;
    case Dimension::pipeline:
      return parts.pipeline_us;
    case Dimension::context:
      return parts.context_us;
    case Dimension::expert:
      return parts.expert_us;
    default:
      return parts.tensor_us;
  }
}

std::vector<DimensionTraffic> traffic_of(const PlacedSetting& placed, const StepParts& parts) {
  const Ledger ledger = ledger_of(placed.setting);
  const double domain = scale_up_domain(placed.machine);
  // Of a pipeline's stages an inner one, or the first of two: embedding and LM head are small beside the
  // layers.
  const bool only = placed.setting.layout.pipeline_parallel == 1;
  const bool first = placed.setting.layout.pipeline_parallel <= 2;
  std::vector<DimensionTraffic> rows;
  for (const Transfer& transfer : ledger) {
    if (!takes_part(transfer.stages, first, only)) continue;
    const Dimension heading = heading_of(transfer.dimension);
    auto row = std::find_if(rows.begin(), rows.end(),
                            [heading](const DimensionTraffic& other) { return other.dimension == heading; });
    if (row == rows.end()) {
      row = rows.insert(row, DimensionTraffic{});
      row->dimension = heading;
      row->exposed_ms = exposed_us(parts, heading) * 1e-3;
      row->step_share_percent = 100 * exposed_us(parts, heading) / parts.total_us();
    }
    const double network = network_bytes_per_gpu(transfer, domain);
    row->network_bytes += network;
    row->scale_up_bytes += transfer.sent_bytes_per_gpu - network;
  }
  return rows;
}

Elasticities elasticities_of(const PlacedSetting& placed, const MachineScales& scales, double base_us) {
  const auto of = [&](double MachineScales::*property) {
    return elasticity(placed, scales, property, base_us);
  };
  return {of(&MachineScales::link),   of(&MachineScales::network), of(&MachineScales::latency),
          of(&MachineScales::matmul), of(&MachineScales::hbm),     of(&MachineScales::launch),
          of(&MachineScales::overlap)};
}

// One-way bandwidth at which a dimension takes no longer than the compute that could hide it.
void add_bandwidths_to_hide(const Setting& setting, const Pieces& pieces, TrainingStep& step) {
  const double compute_us = pieces.plan.micro_batches * pieces.plan.layers.first * pieces.layer.compute_us();
  const double backward_us =
      pieces.plan.layers.first * (pieces.layer.backward_us + pieces.layer.recompute_us);
  for (const DimensionTraffic& row : step.traffic) {
    const double sent = row.scale_up_bytes + row.network_bytes;
    if (row.dimension == Dimension::tensor)
      step.tensor_bandwidth_to_hide_gb_per_sec = sent / compute_us * 1e-3;
    if (row.dimension == Dimension::data) {
      step.data_bandwidth_to_hide_gb_per_sec =
          sent / (setting.layout.zero_stage >= 3 ? compute_us : backward_us) * 1e-3;
    }
  }
}

}  // namespace

PlacedSetting completed(const TrainingStepInputs& inputs) {
  return {completed(static_cast<const Setting&>(inputs)), completed(inputs.machine)};
}

double available_bytes(const Accelerator& accelerator) {
  return (accelerator.memory_gb - constants::memory_reserved_gb) * gb_per_sec;
}

PipelinePlan pipeline_plan(const Setting& setting, const StageShare& share, const Machine& machine,
                           const MachineScales& scales, const Pricing& pricing) {
  PipelinePlan plan;
  plan.schedule = setting.layout.pipeline_schedule;
  plan.stages = static_cast<double>(setting.layout.pipeline_parallel);
  plan.virtual_stages = static_cast<double>(setting.layout.virtual_stages);
  plan.micro_batches = static_cast<double>(micro_batches(setting.work, setting.layout));
  plan.layers = stage_layers(setting, share);
  plan.transfer_us = hop_us(setting, machine, pricing);
  plan.replica_nodes = replica_nodes(setting.layout, machine);
  plan.training = setting.work.mode == Mode::training;
  plan.overlap_data = setting.layout.overlap_data;
  plan.overlap_scale = scales.overlap;
  plan.sync_us = constants::pipeline_sync_us * scales.pipeline_sync;
  plan.straggler_share = constants::straggler_share * scales.straggler;
  plan.data_overlap_share = constants::data_overlap_share * scales.data_overlap;
  return plan;
}

double micro_batches_held(const Setting& setting, double micro_batches) {
  if (setting.work.mode != Mode::training) return micro_batches;
  return micro_batches_in_flight(setting.layout, micro_batches);
}

StepSummary step_summary(const PlacedSetting& placed, const MachineScales& scales) {
  return {parts_of(pieces_of(placed, scales)), memory_of(placed.setting)};
}

Outcome<TrainingStep> training_step(const TrainingStepInputs& inputs) {
  const PlacedSetting placed = completed(inputs);
  const auto& [setting, machine] = placed;
  if (!can_exist(setting)) return problems_of(setting);
  const Accelerator& accelerator = accelerator_of(machine);
  const Pieces pieces = pieces_of(placed, inputs.scales);

  TrainingStep step;
  step.parts = parts_of(pieces);
  step.memory = memory_of(setting);
  const double total_us = step.parts.total_us();
  const double communication_us = step.parts.tensor_us + step.parts.context_us + step.parts.expert_us +
                                  step.parts.pipeline_us + step.parts.data_us;
  step.step_time_ms = total_us * 1e-3;
  const double doubt_us =
      total_us * constants::band_share + communication_us * constants::communication_band_share;
  step.step_time_low_ms = (total_us - doubt_us) * 1e-3;
  step.step_time_high_ms = (total_us + doubt_us) * 1e-3;
  step.all_hidden_ms = with_everything_hidden(pieces).total_us() * 1e-3;
  step.none_hidden_ms = with_nothing_hidden(pieces).total_us() * 1e-3;
  step.bubble_percent = 100 * step.parts.bubble_us / total_us;
  step.memory_gib = step.memory.total() / gib;
  step.memory_available_gib = available_bytes(accelerator) / gib;
  step.fits = step.memory.total() <= available_bytes(accelerator);
  step.num_gpus = static_cast<double>(gpus_needed(setting.layout));
  step.micro_batches = pieces.plan.micro_batches;

  const auto sequences = static_cast<double>(sequences_per_step(setting.work, setting.layout));
  const StepFlops flops = step_flops(setting.shape, setting.work, sequences);
  const double peak = matrix_peak_tflops(machine, setting.work.bytes_per_element);
  step.mfu_percent = utilization_percent(flops.model, step.step_time_ms, step.num_gpus, peak);
  step.hfu_percent = utilization_percent(flops.hardware, step.step_time_ms, step.num_gpus, peak);
  const bool decode = setting.work.mode == Mode::decode;
  const double all_tokens = sequences * (decode ? 1.0 : static_cast<double>(setting.work.sequence_length));
  step.tokens_per_sec_per_gpu = all_tokens / (total_us * 1e-6) / step.num_gpus;
  if (setting.work.mode == Mode::training)
    step.training_days = training_days(inputs.token_budget, step.tokens_per_sec_per_gpu * step.num_gpus);

  step.traffic = traffic_of(placed, step.parts);
  if (step.num_gpus > scale_up_domain(machine)) step.assumed = assumptions_of(inputs.machine);
  add_bandwidths_to_hide(setting, pieces, step);
  if (inputs.elasticities) step.elasticities = elasticities_of(placed, inputs.scales, total_us);
  return step;
}

}  // namespace commcost
