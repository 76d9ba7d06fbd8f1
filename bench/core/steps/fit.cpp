#include "bench/core/steps/fit.h"

#include <cmath>
#include <cstdio>
#include <map>
#include <string>

#include "bench/core/steps/score.h"
#include "core/step/constants.h"

namespace commcost::steps {

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

}  // namespace commcost::steps
