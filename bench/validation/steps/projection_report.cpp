#include "bench/validation/steps/projection_report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "bench/validation/scoreboard.h"
#include "bench/validation/statistics.h"
#include "core/base/units.h"
#include "core/network/gpu_group.h"
#include "core/network/predict.h"
#include "core/textbook/scaling_projection.h"

namespace commcost::validation::steps {
namespace {

constexpr double message_bytes = 256 * mib;  // large, as gradients are when reduced

double bus_bandwidth(const PublishedRun& run, double gpus) {
  const Machine machine = completed(run.job.machine);
  const GpuGroup group =
      group_of(accelerator_of(machine).fabric, gpus, static_cast<double>(machine.gpus_per_node),
               machine.nic_gb_per_sec, static_cast<NetworkKind>(machine.network), machine.launch);
  return predictor_of(group, Collective::all_reduce).at(message_bytes).bus_bandwidth_gb_per_sec;
}

// A pair of runs, and what one is projected from.
struct Pair {
  const PublishedRun* few;
  const PublishedRun* many;
  ScalingInputs inputs;
};

struct Projected {
  double projected = 0;  ///< throughput of a GPU on many over that on few
  double simulated = 0;  ///< the same by predicting both steps
  double measured = 0;
};

ScalingInputs inputs_of(const PublishedRun& few, const PublishedRun& many) {
  const StepParts& parts = few.step->parts;
  const double communication =
      parts.tensor_us + parts.context_us + parts.expert_us + parts.pipeline_us + parts.data_us;
  ScalingInputs inputs;
  inputs.communication_share = communication / parts.total_us();
  inputs.compute_share = 1 - inputs.communication_share;
  inputs.from_gpus = few.gpus;
  inputs.to_gpus = many.gpus;
  inputs.from_bus_bandwidth_gb_per_sec = bus_bandwidth(few, few.gpus);
  inputs.to_bus_bandwidth_gb_per_sec = bus_bandwidth(many, many.gpus);
  return inputs;
}

Projected project(const PublishedRun& few, const PublishedRun& many) {
  const Outcome<ScalingProjection> projection = project_scaling(inputs_of(few, many));
  return {projection ? projection->speedup : 0, few.step->step_time_ms / many.step->step_time_ms,
          few.measured_ms / many.measured_ms};
}

constexpr Column<Pair> pair_columns[] = {
    {"source", [](const Pair& row) { return quoted(row.few->source); }},
    {"stack", [](const Pair& row) { return quoted(row.few->family); }},
    {"model", [](const Pair& row) { return quoted(row.few->model); }},
    {"accelerator", [](const Pair& row) { return std::string(accelerator_of(row.few->job.machine).id); }},
    {"layout", [](const Pair& row) { return quoted(layout_of(*row.many)); }},
    {"gpus_per_node", [](const Pair& row) { return std::to_string(row.few->job.machine.gpus_per_node); }},
    {"from_gpus", [](const Pair& row) { return digits(row.inputs.from_gpus); }},
    {"to_gpus", [](const Pair& row) { return digits(row.inputs.to_gpus); }},
    {"compute_share", [](const Pair& row) { return digits(row.inputs.compute_share); }},
    {"communication_share", [](const Pair& row) { return digits(row.inputs.communication_share); }},
    {"from_bus_bandwidth_gb_per_sec",
     [](const Pair& row) { return digits(row.inputs.from_bus_bandwidth_gb_per_sec); }},
    {"to_bus_bandwidth_gb_per_sec",
     [](const Pair& row) { return digits(row.inputs.to_bus_bandwidth_gb_per_sec); }},
    {"measured", [](const Pair& row) { return digits(row.few->measured_ms / row.many->measured_ms); }},
    {"predicted",
     [](const Pair& row) { return digits(row.few->step->step_time_ms / row.many->step->step_time_ms); }},
};

}  // namespace

void print_projection_table(const std::vector<WeakScaling>& series) {
  std::vector<Pair> rows;
  for (const WeakScaling& one : series) {
    for (const PublishedRun* many : one) {
      if (many == one.front()) continue;
      const ScalingInputs inputs = inputs_of(*one.front(), *many);
      if (project_scaling(inputs)) rows.push_back({one.front(), many, inputs});
    }
  }
  print_scoreboard<Pair>(pair_columns, rows);
}

void print_projection(const std::vector<WeakScaling>& series) {
  std::vector<double> projected[2];  // of series that begin on one node, and on several
  std::vector<double> simulated[2];
  for (const WeakScaling& one : series) {
    const PublishedRun& few = *one.front();
    const int several = few.gpus > static_cast<double>(few.job.machine.gpus_per_node) ? 1 : 0;
    for (const PublishedRun* many : one) {
      if (many == &few) continue;
      const Projected at = project(few, *many);
      if (at.projected <= 0) continue;
      projected[several].push_back(std::pow(at.projected - at.measured, 2));
      simulated[several].push_back(std::pow(at.simulated - at.measured, 2));
    }
  }
  std::printf(
      "\nMany GPUs projected from few: shares of the few's step, and the network's efficiency (ExaComm'24: "
      "mean "
      "squared error below 2 %%)\n");
  for (const int several : {0, 1}) {
    std::printf(
        "  from %-13s %3d points: mean squared error %5.2f %% projected, %5.2f %% where each step is "
        "predicted\n",
        several ? "several nodes" : "one node", static_cast<int>(projected[several].size()),
        100 * mean(projected[several]), 100 * mean(simulated[several]));
  }
  constexpr double claimed_percent = 2;
  const bool holds = 100 * std::max(mean(projected[0]), mean(projected[1])) < claimed_percent;
  std::printf("  The claim %s on these %d series; predicting each step itself comes closer %s.\n",
              holds ? "holds" : "does not hold", static_cast<int>(series.size()),
              mean(simulated[0]) < mean(projected[0]) && mean(simulated[1]) < mean(projected[1])
                  ? "in both cases"
                  : "not always");
}

}  // namespace commcost::validation::steps
