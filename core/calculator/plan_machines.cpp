#include <string>
#include <vector>

#include "core/calculator/calculations.h"
#include "core/calculator/plan_fields.h"
#include "core/calculator/plan_row.h"
#include "core/calculator/row_inputs.h"
#include "core/plan/ties.h"

namespace commcost::calculations {
namespace plan_machines_table {

/// The search, and the machines to compare with the job's own; as a row: the search on that machine.
struct PlanMachinesInputs : PlanInputs {
  Value machines;
};

/// The best layout on one machine.
struct PlanMachinesRow {
  bool possible = false;
  double deficit_gib = 0;
  bool tie = false;
  double worth = 0;
  std::vector<PlanRow> layout;
};

/// One row for each machine.
struct PlanMachinesResults {
  std::vector<PlanMachinesRow> rows;
};

using Inputs = PlanMachinesInputs;
using Results = PlanMachinesResults;

constexpr double most_machines = 16;

constexpr InputField machines_field[] = {
    list<&Inputs::machines>(1, most_machines,
                            "Machines to compare with the job's own: for each, an object with the machine "
                            "inputs, cluster_gpus and price_per_gpu_hour that differ"),
};
constexpr auto price_field = picked(plan_fields, {"price_per_gpu_hour"});

constexpr FieldGroup own_groups[] = {group<Inputs>(machines_field)};
constexpr FieldGroup own_row_groups[] = {of_job<Inputs, &Job::layout>(plan_layout_fields),
                                         group<Inputs, PlanInputs>(price_field)};
constexpr auto groups = joined(machine_groups<Inputs>, host_groups<Inputs>, plan_groups<Inputs>, own_groups);
constexpr auto row_groups = joined(machine_groups<Inputs>, host_groups<Inputs>, own_row_groups);
constexpr RowWords row_words{"a row of machines", "inputs of a machine, cluster_gpus and price_per_gpu_hour"};

constexpr ResultField row_columns[] = {
    result<&PlanMachinesRow::possible>("Whether any layout fits in memory"),
    result<&PlanMachinesRow::deficit_gib>("Memory that the smallest layout lacks"),
    result<&PlanMachinesRow::tie>(
        "Whether its best step takes the same GPU-hours as the first machine's, within noise"),
    result<&PlanMachinesRow::worth>("Price of its GPU-hour, relative to the first machine's, at which the "
                                    "run costs the same on both; 0 where nothing fits on one of them"),
    rows_result<&PlanMachinesRow::layout>(plan_row_columns, "The best layout, where one fits"),
};

constexpr ResultField results[] = {
    rows_result<&Results::rows>(row_columns, "The job's own machine, then the others in their order"),
};

// A row that names a system is a new machine altogether; one that names an accelerator keeps the job's nodes
// and network.
Machine before_row(const Machine& own, const Value& row) {
  if (row.find("system") != nullptr) return {};
  if (row.find("accelerator") == nullptr) return own;
  Machine other;
  other.gpus_per_node = own.gpus_per_node;
  other.nic_gb_per_sec = own.nic_gb_per_sec;
  other.network = own.network;
  return other;
}

// The search on each machine, the job's own first, or every problem of all.
Outcome<std::vector<PlanInputs>> searches(const Inputs& inputs) {
  static const FieldIndex fields(row_groups);
  std::vector<PlanInputs> all{inputs};
  Problems problems = plan_problems(inputs);
  const bool alone_well = problems.empty();
  for (const Value& row : *inputs.machines.list()) {
    const std::string name = row_name("machines", all.size() - 1);
    Inputs other;
    static_cast<PlanInputs&>(other) = inputs;
    other.job.machine = before_row(inputs.job.machine, row);
    Problems own = read_row(name, row, fields, row_words, &other);
    // A problem of the job itself is reported once.
    if (own.empty() && alone_well)
      for (Problem& problem : plan_problems(other)) own.push_back(within(name, std::move(problem)));
    problems.insert(problems.end(), own.begin(), own.end());
    all.push_back(other);
  }
  if (!problems.empty()) return problems;
  return all;
}

PlanMachinesRow searched(const PlanInputs& inputs) {
  LayoutSearch search(inputs.for_best());
  search.finish();
  PlanMachinesRow row;
  row.possible = !search.best().empty();
  row.deficit_gib = search.deficit_gib();
  if (row.possible) {
    row.layout.push_back(plan_row(inputs, search, search.best().front()));
  }
  return row;
}

// Of all GPUs together, for a step.
double gpu_time_ms(const PlanRow& row, const PlanInputs& inputs) {
  return row.step_time_ms * static_cast<double>(inputs.job.layout.cluster_gpus);
}

Outcome<Results> compute(const Inputs& inputs) {
  const Outcome<std::vector<PlanInputs>> all = searches(inputs);
  if (!all) return all.problems();
  Results found;
  for (const PlanInputs& one : *all) found.rows.push_back(searched(one));
  const PlanMachinesRow first = found.rows.front();
  if (!first.possible) return found;
  const double own = gpu_time_ms(first.layout.front(), all->front());
  for (std::size_t at = 0; at < all->size(); ++at) {
    PlanMachinesRow& row = found.rows[at];
    if (!row.possible) continue;
    const double other = gpu_time_ms(row.layout.front(), (*all)[at]);
    row.worth = own / other;
    row.tie = are_a_tie(own, other);
  }
  return found;
}

constexpr Calculation table = unswept_calculation<Inputs, Results, compute, results>(
    "plan_machines",
    "The best layout on other machines, and the price at which a GPU-hour of each breaks even", groups);

}  // namespace plan_machines_table

const Calculation plan_machines = plan_machines_table::table;

}  // namespace commcost::calculations
