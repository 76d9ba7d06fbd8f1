#include "support/typical_inputs.h"

#include <cmath>
#include <string_view>

#include "core/calculator/calculations.h"

namespace commcost::test {
namespace {

struct Typical {
  std::string_view name;
  double number;
};

// A quantity has one name everywhere, so one value each will do: a Llama 3.1 8B trained on nodes of eight.
constexpr Typical typical_numbers[] = {
    {"hidden_size", 4096},
    {"sequence_length", 2048},
    {"batch_size", 8},
    {"num_gpus", 8},
    {"cluster_gpus", 8},
    {"tensor_parallel", 8},
    {"num_layers", 32},
    {"num_heads", 32},
    {"num_kv_heads", 8},
    {"head_size", 128},
    {"ffn_hidden_size", 14336},
    {"vocab_size", 128256},
    {"bandwidth_gb_per_sec", 300},
    {"ranks", 8},
    {"message_size_bytes", 1048576},
    {"latency_us", 5},
    {"compute_share", 0.7},
    {"communication_share", 0.3},
    {"seed", 42},
};

// Inputs whose default, or least, leaves others without effect or to be given instead, or takes long.
constexpr Typical typical_options[] = {
    {"efficiency", 0.8},        {"searches", 2},   {"simulations", 1},
    {"overlap_percent", 100},   {"time_scale", 1}, {"length_spread_percent", 50},
    {"prefix_hit_percent", 25}, {"requests", 300},
};

constexpr std::string_view typical_log =
    R"(# nThread 1 nGpus 8 minBytes 1048576 maxBytes 1073741824 step: 4(factor) warmup iters: 5 iters: 20
#  Rank  0 Group  0 Pid  1 on node device  0 [0x07] NVIDIA A100-SXM4-80GB
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
     1048576        262144     float     sum      -1    48.52   21.61   37.82      0    48.02   21.84   38.21      0
     4194304       1048576     float     sum      -1    86.41   48.54   84.94      0    86.12   48.70   85.23      0
    16777216       4194304     float     sum      -1    170.3   98.52   172.4      0    169.9   98.75   172.8      0
    67108864      16777216     float     sum      -1    552.1   121.6   212.7      0    551.0   121.8   213.1      0
   268435456      67108864     float     sum      -1   2044.0   131.3   229.8      0   2041.0   131.5   230.2      0
  1073741824     268435456     float     sum      -1   8010.0   134.1   234.6      0   8003.0   134.2   234.8      0
)";

constexpr std::string_view typical_left_out = "linear_attention.36.48,output_gate";

constexpr std::string_view typical_gpu_samples =
    R"(index, clocks.current.sm [MHz], clocks.max.sm [MHz], power.draw [W], enforced.power.limit [W]
0, 1275 MHz, 1410 MHz, 391.20 W, 400.00 W
1, 1290 MHz, 1410 MHz, 388.45 W, 400.00 W
)";

constexpr std::string_view typical_training_log =
    R"(  seq_length ...................................... 4096
 iteration 1/ 500 | elapsed time per iteration (ms): 9138.8 | global batch size:   128 | lm loss: 1.04E+01 |
 iteration 2/ 500 | elapsed time per iteration (ms): 2936.1 | global batch size:   128 | lm loss: 1.04E+01 |
 iteration 3/ 500 | elapsed time per iteration (ms): 2950.3 | global batch size:   128 | lm loss: 1.03E+01 |
)";

// What sglang.bench_serving writes, cut down to what is read.
constexpr std::string_view typical_benchmark =
    R"({"backend": "sglang", "dataset_name": "random", "request_rate": 4.0, "max_concurrency": null, "duration": 52.1, "completed": 200, "total_input_tokens": 204800, "total_output_tokens": 51200, "request_throughput": 3.84, "median_ttft_ms": 55.3, "p99_ttft_ms": 120.9, "median_tpot_ms": 11.8, "p99_tpot_ms": 14.1}
{"backend": "sglang", "dataset_name": "random", "request_rate": 8.0, "max_concurrency": 64, "duration": 29.0, "completed": 200, "total_input_tokens": 204800, "total_output_tokens": 51200, "request_throughput": 6.9, "median_ttft_ms": 75.1, "p99_ttft_ms": 220.2, "median_tpot_ms": 15.7, "p99_tpot_ms": 19.4}
)";

// Key figures of Llama 3.1 8B's.
constexpr std::string_view typical_launch =
    "TP=8\ntorchrun --nproc-per-node 8 pretrain_gpt.py \\\n  --num-layers 32 --tensor-model-parallel-size "
    "$TP\n";
constexpr std::string_view typical_config =
    R"({"model_type": "llama", "num_hidden_layers": 32, "hidden_size": 4096, "num_attention_heads": 32,
 "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256, "max_position_embeddings": 131072})";

// The reader's own runs of a stack.
Value::List typical_steps() {
  return {Value::Object{{"measured_step_ms", 9000}},
          Value::Object{{"measured_step_ms", 5200}, {"batch_size", 4}},
          Value::Object{{"measured_step_ms", 21000}, {"sequence_length", 4096}}};
}

// The reader's own loads of a server.
Value::List typical_loads() {
  return {
      Value::Object{{"measured_token_ms", 24}, {"max_concurrency", 4}},
      Value::Object{{"measured_token_ms", 40}, {"measured_first_token_ms", 900}, {"requests_per_sec", 8}}};
}

// What was measured of a run, by the input that takes it.
Value::List typical_measurements(std::string_view name) {
  if (name == "profiles")
    return {Value::Object{{"total_us", 9e6}, {"idle_us", 4e5}, {"launch_pauses_us", 1e5}},
            Value::Object{{"rank", 1}, {"total_us", 9e6}, {"idle_us", 1e5}}};
  if (name == "profiled_kernels")
    return {Value::Object{{"name", "nvjet_hsh_256x128"},
                          {"m", 16384},
                          {"n", 768},
                          {"k", 4096},
                          {"calls", 100},
                          {"time_us", 4e6}},
            Value::Object{{"rank", 1}, {"name", "nvjet_hsh_256x128"}, {"calls", 100}, {"time_us", 8e6}}};
  if (name == "network_logs")
    return {
        Value::Object{{"num_gpus", 8},
                      {"message_sizes_bytes", Value::Numbers{1e6, 2e6, 4e6, 8e6, 16e6, 32e6, 64e6, 128e6}},
                      {"times_us", Value::Numbers{50, 70, 110, 190, 350, 670, 1310, 2590}}}};
  if (name == "sampled_gpus")
    return {Value::Object{{"sm_clock_mhz", 900}, {"max_sm_clock_mhz", 1410}, {"thermal_share", 1}}};
  return {};
}

// In addition to a job's own.
Value::List typical_machines() {
  return {Value::Object{{"nic_gb_per_sec", 100}}, Value::Object{{"gpus_per_node", 4}}};
}

}  // namespace

Value typical_value(const Field& field) {
  for (const Typical& typical : typical_numbers) {
    if (field.required && typical.name == field.name) return typical.number;
  }
  for (const Typical& typical : typical_options) {
    if (typical.name == field.name) return typical.number;
  }
  const bool defaulted = !field.required && !std::isnan(field.default_value);
  switch (field.kind) {
    case FieldKind::whole:
    case FieldKind::real:
      return defaulted ? field.default_value : field.least;
    case FieldKind::choice:
      return field.choices[static_cast<std::size_t>(defaulted ? field.default_value : 0)];
    case FieldKind::flag:
      return defaulted && field.default_value != 0;
    case FieldKind::text:
      return field.name == "log"            ? typical_log
             : field.name == "config"       ? typical_config
             : field.name == "training_log" ? typical_training_log
             : field.name == "gpu_samples"  ? typical_gpu_samples
             : field.name == "arguments"    ? typical_launch
             : field.name == "left_out"     ? typical_left_out
             : field.name == "benchmark"    ? typical_benchmark
                                            : "";
    case FieldKind::numbers:
      return Value::Numbers(static_cast<std::size_t>(field.least), 1.0);
    case FieldKind::list:
      if (field.name == "rows") return typical_steps();
      if (field.name == "loads") return typical_loads();
      if (field.name == "machines") return typical_machines();
      if (Value::List measured = typical_measurements(field.name); !measured.empty()) return measured;
      if (!field.choices.empty() && field.least > 0)
        return Value::List(field.choices.begin(), field.choices.end());
      return Value::List(static_cast<std::size_t>(field.least), Value::Object{});
    case FieldKind::object:
      return Value::Object{};
    case FieldKind::lists:  // a result's kind only
      break;
  }
  return {};
}

namespace {

bool fills_others(const Calculation& calculation, const Field& field) {
  for (const FieldGroup& group : calculation.inputs) {
    for (const InputField& input : group.fields) {
      if (input.field.filled_by == field.name) return true;
    }
  }
  return false;
}

}  // namespace

bool is_pin(const Field& field) {
  if (field.required || !std::isnan(field.default_value) || !field.filled_by.empty()) return false;
  const FieldIndex& step = fields_of(calculations::training_step);
  const std::size_t place = step.find(field.name);
  if (place == step.places().size()) return false;
  const Field& given = step.places()[place].input->field;
  return given.required || !std::isnan(given.default_value);
}

const Field& asked_for(const Calculation& calculation, const Field& field) {
  const FieldIndex& step = fields_of(calculations::training_step);
  const std::size_t place = step.find(field.name);
  const bool rows = &calculation == &calculations::fit_step;
  return rows && place < step.places().size() ? step.places()[place].input->field : field;
}

Value::Object typical_inputs(const Calculation& calculation) {
  Value::Object inputs;
  for (const FieldGroup& group : calculation.inputs) {
    for (const InputField& input : group.fields) {
      const Field& field = asked_for(calculation, input.field);
      // What it would fill is given.
      if (fills_others(calculation, field) || is_pin(field)) continue;
      inputs.push_back({std::string(field.name), typical_value(field)});
    }
  }
  return inputs;
}

}  // namespace commcost::test
