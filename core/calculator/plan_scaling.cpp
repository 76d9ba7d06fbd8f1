#include <cmath>
#include <vector>

#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"
#include "core/calculator/plan_fields.h"
#include "core/calculator/plan_row.h"
#include "core/plan/gpu_counts.h"
#include "core/plan/scaling.h"
#include "core/plan/search_memory.h"

namespace commcost::calculations {
namespace plan_scaling_table {

/// The search at each number of GPUs, and the rows that are known already.
struct PlanScalingInputs : PlanInputs {
  Value::Numbers gpu_counts;
  Value::Numbers known_step_time_ms;
  std::int64_t searches = 0;
};

/// The best layout at one number of GPUs.
struct PlanScalingRow {
  double cluster_gpus = 1;
  bool possible = false;
  double step_time_ms = 0;
  double deficit_gib = 0;
  double searched = 0;
  ScalingGain gain;
  std::vector<PlanRow> layout;
};

/// What a search over numbers of GPUs finds.
struct PlanScalingResults {
  Value::Numbers gpu_counts;
  double fits_from_gpus = 0;
  std::vector<PlanScalingRow> rows;
};

using Inputs = PlanScalingInputs;
using Results = PlanScalingResults;

constexpr double most_counts = 64;

constexpr InputField scaling_fields[] = {
    numbers<&Inputs::gpu_counts>(0, most_counts,
                                 "Numbers of GPUs to compare, ascending; none: cluster_gpus, halved down to "
                                 "1 and doubled up to 16 times")
        .in("GPUs")
        .or_default(0),
    numbers<&Inputs::known_step_time_ms>(
        0, most_counts,
        "Known step times of the first of them, 0 where nothing fits: the search continues after them")
        .or_default(0),
    whole<&Inputs::searches>(0, most_counts, "Numbers of GPUs to search in this call; 0: all that are left")
        .or_default(0),
};

constexpr FieldGroup own_groups[] = {group<Inputs>(scaling_fields)};
constexpr auto groups = joined(machine_groups<Inputs>, host_groups<Inputs>, plan_groups<Inputs>, own_groups);

constexpr ResultField gain_columns[] = {
    result<&ScalingGain::speedup>("Speed-up over the fewest GPUs that the model fits on"),
    result<&ScalingGain::efficiency>("Efficiency: speed-up over the ratio of GPUs"),
    result<&ScalingGain::linear_step_time_ms>("Step time if every GPU brought as much as on the fewest GPUs"),
    result<&ScalingGain::marginal_efficiency>(
        "Throughput of each added GPU, as a share of that of a GPU before"),
    result<&ScalingGain::pays>("Whether each added GPU brings at least half as much as a GPU before"),
    result<&ScalingGain::on_pareto_front>("Whether no smaller number of GPUs is as fast"),
};

constexpr ResultField scaling_row_columns[] = {
    whole_result<&PlanScalingRow::cluster_gpus>("GPUs, all of them used"),
    result<&PlanScalingRow::possible>("Whether any layout fits in memory"),
    result<&PlanScalingRow::step_time_ms>("The best layout's step; 0 where none fits"),
    result<&PlanScalingRow::deficit_gib>("Memory that the smallest layout lacks"),
    whole_result<&PlanScalingRow::searched>("Layouts in the space; 0 where the GPUs cannot be divided")
        .in("layouts"),
    object_result<&PlanScalingRow::gain>(gain_columns, "Gain from the extra GPUs; all 0 if nothing fits"),
    rows_result<&PlanScalingRow::layout>(plan_row_columns, "The best layout, where one fits"),
};

constexpr ResultField results[] = {
    result<&Results::gpu_counts>("The numbers of GPUs to compare, all of them").in("GPUs"),
    whole_result<&Results::fits_from_gpus>("The smallest of these numbers on which a layout fits; if there "
                                           "is none, the first doubling that does; 0: not known"),
    rows_result<&Results::rows>(scaling_row_columns, "The numbers searched in this call, ascending"),
};

// Every problem of the counts and of the rows that are known for them.
Problems count_problems(const Value::Numbers& counts, const Value::Numbers& known) {
  Problems problems;
  double before = 0;
  for (const double count : counts) {
    if (count > before && count <= most_gpus && count == std::floor(count)) {
      before = count;
      continue;
    }
    problems.push_back({"gpu_counts", ProblemCode::out_of_range,
                        "gpu_counts must be ascending whole numbers from 1 to " + text_of(most_gpus) +
                            "; got " + text_of(count) + " after " + text_of(before),
                        "ascending whole numbers from 1 to " + text_of(most_gpus)});
    break;
  }
  if (known.size() > counts.size()) {
    problems.push_back({"known_step_time_ms", ProblemCode::inconsistent,
                        "known_step_time_ms must hold at most one time for each of gpu_counts (" +
                            text_of(static_cast<double>(counts.size())) + "); got " +
                            text_of(static_cast<double>(known.size())),
                        "at most " + text_of(static_cast<double>(counts.size())) + " numbers"});
  }
  for (const double time : known) {
    if (time >= 0) continue;
    problems.push_back({"known_step_time_ms", ProblemCode::out_of_range,
                        "known_step_time_ms must not be negative; got " + text_of(time),
                        "numbers of at least 0"});
    break;
  }
  return problems;
}

PlanScalingRow searched_at(PlanInputs inputs, double cluster_gpus, std::span<const CountedStep> before,
                           const SharedPrices& prices) {
  inputs.job.layout.cluster_gpus = static_cast<std::int64_t>(cluster_gpus);
  LayoutSearch search(inputs.for_best(), prices);
  search.finish();
  PlanScalingRow row;
  row.cluster_gpus = cluster_gpus;
  row.possible = !search.best().empty();
  row.searched = search.counts().layouts;
  row.deficit_gib = search.deficit_gib();
  if (row.possible) {
    row.step_time_ms = search.best().front().step_time_ms;
    row.layout.push_back(plan_row(inputs, search, search.best().front()));
  }
  row.gain = scaling_gain(before, {cluster_gpus, row.step_time_ms});
  return row;
}

// The first number of GPUs that a layout fits on, among `counted`, which are the first of `counts` or all of
// them; if all are counted and none fits, the first of their doubles.
double fits_from(PlanInputs inputs, std::span<const CountedStep> counted, std::size_t counts,
                 const SharedPrices& prices) {
  for (const CountedStep& one : counted) {
    if (one.step_time_ms > 0) return one.cluster_gpus;
  }
  if (counted.size() < counts) return 0;
  for (double more = 2 * counted.back().cluster_gpus; more <= most_gpus; more *= 2) {
    inputs.job.layout.cluster_gpus = static_cast<std::int64_t>(more);
    LayoutSearch search(inputs.for_best(), prices);
    search.finish();
    if (!search.best().empty()) return more;
  }
  return 0;
}

Outcome<Results> compute(const Inputs& inputs, SearchMemory& memory) {
  Problems problems = plan_problems(inputs);
  Results found;
  found.gpu_counts = inputs.gpu_counts;
  if (found.gpu_counts.empty()) {
    for (const std::int64_t count :
         gpu_counts(inputs.job.layout.cluster_gpus, inputs.job.machine.gpus_per_node,
                    static_cast<std::int64_t>(most_gpus)))
      found.gpu_counts.push_back(static_cast<double>(count));
  }
  const Problems more = count_problems(found.gpu_counts, inputs.known_step_time_ms);
  problems.insert(problems.end(), more.begin(), more.end());
  if (!problems.empty()) return problems;

  std::vector<CountedStep> before;
  for (const double time : inputs.known_step_time_ms)
    before.push_back({found.gpu_counts[before.size()], time});
  const std::size_t left = found.gpu_counts.size() - before.size();
  const auto wanted = static_cast<std::size_t>(inputs.searches);
  const SharedPrices& prices = memory.prices(inputs);
  for (std::size_t at = 0; at < (wanted == 0 ? left : std::min(wanted, left)); ++at) {
    found.rows.push_back(searched_at(inputs, found.gpu_counts[before.size()], before, prices));
    before.push_back({found.rows.back().cluster_gpus, found.rows.back().step_time_ms});
  }
  found.fits_from_gpus = fits_from(inputs, before, found.gpu_counts.size(), prices);
  return found;
}

constexpr Calculation table = unswept_calculation<Inputs, Results, compute, results>(
    "plan_scaling", "The best layout at each number of GPUs, and the gain from more GPUs", groups);

}  // namespace plan_scaling_table

const Calculation plan_scaling = plan_scaling_table::table;

}  // namespace commcost::calculations
