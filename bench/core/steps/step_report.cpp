// How far predicted steps are from measured ones: `step_report [--rows] [--csv] [--json] [--fit]`.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "bench/core/steps/measured_steps.h"
#include "core/base/units.h"
#include "core/model/flops.h"
#include "core/step/constants.h"

namespace {

using namespace commcost;
using commcost::steps::MeasuredStep;

struct Score {
  int rows = 0;
  int refused = 0;
  double absolute = 0;
  double signed_sum = 0;
  double greatest = 0;

  void add(double error) {
    ++rows;
    absolute += std::fabs(error);
    signed_sum += error;
    greatest = std::max(greatest, std::fabs(error));
  }
  void print(const char* name) const {
    std::printf("%-62s %5d rows  mean |error| %5.1f %%  bias %+5.1f %%  greatest %5.1f %%", name, rows,
                100 * absolute / rows, 100 * signed_sum / rows, 100 * greatest);
    if (refused > 0) std::printf("  refused %d", refused);
    std::printf("\n");
  }
};

std::string describe(const MeasuredStep& row) {
  char text[200];
  const TrainingStepInputs& in = row.inputs;
  std::snprintf(text, sizeof text, "L%d h%d tp%d%s pp%d v%d dp%d z%d mb%d gb%d",
                static_cast<int>(in.shape.num_layers), static_cast<int>(in.shape.hidden_size),
                static_cast<int>(in.layout.tensor_parallel), in.layout.sequence_parallel ? "+sp" : "",
                static_cast<int>(in.layout.pipeline_parallel), static_cast<int>(in.layout.virtual_stages),
                static_cast<int>(in.layout.data_parallel), static_cast<int>(in.layout.zero_stage),
                static_cast<int>(in.work.batch_size), static_cast<int>(in.work.global_batch_size));
  return (row.id.empty() ? std::string() : row.id + " ") + text;
}

void print_row(const MeasuredStep& row, double predicted) {
  std::printf("  %-62s measured %9.1f predicted %9.1f error %+6.1f %%\n", describe(row).c_str(),
              row.measured_ms, predicted, 100 * (predicted / row.measured_ms - 1));
  if (predicted == 0 || row.measured != steps::Measured::step) return;
  const StepSummary summary = step_summary(completed(row.inputs), {});
  const StepParts& p = summary.parts;
  std::printf(
      "      compute %.1f recompute %.1f tensor %.1f pipeline %.1f data %.1f bubble %.1f optimizer %.1f "
      "launch %.1f straggler %.1f ms",
      p.compute_us / 1e3, p.recompute_us / 1e3, p.tensor_us / 1e3, p.pipeline_us / 1e3, p.data_us / 1e3,
      p.bubble_us / 1e3, p.optimizer_us / 1e3, p.launch_us / 1e3, p.straggler_us / 1e3);
  const StepMemory& m = summary.memory;
  constexpr double g = 1073741824.0;
  std::printf(" | GiB w %.1f g %.1f o %.1f a %.1f l %.1f t %.1f = %.1f (measured %.1f)\n", m.weights / g,
              m.gradients / g, m.optimizer / g, m.activations / g, m.logits / g, m.working / g, m.total() / g,
              row.memory_gib);
}

// How the quickest step of the 3.6B sweep grows from tensor degree 1 to 8.
void print_growth(const std::vector<MeasuredStep>& rows) {
  double measured[2] = {};
  double predicted[2] = {};
  const auto least = [](double& best, double now) { best = best == 0 ? now : std::min(best, now); };
  for (const MeasuredStep& row : rows) {
    const Layout& layout = row.inputs.layout;
    if (row.table != "A100 64 GPUs, 3.6B" || layout.pipeline_parallel > 1) continue;
    if (layout.tensor_parallel != 1 && layout.tensor_parallel != 8) continue;
    const int at = layout.tensor_parallel == 8 ? 1 : 0;
    least(measured[at], row.measured_ms);
    least(predicted[at], predicted_ms(row));
  }
  std::printf("3.6B from tensor degree 1 to 8, quickest of each: measured %+.1f %%, predicted %+.1f %%\n",
              100 * (measured[1] / measured[0] - 1), 100 * (predicted[1] / predicted[0] - 1));
}

// FLOPs a GPU and second of Megatron's weak scaling, of those at tensor degree 1.
void print_weak_scaling(const std::vector<MeasuredStep>& rows) {
  for (const char* table : {"Megatron 2020 weak scaling, V100", "Megatron 2020 weak scaling, A100"}) {
    double first[2] = {};
    std::printf("%s, efficiency measured/predicted:", table);
    for (const MeasuredStep& row : rows) {
      if (row.table != table) continue;
      const Work& work = row.inputs.work;
      const Setting setting = completed(row.inputs).setting;
      const double flops =
          step_flops(setting.shape, setting.work, static_cast<double>(work.global_batch_size)).hardware /
          static_cast<double>(gpus_needed(setting.layout));
      const double rates[2] = {flops / row.measured_ms, flops / predicted_ms(row)};
      if (first[0] == 0) std::copy(rates, rates + 2, first);
      std::printf("  tp%d %.1f/%.1f %%", static_cast<int>(setting.layout.tensor_parallel),
                  100 * rates[0] / first[0], 100 * rates[1] / first[1]);
    }
    std::printf("\n");
  }
}

// Least squares of log(predicted / measured) on the fitted rows, each table with the same weight, by
// coordinate descent over the scales; prints what the constants should be.
void fit(const std::vector<MeasuredStep>& rows, double held_traffic) {
  struct Knob {
    const char* name;
    const char* accelerator;  // ids that begin so; null: all
    double MachineScales::*scale;
    double now;
    double least, greatest;
    double factor = 1;
  };
  double share[3] = {};
  for (const MatmulShare& row : fitted_matmul_shares()) {
    const char* names[] = {"v100", "a100", "h100"};
    for (int i = 0; i < 3; ++i) {
      if (row.accelerator_prefix == names[i]) share[i] = row.share;
    }
  }
  Knob knobs[] = {
      {"matmul_share v100", "v100", &MachineScales::matmul, share[0], 0.3, 1.0},
      {"matmul_share a100", "a100", &MachineScales::matmul, share[1], 0.3, 0.95},
      {"matmul_share h100", "h100", &MachineScales::matmul, share[2], 0.3, 0.95},
      {"matrix_traffic_weight", nullptr, &MachineScales::matrix_traffic, constants::matrix_traffic_weight, 0,
       3},
      {"1 / launch_us", nullptr, &MachineScales::launch, 1 / constants::launch_us, 0.01, 0.2},
      {"pipeline_sync_us", nullptr, &MachineScales::pipeline_sync, constants::pipeline_sync_us, 0, 5000},
      {"straggler_share", nullptr, &MachineScales::straggler, constants::straggler_share, 0, 0.03},
      {"data_overlap_share", nullptr, &MachineScales::data_overlap, constants::data_overlap_share, 0.01, 1}};
  std::map<std::string, int> counts;
  const auto group_of = [](const MeasuredStep& row) {
    return row.table + (row.inputs.layout.pipeline_parallel > 1 ? " pp" : "");
  };
  std::vector<const MeasuredStep*> used;
  for (const MeasuredStep& row : rows) {
    const double error = predicted_ms(row) / row.measured_ms - 1;
    if (!row.fitted || std::fabs(error) > 0.4) continue;
    used.push_back(&row);
    ++counts[group_of(row)];
  }
  const auto cost = [&] {
    double sum = 0;
    for (const MeasuredStep* row : used) {
      MachineScales scales;
      for (const Knob& knob : knobs) {
        if (knob.accelerator == nullptr ||
            accelerator_of(row->inputs.machine).id.starts_with(knob.accelerator)) {
          scales.*(knob.scale) *= knob.factor;
        }
      }
      const int n = counts[group_of(*row)];
      const double weight = 1.0 / n;
      const double e = std::log(predicted_ms(*row, scales) / row->measured_ms);
      sum += weight * 0.05 * 0.05 * 2 * (std::sqrt(1 + (e / 0.05) * (e / 0.05)) - 1);
    }
    return sum;
  };
  if (held_traffic > 0) {
    knobs[3].factor = held_traffic / knobs[3].now;
    knobs[3].least = knobs[3].greatest = held_traffic;
  }
  double best = cost();
  double stride = 0.1;
  for (int round = 0; round < 60 && stride > 0.002; ++round) {
    bool moved = false;
    for (Knob& knob : knobs) {
      for (const double way : {1 + stride, 1 / (1 + stride)}) {
        const double before = knob.factor;
        const double value = knob.now * before * way;
        if (value < knob.least || value > knob.greatest) continue;
        knob.factor = before * way;
        const double now = cost();
        if (now < best) {
          best = now;
          moved = true;
          break;
        }
        knob.factor = before;
      }
    }
    if (!moved) stride /= 2;
  }
  for (const Knob& knob : knobs)
    std::printf("%-24s %.4f -> %.4f\n", knob.name, knob.now, knob.now * knob.factor);
  std::printf("%-24s %.2f\n", "launch_us", 1 / (knobs[4].now * knobs[4].factor));
  std::printf("cost %.6f\n", best);
  std::map<std::string, Score> scores;
  for (const MeasuredStep& row : rows) {
    MachineScales scales;
    for (const Knob& knob : knobs) {
      if (knob.accelerator == nullptr ||
          accelerator_of(row.inputs.machine).id.starts_with(knob.accelerator)) {
        scales.*(knob.scale) *= knob.factor;
      }
    }
    const double predicted = predicted_ms(row, scales);
    if (predicted > 0) scores[row.table].add(predicted / row.measured_ms - 1);
  }
  for (const auto& [table, score] : scores) score.print(table.c_str());
}

}  // namespace

int main(int count, char** arguments) {
  bool by_row = false;
  bool csv = false;
  bool json = false;
  bool refit = false;
  const char* only = "";
  double held_traffic = 0;
  for (int i = 1; i < count; ++i) {
    by_row |= std::strcmp(arguments[i], "--rows") == 0;
    csv |= std::strcmp(arguments[i], "--csv") == 0;
    json |= std::strcmp(arguments[i], "--json") == 0;
    if (std::strcmp(arguments[i], "--traffic") == 0 && i + 1 < count)
      held_traffic = std::strtod(arguments[++i], nullptr);
    refit |= std::strcmp(arguments[i], "--fit") == 0;
    if (std::strcmp(arguments[i], "--table") == 0 && i + 1 < count) only = arguments[++i];
  }
  const std::vector<MeasuredStep> rows = steps::measured_steps(COMMCOST_TEST_DATA);
  if (refit) {
    fit(rows, held_traffic);
    return 0;
  }
  std::vector<std::string> order;
  std::map<std::string, Score> scores;
  std::map<std::string, Score> memory;
  std::map<std::string, std::vector<const MeasuredStep*>> tables;
  for (const MeasuredStep& row : rows) {
    if (tables[row.table].empty()) order.push_back(row.table);
    tables[row.table].push_back(&row);
  }
  if (csv) std::printf("table,row,measured_ms,predicted_ms,error_percent,fitted\n");
  if (json) std::printf("[");
  const bool scores_wanted = !csv && !json;
  const char* comma = "\n";
  for (const std::string& table : order) {
    if (table.find(only) == std::string::npos) continue;
    Score& score = scores[table];
    for (const MeasuredStep* row : tables[table]) {
      const double predicted = steps::predicted_ms(*row);
      if (predicted == 0) {
        ++score.refused;
        continue;
      }
      score.add(predicted / row->measured_ms - 1);
      if (csv) {
        std::printf("\"%s\",\"%s\",%.1f,%.1f,%.1f,%d\n", table.c_str(), describe(*row).c_str(),
                    row->measured_ms, predicted, 100 * (predicted / row->measured_ms - 1),
                    row->fitted ? 1 : 0);
      }
      if (json) {
        std::printf(
            "%s{\"table\": \"%s\", \"row\": \"%s\", \"measured_ms\": %.1f, \"predicted_ms\": %.1f, "
            "\"error_percent\": %.1f, \"fitted\": %s}",
            comma, table.c_str(), describe(*row).c_str(), row->measured_ms, predicted,
            100 * (predicted / row->measured_ms - 1), row->fitted ? "true" : "false");
        comma = ",\n";
      }
      if (row->memory_gib > 0) {
        const StepSummary summary = step_summary(completed(row->inputs), {});
        memory[table].add(summary.memory.total() / gib / row->memory_gib - 1);
      }
      if (by_row) print_row(*row, predicted);
    }
    if (scores_wanted) score.print(table.c_str());
    if (scores_wanted && memory[table].rows > 0) memory[table].print("    its memory");
  }
  if (json) std::printf("\n]\n");
  if (!scores_wanted || *only != 0) return 0;
  print_growth(rows);
  print_weak_scaling(rows);
}
