#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/calculator/calculation.h"

namespace commcost {

namespace calculations {
extern const Calculation tensor_parallel_allreduce_cost;
extern const Calculation check_answers;
extern const Calculation draw_exercise;
extern const Calculation pose_exercise;
extern const Calculation collective_cost;
extern const Calculation collective_schedule;
extern const Calculation collective_timeline;
extern const Calculation collective_crossovers;
extern const Calculation collective_catalog;
extern const Calculation communication_ledger;
extern const Calculation model_sizes;
extern const Calculation overlap_ratio;
extern const Calculation layer_timeline;
extern const Calculation kernel_time;
extern const Calculation host_copy_time;
extern const Calculation layer_roofline;
extern const Calculation partition_schemes;
extern const Calculation hardware_catalog;
extern const Calculation model_catalog;
extern const Calculation recipe_catalog;
extern const Calculation read_model_config;
extern const Calculation model_remarks;
extern const Calculation predict_collective;
extern const Calculation fit_collective;
extern const Calculation measurements;
extern const Calculation training_step;
extern const Calculation fit_step;
extern const Calculation read_training_log;
extern const Calculation serving_step;
extern const Calculation serving_roofline;
extern const Calculation serving_load;
extern const Calculation read_benchmark;
extern const Calculation fit_serving;
extern const Calculation plan_serving;
extern const Calculation plan_goodput;
extern const Calculation project_scaling;
extern const Calculation data_or_tensor;
extern const Calculation overlap_gain;
extern const Calculation trace_breakdown;
extern const Calculation read_gpu_samples;
extern const Calculation diagnose;
extern const Calculation plan;
extern const Calculation plan_scaling;
extern const Calculation plan_machines;
extern const Calculation export_layout;
extern const Calculation export_deployment;
extern const Calculation read_arguments;
extern const Calculation bandwidth_conversions;
}  // namespace calculations

/// The parts of the WebAssembly module, each after those it depends on: the first, which lets the page show
/// what tensor parallelism costs; those behind one calculation or view; those that several share (`pass`, a
/// layer's work and what it keeps; `steps`, a priced step); the one that runs a calculation at many points
/// (`sweep`); and the rest, which loads last.
enum class ModulePart : std::int32_t {
  first,
  network,
  measured,
  schedule,
  rounds,
  practice,
  pass,
  layer,
  sizes,
  steps,
  serving,
  training,
  scaling,
  overlap,
  sweep,
  rest,
};

/// Which part a calculation of the table is loaded with.
ModulePart part_of(const Calculation& calculation);

/// Every calculation that takes its own inputs; `sweep` and `describe` work on these.
std::span<const Calculation* const> all_calculations();

/// The calculation's input fields by name.
const FieldIndex& fields_of(const Calculation& calculation);

/// The calculation of that name, or null.
const Calculation* find_calculation(std::string_view name);

}  // namespace commcost
