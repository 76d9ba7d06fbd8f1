#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnosis/loss_cause.h"
#include "core/diagnosis/measured_run.h"
#include "core/diagnosis/network_verdict.h"
#include "core/diagnosis/step_series.h"
#include "core/training/training_step.h"

namespace commcost {

/// The verdict on a run.
enum class RunVerdict {
  nothing_measured,
  as_expected,       ///< within the band, with no cause
  explained,         ///< causes account for the extra time, to within 5 % of the step
  partly_explained,  ///< causes account for some of it
  unexplained,       ///< it takes longer than the band, with no cause
  faster,            ///< it takes less than the band
};
inline constexpr std::string_view run_verdict_names[] = {"nothing_measured", "as_expected", "explained",
                                                         "partly_explained", "unexplained", "faster"};

/// How sure a cause is.
enum class LossConfidence { low, medium, high };
inline constexpr std::string_view loss_confidence_names[] = {"low", "medium", "high"};

/// What the evidence of a loss measures.
enum class LossEvidence {
  kernels,   ///< a kernel's time in a step
  messages,  ///< a group's messages in a step
  pauses,    ///< a GPU's idle time in a step
  ranks,     ///< a GPU's compute against another's
  clocks,    ///< a GPU's clock against its greatest
  steps,     ///< single steps of a log
  what_if,   ///< the step predicted with what another file says about the machine
};
inline constexpr std::string_view loss_evidence_names[] = {"kernels", "messages", "pauses", "ranks",
                                                           "clocks",  "steps",    "what_if"};

/// Time that a step takes longer than it should, and why.
struct NamedLoss {
  LossCause cause = LossCause::slow_matmuls;
  double loss_ms = 0;        ///< of a step
  double share_percent = 0;  ///< of the measured step
  LossConfidence confidence = LossConfidence::medium;
  std::string_view title;
  LossEvidence evidence = LossEvidence::kernels;
  std::string where;    ///< a kernel, a group, a GPU, or a step by its number
  double measured = 0;  ///< of that, ms a step; of clocks MHz
  double expected = 0;
  double ratio = 0;        ///< measured over expected; 0: almost nothing is expected
  std::string_view rival;  ///< a cause that the evidence cannot distinguish from it; empty: none
  std::string_view command;
};

/// What another file would reveal.
enum class MissingFile {
  training_log,
  profile,
  profiles_of_ranks,
  profiles_of_stages,
  network_log,
  gpu_samples
};
inline constexpr std::string_view missing_file_names[] = {
    "training_log", "profile", "profiles_of_ranks", "profiles_of_stages", "network_log", "gpu_samples"};

/// A run compared with the prediction for its job: measured_ms = expected_ms + losses + unexplained_ms.
struct RunDiagnosis {
  RunVerdict verdict = RunVerdict::nothing_measured;
  double measured_ms = 0;
  double expected_ms = 0;
  double expected_low_ms = 0;
  double expected_high_ms = 0;
  double unexplained_ms = 0;
  double mfu_percent = 0;         ///< as measured; 0: not measured
  double memory_gib = 0;          ///< of the fullest GPU, predicted
  bool fits = false;              ///< whether the GPU has that memory
  std::string_view measured_by;   ///< training_log, profile or nothing
  std::vector<NamedLoss> losses;  ///< the largest first
  std::vector<LossCause>
      consistent_with;  ///< possible causes of the unexplained part, where there is no profile
  std::vector<MissingFile> missing;
  StepSeries series;
  std::vector<NetworkFinding> networks;
  std::vector<CalibratedPart> parts;
};

/// Of a completed job without problems.
RunDiagnosis diagnosis_of(const TrainingStepInputs& inputs, const MeasuredRun& run);

}  // namespace commcost
