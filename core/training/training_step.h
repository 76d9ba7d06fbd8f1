#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/outcome.h"
#include "core/hardware/machine.h"
#include "core/parallel/memory.h"
#include "core/training/pipeline_timeline.h"
#include "core/training/step_band.h"
#include "core/training/step_memo.h"
#include "core/training/step_time.h"

namespace commcost {

/// A step of a job that trains (mode training).
struct TrainingStepInputs {
  Job job;
  MachineScales scales = {};   ///< factors on the machine, for what-if questions
  double token_budget = 1e12;  ///< of the whole training run
  bool elasticities = false;   ///< whether to compute them: seven steps more
  bool timeline = false;       ///< whether to draw the pipeline
};

/// Traffic of one dimension in a step, per GPU of the stage that the step is timed on. Sequence and
/// vocabulary count as tensor.
struct DimensionTraffic {
  Dimension dimension = Dimension::tensor;
  double scale_up_bytes = 0;      ///< over the links of the node
  double network_bytes = 0;       ///< between nodes
  double exposed_ms = 0;          ///< that the step waits for
  double step_share_percent = 0;  ///< exposed, of the step
};

/// How the step's time changes with one property of the machine: d ln(time) / d ln(property), mostly
/// negative.
struct Elasticities {
  double link = 0;
  double network = 0;
  double latency = 0;
  double matmul = 0;
  double hbm = 0;
  double launch = 0;
  double overlap = 0;
};

/// Time and memory of a step.
struct TrainingStep {
  double step_time_ms = 0;
  double step_time_low_ms = 0;        ///< a tenth of the class's measured steps is faster
  double step_time_high_ms = 0;       ///< a tenth is slower
  Basis basis = Basis::estimated;     ///< of that band
  RunKind run_kind = RunKind::dense;  ///< that it is judged among
  double measured_series = 0;         ///< that the band rests on: source x model x precision
  double measured_runs = 0;           ///< of these series
  double measured_error_percent = 0;  ///< their median error
  ClassSet band_classes = 0;          ///< which these are, by place in measured_step_classes()
  std::string beyond_runs;            ///< inputs that go beyond any published run of the stack
  double memory_gib = 0;              ///< of the fullest GPU
  double memory_available_gib = 0;
  double host_bytes = 0;  ///< of host memory, for that GPU
  bool fits = false;      ///< whether the GPU has that memory
  double mfu_percent = 0;
  double hfu_percent = 0;
  double model_tflops_per_gpu = 0;  ///< a second: the FLOPs that MFU counts
  double tokens_per_sec_per_gpu = 0;
  double training_days = 0;  ///< of the whole run
  double cluster_gpus = 0;
  double micro_batches = 0;             ///< of a replica in a step
  StagePlace stage = StagePlace::only;  ///< that takes longest: parts and traffic are those of this stage
  StepParts parts;
  double all_hidden_ms = 0;                        ///< if all communication were hidden
  double none_hidden_ms = 0;                       ///< if none were
  double tensor_bandwidth_to_hide_gb_per_sec = 0;  ///< one way, per GPU: as long as the layer's compute
  double data_bandwidth_to_hide_gb_per_sec = 0;    ///< one way, per GPU: as long as the last backward pass
  double bubble_percent = 0;                       ///< of the step
  StepMemory memory;
  Elasticities elasticities;
  std::vector<DimensionTraffic> traffic;
  PipelineTimeline timeline;        ///< of the stages, where it is asked for
  bool stack_checked = false;       ///< whether the stack's rules are known
  std::string_view stack_rule;      ///< that the layout breaks, to follow the stack's name; empty: it can run
  std::vector<Assumption> assumed;  ///< about the machine; empty where the layout stays in one domain
};

/// The step, or every problem of its layout. A step that does not fit is still answered, with fits = false.
Outcome<TrainingStep> training_step(const TrainingStepInputs& inputs);
/// The same, using what the steps before left, and leaving it for the next.
Outcome<TrainingStep> next_training_step(const TrainingStepInputs& inputs, StepMemo& memo);

/// Time and memory alone, for a job without problems: what the search computes for each layout.
struct StepSummary {
  StepParts parts;
  StepMemory memory;
};
StepSummary step_summary(const Job& job, const MachineScales& scales = {});

}  // namespace commcost
