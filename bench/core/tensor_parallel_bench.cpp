#include <benchmark/benchmark.h>

#include <cstring>
#include <vector>

#include "core/base/rounding.h"
#include "core/calculator/calculations.h"
#include "core/calculator/engine.h"
#include "core/exercise/answer.h"
#include "support/exercise.h"

namespace commcost {
namespace {

void tensor_parallel_cost(benchmark::State& state) {
  TensorParallelInputs inputs = exercise_example();
  for (auto _ : state) {
    inputs.num_gpus = 2 + (inputs.num_gpus & 127);
    benchmark::DoNotOptimize(tensor_parallel_allreduce_cost(inputs));
  }
}
BENCHMARK(tensor_parallel_cost);

void four_decimals(benchmark::State& state) {
  double value = 50.10795178666667;
  for (auto _ : state) {
    benchmark::DoNotOptimize(value);
    benchmark::DoNotOptimize(round_to_four_decimals(value));
  }
}
BENCHMARK(four_decimals);

constexpr std::size_t points = 1000000;
constexpr std::size_t columns = 4;

Value sweep_request() {
  Value::Numbers hidden_sizes(points);
  for (std::size_t i = 0; i < points; ++i) hidden_sizes[i] = static_cast<double>(i + 1);
  return Value::Object{
      {"calculation", "tensor_parallel_allreduce_cost"},
      {"inputs",
       Value::Object{{"sequence_length", 2048}, {"batch_size", 8}, {"num_gpus", 8}, {"num_layers", 32}}},
      {"axes", Value::List{Value::Object{{"field", "hidden_size"}, {"values", std::move(hidden_sizes)}}}}};
}

void sweep_of_a_million(benchmark::State& state) {
  const Value request = sweep_request();
  for (auto _ : state) benchmark::DoNotOptimize(static_cast<bool>(sweep(request)));
}
BENCHMARK(sweep_of_a_million)->Unit(benchmark::kMillisecond);

// What the sweep cannot do without: writing its results, into memory as fresh as its own.
void memset_of_its_results(benchmark::State& state) {
  for (auto _ : state) {
    std::vector<std::vector<double>> results;
    for (std::size_t column = 0; column < columns; ++column) {
      results.emplace_back(points);
      std::memset(results.back().data(), 1, points * sizeof(double));
    }
    benchmark::DoNotOptimize(results.data());
  }
}
BENCHMARK(memset_of_its_results)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace commcost
