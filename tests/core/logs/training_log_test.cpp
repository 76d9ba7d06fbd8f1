#include "core/logs/training_log.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/model/work.h"

namespace commcost {
namespace {

TrainingLog read_log(const std::string& text) {
  const Outcome<TrainingLog> log = read_training_log(text);
  EXPECT_TRUE(log) << text;
  return log ? *log : TrainingLog{};
}

double value_of(const TrainingLog& log, LoggedField field) {
  for (const LoggedInput& input : log.found)
    if (input.field == field) return input.value;
  return 0;
}

bool says(const TrainingLog& log, LoggedField field) {
  for (const LoggedInput& input : log.found)
    if (input.field == field) return true;
  return false;
}

// The line of megatron/training/training.py, training_log(), with figures of our own.
std::string megatron_step(int step, double ms, int batch = 128) {
  return " [2025-08-01 07:19:37] iteration " + std::to_string(step) +
         "/    5000 | consumed samples: " + std::to_string(batch * step) +
         " | elapsed time per iteration (ms): " + std::to_string(ms) +
         " | throughput per GPU (TFLOP/s/GPU): 400.1 | learning rate: 6.976744E-08 | global batch size: " +
         std::to_string(batch) + " | lm loss: 1.04E+01 | loss scale: 1.0 | number of nan iterations:   0 |\n";
}

constexpr const char* megatron_arguments =
    "using world size: 64, data-parallel size: 8, context-parallel size: 1, hierarchical context-parallel "
    "sizes: None, tensor-model-parallel size: 4, pipeline-model-parallel size: 2\n"
    "------------------------ arguments ------------------------\n"
    "  micro_batch_size ................................ 2\n"
    "  seq_length ...................................... 4096\n"
    "  tp_comm_overlap ................................. True\n";

TEST(TrainingLog, OfMegatronHasItsStepsAndItsArguments) {
  const TrainingLog log =
      read_log(std::string(megatron_arguments) + megatron_step(1, 19138.8) + megatron_step(2, 12936.1) +
               megatron_step(3, 12900) + megatron_step(4, 13100) + megatron_step(5, 30000) +
               "saving checkpoint at iteration 5\n" + megatron_step(6, 12950));
  EXPECT_EQ(log.stack, TrainingStack::megatron);
  EXPECT_EQ(log.source, StepTimeSource::printed);
  ASSERT_EQ(log.steps.size(), 6u);
  EXPECT_TRUE(log.steps[0].warm_up);
  EXPECT_EQ(log.warm_up_steps, 1);
  EXPECT_EQ(log.counted_steps, 5);
  EXPECT_DOUBLE_EQ(log.step_time_ms, 12950);
  EXPECT_EQ(log.slow_steps, 1);
  EXPECT_DOUBLE_EQ(log.step_time_low_ms, 12900 + 0.4 * 36.1);
  EXPECT_NEAR(log.tokens_per_sec, 128 * 4096 / 12.95, 1e-6);
  EXPECT_NEAR(log.tokens_per_sec_per_gpu, 128 * 4096 / 12.95 / 64, 1e-6);
  EXPECT_EQ(value_of(log, LoggedField::sequence_length), 4096);
  EXPECT_EQ(value_of(log, LoggedField::batch_size), 2);
  EXPECT_EQ(value_of(log, LoggedField::global_batch_size), 128);
  EXPECT_EQ(value_of(log, LoggedField::tensor_parallel), 4);
  EXPECT_EQ(value_of(log, LoggedField::pipeline_parallel), 2);
  EXPECT_EQ(value_of(log, LoggedField::data_parallel), 8);
  EXPECT_EQ(value_of(log, LoggedField::cluster_gpus), 64);
  EXPECT_TRUE(log.not_found.empty());
}

// As megatron/training/arguments.py prints them, with what it also prints of a model that has none of it.
constexpr const char* llama_arguments =
    "------------------------ arguments ------------------------\n"
    "  add_bias_linear ................................. False\n"
    "  ffn_hidden_size ................................. 14336\n"
    "  group_query_attention ........................... True\n"
    "  hidden_size ..................................... 4096\n"
    "  kv_channels ..................................... 128\n"
    "  kv_lora_rank .................................... 32\n"
    "  max_position_embeddings ......................... 8192\n"
    "  moe_ffn_hidden_size ............................. None\n"
    "  moe_layer_freq .................................. 1\n"
    "  moe_router_topk ................................. 2\n"
    "  multi_latent_attention .......................... False\n"
    "  num_attention_heads ............................. 32\n"
    "  num_experts ..................................... None\n"
    "  num_layers ...................................... 32\n"
    "  num_query_groups ................................ 8\n"
    "  padded_vocab_size ............................... 128256\n"
    "  position_embedding_type ......................... rope\n"
    "  swiglu .......................................... True\n"
    "  untie_embeddings_and_output_weights ............. True\n"
    "  vocab_size ...................................... None\n"
    "-------------------- end of arguments ---------------------\n";

std::string with(std::string text, std::string_view from, std::string_view to) {
  return text.replace(text.find(from), from.size(), to);
}

// Llama 3.1 8B's configuration: its card on the hub.
TEST(TrainingLog, OfMegatronHasItsModel) {
  const TrainingLog log = read_log(std::string(llama_arguments) + megatron_step(1, 2000));
  ASSERT_TRUE(log.shape);
  ModelShape llama;
  llama.num_layers = 32;
  llama.hidden_size = 4096;
  llama.num_heads = 32;
  llama.num_kv_heads = 8;
  llama.ffn_hidden_size = 14336;
  llama.gated_mlp = true;
  llama.vocab_size = 128256;
  EXPECT_EQ(*log.shape, completed(llama));
  EXPECT_EQ(log.shape_line, 1);
}

TEST(TrainingLog, OfMegatronHasAModelWithExperts) {
  std::string text = with(llama_arguments, "num_experts ..................................... None",
                          "num_experts ..................................... 8");
  text = with(text, "moe_ffn_hidden_size ............................. None",
              "moe_ffn_hidden_size ............................. 1024\n"
              "  moe_shared_expert_intermediate_size ............. 2048");
  const TrainingLog log = read_log(text + megatron_step(1, 2000));
  ASSERT_TRUE(log.shape);
  EXPECT_EQ(log.shape->num_experts, 8);
  EXPECT_EQ(log.shape->experts_per_token, 2);
  EXPECT_EQ(log.shape->ffn_hidden_size, 1024);
  EXPECT_EQ(log.shape->num_shared_experts, 2);
}

TEST(TrainingLog, OfMegatronHasAGptOfItsOwn) {
  std::string text = with(llama_arguments, "group_query_attention ........................... True",
                          "group_query_attention ........................... False");
  text = with(text, "position_embedding_type ......................... rope",
              "position_embedding_type ......................... learned_absolute");
  text = with(text, "add_bias_linear ................................. False",
              "add_bias_linear ................................. True");
  text = with(text, "vocab_size ...................................... None",
              "vocab_size ...................................... 50257");
  const TrainingLog log = read_log("[default0]:" + text + megatron_step(1, 2000));
  ASSERT_TRUE(log.shape);
  EXPECT_EQ(log.shape->num_kv_heads, 32);
  EXPECT_EQ(log.shape->num_positions, 8192);
  EXPECT_TRUE(log.shape->biases);
  EXPECT_EQ(log.shape->vocab_size, 50257);
}

// What the dump does not tell whole, or tells outside of it, is no model.
TEST(TrainingLog, HasNoModelWhereTheDumpDoesNotTellIt) {
  const auto shape_of = [](const std::string& text) { return read_log(text + megatron_step(1, 2000)).shape; };
  EXPECT_FALSE(shape_of(with(llama_arguments, "multi_latent_attention .......................... False",
                             "multi_latent_attention .......................... True")));
  EXPECT_FALSE(shape_of(with(llama_arguments, "moe_layer_freq .................................. 1",
                             "moe_layer_freq .................................. [0, 1, 1]")));
  EXPECT_FALSE(shape_of(with(llama_arguments, "hidden_size ..................................... 4096",
                             "hidden_size ..................................... None")));
  EXPECT_FALSE(shape_of("  num_layers ... 32\n  hidden_size ... 4096\n  num_attention_heads ... 32\n"));
}

// Megatron-LM's arguments besides degrees: True and False, names, None.
TEST(TrainingLog, OfMegatronHasItsSettings) {
  const TrainingLog log = read_log(
      "  recompute_granularity ........................... full\n"
      "  sequence_parallel ............................... True\n"
      "  use_distributed_optimizer ....................... True\n"
      "  virtual_pipeline_model_parallel_size ............ 4\n" +
      megatron_step(1, 100) + megatron_step(2, 90));
  EXPECT_EQ(value_of(log, LoggedField::recompute), static_cast<double>(Recompute::full));
  EXPECT_EQ(value_of(log, LoggedField::sequence_parallel), 1);
  EXPECT_EQ(value_of(log, LoggedField::zero_stage), 1);
  EXPECT_EQ(value_of(log, LoggedField::virtual_stages), 4);
  const TrainingLog plain = read_log(
      "  recompute_granularity ........................... None\n"
      "  sequence_parallel ............................... False\n"
      "  use_distributed_optimizer ....................... False\n"
      "  virtual_pipeline_model_parallel_size ............ None\n" +
      megatron_step(1, 100) + megatron_step(2, 90));
  EXPECT_TRUE(says(plain, LoggedField::zero_stage));
  EXPECT_EQ(value_of(plain, LoggedField::zero_stage), 0);
  EXPECT_TRUE(says(plain, LoggedField::sequence_parallel));
  EXPECT_EQ(value_of(plain, LoggedField::recompute), static_cast<double>(Recompute::none));
  EXPECT_FALSE(says(plain, LoggedField::virtual_stages));
  EXPECT_FALSE(says(read_log(megatron_step(1, 100)), LoggedField::zero_stage));
}

// Of torchtitan's configuration as it prints it; its mesh says what is sharded.
TEST(TrainingLog, OfTorchtitanHasItsConfiguration) {
  const TrainingLog log = read_log(
      "\"tensor_parallel_degree\": 2, \"expert_parallel_degree\": 4, \"expert_tensor_parallel_degree\": 1, "
      "\"local_batch_size\": 1, \"seq_len\": "
      "8192\n"
      "Building 2-D device mesh with ['dp_shard', 'tp'], [8, 2]\n"
      "\"global_batch_size\": 16,\n"
      "step:  1  loss:  7.6  memory: 66.91GiB(37.51%)  tps: 1,024  tflops: 314.71  mfu: 13.99%\n");
  EXPECT_EQ(value_of(log, LoggedField::expert_parallel), 4);
  EXPECT_EQ(value_of(log, LoggedField::expert_tensor_parallel), 1);
  EXPECT_EQ(value_of(log, LoggedField::sequence_length), 8192);
  EXPECT_EQ(value_of(log, LoggedField::batch_size), 1);
  EXPECT_EQ(value_of(log, LoggedField::zero_stage), 3);
}

TEST(TrainingLog, OneReplicaFollowsFromAsManyGpusAsItsDegreesTake) {
  const auto replicas = [](int gpus) {
    return value_of(read_log("using world size: " + std::to_string(gpus) +
                             ", tensor-model-parallel size: 4, pipeline-model-parallel size: 2\n" +
                             megatron_step(1, 100) + megatron_step(2, 90)),
                    LoggedField::data_parallel);
  };
  EXPECT_EQ(replicas(4), 0);
  EXPECT_EQ(replicas(8), 1);
  EXPECT_EQ(replicas(12), 0);
  EXPECT_EQ(replicas(16), 2);
}

TEST(TrainingLog, SaysWhatTheLogDoesNot) {
  const TrainingLog log = read_log(megatron_step(1, 100) + megatron_step(2, 90));
  EXPECT_EQ(log.not_found, (std::vector<LoggedField>{LoggedField::sequence_length, LoggedField::batch_size,
                                                     LoggedField::cluster_gpus}));
  EXPECT_EQ(log.tokens_per_sec, 0);
}

TEST(TrainingLog, ABatchIsAWholeNumberUpToATrillion) {
  const auto batch = [](const std::string& said) {
    std::string line = megatron_step(1, 100) + megatron_step(2, 90);
    for (std::size_t at = 0; (at = line.find("size: 128", at)) != std::string::npos; ++at)
      line.replace(at, 9, "size: " + said);
    return value_of(read_log(line), LoggedField::global_batch_size);
  };
  EXPECT_EQ(batch("1"), 1);
  EXPECT_EQ(batch("0"), 0);
  EXPECT_EQ(batch("8.5"), 0);
  EXPECT_EQ(batch("1000000000000"), 1e12);
  EXPECT_EQ(batch("1000000000001"), 0);
}

TEST(TrainingLog, TimesStepsOfAnyLength) {
  EXPECT_DOUBLE_EQ(read_log(megatron_step(1, 0.5) + megatron_step(2, 0.5)).step_time_ms, 0.5);
  EXPECT_DOUBLE_EQ(read_log(megatron_step(1, 1) + megatron_step(2, 1)).step_time_ms, 1);
  const auto at = [](const char* samples) {
    return read_log("\"train_batch_size\": 64,\n[timer.py:189:stop] 0/40, SamplesPerSec=" +
                    std::string(samples) + "\n[timer.py:189:stop] 0/50, SamplesPerSec=" + samples + "\n")
        .step_time_ms;
  };
  EXPECT_DOUBLE_EQ(at("1"), 64e3);
  EXPECT_DOUBLE_EQ(at("0.5"), 128e3);
}

// The first step warms up, and those that are more than a tenth longer than the middle; half as long again is
// slow.
TEST(TrainingLog, TellsWarmStepsFromSlowOnes) {
  const auto log_of = [](std::initializer_list<double> times) {
    std::string text;
    int at = 0;
    for (const double ms : times) text += megatron_step(++at, ms);
    return read_log(text);
  };
  EXPECT_EQ(log_of({100}).warm_up_steps, 0);
  EXPECT_EQ(log_of({100, 100}).warm_up_steps, 1);
  EXPECT_EQ(log_of({100, 110, 100, 100}).warm_up_steps, 1);
  EXPECT_EQ(log_of({100, 111, 111, 100, 100, 100, 100}).warm_up_steps, 3);
  EXPECT_EQ(log_of({100, 100, 111, 100, 100}).warm_up_steps, 1);
  EXPECT_EQ(log_of({100, 100, 150, 100, 100}).slow_steps, 0);
  EXPECT_EQ(log_of({100, 100, 151, 100, 100}).slow_steps, 1);
}

// A batch that grows makes other steps of it: the last size alone is counted.
TEST(TrainingLog, CountsStepsOfTheLastBatchAlone) {
  const TrainingLog log =
      read_log(megatron_step(1, 100, 32) + megatron_step(2, 100, 32) + megatron_step(3, 210, 64) +
               megatron_step(4, 205, 64) + megatron_step(5, 200, 64));
  EXPECT_EQ(value_of(log, LoggedField::global_batch_size), 64);
  EXPECT_DOUBLE_EQ(log.step_time_ms, 202.5);
}

// torchtitan/components/metrics.py; eight ranks print the same step, in colours.
TEST(TrainingLog, OfTorchtitanIsTimedByItsClock) {
  std::string text =
      "[rank0]:[titan] 2026-02-24 23:59:50,000 - root - INFO - Building 2-D device mesh with ['dp_shard', "
      "'tp'], [4, 2]\n"
      "[rank0]:[titan] 2026-02-24 23:59:51,000 - root - INFO - Trainer is initialized with local batch size "
      "2, "
      "global batch size 8, gradient accumulation steps 1, sequence length 8192, total steps 1000 (warmup "
      "200)\n";
  const char* stamps[] = {"2026-02-24 23:59:56,500", "2026-02-24 23:59:58,500", "2026-02-25 00:00:00,100",
                          "2026-02-25 00:00:01,700"};
  for (int at = 0; at < 4; ++at) {
    for (int rank = 0; rank < 8; ++rank)
      text += "[titan] " + std::string(stamps[at]) +
              " - root - INFO - \x1b[31mstep:  " + std::to_string(10 * at + 10) +
              "  \x1b[32mloss:  7.62585  grad_norm: 26.6250  \x1b[38;2;1;2;3mmemory: 66.91GiB(37.51%)  tps: "
              "50,200  tflops: 314.71  mfu: 31.99%\x1b[39m\n";
  }
  const TrainingLog log = read_log(text);
  EXPECT_EQ(log.stack, TrainingStack::torchtitan);
  EXPECT_EQ(log.source, StepTimeSource::timestamps);
  ASSERT_EQ(log.steps.size(), 3u);
  EXPECT_NEAR(log.steps[0].step_time_ms, 200, 1e-3);
  EXPECT_NEAR(log.step_time_ms, 160, 1e-3);
  EXPECT_EQ(value_of(log, LoggedField::data_parallel), 4);
  EXPECT_EQ(value_of(log, LoggedField::tensor_parallel), 2);
  EXPECT_EQ(value_of(log, LoggedField::cluster_gpus), 8);
  EXPECT_EQ(value_of(log, LoggedField::batch_size), 2);
  EXPECT_EQ(value_of(log, LoggedField::global_batch_size), 8);
  EXPECT_EQ(value_of(log, LoggedField::sequence_length), 8192);
  EXPECT_NEAR(log.tokens_per_sec_per_gpu, 8 * 8192 / 0.160 / 8, 1);
}

TEST(TrainingLog, OfTorchtitanWithoutAClockIsTimedByItsThroughput) {
  const TrainingLog log = read_log(
      "Building 1-D device mesh with ['dp_shard'], [8]\n"
      "local batch size 1, global batch size 8, sequence length 8192\n"
      "step:  1  loss:  7.6  memory: 66.91GiB(37.51%)  tps: 1,024  tflops: 314.71  mfu: 13.99%\n"
      "step:  2  loss:  7.6  memory: 66.91GiB(37.51%)  tps: 8,192  tflops: 314.71  mfu: 13.99%\n");
  EXPECT_EQ(log.source, StepTimeSource::throughput);
  EXPECT_DOUBLE_EQ(log.step_time_ms, 1000);
}

// nanotron/trainer.py, train_step_logs; numbers in thousands, millions.
TEST(TrainingLog, OfNanotronReadsThousands) {
  const auto step = [](int at, const char* ms) {
    return "[default0]:07/02/2024 14:53:49 [INFO|DP=0|PP=0|TP=0|node-1]: iteration: " + std::to_string(at) +
           " / 15 | consumed_tokens: 2.1M | elapsed_time_per_iteration_ms: " + ms +
           " | tokens_per_sec: 441K | tokens_per_sec_per_gpu: 27.6K | global_batch_size: 512 | lm_loss: 11.2 "
           "| "
           "lr: 0.0003 | model_tflops_per_gpu: 156 | hardware_tflops_per_gpu: 156 | grad_norm: 15.2\n";
  };
  const TrainingLog log = read_log(
      "parallelism=ParallelismArgs(dp=8,\n pp=1,\n tp=2,\n recompute_layer=True,\n micro_batch_size=4,\n "
      "zero_stage=0,\n"
      "sequence_length=4096,\n" +
      step(1, "9.51K") + step(2, "4.75K") + step(3, "4.76K"));
  EXPECT_EQ(log.stack, TrainingStack::nanotron);
  EXPECT_DOUBLE_EQ(log.step_time_ms, 4755);
  EXPECT_EQ(value_of(log, LoggedField::data_parallel), 8);
  EXPECT_EQ(value_of(log, LoggedField::tensor_parallel), 2);
  EXPECT_EQ(value_of(log, LoggedField::cluster_gpus), 16);
  EXPECT_EQ(value_of(log, LoggedField::global_batch_size), 512);
  EXPECT_TRUE(says(log, LoggedField::zero_stage));
  EXPECT_EQ(value_of(log, LoggedField::recompute), static_cast<double>(Recompute::full));
}

// deepspeed/utils/timer.py; steps ten apart.
TEST(TrainingLog, OfDeepSpeedIsTimedByItsClockOrItsSamples) {
  const TrainingLog clock = read_log(
      "  train_batch_size ............. 64\n  train_micro_batch_size_per_gpu  2\n"
      "[2023-07-25 21:03:17,269] [INFO] [timer.py:215:stop] epoch=0/micro_step=40/global_step=10, "
      "RunningAvgSamplesPerSec=7.86, CurrSamplesPerSec=8.0, MemAllocated=59.65GB, MaxMemAllocated=63.31GB\n"
      "[2023-07-25 21:03:57,269] [INFO] [timer.py:215:stop] epoch=0/micro_step=80/global_step=20, "
      "RunningAvgSamplesPerSec=7.86, CurrSamplesPerSec=8.0, MemAllocated=59.65GB, MaxMemAllocated=63.31GB\n");
  EXPECT_EQ(clock.stack, TrainingStack::deepspeed);
  EXPECT_DOUBLE_EQ(clock.step_time_ms, 4000);
  EXPECT_EQ(value_of(clock, LoggedField::batch_size), 2);
  EXPECT_EQ(value_of(clock, LoggedField::global_batch_size), 64);
  const TrainingLog samples = read_log(
      "\"train_batch_size\": 64,\n[timer.py:189:stop] 0/40, SamplesPerSec=83.5\n"
      "[timer.py:189:stop] 0/50, SamplesPerSec=80\n");
  EXPECT_EQ(samples.source, StepTimeSource::throughput);
  EXPECT_DOUBLE_EQ(samples.step_time_ms, 800);
  EXPECT_EQ(samples.steps[1].step, 50);
  const TrainingLog pipeline = read_log("steps: 10 loss: 7.2 iter time (s): 0.405 samples/sec: 79.9\n");
  EXPECT_DOUBLE_EQ(pipeline.step_time_ms, 405);
}

// GPT-NeoX prints both: what prints a time is believed.
TEST(TrainingLog, BelievesTheLineThatPrintsATime) {
  const TrainingLog log = read_log(
      "[2023-07-25 21:03:17,269] [timer.py:215:stop] epoch=0/micro_step=34/global_step=34, "
      "CurrSamplesPerSec=8.00912418308922\n"
      " samples/sec: 7.799 | iteration       34/   10000 | elapsed time per iteration (ms): 4103.1 | x\n");
  EXPECT_EQ(log.stack, TrainingStack::megatron);
  EXPECT_DOUBLE_EQ(log.step_time_ms, 4103.1);
}

TEST(TrainingLog, OfNemoReadsTheProgressBar) {
  const TrainingLog log = read_log(
      "Epoch 0: : 98%| 49/50 [31:51<00:00, reduced_train_loss=6.2, global_step=49.0, "
      "consumed_samples=75264.0, train_step_timing in s=6.100]\n"
      "Epoch 0: : 100%| 50/50 [31:51<00:00, reduced_train_loss=6.130, global_step=50.0, "
      "consumed_samples=76800.0, train_step_timing in s=5.900, val_loss=6.250]\n");
  EXPECT_EQ(log.stack, TrainingStack::nemo);
  EXPECT_DOUBLE_EQ(log.step_time_ms, 5900);
}

TEST(TrainingLog, NamesLinesThatAreCutShort) {
  const std::string whole = megatron_step(1, 100) + megatron_step(2, 90);
  const TrainingLog log = read_log(whole + " iteration 3/ 500 | elapsed time per iteration (ms):\n");
  ASSERT_EQ(log.problems.size(), 1u);
  EXPECT_EQ(log.problems[0].line, 3);
  EXPECT_EQ(log.steps.size(), 2u);
}

TEST(TrainingLog, RefusesWhatHasNoSteps) {
  for (const char* text : {"", "hello\n", "step: 3 loss: 2\n", "iteration 3 done\n"}) {
    const Outcome<TrainingLog> log = read_training_log(text);
    ASSERT_FALSE(log) << text;
    EXPECT_EQ(log.problems().front().field, "training_log");
  }
}

std::string torchtitan_step(int step, const std::string& rest = "") {
  return "step: " + std::to_string(step) +
         "  loss:  7.6  memory: 66.91GiB(37.51%)  tps: 6,000  tflops: 314.71" + rest + "\n";
}

std::string run_of(int from, int to, double ms) {
  std::string text;
  for (int step = from; step <= to; ++step) text += megatron_step(step, ms);
  return text;
}

// Slurm's requeue writes into the same file: the first run is named and not counted.
TEST(TrainingLog, CountsTheLastOfSeveralRuns) {
  const TrainingLog log = read_log(run_of(1, 20, 1000) + run_of(1, 20, 9000));
  EXPECT_DOUBLE_EQ(log.step_time_ms, 9000);
  EXPECT_DOUBLE_EQ(log.step_time_low_ms, 9000);
  EXPECT_EQ(log.counted_steps, 19);
  EXPECT_EQ(log.warm_up_steps, 1);
  EXPECT_EQ(log.steps.front().line, 21);
  ASSERT_EQ(log.problems.size(), 1u);
  EXPECT_EQ(log.problems[0].line, 1);
  EXPECT_EQ(log.problems[0].lines, 20);
  EXPECT_EQ(log.problems[0].message, "an earlier run, of 20 steps; only the last run of a log is counted");
}

TEST(TrainingLog, ARunFromACheckpointIsAnother) {
  const TrainingLog log = read_log(run_of(1, 9, 1000) + run_of(5, 5, 90000) + run_of(6, 12, 2000) +
                                   run_of(12, 12, 80000) + run_of(13, 14, 2000));
  EXPECT_EQ(log.counted_steps, 9);  // 12 again is the step before, said twice
  EXPECT_EQ(log.warm_up_steps, 1);
  EXPECT_DOUBLE_EQ(log.step_time_high_ms, 2000);
  const TrainingLog thrice = read_log(run_of(7, 7, 1) + "\n" + run_of(5, 6, 1) + run_of(1, 3, 500));
  ASSERT_EQ(thrice.problems.size(), 2u);
  EXPECT_EQ(thrice.problems[0].line, 1);
  EXPECT_EQ(thrice.problems[0].message, "an earlier run, of 1 step; only the last run of a log is counted");
  EXPECT_EQ(thrice.problems[1].line, 3);
  EXPECT_EQ(thrice.problems[1].lines, 2);
  EXPECT_DOUBLE_EQ(thrice.step_time_ms, 500);
}

// What a job prints when it starts holds for its own steps.
TEST(TrainingLog, ARunHasItsOwnSettings) {
  const auto settings = [](int tp, int gpus) {
    return "using world size: " + std::to_string(gpus) +
           ", tensor-model-parallel size: " + std::to_string(tp) + "\n";
  };
  const TrainingLog log =
      read_log("seq_length ... 4096\n" + settings(2, 64) + run_of(1, 5, 1000) + settings(4, 128) +
               "seq_length ..... 8192\n" + run_of(3, 9, 2000) + settings(8, 256));
  EXPECT_EQ(value_of(log, LoggedField::tensor_parallel), 4);
  EXPECT_EQ(value_of(log, LoggedField::cluster_gpus), 128);
  EXPECT_EQ(value_of(log, LoggedField::data_parallel), 32);
  EXPECT_EQ(value_of(log, LoggedField::sequence_length), 8192);
  // What it does not say again is as before.
  const TrainingLog same = read_log(settings(2, 64) + run_of(1, 5, 1000) + run_of(1, 5, 2000));
  EXPECT_EQ(value_of(same, LoggedField::tensor_parallel), 2);
}

// Ranks that are written late, or one after another, are one run: their clocks say so.
TEST(TrainingLog, LinesOfOtherRanksAreNoRestart) {
  const auto line = [](int step, const char* clock) {
    return "[titan] 2026-02-24 10:00:" + std::string(clock) + " - INFO - " + torchtitan_step(step);
  };
  const TrainingLog late =
      read_log(line(1, "01,000") + line(2, "02,000") + line(1, "01,010") + line(3, "03,000") +
               line(2, "02,010") + line(4, "04,000") + line(3, "03,010"));
  EXPECT_EQ(late.steps.size(), 3u);
  EXPECT_TRUE(late.problems.empty());
  EXPECT_NEAR(late.step_time_ms, 1000, 1e-6);
  const std::string run = line(10, "01,000") + line(20, "11,000") + line(30, "21,000");
  EXPECT_EQ(read_log(run + run).steps.size(), 2u);
  EXPECT_TRUE(read_log(run + run).problems.empty());
  // A step that this run has not, of an earlier time: an older file behind a newer one.
  const TrainingLog mixed = read_log(run + line(15, "06,000"));
  ASSERT_EQ(mixed.problems.size(), 1u);
  EXPECT_EQ(mixed.problems[0].message, "a step of an earlier time than the one before it");
  EXPECT_EQ(mixed.problems[0].line, 4);
}

// A toy model's steps may be shorter than a millisecond.
TEST(TrainingLog, TimesShortStepsByTheClockOfManyToo) {
  const auto line = [](int step, const char* clock) {
    return "[titan] 2026-02-24 10:00:" + std::string(clock) + " - INFO - " + torchtitan_step(step);
  };
  const TrainingLog log = read_log(line(1000, "01,000") + line(2000, "01,500") + line(3000, "02,000"));
  ASSERT_EQ(log.steps.size(), 2u);
  EXPECT_NEAR(log.step_time_ms, 0.5, 1e-9);
}

TEST(TrainingLog, SaysWhatItMissesToTellTimes) {
  const auto refusal = [](const std::string& text) {
    const Outcome<TrainingLog> log = read_training_log(text);
    return log ? "" : log.problems().front().message;
  };
  std::string steps;
  for (int step = 1; step <= 20; ++step) steps += torchtitan_step(step);
  const std::string told = refusal(steps);
  EXPECT_EQ(told,
            "training_log has 20 steps, but neither their times nor all that these follow from: add a line "
            "\"global batch size: ..., sequence length: ..., world size: ...\"");
  // That very line is what it takes.
  std::string line = told.substr(told.find('"') + 1);
  line.pop_back();
  for (const char* number : {"64", "8192", "8"}) line.replace(line.find("..."), 3, number);
  EXPECT_DOUBLE_EQ(read_log(line + "\n" + steps).step_time_ms, 1e3 * 64 * 8192 / (6000.0 * 8));
  EXPECT_NE(refusal("Building 1-D device mesh with ['dp_shard'], [8]\n" + steps)
                .find("\"global batch size: ..., sequence length: ...\""),
            std::string::npos);
  EXPECT_NE(refusal("global_step=3, CurrSamplesPerSec=5\n").find("has 1 step, but"), std::string::npos);
  EXPECT_NE(refusal("global_step=3, CurrSamplesPerSec=5\n").find("\"global batch size: ...\""),
            std::string::npos);
  EXPECT_EQ(refusal(megatron_step(1, 0) + megatron_step(2, 0)),
            "training_log has 2 steps, but no time of any");
  EXPECT_EQ(refusal(torchtitan_step(9) + torchtitan_step(1)).substr(0, 43),
            "training_log has 1 step in its last run, bu");
}

// A progress bar is one line to the file, begun again and again.
TEST(TrainingLog, ReadsWhatAProgressBarWritesOver) {
  std::string bar = "Sanity checking\n";
  for (int step = 1; step <= 5; ++step)
    bar += "\rEpoch 0: " + std::to_string(step) + "/50 [31:51<00:00, global_step=" + std::to_string(step) +
           ".0, train_step_timing in s=6.100]";
  const TrainingLog log = read_log(bar + "\n" + "done");
  EXPECT_EQ(log.steps.size(), 5u);
  EXPECT_EQ(log.steps[4].line, 2);
  EXPECT_TRUE(log.problems.empty());
}

TEST(TrainingLog, AnAddressIsNoStep) {
  const TrainingLog log = read_log("View run at https://wandb.ai/x\n" + run_of(1, 3, 100));
  EXPECT_TRUE(log.problems.empty());
}

// As a stream brings it: cut anywhere, a log says the same.
TEST(TrainingLog, IsTheSameInPieces) {
  const std::string text =
      std::string(megatron_arguments) + run_of(1, 4, 1000) + "\r\n\n" + run_of(2, 6, 900) +
      "\x1b[31m iteration 7/ 9 | elapsed time per iteration (ms): x\x1b[0m\r\n" + run_of(8, 9, 901);
  const TrainingLog whole = read_log(text);
  for (const std::size_t size : {1u, 2u, 3u, 7u, 64u, 1000u}) {
    TrainingLogReader reader;
    for (std::size_t at = 0; at < text.size(); at += size)
      reader.read(std::string_view(text).substr(at, size));
    const Outcome<TrainingLog> log = std::move(reader).finished();
    ASSERT_TRUE(log);
    ASSERT_EQ(log->steps.size(), whole.steps.size());
    for (std::size_t at = 0; at < whole.steps.size(); ++at) {
      EXPECT_EQ(log->steps[at].line, whole.steps[at].line);
      EXPECT_EQ(log->steps[at].step_time_ms, whole.steps[at].step_time_ms);
    }
    EXPECT_EQ(log->found.size(), whole.found.size());
    ASSERT_EQ(log->problems.size(), whole.problems.size());
    for (std::size_t at = 0; at < whole.problems.size(); ++at) {
      EXPECT_EQ(log->problems[at].line, whole.problems[at].line);
      EXPECT_EQ(log->problems[at].text, whole.problems[at].text);
    }
  }
  EXPECT_EQ(whole.problems.size(), 2u);
}

// A line without an end does not fill the memory; what is cut is said.
TEST(TrainingLog, CutsALineThatDoesNotEnd) {
  const std::string endless(3 * longest_line, 'x');
  TrainingLogReader reader;
  for (const char* end : {"", "", "\n"}) reader.read(endless + end);
  reader.read(run_of(1, 2, 100));
  const Outcome<TrainingLog> log = std::move(reader).finished();
  ASSERT_TRUE(log);
  ASSERT_EQ(log->problems.size(), 1u);
  EXPECT_EQ(log->problems[0].message, "a line too long to be read to its end");
  EXPECT_EQ(read_log(endless + "\n" + run_of(1, 2, 100)).problems.size(), 1u);
}

}  // namespace
}  // namespace commcost
