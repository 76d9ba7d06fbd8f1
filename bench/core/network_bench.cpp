#include <benchmark/benchmark.h>

#include <vector>

#include "core/logs/nccl_log.h"
#include "core/network/fit.h"
#include "core/network/nccl_model.h"
#include "core/network/predict.h"

namespace commcost {
namespace {

/// A whole prediction: group, curve, band. Budget: 100 ns.
void predict_from_scratch(benchmark::State& state) {
  const Fabric& fabric = *find_fabric("h100-sxm");
  double size = 1;
  for (auto _ : state) {
    const GpuGroup group = group_of(fabric, 16, 8, 50);
    benchmark::DoNotOptimize(predictor_of(group, Collective::all_reduce).at(size));
    size = size < 0x1p34 ? size * 2 : 1;
  }
}
BENCHMARK(predict_from_scratch);

/// The same for many sizes of one group, as charts and training steps ask.
void predict_another_size(benchmark::State& state) {
  const Predictor predictor =
      predictor_of(group_of(*find_fabric("h100-sxm"), 16, 8, 50), Collective::all_reduce);
  double size = 1;
  for (auto _ : state) {
    benchmark::DoNotOptimize(predictor.at(size));
    size = size < 0x1p34 ? size * 2 : 1;
  }
}
BENCHMARK(predict_another_size);

void nccl_pick(benchmark::State& state) {
  const NcclModel model = nccl_model(group_of(*find_fabric("h100-sxm"), 16, 8, 50), Collective::all_reduce);
  double size = 1;
  for (auto _ : state) {
    benchmark::DoNotOptimize(model.choice(size));
    size = size < 0x1p34 ? size * 2 : 1;
  }
}
BENCHMARK(nccl_pick);

/// A fit of 60 points. Budget: 5 ms.
void fit_sixty_points(benchmark::State& state) {
  std::vector<TimedMessage> points;
  double size = 8;
  for (int i = 0; i < 60; ++i, size *= 1.4) {
    const double wobble = 1 + 0.1 * ((i * 7) % 5 - 2) / 2;
    points.push_back({size, wobble * FittedCurve{35, 140, 0.56}.time_us(size)});
  }
  for (auto _ : state) benchmark::DoNotOptimize(fit_curve(points));
}
BENCHMARK(fit_sixty_points)->Unit(benchmark::kMicrosecond);

/// A log of 10 000 lines, one in ten of them a row.
void parse_ten_thousand_lines(benchmark::State& state) {
  std::string log;
  for (int i = 0; i < 1000; ++i) {
    for (int j = 0; j < 9; ++j)
      log += "host:41:52 [0] NCCL INFO Channel 00/24 :    0   1   2   3   4   5   6   7\n";
    log +=
        "     1048576        262144     float     sum      -1    101.9   10.29   18.01      0    101.5   "
        "10.33   18.08      0\n";
  }
  for (auto _ : state) benchmark::DoNotOptimize(parse_nccl_log(log));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * log.size()));
}
BENCHMARK(parse_ten_thousand_lines)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace commcost
