#include "core/training/step_time.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/base/natural_log.h"
#include "core/training/constants.h"

namespace commcost {
namespace {

void add_layers(StageTime& stage, const LayerTime& layer, double count) {
  if (count <= 0) return;
  stage.launch_us += count * layer.launch_us;
  stage.compute_us += count * (layer.forward_us + layer.backward_us);
  stage.recompute_us += count * layer.recompute_us;
  stage.tensor_us += count * layer.tensor.exposed_us();
  stage.context_us += count * layer.context.exposed_us();
  stage.expert_us += count * layer.expert.exposed_us();
  stage.forward_us += count * layer.forward_us;
  // Weight gradients that hide traffic can't be moved into a bubble.
  stage.weight_gradient_us +=
      count * std::max(0.0, layer.weight_gradient_us - layer.tensor.hidden_by_weight_gradient_us);
  stage.unpaired_us += count * (layer.expert.hidden_us - layer.expert.slow_down_us);
  stage.free_forward_us += count * layer.free_forward_us();
  stage.free_backward_us += count * layer.free_backward_us();
  stage.exposed_backward_us +=
      count * std::max(0.0, layer.tensor.backward_us - layer.tensor.hidden_backward_us());
}

void add_end(StageTime& stage, const EndTime& end, double count) {
  stage.compute_us += count * end.compute_us;
  stage.tensor_us += count * end.tensor.exposed_us();
  stage.launch_us += count * end.launch_us;
}

// Sends during one pass, which uses what it needs of the pass, then idle time. `more_us` extends the pass for
// this message only: no other may use it. Returns what is waited for, us.
inline double send_beside(double FreeTime::*pass, double sent_us, double more_us, const OverlapShares& shares,
                          const WaitingRules& rules, FreeTime& left) {
  if (sent_us <= 0) return 0;
  const double window = left.*pass + left.idle_us + more_us;
  const Hiding beside = hide(sent_us, window, shares, rules.overlap_scale);
  const double beyond = std::max(0.0, beside.hidden_us - more_us - left.*pass);
  left.*pass = std::max(0.0, left.*pass - std::max(0.0, beside.hidden_us - more_us));
  left.idle_us = std::max(0.0, left.idle_us - beyond);
  return beside.exposed_us(sent_us);
}

// An exchange of replicas during the passes of one micro-batch.
inline double send(const ExchangeTime& exchange, bool prefetches, double exposed_backward_us,
                   const WaitingRules& rules, FreeTime& left) {
  constexpr OverlapShares prefetched{constants::gather_overlap_share, constants::gather_overlap_share};
  const OverlapShares bucketed{constants::data_overlap_window, rules.data_overlap_share};
  double waited_us = exchange.exposed_us;
  // Buckets also leave while the pass waits for its tensor ranks.
  waited_us +=
      send_beside(&FreeTime::backward_us, exchange.beside_backward_us, prefetches ? 0 : exposed_backward_us,
                  prefetches ? prefetched : bucketed, rules, left);
  waited_us += send_beside(&FreeTime::forward_us, exchange.beside_forward_us, 0, prefetched, rules, left);
  return waited_us;
}

// All boundaries of a stage in one micro-batch, crossed while its other chunks run.
double send(const BoundaryTime& boundary, const PipelinePlan& plan, FreeTime& left) {
  const double chunks = plan.virtual_stages;
  const WaitingRules& rules = plan.waiting;
  double waited_us = chunks * (boundary.exposed_us + boundary.sync_us);
  waited_us += send_beside(&FreeTime::forward_us, chunks * boundary.beside_forward_us, 0, {}, rules, left);
  waited_us += send_beside(&FreeTime::backward_us, chunks * boundary.beside_backward_us, 0, {}, rules, left);
  return waited_us;
}

// Time that a pipeline idles, us.
double fill_and_drain_us(const PipelinePass& pipeline, const PipelinePlan& plan) {
  // Fed from both ends, the pipeline is full when its middle is.
  const double crossed = plan.schedule == PipelineSchedule::dualpipe ? plan.stages / 2 - 1 : plan.stages - 1;
  return bubble_of(plan.schedule, plan.stages, plan.virtual_stages, plan.micro_batches, pipeline.pass) +
         crossed * pipeline.hop_us;
}

inline StepParts parts_of(const StageTime& stage, const UpdateTime& update, const PipelineTime& pipeline,
                          const PipelinePlan& plan) {
  const double count = plan.micro_batches;
  const WaitingRules& rules = plan.waiting;
  // Member by member: a whole copy waits until all members are stored, once for every layout of a search.
  FreeTime left{pipeline.left.forward_us, pipeline.left.backward_us, pipeline.left.idle_us};
  const double each_us = send(update.micro_batch, update.prefetches, stage.exposed_backward_us, rules, left);
  const double last_us = send(update.iteration, false, stage.exposed_backward_us, rules, left);
  StepParts parts;
  parts.compute_us = count * stage.compute_us;
  parts.recompute_us = count * stage.recompute_us;
  parts.tensor_us = count * stage.tensor_us + update.replicated_us;
  parts.context_us = count * stage.context_us;
  // The first forward and the last backward pass have no other micro-batch alongside.
  parts.expert_us = count * stage.expert_us + stage.unpaired_us;
  parts.launch_us = count * (stage.joint_us - stage.device_us);
  parts.pipeline_us = count * pipeline.crossing_us + update.tied_us;
  parts.bubble_us = pipeline.bubble_us;
  parts.data_us = count * each_us + last_us;
  parts.offload_us = count * stage.offload_us;
  parts.optimizer_us = update.optimizer_us;
  parts.straggler_us = rules.straggler_share * (count * stage.joint_us + parts.pipeline_us + parts.bubble_us);
  return parts;
}

// The passes of a step whose layers and ends have message times modified by `change`.
template <class Change>
PassTimes changed_passes(const StepTimes& times, double overlap_scale, const Change& change) {
  LayerTimes layers = times.layers;
  EndTimes ends = times.ends;
  for (LayerTime* layer : {&layers.dense, &layers.moe, &layers.whole_dense, &layers.whole_moe})
    for (CommunicationTime LayerTime::*part : {&LayerTime::tensor, &LayerTime::context, &LayerTime::expert})
      layer->*part = std::invoke(change, layer->*part);
  for (EndTime* end : {&ends.first, &ends.last}) end->tensor = std::invoke(change, end->tensor);
  return pass_times(layers, ends, times.passes.stages, overlap_scale);
}

StepResult result_of(const PassTimes& passes, const UpdateTimes& updates, const BoundaryTime& boundary,
                     const PipelinePlan& plan) {
  const PipelineTimes pipeline = pipeline_times(passes, boundary, plan);
  const std::size_t at = slowest_stage(passes, updates, pipeline, plan).at;
  return {step_parts(passes.by_stage[at], updates[at], pipeline[at], plan), at};
}

}  // namespace

StageTime stage_time(const LayerTimes& layers, const EndTimes& ends, const Stage& stage,
                     double overlap_scale) {
  StageTime time;
  double copy_us = 0;
  const auto add = [&](const LayerTime& layer, double count) {
    add_layers(time, layer, count);
    copy_us += stage.offloaded_share * count * layer.copy_us;
  };
  const double again = layers.apart ? stage.repeated_share : 1;
  add(layers.dense, again * stage.dense_layers);
  add(layers.moe, again * stage.moe_layers);
  add(layers.whole_dense, (1 - again) * stage.dense_layers);
  add(layers.whole_moe, (1 - again) * stage.moe_layers);
  if (copy_us > 0) {
    // Out in the forward pass, back in the backward pass, by engines that no message uses: they also copy
    // while a pass waits for its messages, half of which each pass sends.
    const double waited_us = (time.tensor_us + time.context_us + time.expert_us) / 2;
    const double backward_us = time.compute_us + time.recompute_us - time.forward_us;
    const auto exposed_beside = [&](double window_us) {
      return hide(copy_us, window_us, {}, overlap_scale).exposed_us(copy_us);
    };
    const double out_us = exposed_beside(time.forward_us + waited_us);
    const double back_us = exposed_beside(backward_us + waited_us);
    time.offload_us = out_us + back_us;
    // Links are free meanwhile, each time only in that pass.
    time.free_forward_us += out_us;
    time.free_backward_us += back_us;
  }
  // Each of a stage's copies has its end of the model for its share of the micro-batches.
  if (stage.is_first) add_end(time, ends.first, 1 / stage.copies);
  if (stage.is_last) add_end(time, ends.last, 1 / stage.copies);
  time.device_us = time.compute_us + time.recompute_us + time.tensor_us + time.context_us + time.expert_us +
                   time.offload_us;
  time.joint_us = joint_us(time.device_us, time.launch_us);
  const double alone_us =
      time.unpaired_us > 0 ? joint_us(time.device_us + time.unpaired_us, time.launch_us) : time.joint_us;
  time.unpaired_us = alone_us - time.joint_us;
  // A third of the launches each, and of weight gradients no more than a third of the time.
  time.forward_pass_us = joint_us(time.forward_us, time.launch_us / 3);
  time.filler_us = std::min(joint_us(time.weight_gradient_us, time.launch_us / 3), time.joint_us / 3);
  return time;
}

PipelineTimes pipeline_times(const PassTimes& passes, const BoundaryTime& boundary,
                             const PipelinePlan& plan) {
  PipelineTimes times;
  for (std::size_t at = 0; at < passes.stages.size(); ++at) {
    const StageTime& stage = passes.by_stage[at];
    PipelineTime& time = times[at];
    // While a GPU waits for its host's launches, its links are free.
    time.left = {stage.free_forward_us, stage.free_backward_us, stage.joint_us - stage.device_us};
    if (plan.stages > 1) time.crossing_us = send(boundary, plan, time.left);
  }
  if (plan.stages <= 1) return times;
  const std::size_t typical = passes.typical_at();
  const double bubble = fill_and_drain_us(
      pipeline_pass(passes.by_stage[typical], times[typical].crossing_us, boundary, plan), plan);
  const double off_path = weight_gradients_off_path(plan.schedule, plan.stages, plan.micro_batches);
  for (std::size_t at = 0; at < passes.stages.size(); ++at) {
    const double longer_us = passes.by_stage[at].filler_us - passes.by_stage[typical].filler_us;
    times[at].bubble_us = std::max(0.0, bubble - off_path * longer_us);
  }
  return times;
}

PipelinePass pipeline_pass(const StageTime& typical, double crossing_us, const BoundaryTime& boundary,
                           const PipelinePlan& plan) {
  const double chunks = plan.virtual_stages;
  const double all_us = typical.joint_us + crossing_us;
  const double filler_us = typical.filler_us;
  // Messages that it waits for make a forward pass longer than its compute.
  const double forward_us =
      std::max(filler_us, std::min(typical.forward_pass_us + crossing_us / 2, all_us - 2 * filler_us));
  // In its first and its last pass, a micro-batch also runs alone.
  return {{forward_us, all_us - forward_us - filler_us, filler_us},
          std::max(0.0, boundary.total_us() - crossing_us / chunks) + typical.unpaired_us / chunks};
}

StepParts step_parts(const StageTime& stage, const UpdateTime& update, const PipelineTime& pipeline,
                     const PipelinePlan& plan) {
  return parts_of(stage, update, pipeline, plan);
}

PassTimes pass_times(const LayerTimes& layers, const EndTimes& ends, const DistinctStages& stages,
                     double overlap_scale) {
  PassTimes times;
  times.stages = stages;
  for (std::size_t at = 0; at < stages.size(); ++at)
    times.by_stage[at] = stage_time(layers, ends, stages[at], overlap_scale);
  return times;
}

UpdateTimes update_times(const StepModel& step, const StageShare& share, const DistinctStages& stages) {
  UpdateTimes times;
  for (std::size_t at = 0; at < stages.size(); ++at) times[at] = update_time(step, share, stages[at]);
  return times;
}

StepCompute step_compute(const StepModel& step) {
  return {layer_compute(step), end_compute(step)};
}

StepTimes step_times(const StepModel& step, const StepCompute& compute, const StepLists& lists) {
  const LayerTimes layers = layer_times(step, compute.layers, lists.of_layers);
  const EndTimes ends = end_times(step, compute.ends, lists.of_ends);
  UpdateTimes updates;
  for (std::size_t at = 0; at < lists.stages.size(); ++at)
    updates[at] = update_time(step, lists.stages[at], lists.held[at], lists.updates[at]);
  return {pass_times(layers, ends, lists.stages, step.overlap_scale()),
          updates,
          boundary_time(step, lists.of_boundaries),
          pipeline_plan(step.job(), waiting_rules(step)),
          layers,
          ends};
}

SlowestStage slowest_stage(const PassTimes& passes, const UpdateTimes& updates, const PipelineTimes& pipeline,
                           const PipelinePlan& plan) {
  SlowestStage slowest{-1, 0};
  for (std::size_t at = 0; at < passes.stages.size(); ++at) {
    // Added up in place: few searched layouts need their parts.
    const double us = parts_of(passes.by_stage[at], updates[at], pipeline[at], plan).total_us();
    if (us > slowest.step_us) slowest = {us, at};
  }
  return slowest;
}

StepResult step_result(const StepTimes& times) {
  return result_of(times.passes, times.updates, times.boundary, times.plan);
}

double none_hidden_us(const StepTimes& times) {
  PassTimes passes = changed_passes(times, 0, &CommunicationTime::all_exposed);
  // Weight gradients that no longer hide traffic are not moved either.
  for (std::size_t at = 0; at < passes.stages.size(); ++at) {
    double& filler_us = passes.by_stage[at].filler_us;
    filler_us = std::min(filler_us, times.passes.by_stage[at].filler_us);
  }
  // Messages of replicas and neighbours take as long; the plan decides how much of them is hidden.
  PipelinePlan plan = times.plan;
  plan.waiting.overlap_scale = 0;
  return result_of(passes, times.updates, times.boundary, plan).parts.total_us();
}

double all_hidden_us(const StepTimes& times) {
  const PassTimes passes = changed_passes(times, times.plan.waiting.overlap_scale,
                                          [](const CommunicationTime&) { return CommunicationTime{}; });
  UpdateTimes updates = times.updates;
  for (UpdateTime& update : updates) {
    update.micro_batch = update.iteration = {};
    update.replicated_us = update.tied_us = 0;
  }
  return result_of(passes, updates, {0, 0, 0, times.boundary.sync_us}, times.plan).parts.total_us();
}

WaitingRules waiting_rules(const StepModel& step) {
  const Job& job = step.job();
  WaitingRules rules;
  rules.overlap_scale = step.overlap_scale();
  const double nodes = replica_nodes(job.layout, job.machine);
  if (nodes > 1) {
    rules.straggler_share = job.stack.straggler_percent * 0.01 * std::sqrt(2 * natural_log(nodes));
  }
  rules.data_overlap_share = constants::data_overlap_share * step.data_overlap_scale();
  return rules;
}

PipelinePlan pipeline_plan(const Job& job, const WaitingRules& waiting) {
  const Layout& layout = job.layout;
  return {layout.pipeline_schedule, static_cast<double>(layout.pipeline_parallel),
          static_cast<double>(chunks_of_a_stage(layout)),
          static_cast<double>(micro_batches(job.work, layout)), waiting};
}

double replica_nodes(const Layout& layout, const Machine& machine) {
  return domains_of(data_ranks(layout), machine);
}

}  // namespace commcost
