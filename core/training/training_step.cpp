#include "core/training/training_step.h"

#include <cmath>

#include "core/base/number_text.h"
#include "core/base/units.h"
#include "core/model/flops.h"
#include "core/parallel/job_problems.h"
#include "core/parallel/pipeline.h"
#include "core/training/constants.h"

namespace commcost {
namespace {

StepParts parts_of(const Job& job, const MachineScales& scales) {
  return step_result(step_times(StepModel(job, scales))).parts;
}

double elasticity(const Job& job, MachineScales scales, double MachineScales::*property, double base_us) {
  constexpr double nudge = 1.01;
  scales.*property *= nudge;
  return std::log(parts_of(job, scales).total_us() / base_us) / std::log(nudge);
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

std::vector<DimensionTraffic> traffic_of(const std::vector<DimensionBytes>& sent, const StepParts& parts) {
  std::vector<DimensionTraffic> rows;
  for (const DimensionBytes& one : sent) {
    const double waited_us = exposed_us(parts, one.dimension);
    rows.push_back(
        {one.dimension, one.scale_up, one.network, waited_us * 1e-3, 100 * waited_us / parts.total_us()});
  }
  return rows;
}

Elasticities elasticities_of(const Job& job, const MachineScales& scales, double base_us) {
  const auto of = [&](double MachineScales::*property) { return elasticity(job, scales, property, base_us); };
  return {of(&MachineScales::link),   of(&MachineScales::network), of(&MachineScales::latency),
          of(&MachineScales::matmul), of(&MachineScales::hbm),     of(&MachineScales::launch),
          of(&MachineScales::overlap)};
}

// One-way bandwidth at which a dimension takes as long as the compute that could hide it.
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

void set_times(TrainingStep& step, const StepParts& parts, const StepFacts& facts) {
  const StepBand& band = facts.band;
  const double total_us = parts.total_us();
  step.parts = parts;
  step.basis = band.basis;
  step.measured_series = band.measured_series;
  step.measured_runs = band.measured_runs;
  step.measured_error_percent = band.measured_error_percent;
  step.band_classes = band.classes;
  step.beyond_runs = facts.beyond_runs;
  step.run_kind = facts.run_kind;
  step.step_time_ms = total_us * 1e-3;
  step.step_time_low_ms = total_us * band.low * 1e-3;
  // The speed of a host's processors is not known: one published run took ten times as long as another.
  step.step_time_high_ms =
      (total_us * band.high + (constants::slowest_host_update - 1) * facts.host_updates_us) * 1e-3;
  step.bubble_percent = 100 * parts.bubble_us / total_us;
}

void set_memory(TrainingStep& step, const Job& job, const StepMemory& memory) {
  const double available = available_bytes(accelerator_of(job.machine));
  step.memory = memory;
  step.memory_gib = memory.total() / gib;
  step.host_bytes = memory.host;
  step.memory_available_gib = available / gib;
  step.fits = memory.total() <= available;
}

void set_rates(TrainingStep& step, const Job& job, const StepFacts& facts, double token_budget) {
  const auto sequences = static_cast<double>(sequences_per_step(job.work, job.layout));
  step.cluster_gpus = static_cast<double>(gpus_needed(job.layout));
  step.stack_checked = facts.stack_checked;
  step.stack_rule = facts.stack_rule;
  step.micro_batches = static_cast<double>(micro_batches(job.work, job.layout));
  const auto utilization = [&](double flops) {
    return utilization_percent(flops, step.step_time_ms, step.cluster_gpus, facts.peak_tflops);
  };
  step.mfu_percent = utilization(facts.flops.model);
  step.hfu_percent = utilization(facts.flops.hardware);
  step.model_tflops_per_gpu = facts.flops.model / step.cluster_gpus / (step.step_time_ms * 1e-3) * 1e-12;
  const double tokens_per_sec =
      sequences * static_cast<double>(job.work.sequence_length) / (step.step_time_ms * 1e-3);
  step.tokens_per_sec_per_gpu = tokens_per_sec / step.cluster_gpus;
  constexpr double seconds_a_day = 86400;
  step.training_days = token_budget / tokens_per_sec / seconds_a_day;
}

}  // namespace

StepSummary step_summary(const Job& job, const MachineScales& scales) {
  return {parts_of(job, scales), fullest_gpu(job).memory};
}

Outcome<TrainingStep> training_step(const TrainingStepInputs& inputs) {
  StepMemo nothing;
  return next_training_step(inputs, nothing);
}

Outcome<TrainingStep> next_training_step(const TrainingStepInputs& inputs, StepMemo& memo) {
  if (!memo.take(completed(inputs.job), inputs.scales)) return problems_of(completed(inputs.job));
  const StepModel& model = memo.model();
  const Job& job = model.job();
  const StepTimes times = step_times(model, memo.compute(), memo.lists());
  const StepResult result = step_result(times);

  if (inputs.timeline && pipeline_bars(times.plan) > most_pipeline_bars) {
    return must_be(
        "timeline", ProblemCode::inconsistent,
        "false with more than " + text_of(most_pipeline_bars) + " bars of stages, chunks and micro-batches",
        text_of(pipeline_bars(times.plan)) + " bars");
  }

  TrainingStep step;
  if (inputs.timeline) step.timeline = pipeline_timeline(times, result.stage);
  const StepFacts& facts = memo.facts();
  set_times(step, result.parts, facts);
  set_memory(step, job, facts.memory);
  set_rates(step, job, facts, inputs.token_budget);
  step.none_hidden_ms = none_hidden_us(times) * 1e-3;
  step.all_hidden_ms = all_hidden_us(times) * 1e-3;
  step.stage = times.passes.stages[result.stage].place;
  step.traffic = traffic_of(memo.sent(result.stage), result.parts);
  if (step.cluster_gpus > facts.scale_up_domain) step.assumed = assumptions_of(inputs.job.machine);
  const BandwidthsToHide bandwidths =
      bandwidths_to_hide(job.layout, times.passes.by_stage[result.stage], step.micro_batches, step.traffic);
  step.tensor_bandwidth_to_hide_gb_per_sec = bandwidths.tensor_gb_per_sec;
  step.data_bandwidth_to_hide_gb_per_sec = bandwidths.data_gb_per_sec;
  if (inputs.elasticities) step.elasticities = elasticities_of(job, inputs.scales, result.parts.total_us());
  return step;
}

}  // namespace commcost
