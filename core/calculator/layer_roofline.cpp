#include "core/training/layer_roofline.h"

#include "core/calculator/calculations.h"
#include "core/calculator/common_fields.h"
#include "core/calculator/job_fields.h"
#include "core/calculator/level_columns.h"
#include "core/calculator/machine_fields.h"
#include "core/calculator/roofline_columns.h"
#include "core/parallel/job_problems.h"

namespace commcost::calculations {
namespace layer_roofline_table {

/// What layer_roofline takes.
struct RooflineInputs {
  Job job;
};

/// What layer_roofline gives.
struct RooflineResults : LayerRoofline {
  std::vector<LevelTraffic> levels;
  double tile_rows = 0;
  double tile_columns = 0;
  double tile_register_bytes = 0;
};

using Inputs = RooflineInputs;
using Results = RooflineResults;

// One layer, one micro-batch, one rank.
constexpr auto rank_work_fields =
    picked(work_fields, {"sequence_length", "batch_size", "bytes_per_element", "matmul_precision"});
constexpr auto rank_layout_fields =
    picked(layout_fields, {"tensor_parallel", "sequence_parallel", "context_parallel", "data_parallel",
                           "expert_parallel", "expert_tensor_parallel"});
constexpr auto rank_recipe_work_fields =
    picked(recipe_work_fields, {"flash_attention", "dropout", "grouped_experts", "fp8_scaling"});
constexpr auto rank_stack_fields =
    picked(stack_fields, {"gemm_time_scale", "grouped_gemm_time_scale", "attention_time_scale",
                          "flash_attention_2", "elementwise_time_scale", "time_scale"});
constexpr auto rank_accelerator_field = picked(system_machine_fields, {"accelerator"});
constexpr auto rank_rate_fields = picked(rate_fields, {"hbm_gb_per_sec", "peak_tflops"});

constexpr FieldGroup groups[] = {
    of_job<Inputs, &Job::machine>(system_field),      of_job<Inputs, &Job::machine>(rank_accelerator_field),
    of_job<Inputs, &Job::machine>(rank_rate_fields),  of_job<Inputs, &Job::machine>(host_fields),
    of_job<Inputs, &Job::machine>(file_fields),       of_job<Inputs>(training_recipe_field),
    of_job<Inputs, &Job::model>(model_field),         of_job<Inputs, &Job::model>(model_shape_fields),
    of_job<Inputs, &Job::work>(rank_work_fields),     of_job<Inputs, &Job::work>(rank_recipe_work_fields),
    of_job<Inputs, &Job::layout>(rank_layout_fields), of_job<Inputs, &Job::stack>(rank_stack_fields),
};

constexpr auto product_results = std::to_array<ResultField>({
    choice_result<&Results::longest>(roofline_kernel_names,
                                     "The operation with the longest product, not counting experts"),
    whole_result<&Results::tile_rows>(
        "Rows of that product's output that one multiprocessor computes at once"),
    whole_result<&Results::tile_columns>("Columns of that output that it computes at once"),
    whole_result<&Results::tile_register_bytes>("Registers that the tile's sums take, in 32 bits").in("B"),
    rows_result<&Results::levels>(level_columns, "Bytes that this product moves out of each level of memory"),
});
constexpr auto results = joined(roofline_results<Results>, product_results);

Outcome<Results> compute(const Inputs& inputs) {
  const Job job = completed(inputs.job);
  if (!can_run(job)) return problems_of(job);
  Results all;
  static_cast<LayerRoofline&>(all) = commcost::layer_roofline(job);
  all.levels.assign(all.traffic.levels.begin(), all.traffic.levels.end());
  all.tile_rows = all.traffic.tile_rows;
  all.tile_columns = all.traffic.tile_columns;
  all.tile_register_bytes = all.traffic.tile_register_bytes;
  return all;
}

constexpr Calculation table = unswept_calculation<Inputs, Results, compute, results>(
    "layer_roofline", "One layer's kernels against the GPU's matrix peak and its memory", groups);

}  // namespace layer_roofline_table

const Calculation layer_roofline = layer_roofline_table::table;

}  // namespace commcost::calculations
