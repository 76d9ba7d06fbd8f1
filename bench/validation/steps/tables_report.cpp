#include "bench/validation/steps/tables_report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "bench/validation/steps/score.h"
#include "core/base/units.h"
#include "core/model/flops.h"

namespace commcost::validation::steps {
namespace {

// Rows with a tensor group in a node and across nodes are listed apart, and judged together.
constexpr std::string_view one_stage = "H100 one stage, up to 8 nodes";

void print_row(const MeasuredStep& row, double predicted) {
  std::printf("  %-62s measured %9.1f predicted %9.1f error %+6.1f %%\n", describe(row).c_str(),
              row.measured_ms, predicted, 100 * (predicted / row.measured_ms - 1));
  if (predicted == 0 || row.measured != Measured::step) return;
  const StepSummary summary = step_summary(completed(row.job), {});
  const StepParts& p = summary.parts;
  std::printf(
      "      compute %.1f recompute %.1f tensor %.1f pipeline %.1f data %.1f bubble %.1f optimizer %.1f "
      "launch %.1f straggler %.1f ms",
      p.compute_us / 1e3, p.recompute_us / 1e3, p.tensor_us / 1e3, p.pipeline_us / 1e3, p.data_us / 1e3,
      p.bubble_us / 1e3, p.optimizer_us / 1e3, p.launch_us / 1e3, p.straggler_us / 1e3);
  const StepMemory& m = summary.memory;
  constexpr double g = gib;
  std::printf(" | GiB w %.1f g %.1f o %.1f a %.1f l %.1f t %.1f = %.1f (measured %.1f)\n", m.weights / g,
              m.gradients / g, m.optimizer / g, m.activations / g, m.logits / g, m.working / g, m.total() / g,
              row.memory_gib);
}

// How the quickest step of the 3.6B sweep grows from tensor degree 1 to 8; returns how far off that is,
// points.
double print_growth(const std::vector<MeasuredStep>& rows) {
  double measured[2] = {};
  double predicted[2] = {};
  const auto least = [](double& best, double now) { best = best == 0 ? now : std::min(best, now); };
  for (const MeasuredStep& row : rows) {
    const Layout& layout = row.job.layout;
    if (row.table != "A100 64 GPUs, 3.6B" || layout.pipeline_parallel > 1) continue;
    if (layout.tensor_parallel != 1 && layout.tensor_parallel != 8) continue;
    const int at = layout.tensor_parallel == 8 ? 1 : 0;
    least(measured[at], row.measured_ms);
    least(predicted[at], predicted_ms(row));
  }
  const double measured_percent = 100 * (measured[1] / measured[0] - 1);
  const double predicted_percent = 100 * (predicted[1] / predicted[0] - 1);
  std::printf("3.6B from tensor degree 1 to 8, quickest of each: measured %+.1f %%, predicted %+.1f %%\n",
              measured_percent, predicted_percent);
  return std::fabs(predicted_percent - measured_percent);
}

// FLOPs per GPU and second in Megatron's weak scaling, for the rows at tensor degree 1.
void print_weak_scaling(const std::vector<MeasuredStep>& rows) {
  for (const char* table : {"Megatron 2020 weak scaling, V100", "Megatron 2020 weak scaling, A100"}) {
    double first[2] = {};
    std::printf("%s, efficiency measured/predicted:", table);
    for (const MeasuredStep& row : rows) {
      if (row.table != table) continue;
      const Work& work = row.job.work;
      const Job job = completed(row.job);
      const double flops =
          step_flops(job.model, job.work, static_cast<double>(work.global_batch_size)).hardware /
          static_cast<double>(gpus_needed(job.layout));
      const double rates[2] = {flops / row.measured_ms, flops / predicted_ms(row)};
      if (first[0] == 0) std::copy(rates, rates + 2, first);
      std::printf("  tp%d %.1f/%.1f %%", static_cast<int>(job.layout.tensor_parallel),
                  100 * rates[0] / first[0], 100 * rates[1] / first[1]);
    }
    std::printf("\n");
  }
}

// One table: errors of its steps, whose mean it returns, percent, and of its memory where that was measured.
double print_table(const std::string& table, const std::vector<const MeasuredStep*>& rows, bool every_row) {
  Score score;
  Score memory;
  for (const MeasuredStep* row : rows) {
    const double predicted = predicted_ms(*row);
    if (predicted == 0) {
      ++score.refused;
      continue;
    }
    score.add(predicted / row->measured_ms - 1);
    if (row->memory_gib > 0) {
      memory.add(step_summary(completed(row->job), {}).memory.total() / gib / row->memory_gib - 1);
    }
    if (every_row) print_row(*row, predicted);
  }
  score.print(table.c_str());
  if (memory.rows > 0) memory.print("    its memory");
  return score.mean_percent();
}

}  // namespace

std::string describe(const MeasuredStep& row) {
  char text[200];
  const Job& in = row.job;
  std::snprintf(text, sizeof text, "L%d h%d tp%d%s pp%d v%d dp%d z%d mb%d gb%d",
                static_cast<int>(in.model.num_layers), static_cast<int>(in.model.hidden_size),
                static_cast<int>(in.layout.tensor_parallel), in.layout.sequence_parallel ? "+sp" : "",
                static_cast<int>(in.layout.pipeline_parallel), static_cast<int>(in.layout.virtual_stages),
                static_cast<int>(in.layout.data_parallel), static_cast<int>(in.layout.zero_stage),
                static_cast<int>(in.work.batch_size), static_cast<int>(in.work.global_batch_size));
  return (row.id.empty() ? std::string() : row.id + " ") + text;
}

std::vector<Target> print_tables(const std::vector<MeasuredStep>& rows, std::string_view only,
                                 bool every_row) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<const MeasuredStep*>> tables;
  std::vector<const MeasuredStep*> together;
  for (const MeasuredStep& row : rows) {
    if (tables[row.table].empty()) order.push_back(row.table);
    tables[row.table].push_back(&row);
    if (row.table.starts_with(one_stage)) together.push_back(&row);
  }
  std::map<std::string, double> means;
  for (const std::string& table : order) {
    if (table.find(only) != std::string::npos) means[table] = print_table(table, tables[table], every_row);
  }
  if (!only.empty()) return {};
  const double one_stage_mean = print_table(std::string(one_stage) + ", all of them", together, false);
  const double growth = print_growth(rows);
  print_weak_scaling(rows);
  return {
      {"A100 64 GPUs, 3.6B, mean", 7, means["A100 64 GPUs, 3.6B"], 0, 11.5,
       "Three of 21 runs took 40 to 100 % longer than their neighbours (TP 8 with micro-batches of 64 and "
       "2, TP 4 with 2). Without them 6.0 %."},
      {"Korthikanti 2022, A100, mean", 5, means["Korthikanti 2022, A100"]},
      {"Narayanan 2021, A100, mean", 8, means["Narayanan 2021, A100"]},
      {"A100 single node, mean", 15, means["A100 single node"]},
      {std::string(one_stage) + ", mean", 12, one_stage_mean},
      {"growth from tensor degree 1 to 8, points", 5, growth}};
}

}  // namespace commcost::validation::steps
