#include <benchmark/benchmark.h>

#include <string>

#include "core/collective/comparison.h"
#include "core/collective/cost.h"
#include "core/collective/executor.h"
#include "core/collective/schedule.h"

namespace commcost {
namespace {

constexpr HockneyMachine machine = {.link = {5, 50}, .inside = {5, 50}, .reduce_gb_per_sec = 1000};

// A closed form put into Hockney's model, budget 20 ns.
void closed_form(benchmark::State& state) {
  const Method& method = all_methods()[static_cast<std::size_t>(state.range(0))];
  state.SetLabel(std::string(name_of(method.collective)) + " " + std::string(name_of(method.algorithm)));
  Group group = {.ranks = 96, .group_size = 8, .pieces = 16};
  for (auto _ : state) {
    benchmark::DoNotOptimize(group);
    benchmark::DoNotOptimize(hockney(counts_of(method, group), 67108864, machine));
  }
}
BENCHMARK(closed_form)->DenseRange(0, static_cast<int>(all_methods().size()) - 1);

// The same with its inputs checked and all results.
void cost(benchmark::State& state) {
  CollectiveCostInputs inputs;
  inputs.algorithm = static_cast<Algorithm>(state.range(0));
  inputs.ranks = 96;
  inputs.message_size_bytes = 67108864;
  inputs.latency_us = 5;
  inputs.bandwidth_gb_per_sec = 50;
  for (auto _ : state) {
    benchmark::DoNotOptimize(inputs);
    benchmark::DoNotOptimize(collective_cost(inputs));
  }
}
BENCHMARK(cost)
    ->Arg(static_cast<int>(Algorithm::ring))
    ->Arg(static_cast<int>(Algorithm::double_binary_tree))
    ->Arg(static_cast<int>(Algorithm::two_level));

// Every message of a ring all-reduce of 1,024 ranks, budget 50 ms.
void ring_schedule(benchmark::State& state) {
  const Schedule schedule(*find_method(Collective::all_reduce, Algorithm::ring), {.ranks = 1024});
  Round round;
  for (auto _ : state) {
    for (int index = 0; index < schedule.rounds(); ++index) {
      schedule.write(index, round);
      benchmark::DoNotOptimize(round.messages().data());
    }
  }
}
BENCHMARK(ring_schedule)->Unit(benchmark::kMillisecond);

// The same, moving numbers.
void ring_execution(benchmark::State& state) {
  const Schedule schedule(*find_method(Collective::all_reduce, Algorithm::ring), {.ranks = 1024});
  for (auto _ : state) benchmark::DoNotOptimize(Executor(schedule, 1024).run());
}
BENCHMARK(ring_execution)->Unit(benchmark::kMillisecond);

void comparison(benchmark::State& state) {
  const Group group = {.ranks = 64, .group_size = 8, .pieces = 0};
  for (auto _ : state) benchmark::DoNotOptimize(compare(Collective::all_reduce, group, machine, false));
}
BENCHMARK(comparison)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace commcost
