#pragma once

#include "core/parallel/pipeline.h"
#include "core/training/boundary_time.h"
#include "core/training/layer_time.h"
#include "core/training/step_lists.h"
#include "core/training/step_parts.h"
#include "core/training/update_time.h"

namespace commcost {

/// One micro-batch on one stage, us.
struct StageTime {
  double compute_us = 0;  ///< forward and backward pass, logits and loss
  double recompute_us = 0;
  double tensor_us = 0;  ///< exposed, as are the next two
  double context_us = 0;
  double expert_us = 0;
  double offload_us = 0;           ///< copies of activations to host memory and back that nothing hides
  double device_us = 0;            ///< all of that
  double joint_us = 0;             ///< device and host, which work concurrently
  double forward_us = 0;           ///< compute of its layers, forward
  double launch_us = 0;            ///< host time of all of it
  double weight_gradient_us = 0;   ///< of its layers
  double forward_pass_us = 0;      ///< forward_us with the launches of it
  double filler_us = 0;            ///< weight gradients that can fill a bubble, with the launches of theirs
  double free_forward_us = 0;      ///< forward, including waits for copies, while no layer sends messages
  double free_backward_us = 0;     ///< the same backward, with recomputation
  double exposed_backward_us = 0;  ///< tensor traffic that the backward pass waits for
  double unpaired_us = 0;          ///< extra time without another micro-batch alongside
};
/// Copies to the host and back, of which compute hides what it can, times `overlap_scale`.
StageTime stage_time(const LayerTimes& layers, const EndTimes& ends, const Stage& stage,
                     double overlap_scale = 1);

/// How ranks of a layout wait for each other. Depends on the layout only by its degrees and by how often a
/// stage is held, so a search computes it once for many layouts.
struct WaitingRules {
  double overlap_scale = 1;       ///< factor on what can be hidden
  double straggler_share = 0;     ///< how much longer the slowest of all replicas takes
  double data_overlap_share = 0;  ///< of gradient traffic that can be hidden
};
WaitingRules waiting_rules(const StepModel& step);

/// How a layout's pipeline runs; whole numbers.
struct PipelinePlan {
  PipelineSchedule schedule = PipelineSchedule::one_f_one_b;
  double stages = 1;
  double virtual_stages = 1;  ///< chunks that a micro-batch passes on a stage
  double micro_batches = 1;
  WaitingRules waiting;
};

/// How the pipeline of a completed job runs.
PipelinePlan pipeline_plan(const Job& job, const WaitingRules& waiting);

/// One micro-batch on each of the distinct stages.
struct PassTimes {
  DistinctStages stages;
  std::array<StageTime, 3> by_stage;

  /// The most typical stage: an inner one, or the first.
  std::size_t typical_at() const { return stages.size() == 3 ? 1 : 0; }
  const StageTime& typical() const { return by_stage[typical_at()]; }
};
PassTimes pass_times(const LayerTimes& layers, const EndTimes& ends, const DistinctStages& stages,
                     double overlap_scale = 1);

/// Time of one micro-batch on a stage during which nothing is sent yet, us.
struct FreeTime {
  double forward_us = 0;
  double backward_us = 0;
  double idle_us = 0;  ///< while the accelerator waits for the host, in either pass
};

/// The cost of a stage's neighbours, us.
struct PipelineTime {
  double bubble_us = 0;    ///< once, while the pipeline fills and drains, where that stage decides
  double crossing_us = 0;  ///< boundaries of one micro-batch
  FreeTime left;           ///< what they leave free
};

/// The same for each of the distinct stages.
using PipelineTimes = std::array<PipelineTime, 3>;
PipelineTimes pipeline_times(const PassTimes& passes, const BoundaryTime& boundary, const PipelinePlan& plan);

/// How micro-batches pass through the stages, us: the basis of bubble and timeline.
struct PipelinePass {
  StagePass pass;     ///< of the typical stage, including its boundaries
  double hop_us = 0;  ///< extra time of the first and the last crossing of a boundary together
};
PipelinePass pipeline_pass(const StageTime& typical, double crossing_us, const BoundaryTime& boundary,
                           const PipelinePlan& plan);

/// The update on each of them.
using UpdateTimes = std::array<UpdateTime, 3>;
UpdateTimes update_times(const StepModel& step, const StageShare& share, const DistinctStages& stages);

/// Everything that a step is computed from.
struct StepTimes {
  PassTimes passes;
  UpdateTimes updates;
  BoundaryTime boundary;
  PipelinePlan plan;
  LayerTimes layers = {};  ///< that the passes are made of
  EndTimes ends = {};
};

/// What the kernels of one micro-batch take.
struct StepCompute {
  LayerCompute layers;
  EndCompute ends;
};
StepCompute step_compute(const StepModel& step);

/// The times of a step of a completed job without problems, whose kernels take `compute` and which is made of
/// `lists`.
StepTimes step_times(const StepModel& step, const StepCompute& compute, const StepLists& lists);
inline StepTimes step_times(const StepModel& step) {
  return step_times(step, step_compute(step), StepLists(step.job()));
}
/// The step's time if no message were hidden, us.
double none_hidden_us(const StepTimes& times);
/// The same if all messages were hidden: they take no time.
double all_hidden_us(const StepTimes& times);

/// The stage that a step takes longest on.
struct SlowestStage {
  double step_us = 0;
  std::size_t at = 0;  ///< which of the distinct ones
};

/// Cheap: a search calls it for every layout, with `pipeline` as pipeline_times() has it.
SlowestStage slowest_stage(const PassTimes& passes, const UpdateTimes& updates, const PipelineTimes& pipeline,
                           const PipelinePlan& plan);

/// The parts of a step where one stage decides.
StepParts step_parts(const StageTime& stage, const UpdateTime& update, const PipelineTime& pipeline,
                     const PipelinePlan& plan);

/// A step on the stage that takes longest.
struct StepResult {
  StepParts parts;
  std::size_t stage = 0;  ///< which of the distinct ones
};
StepResult step_result(const StepTimes& times);

/// Nodes that the replicas of one rank's parameters are spread over.
double replica_nodes(const Layout& layout, const Machine& machine);

}  // namespace commcost
