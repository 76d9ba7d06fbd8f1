#pragma once

#include "core/step/bubble.h"
#include "core/step/layer_time.h"
#include "core/step/stage.h"

namespace commcost {

/// Where the time of a step goes on the stage that decides it, us. The parts add up to the step.
struct StepParts {
  double compute_us = 0;    ///< forward and backward pass, logits and loss
  double recompute_us = 0;  ///< forward pass once more
  double tensor_us = 0;     ///< exposed communication of tensor (and sequence) parallelism
  double context_us = 0;    ///< exposed communication of context parallelism
  double expert_us = 0;     ///< exposed communication of expert parallelism
  double pipeline_us = 0;   ///< exposed transfers between stages
  double data_us = 0;       ///< exposed exchange of gradients and weights between replicas
  double bubble_us = 0;     ///< pipeline fills and drains
  double optimizer_us = 0;  ///< weight update
  double launch_us = 0;     ///< the accelerator waits for the host to launch kernels
  double straggler_us = 0;  ///< waiting for the slowest replica

  double total_us() const {
    return compute_us + recompute_us + tensor_us + context_us + expert_us + pipeline_us + data_us +
           bubble_us + optimizer_us + launch_us + straggler_us;
  }
};

/// How a layout's pipeline runs; whole numbers.
struct PipelinePlan {
  PipelineSchedule schedule = PipelineSchedule::one_f_one_b;
  double stages = 1;
  double virtual_stages = 1;
  double micro_batches = 1;
  StageLayers layers;
  double transfer_us = 0;         ///< one activation or gradient from stage to stage
  double replica_nodes = 1;       ///< nodes that hold replicas of the same parameters
  bool training = true;           ///< whether there is a backward pass
  bool overlap_data = true;       ///< whether replicas exchange during the last backward pass
  double overlap_scale = 1;       ///< factor on what can be hidden
  double sync_us = 0;             ///< host and device wait for each other at a boundary
  double straggler_share = 0;     ///< of straggling, for one standard deviation
  double data_overlap_share = 0;  ///< of gradient traffic that can be hidden
};

/// The parts of a step. Cheap: a search calls it for every layout.
StepParts step_parts(const LayerTime& layer, const HeadTime& head, const UpdateTime& update,
                     const PipelinePlan& plan);

/// Time of one activation between two stages, us; no time with one stage.
double hop_us(const Setting& setting, const Machine& machine, const Pricing& pricing);

/// Nodes among which the replicas of one rank's parameters are spread.
double replica_nodes(const Layout& layout, const Machine& machine);

}  // namespace commcost
