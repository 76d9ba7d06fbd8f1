#pragma once

#include <optional>

#include "core/base/kept.h"
#include "core/parallel/job_pricer.h"
#include "core/training/step_facts.h"
#include "core/training/step_time.h"

namespace commcost {

/// What one step leaves for the next, which mostly differs in an input or two: whatever depends on none of
/// these is neither rebuilt nor repriced.
class StepMemo {
 public:
  StepMemo() = default;
  StepMemo(const StepMemo&) = delete;
  StepMemo& operator=(const StepMemo&) = delete;

  /// Switches to a completed job; returns whether it can run. The rest is about that job, until the next one.
  bool take(const Job& job, const MachineScales& scales);

  const StepModel& model() const { return *model_; }
  /// Kernel times of the job.
  const StepCompute& compute();
  /// What its step is made of.
  const StepLists& lists();
  const StepFacts& facts();
  /// What one of its distinct stages sends.
  const std::vector<DimensionBytes>& sent(std::size_t at);

  /// How often the rates of kernels were looked up, which is most of the work of building a model.
  int models_built() const { return models_built_; }
  /// How often memory, groups and bubbles were computed, which do not depend on the speed of links.
  int facts_found() const { return facts_found_; }

 private:
  // What the kernels of a micro-batch depend on besides their rates.
  struct Computed {
    ModelShape model;
    Work work;
    RankShare share;

    bool operator==(const Computed&) const = default;
  };

  Job job_;
  MachineScales scales_;
  KernelRates rates_;
  std::optional<StepModel> model_;
  bool remembers_ = false;
  Kept<Computed, StepCompute> compute_;
  std::optional<StepLists> lists_;
  std::optional<StepFacts> facts_;
  int models_built_ = 0;
  int facts_found_ = 0;
};

}  // namespace commcost
