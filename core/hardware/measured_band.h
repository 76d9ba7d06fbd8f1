#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/hardware/accelerators.h"
#include "core/hardware/basis.h"

namespace commcost {

/// The kind of runs that a step is judged with.
enum class RunKind {
  dense,
  experts,
  staged,  ///< dense on several stages, in a stack where a tenth and more of such runs stall, by a second and
           ///< more a micro-batch, and no input tells which: a class of its own, with a wide band
};
inline constexpr std::string_view run_kind_names[] = {"dense", "experts", "staged"};

/// The largest values among runs, in the fields of `reach_fields`: a step beyond them is unlike any run.
using Reach = std::array<double, 10>;
inline constexpr std::string_view reach_fields[] = {
    "cluster_gpus",     "sequence_length", "num_experts", "tensor_parallel", "pipeline_parallel",
    "context_parallel", "expert_parallel", "zero_stage",  "hidden_size",     "num_layers"};

/// Of one class of measured steps, ln(predicted / measured) on left-out sources or models, each series (a
/// source, model and precision) weighing the same.
struct SeriesErrors {
  int series;
  int runs;
  double median_percent;  ///< of the absolute errors
  double tenth;
  double middle;
  double nine_tenths;
};

/// Measured steps that are judged together: of one stack on one accelerator, of one kind.
struct MeasuredClass {
  std::string_view recipe;
  std::string_view accelerator;
  Generation generation;  ///< of that accelerator
  RunKind kind;
  SeriesErrors errors;
  Reach most;
};

/// Of a table of at most 64 classes, one bit each.
using ClassSet = std::uint64_t;

/// How far off predictions were on held-out measured steps.
struct StepBand {
  Basis basis = Basis::estimated;
  double measured_series = 0;         ///< of its classes
  double measured_runs = 0;           ///< of its classes
  double stack_runs = 0;              ///< of these, the stack's, on any accelerator
  double own_runs = 0;                ///< of these, the stack's on this accelerator, of any kind
  double measured_error_percent = 0;  ///< median of the absolute errors
  double low = 1;                     ///< factor on a prediction: a tenth of the runs is faster
  double high = 1;                    ///< a tenth is slower
  ClassSet classes = 0;               ///< that it is made of, by place in their table
  unsigned beyond =
      0;  ///< fields of `reach_fields` in which the step exceeds every run of its stack, a bit each
};

/// A step whose band is wanted.
struct JudgedStep {
  std::string_view recipe;         ///< id; empty: none
  const Accelerator& accelerator;  ///< on which it runs
  RunKind kind = RunKind::dense;
  Reach at{};
};

/// The band by the nearest classes: the stack's on this accelerator, and if these are few, those on its
/// generation, of its vendor, and of all stacks as well; shifted by the little evidence there is, wider with
/// distance, and at least `least_spread` to either side, in ln. If the stack ran neither on that generation
/// nor in a few series on any of its vendor's, it is `unmeasured`, as wide with distance as stacks of which
/// nothing was known turned out to be.
StepBand nearest_band(std::span<const MeasuredClass> table, const JudgedStep& step, double least_spread = 0,
                      const SeriesErrors* unmeasured = nullptr);

/// Names of the inputs in which a step goes beyond any run, separated by commas.
std::string beyond_names(const StepBand& band);

}  // namespace commcost
