#include "core/training/training_step.h"

#include <algorithm>
#include <cmath>

#include "core/base/number_text.h"
#include "core/base/units.h"
#include "core/compute/matrix_peak.h"
#include "core/model/flops.h"
#include "core/parallel/job_problems.h"
#include "core/parallel/ledger.h"
#include "core/parallel/pipeline.h"
#include "core/parallel/stacks.h"
#include "core/training/constants.h"

namespace commcost {
namespace {

StepParts parts_of(const Job& job, const MachineScales& scales) {
  return step_result(step_times(StepModel(job, scales))).parts;
}

double total_ms(const StepTimes& times) {
  return step_result(times).parts.total_us() * 1e-3;
}

double elasticity(const Job& job, MachineScales scales, double MachineScales::*property, double base_us) {
  constexpr double nudge = 1.01;
  scales.*property *= nudge;
  return std::log(parts_of(job, scales).total_us() / base_us) / std::log(nudge);
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

// What the ledger says that a GPU of the stage which decides the step sends.
std::vector<DimensionTraffic> traffic_of(const Job& job, const Stage& stage, const StepParts& parts) {
  std::vector<DimensionTraffic> rows;
  for (const SentMessage& message : ledger_of(job, stage, scale_up_domain(job.machine))) {
    if (!takes_part(message, stage)) continue;
    const Dimension heading = heading_of(message.dimension);
    auto row = std::find_if(rows.begin(), rows.end(),
                            [heading](const DimensionTraffic& other) { return other.dimension == heading; });
    if (row == rows.end()) {
      row = rows.insert(row, DimensionTraffic{});
      row->dimension = heading;
      row->exposed_ms = exposed_us(parts, heading) * 1e-3;
      row->step_share_percent = 100 * exposed_us(parts, heading) / parts.total_us();
    }
    row->network_bytes += message.network_bytes_per_gpu;
    row->scale_up_bytes += message.scale_up_bytes_per_gpu();
  }
  return rows;
}

Elasticities elasticities_of(const Job& job, const MachineScales& scales, double base_us) {
  const auto of = [&](double MachineScales::*property) { return elasticity(job, scales, property, base_us); };
  return {of(&MachineScales::link),   of(&MachineScales::network), of(&MachineScales::latency),
          of(&MachineScales::matmul), of(&MachineScales::hbm),     of(&MachineScales::launch),
          of(&MachineScales::overlap)};
}

// One-way bandwidth at which a dimension takes no longer than the compute that could hide it.
struct BandwidthsToHide {
  double tensor_gb_per_sec = 0;
  double data_gb_per_sec = 0;
};

BandwidthsToHide bandwidths_to_hide(const Layout& layout, const StageTime& stage, double micro_batches,
                                    const std::vector<DimensionTraffic>& traffic) {
  const double compute_us = micro_batches * (stage.compute_us + stage.recompute_us);
  const double backward_us = stage.compute_us + stage.recompute_us - stage.forward_us;
  const double data_us = is_sharded(layout, StateKind::gradients) ? compute_us : backward_us;
  BandwidthsToHide found;
  for (const DimensionTraffic& row : traffic) {
    const double sent = row.scale_up_bytes + row.network_bytes;
    if (row.dimension == Dimension::tensor) found.tensor_gb_per_sec = sent / compute_us * 1e-3;
    if (row.dimension == Dimension::data) found.data_gb_per_sec = sent / data_us * 1e-3;
  }
  return found;
}

void set_times(TrainingStep& step, const StepParts& parts, const StepBand& band) {
  const double total_us = parts.total_us();
  step.parts = parts;
  step.basis = band.basis;
  step.measured_series = band.measured_series;
  step.measured_runs = band.measured_runs;
  step.measured_error_percent = band.measured_error_percent;
  step.band_classes = band.classes;
  step.beyond_runs = beyond_names(band);
  step.step_time_ms = total_us * 1e-3;
  step.step_time_low_ms = total_us * band.low * 1e-3;
  step.step_time_high_ms = total_us * band.high * 1e-3;
  step.bubble_percent = 100 * parts.bubble_us / total_us;
}

void set_memory(TrainingStep& step, const Job& job) {
  const double available = available_bytes(accelerator_of(job.machine));
  step.memory = fullest_gpu(job).memory;
  step.memory_gib = step.memory.total() / gib;
  step.memory_available_gib = available / gib;
  step.fits = step.memory.total() <= available;
}

void set_rates(TrainingStep& step, const Job& job, double token_budget) {
  const auto& [shape, work, layout, stack, machine] = job;
  const auto sequences = static_cast<double>(sequences_per_step(work, layout));
  const StepFlops flops = step_flops(shape, work, sequences);
  const double peak = matrix_peak_tflops(job.machine, work);
  step.cluster_gpus = static_cast<double>(gpus_needed(layout));
  step.stack_checked = rules_of(job) != nullptr;
  if (const Ability* broken = broken_ability(job)) step.stack_rule = broken->says;
  step.micro_batches = static_cast<double>(micro_batches(work, layout));
  step.mfu_percent = utilization_percent(flops.model, step.step_time_ms, step.cluster_gpus, peak);
  step.hfu_percent = utilization_percent(flops.hardware, step.step_time_ms, step.cluster_gpus, peak);
  const double tokens_per_sec =
      sequences * static_cast<double>(work.sequence_length) / (step.step_time_ms * 1e-3);
  step.tokens_per_sec_per_gpu = tokens_per_sec / step.cluster_gpus;
  constexpr double seconds_a_day = 86400;
  step.training_days = token_budget / tokens_per_sec / seconds_a_day;
}

}  // namespace

StepSummary step_summary(const Job& job, const MachineScales& scales) {
  return {parts_of(job, scales), fullest_gpu(job).memory};
}

Outcome<TrainingStep> training_step(const TrainingStepInputs& inputs) {
  const Job job = completed(inputs.job);
  if (!can_run(job)) return problems_of(job);
  const StepModel model(job, inputs.scales);
  const StepTimes times = step_times(model);
  const StepResult result = step_result(times);

  if (inputs.timeline && pipeline_bars(times.plan) > most_pipeline_bars) {
    return must_be(
        "timeline", ProblemCode::inconsistent,
        "false with more than " + text_of(most_pipeline_bars) + " bars of stages, chunks and micro-batches",
        text_of(pipeline_bars(times.plan)) + " bars");
  }

  TrainingStep step;
  if (inputs.timeline) step.timeline = pipeline_timeline(times, result.stage);
  set_times(step, result.parts, step_band(job));
  step.run_kind = run_kind(job);
  set_memory(step, job);
  set_rates(step, job, inputs.token_budget);
  step.none_hidden_ms = total_ms(with_overlap(times, model.hiding_nothing()));
  step.all_hidden_ms = total_ms(step_times(model.hiding_all()));
  step.stage = times.passes.stages[result.stage].place;
  step.traffic = traffic_of(job, times.passes.stages[result.stage], result.parts);
  if (step.cluster_gpus > scale_up_domain(job.machine)) step.assumed = assumptions_of(inputs.job.machine);
  const BandwidthsToHide bandwidths =
      bandwidths_to_hide(job.layout, times.passes.of[result.stage], step.micro_batches, step.traffic);
  step.tensor_bandwidth_to_hide_gb_per_sec = bandwidths.tensor_gb_per_sec;
  step.data_bandwidth_to_hide_gb_per_sec = bandwidths.data_gb_per_sec;
  if (inputs.elasticities) step.elasticities = elasticities_of(job, inputs.scales, result.parts.total_us());
  return step;
}

}  // namespace commcost
