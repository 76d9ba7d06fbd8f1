#include "core/launches/launch_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "core/base/number_text.h"
#include "core/parallel/rank_groups.h"
#include "core/parallel/recipes.h"
#include "core/parallel/served_exchange.h"
#include "core/parallel/stage_share.h"
#include "core/plan/serving_plan.h"
#include "support/launched_jobs.h"

namespace commcost {
namespace {

using test::launched_jobs;
using test::launched_model;

// What a job comes to, field by field: what has no effect on it is left out.
std::map<std::string, double> facts_of(const LaunchedJob& launched, bool serves) {
  const Job job = completed(launched.job);
  const Work& work = job.work;
  const Layout& layout = job.layout;
  std::map<std::string, double> facts;
  const auto say = [&](const char* field, double value) { facts[field] = value; };
  const auto whole = [&](const char* field, std::int64_t value) { say(field, static_cast<double>(value)); };
  whole("sequence_length", work.sequence_length);
  whole("batch_size", work.batch_size);
  whole("tensor_parallel", layout.tensor_parallel);
  whole("data_parallel", layout.data_parallel);
  whole("expert_parallel", layout.expert_parallel);
  if (layout.expert_parallel > 1)
    say("expert_exchange", static_cast<double>(serves ? served_exchange(job) : layout.expert_exchange));
  if (serves) {
    say("kv_bytes_per_element", cached_bytes(work));
    whole("bytes_per_element", work.bytes_per_element);
    say("cuda_graphs", job.stack.cuda_graphs);
    say("chunked_prefill", launched.chunked_prefill);
    // A token for each sequence; prompts that are not cut up have steps for themselves.
    if (launched.chunked_prefill) whole("step_tokens", std::max(launched.step_tokens, work.batch_size));
    return facts;
  }
  say("cuda_graphs", job.stack.cuda_graphs);
  say("bytes_per_element", static_cast<double>(work.bytes_per_element));
  say("matmul_precision", multiplies_as_kept(work) ? 0 : static_cast<double>(work.matmul_precision));
  whole("gradient_bytes_per_element", work.gradient_bytes_per_element);
  whole("global_batch_size", sequences_per_step(work, layout));
  const bool selects = work.recompute == Recompute::selective;
  const bool repeats = work.recompute_attention_core || work.recompute_elementwise ||
                       work.recompute_products ||
                       (work.recompute_latent_projections && job.model.kv_rank > 0);
  say("recompute", selects && !repeats ? 0 : static_cast<double>(work.recompute));
  if (selects && repeats) {
    say("recompute_attention_core", work.recompute_attention_core);
    say("recompute_elementwise", work.recompute_elementwise);
    say("recompute_products", work.recompute_products);
    say("recompute_latent_projections", work.recompute_latent_projections && job.model.kv_rank > 0);
  }
  if (work.recompute == Recompute::full) whole("recomputed_layers", work.recomputed_layers);
  whole("offloaded_layers", work.offloaded_layers);
  say("offloaded_optimizer_percent", work.offloaded_optimizer_percent);
  say("flash_attention", work.flash_attention);
  say("dropout", work.dropout);
  if (layout.tensor_parallel > 1) {
    say("sequence_parallel", layout.sequence_parallel);
    if (layout.sequence_parallel) {
      say("overlap_tensor", layout.overlap_tensor);
      say("overlap_tensor_forward", layout.overlap_tensor_forward);
    }
  }
  whole("context_parallel", layout.context_parallel);
  if (layout.context_parallel > 1) say("context_scheme", static_cast<double>(layout.context_scheme));
  if (layout.expert_parallel > 1) {
    whole("expert_tensor_parallel", expert_tensor_degree(layout));
    say("overlap_expert", layout.overlap_expert);
  }
  whole("pipeline_parallel", layout.pipeline_parallel);
  if (layout.pipeline_parallel > 1) {
    const bool one_chunk =
        layout.pipeline_schedule == PipelineSchedule::interleaved && layout.virtual_stages == 1;
    say("pipeline_schedule", one_chunk ? 0 : static_cast<double>(layout.pipeline_schedule));
    whole("virtual_stages", layout.virtual_stages);
    const StageLayers dealt = stage_share(job).dealt;
    say("first_stage_layers", dealt.first);
    say("last_stage_layers", dealt.last);
  }
  if (data_ranks(layout).size > 1) {
    // A group of one shards nothing.
    const std::int64_t stage = layout.shard_group_size == 1 ? 0 : layout.zero_stage;
    whole("zero_stage", stage);
    if (stage > 0) {
      const std::int64_t ranks = layout.data_parallel * layout.context_parallel;
      whole("shard_group_size", layout.shard_group_size == 0 ? ranks : layout.shard_group_size);
      if (layout.overlap_data) say("overlap_param_gather", layout.overlap_param_gather);
    }
    say("overlap_data", layout.overlap_data);
  }
  return facts;
}

// Fields that a stack says by others, or that its launches have no word for: what they are is the recipe's.
const std::map<LaunchFormat, std::set<std::string>> silent_fields = {
    {LaunchFormat::megatron_bridge, {}},
    {LaunchFormat::torchtitan,
     {"flash_attention", "dropout", "overlap_data", "overlap_param_gather", "recompute_attention_core",
      "recompute_elementwise", "recompute_products", "recompute_latent_projections", "expert_tensor_parallel",
      "pipeline_parallel"}},
    {LaunchFormat::deepspeed,
     {"flash_attention", "dropout", "overlap_param_gather", "recompute_attention_core",
      "recompute_elementwise", "recompute_products", "recompute_latent_projections", "sequence_parallel",
      "overlap_tensor", "overlap_tensor_forward"}},
};

// Written and read, a job is the same in all that the launch did not name above itself.
void round_trip(const LaunchedJob& launched, LaunchFormat format) {
  const std::string_view name = launch_format_names[static_cast<std::size_t>(format)];
  const ExportedLaunch exported = exported_launch(launched, format);
  std::set<std::string> left;
  for (const NotExported& one : exported.not_exported) left.insert(std::string(one.field));
  // Without a published model a stack that names its models has no layers to deal out.
  const LaunchStack& stack = launch_stack(format);
  if (left.contains("model")) left.insert({"first_stage_layers", "last_stage_layers", "virtual_stages"});
  // What starts has replicas for stages.
  if (format == LaunchFormat::deepspeed && left.contains("pipeline_parallel"))
    left.insert({"data_parallel", "zero_stage", "overlap_data"});
  if (left.contains("pipeline_parallel") || left.contains("pipeline_schedule") ||
      left.contains("virtual_stages"))
    left.insert({"first_stage_layers", "last_stage_layers", "virtual_stages", "pipeline_schedule"});
  if (left.contains("recompute") || left.contains("recompute_elementwise") ||
      left.contains("recompute_products"))
    left.insert(
        {"recompute", "recompute_elementwise", "recompute_attention_core", "recompute_latent_projections"});
  if (stack.serves && left.contains("tensor_parallel")) left.insert({"expert_parallel", "data_parallel"});
  if (left.contains("shard_group_size")) left.insert("zero_stage");
  // Two copies of a stage are replicas.
  if (left.contains("pipeline_schedule")) left.insert({"zero_stage", "overlap_data"});
  // One switch for both.
  if (left.contains("overlap_tensor_forward")) left.insert("overlap_tensor");
  if (left.contains("zero_stage")) left.insert({"shard_group_size", "overlap_param_gather"});
  if (left.contains("bytes_per_element"))
    left.insert({"gradient_bytes_per_element", "matmul_precision", "kv_bytes_per_element"});
  if (left.contains("expert_parallel"))
    left.insert({"tensor_parallel", "data_parallel", "batch_size", "expert_exchange"});
  if (const auto silent = silent_fields.find(format); silent != silent_fields.end())
    left.insert(silent->second.begin(), silent->second.end());
  const Outcome<ReadLaunch> read = read_launch(exported.text);
  ASSERT_TRUE(read) << exported.text;
  EXPECT_EQ(read->format, format) << exported.text;
  for (const NotUnderstood& one : read->not_understood)
    EXPECT_TRUE(one.value.starts_with("$") || left.contains("model"))
        << name << ' ' << one.option << ' ' << one.value;
  LaunchedJob back = read->launched;
  if (!left.contains("model") && format != LaunchFormat::megatron_lm) {
    ASSERT_NE(back.model, nullptr) << exported.text;
    EXPECT_EQ(completed(back.model->shape), launched.job.model);
  }
  if (left.contains("model")) back.job.model = launched.job.model;
  // Which kernels reach is as the stack that starts has it.
  LaunchedJob started = launched;
  started.job.stack.serving = back.job.stack.serving;
  const auto expected = facts_of(started, stack.serves);
  const auto got = facts_of(back, stack.serves);
  // A server's options are written again as they were read.
  if (stack.serves && left.empty()) {
    EXPECT_EQ(exported_launch(back, format).text, exported.text);
    if (launched.memory_share > 0) {
      EXPECT_EQ(back.memory_share, launched.memory_share) << exported.text;
    }
  }
  for (const auto& [field, value] : expected) {
    if (left.contains(field)) continue;
    const auto found = got.find(field);
    ASSERT_NE(found, got.end()) << name << ' ' << field << '\n' << exported.text;
    EXPECT_EQ(found->second, value) << name << ' ' << field << '\n' << exported.text;
  }
}

TEST(ReadLaunch, ReadsBackWhatItWrites) {
  for (std::size_t at = 0; at < std::size(launch_format_names); ++at) {
    const auto format = static_cast<LaunchFormat>(at);
    for (const LaunchedJob& one : launched_jobs(28, 400)) round_trip(one, format);
    for (const char* model : {"llama-3.1-8b", "llama-3.1-70b", "deepseek-v3", "qwen3-30b-a3b"}) {
      for (const LaunchedJob& one : launched_jobs(29, 150, model)) round_trip(one, format);
    }
    if (HasFailure()) return;
  }
}

TEST(ReadLaunch, ReadsMegatronsModelsBack) {
  for (const ModelRow& row : all_models()) {
    const LaunchedJob launched = launched_model(row.id, "megatron-core");
    const ExportedLaunch exported = exported_launch(launched, LaunchFormat::megatron_lm);
    const bool is_said =
        std::none_of(exported.not_exported.begin(), exported.not_exported.end(),
                     [](const NotExported& one) { return one.field == "parallel_sublayers"; });
    const Outcome<ReadLaunch> read = read_launch(exported.text);
    ASSERT_TRUE(read);
    EXPECT_TRUE(read->missing.empty()) << row.id;
    ModelShape shape = completed(read->launched.job.model);
    // Latent attention has as many heads of either kind.
    if (row.shape.kv_rank > 0) shape.num_kv_heads = row.shape.num_kv_heads;
    EXPECT_TRUE(!is_said || shape == completed(row.shape)) << row.id << exported.text;
  }
}

// Written as such scripts are: examples/gpt3/train_gpt3_175b_distributed.sh @d98e8a64 has arrays in
// variables.
TEST(ReadLaunch, ReadsAScriptWithVariablesAndComments) {
  const Outcome<ReadLaunch> read = read_launch(R"(#!/bin/bash
# Runs the "175B" parameter model
export CUDA_DEVICE_MAX_CONNECTIONS=1
GPUS_PER_NODE=8
NUM_NODES=16
TP=8 # inside a node
DISTRIBUTED_ARGS=(
    --nproc_per_node $GPUS_PER_NODE
    --nnodes ${NUM_NODES:-1}
    --master_addr ${MASTER_ADDR:-localhost}
)
GPT_MODEL_ARGS=(
    --num-layers 96
    --hidden-size 12288   # wide
    --num-attention-heads 96
    --seq-length 2048
    --max-position-embeddings 2048
    --attention-backend auto # Can use (flash/fused/unfused/local)
)
OTHER="--micro-batch-size 1 --global-batch-size 1536 --fp16 --no-such-option 3"
torchrun ${DISTRIBUTED_ARGS[@]} pretrain_gpt.py \
    ${GPT_MODEL_ARGS[@]} \
    $OTHER --tensor-model-parallel-size $TP \
    '--pipeline-model-parallel-size' "16" \
    --data-path $DATA
)");
  ASSERT_TRUE(read);
  const Job& job = read->launched.job;
  EXPECT_EQ(read->format, LaunchFormat::megatron_lm);
  EXPECT_EQ(job.model.num_layers, 96);
  EXPECT_EQ(job.model.num_positions, 2048);
  EXPECT_TRUE(job.model.tied_embeddings);
  EXPECT_EQ(job.work.global_batch_size, 1536);
  EXPECT_EQ(job.work.matmul_precision, MatmulPrecision::fp16);
  EXPECT_EQ(job.layout.tensor_parallel, 8);
  EXPECT_EQ(job.layout.pipeline_parallel, 16);
  EXPECT_EQ(job.layout.cluster_gpus, 128);
  EXPECT_EQ(job.layout.data_parallel, 1);
  std::map<std::string, std::string> refused;
  for (const NotUnderstood& one : read->not_understood) refused[one.option] = one.value;
  EXPECT_EQ(refused,
            (std::map<std::string, std::string>{{"--data-path", "$DATA"}, {"--no-such-option", "3"}}));
  for (const NotUnderstood& one : read->not_understood) EXPECT_TRUE(one.field.empty() && one.meant.empty());
  const auto layers = std::find_if(read->found.begin(), read->found.end(),
                                   [](const ReadInput& one) { return one.field == "num_layers"; });
  ASSERT_NE(layers, read->found.end());
  EXPECT_EQ(layers->line, 13);
}

// As cloned, unless one of NVIDIA's performance settings is said.
TEST(ReadLaunch, TellsAMegatronAsClonedFromATunedOne) {
  for (const char* recipe : {"megatron-core", "megatron-lm"}) {
    for (const std::int64_t tensor : {1, 8}) {
      LaunchedJob launched = launched_model("llama-3.1-70b", recipe);
      Layout& layout = launched.job.layout;
      layout.tensor_parallel = tensor;
      layout.sequence_parallel = tensor > 1;
      layout.data_parallel = 64;
      layout.zero_stage = 1;
      const std::string text = exported_launch(launched, LaunchFormat::megatron_lm).text;
      for (const char* tuned : {"--grad-reduce-in-bf16", "--overlap-grad-reduce", "--overlap-param-gather",
                                "--tp-comm-overlap"}) {
        const bool said = launched.job.layout.overlap_data && (tensor > 1 || tuned[2] != 't');
        EXPECT_EQ(text.find(tuned) != std::string::npos, said) << tuned << text;
      }
      const Outcome<ReadLaunch> read = read_launch(text);
      ASSERT_TRUE(read);
      EXPECT_EQ(read->recipe, recipe);
      EXPECT_EQ(read->launched.job.stack, launched.job.stack);
      EXPECT_EQ(read->launched.job.work.gradient_bytes_per_element, layout.overlap_data ? 2 : 4);
      EXPECT_EQ(read->launched.job.work.dropout, launched.job.work.dropout);
    }
  }
}

// A slip of the hand is said with the option that was meant, what was not taken with its input.
TEST(ReadLaunch, SaysWhatWasMeantByWhatItDoesNotTake) {
  const Outcome<ReadLaunch> read = read_launch(
      "pretrain_gpt.py --num-layers 80 --pipeline-model-parallel-size 4 --context-paralel-size 2 "
      "--num-layers-per-virtual-pipeline-stage 3 --wandb-project mine");
  ASSERT_TRUE(read);
  std::map<std::string, std::pair<std::string, std::string>> said;
  for (const NotUnderstood& one : read->not_understood)
    said[one.option] = {std::string(one.field), std::string(one.meant)};
  EXPECT_EQ(said, (std::map<std::string, std::pair<std::string, std::string>>{
                      {"--context-paralel-size", {"", "--context-parallel-size"}},
                      {"--num-layers-per-virtual-pipeline-stage", {"virtual_stages", ""}},
                      {"--wandb-project", {"", ""}}}));
}

TEST(ReadLaunch, TakesNumbersStrictly) {
  for (const char* wrong : {"8x", "1e", "0x10", "eight", "8.5", "", "1,024", "--", "nan", "1e400"}) {
    const std::string text = "pretrain_gpt.py --hidden-size '" + std::string(wrong) + "' --num-layers 4";
    const Outcome<ReadLaunch> read = read_launch(text);
    ASSERT_TRUE(read) << wrong;
    EXPECT_EQ(read->launched.job.model.hidden_size, 0) << wrong;
    EXPECT_EQ(read->not_understood.size(), 1u) << wrong;
    EXPECT_EQ(read->launched.job.model.num_layers, 4) << wrong;
  }
}

TEST(ReadLaunch, ReadsDeepSpeedsConfiguration) {
  const Outcome<ReadLaunch> read = read_launch(R"({
    "train_batch_size": 512, "train_micro_batch_size_per_gpu": 4, "gradient_accumulation_steps": 2,
    "bf16": {"enabled": true}, "zero_optimization": {"stage": 3, "overlap_comm": true, "reduce_bucket_size": 5e8}})");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->format, LaunchFormat::deepspeed);
  EXPECT_EQ(read->launched.job.layout.data_parallel, 64);
  EXPECT_EQ(read->launched.job.layout.zero_stage, 3);
  EXPECT_TRUE(read->launched.job.layout.overlap_data);
  EXPECT_EQ(read->launched.job.work.bytes_per_element, 2);
  ASSERT_EQ(read->not_understood.size(), 1u);
  EXPECT_EQ(read->not_understood[0].option, "zero_optimization.reduce_bucket_size");
  EXPECT_EQ(read->missing,
            (std::vector<std::string_view>{"num_layers", "hidden_size", "num_heads", "sequence_length"}));
}

TEST(ReadLaunch, MissesNothingOfTheSmallestModel) {
  const Outcome<ReadLaunch> read = read_launch(
      "torchrun pretrain_gpt.py --num-layers 1 --hidden-size 1 --num-attention-heads 1 --seq-length 1 "
      "--max-position-embeddings 1 --micro-batch-size 1");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->missing, std::vector<std::string_view>{});
}

TEST(ReadLaunch, ReadsServersLines) {
  const Outcome<ReadLaunch> vllm = read_launch(
      "vllm serve meta-llama/Llama-3.1-70B-Instruct -tp 4 --max-model-len=8192 --max-num-seqs 256 --port "
      "8000");
  ASSERT_TRUE(vllm);
  EXPECT_EQ(vllm->format, LaunchFormat::vllm);
  ASSERT_NE(vllm->launched.model, nullptr);
  EXPECT_EQ(vllm->launched.model->id, "llama-3.1-70b");
  EXPECT_EQ(vllm->launched.job.layout.tensor_parallel, 4);
  EXPECT_EQ(vllm->launched.job.work.sequence_length, 8192);
  EXPECT_EQ(vllm->launched.job.work.batch_size, 256);
  ASSERT_EQ(vllm->not_understood.size(), 1u);
  EXPECT_EQ(vllm->not_understood[0].option, "--port");
  // launches.md's D: eight groups of one GPU each that share the experts.
  const Outcome<ReadLaunch> sglang = read_launch(
      "python -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 --tp-size 8 --dp-size 8 "
      "--enable-dp-attention --ep-size 8 --moe-a2a-backend deepep --deepep-mode normal "
      "--max-running-requests 1024");
  ASSERT_TRUE(sglang);
  EXPECT_EQ(sglang->format, LaunchFormat::sglang);
  EXPECT_EQ(sglang->launched.job.layout.tensor_parallel, 1);
  EXPECT_EQ(sglang->launched.job.layout.expert_parallel, 8);
  EXPECT_EQ(sglang->launched.job.work.batch_size, 128);
}

// What a plan prices of a server that spreads experts is what its launch starts, in every stack that serves:
// its degrees, and what sends tokens to experts, whether that is the stack's own or chosen.
TEST(ReadLaunch, StartsTheServersThatAPlanPriced) {
  struct Case {
    const char* model;
    const char* recipe;
    LaunchFormat format;
    std::string_view option = {};  // that says the exchange, and its value
    std::string_view value = {};
    ExchangeKernel exchange = ExchangeKernel::nccl;
  };
  constexpr Case cases[] = {
      {"mixtral-8x7b", "vllm", LaunchFormat::vllm, "--all2all-backend", "allgather_reducescatter"},
      {"mixtral-8x7b", "sglang", LaunchFormat::sglang},
      {"mixtral-8x7b", "sglang", LaunchFormat::sglang, "--moe-a2a-backend", "deepep",
       ExchangeKernel::low_latency},
      {"mixtral-8x7b", "tensorrt-llm", LaunchFormat::tensorrt_llm, "", "", ExchangeKernel::by_rank},
      {"deepseek-v3", "vllm", LaunchFormat::vllm, "--all2all-backend", "deepep_low_latency",
       ExchangeKernel::low_latency},
      {"deepseek-v3", "sglang", LaunchFormat::sglang, "--moe-a2a-backend", "deepep",
       ExchangeKernel::low_latency},
      {"deepseek-v3", "sglang", LaunchFormat::sglang},
      {"deepseek-v3", "tensorrt-llm", LaunchFormat::tensorrt_llm, "", "", ExchangeKernel::by_rank},
  };
  for (const Case& one : cases) {
    ServingPlanInputs asked;
    asked.job = launched_model(one.model, one.recipe).job;
    if (!one.option.empty()) asked.job.layout.expert_exchange = one.exchange;
    EXPECT_EQ(asked.job.layout.expert_exchange, one.exchange) << one.recipe;
    asked.cluster_gpus = 16;
    const Outcome<ServingPlan> plan = plan_serving(asked);
    ASSERT_TRUE(plan) << one.model;
    int spread = 0;
    for (const ServingDeployment& row : plan->deployments) {
      LaunchedJob launched = launched_model(one.model, one.recipe);
      Job& job = launched.job;
      job.layout.expert_exchange = one.exchange;
      job.layout = layout_of(row, job.layout);
      job.work.mode = Mode::decode;
      job.work.sequence_length = 1280;
      job.work.batch_size = static_cast<std::int64_t>(row.batch_size);
      const ExportedLaunch exported = exported_launch(launched, one.format);
      for (const NotExported& left : exported.not_exported)
        EXPECT_FALSE(left.field.ends_with("_parallel") || left.field == "expert_exchange")
            << left.field << '\n'
            << exported.text;
      const std::string said = std::string(one.option) + ' ' + std::string(one.value);
      if (row.data_parallel > 1) {
        EXPECT_TRUE(one.option.empty() || exported.text.find(said) != std::string::npos) << exported.text;
        // By default, DeepEP has buffers for 128 tokens of a GPU.
        EXPECT_EQ(exported.text.find("SGLANG_DEEPEP") != std::string::npos,
                  one.value == "deepep" && row.batch_size > 128)
            << exported.text;
      }
      const Outcome<ReadLaunch> read = read_launch(exported.text);
      ASSERT_TRUE(read) << exported.text;
      Job back = job;
      back.layout = read->launched.job.layout;
      const auto degrees = [](const Layout& layout) {
        return std::array{layout.tensor_parallel, layout.pipeline_parallel, layout.data_parallel,
                          layout.expert_parallel, expert_tensor_degree(layout)};
      };
      EXPECT_EQ(degrees(back.layout), degrees(job.layout)) << exported.text;
      for (const Mode mode : {Mode::decode, Mode::prefill}) {
        job.work.mode = back.work.mode = mode;
        EXPECT_EQ(served_exchange(back), served_exchange(job)) << exported.text;
        EXPECT_EQ(serving_time(completed(back)).parts.total_us(),
                  serving_time(completed(job)).parts.total_us())
            << exported.text;
      }
      spread += row.expert_parallel > 1;
    }
    EXPECT_GE(spread, 3) << one.model << ' ' << one.recipe;
  }
}

// What each stack has of a step's tokens, of chunks and of memory; what a launch leaves out is as the stack
// has it.
TEST(ReadLaunch, ReadsWhatAServerIsToldOfStepsAndMemory) {
  struct Case {
    const char* text;
    std::int64_t step_tokens;
    bool chunked;
    double share;
  };
  constexpr Case cases[] = {
      {"vllm serve meta-llama/Llama-3.1-8B --max-num-batched-tokens 4096 --gpu-memory-utilization 0.95", 4096,
       true, 0.95},
      {"vllm serve meta-llama/Llama-3.1-8B --no-enable-chunked-prefill", 8192, false, 0},
      {"vllm serve meta-llama/Llama-3.1-8B --enable-chunked-prefill", 8192, true, 0},
      {"python -m sglang.launch_server --model-path meta-llama/Llama-3.1-8B --chunked-prefill-size 2048 "
       "--mem-fraction-static 0.8",
       2048, true, 0.8},
      {"python -m sglang.launch_server --model-path meta-llama/Llama-3.1-8B --chunked-prefill-size -1", 8192,
       false, 0},
      {"python -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 --tp-size 8 --dp-size 8 "
       "--enable-dp-attention --ep-size 8 --chunked-prefill-size 16384",
       2048, true, 0},
      {"trtllm-serve meta-llama/Llama-3.1-8B --max_num_tokens 1024 --kv_cache_free_gpu_memory_fraction 0.7",
       1024, false, 0.7},
      {"trtllm-serve meta-llama/Llama-3.1-8B --max_num_tokens 1024 --enable_chunked_prefill", 1024, true, 0},
  };
  for (const Case& one : cases) {
    const Outcome<ReadLaunch> read = read_launch(one.text);
    ASSERT_TRUE(read) << one.text;
    EXPECT_EQ(read->launched.step_tokens, one.step_tokens) << one.text;
    EXPECT_EQ(read->launched.chunked_prefill, one.chunked) << one.text;
    EXPECT_EQ(read->launched.memory_share, one.share) << one.text;
    EXPECT_TRUE(read->not_understood.empty()) << one.text;
  }
  for (const char* wrong : {"0", "-0.5", "1.5", "most", "nan"}) {
    const Outcome<ReadLaunch> read = read_launch(
        std::string("vllm serve meta-llama/Llama-3.1-8B --gpu-memory-utilization '") + wrong + "'");
    ASSERT_TRUE(read) << wrong;
    EXPECT_EQ(read->launched.memory_share, 0) << wrong;
    EXPECT_EQ(read->not_understood.size(), 1u) << wrong;
  }
}

TEST(ReadLaunch, ReadsTheNamesThatTorchtitansScriptTakes) {
  const Outcome<ReadLaunch> read = read_launch(
      "NGPU=64 MODULE=llama3 CONFIG=llama3_70b ./run_train.sh --training.max_context_length=8192 "
      "--training.num-tokens-per-microbatch-per-dp-rank 16384 --parallelism.tensor_parallel_degree=8 "
      "--parallelism.data_parallel_shard_degree -1 activation-checkpoint:full");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->format, LaunchFormat::torchtitan);
  EXPECT_EQ(read->launched.model->id, "llama-3.1-70b");
  EXPECT_EQ(read->launched.job.layout.data_parallel, 8);
  EXPECT_EQ(read->launched.job.layout.zero_stage, 3);
  EXPECT_EQ(read->launched.job.work.batch_size, 2);
  EXPECT_EQ(read->launched.job.work.recompute, Recompute::full);
}

// Launches as people write them: names that are short, old or the default, and copies of checkpoints. What is
// not priced as it is said is named.
TEST(ReadLaunch, LosesNothingThatEverydayLaunchesSay) {
  struct Case {
    std::string text;
    std::map<std::string, std::string> says;
    std::set<std::string> not_understood = {};
  };
  const std::string megatron =
      "torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 32 --hidden-size 4096 --num-attention-heads "
      "32 "
      "--micro-batch-size 1 --seq-length 4096 ";
  const std::string experts = megatron + "--num-experts 8 --expert-model-parallel-size 4 ";
  const std::string sglang = "python3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 ";
  const std::string titan = R"(# torchtitan/models/llama3/train_configs/llama3_70b.toml
[model]
name = "llama3"
flavor = "70B"  # of 3.1
[training]
local_batch_size = 8
seq_len = 8192
[parallelism]
tensor_parallel_degree = 8
data_parallel_replicate_degree = 4
)";
  const Case cases[] = {
      {sglang + "--tp 8 --trust-remote-code",
       {{"tensor_parallel", "8"}, {"weight_bytes", "1"}, {"matmul_precision", "fp8"}},
       {"--trust-remote-code"}},
      {sglang + "--tp 8 --dp 8 --ep 8",
       {{"tensor_parallel", "8"}, {"data_parallel", "8"}, {"expert_parallel", "8"}, {"expert_tensor", "1"}}},
      {sglang + "--tp-size 8 --dp-size 8 --enable-dp-attention --ep 8",
       {{"tensor_parallel", "1"}, {"data_parallel", "8"}, {"expert_parallel", "8"}}},
      // Each expert is shared by all of them.
      {sglang + "--tp-size 8 --dp-size 4 --enable-dp-attention",
       {{"tensor_parallel", "2"}, {"data_parallel", "4"}, {"expert_parallel", "1"}, {"expert_tensor", "8"}}},
      {sglang + "--tp-size 8 --dp-size 4 --enable-dp-attention --ep 2",
       {{"tensor_parallel", "2"}, {"data_parallel", "4"}, {"expert_parallel", "2"}, {"expert_tensor", "4"}}},
      {"vllm serve deepseek-ai/DeepSeek-V3 -tp 2 -dp 4",
       {{"tensor_parallel", "2"}, {"data_parallel", "4"}, {"expert_parallel", "1"}, {"expert_tensor", "8"}}},
      {"vllm serve deepseek-ai/DeepSeek-V3 -tp 2 -dp 4 -ep",
       {{"tensor_parallel", "2"}, {"data_parallel", "4"}, {"expert_parallel", "8"}, {"expert_tensor", "1"}}},
      {"vllm serve deepseek-ai/DeepSeek-V3 -tp 8 --enable-expert-parallel",
       {{"tensor_parallel", "8"}, {"data_parallel", "1"}, {"expert_parallel", "8"}, {"expert_tensor", "1"}}},
      {"trtllm-serve deepseek-ai/DeepSeek-V3 --tp_size 8 --ep_size 4",
       {{"tensor_parallel", "8"}, {"data_parallel", "1"}, {"expert_parallel", "4"}, {"expert_tensor", "2"}}},
      {sglang + "--tp-size 16 --ep-size 4", {{"expert_parallel", "4"}, {"expert_tensor", "4"}}},
      {sglang + "--tp 8 --ep 3", {{"tensor_parallel", "8"}, {"expert_parallel", "1"}}, {"--ep"}},
      {sglang + "--tp 8 --pp 2", {{"pipeline_parallel", "2"}}},
      {sglang + "--tp 8 --moe-a2a-backend deepep", {{"exchange", "low_latency"}}},
      {sglang + "--tp 8 --moe-a2a-backend deepep --deepep-mode auto --cuda-graph-max-bs 64",
       {{"exchange", "low_latency"}}},
      {sglang + "--tp 8 --moe-a2a-backend deepep --deepep-mode low_latency",
       {{"exchange", "low_latency"}},
       {"--deepep-mode"}},
      {sglang + "--tp 8 --deepep-mode normal --moe-a2a-backend deepep", {{"exchange", "normal"}}},
      {sglang + "--tp 8 --deepep-mode normal", {{"exchange", "nccl"}}},
      {sglang + "--tp 8 --moe-a2a-backend mooncake", {{"exchange", "nccl"}}, {"--moe-a2a-backend"}},
      // transformers' Trainer on DeepSpeed.
      {"deepspeed --num_nodes 4 --num_gpus 8 run_clm.py --model_name_or_path meta-llama/Llama-3.1-8B "
       "--deepspeed "
       "ds_config.json --per_device_train_batch_size 2 --gradient_accumulation_steps 8 --bf16 True "
       "--gradient_checkpointing True --block_size 4096 --learning_rate 1e-5",
       {{"model", "llama-3.1-8b"},
        {"data_parallel", "32"},
        {"batch_size", "2"},
        {"global_batch", "512"},
        {"sequence", "4096"},
        {"bytes", "2"},
        {"recompute", "full"}},
       {"--learning_rate"}},
      {"deepspeed --num_gpus 1 train.py --per_device_train_batch_size 2 --gradient_accumulation_steps 8",
       {{"data_parallel", "1"}, {"global_batch", "16"}}},
      {"deepspeed train.py --gradient_accumulation_steps 8 --bf16 --gradient_checkpointing False",
       {{"global_batch", "0"}, {"bytes", "2"}, {"recompute", "none"}},
       {"--gradient_accumulation_steps"}},
      {"vllm serve deepseek-ai/DeepSeek-V3.1 -tp 8", {{"model", "deepseek-v3"}, {"weight_bytes", "1"}}},
      {"vllm serve nvidia/DeepSeek-R1-FP4 -tp 8",
       {{"model", "deepseek-r1"}, {"weight_bytes", "0.5625"}, {"matmul_precision", "nvfp4"}}},
      {"vllm serve openai/gpt-oss-120b",
       {{"model", "gpt-oss-120b"}, {"weight_bytes", "0.53125"}, {"matmul_precision", "stored"}}},
      {"trtllm-serve nvidia/Llama-3.1-70B-Instruct-FP8 --tp_size 2",
       {{"model", "llama-3.1-70b"}, {"weight_bytes", "1"}, {"matmul_precision", "fp8"}}},
      {"vllm serve RedHatAI/Meta-Llama-3.1-70B-Instruct-FP8-dynamic", {{"model", "llama-3.1-70b"}}},
      {"vllm serve meta-llama/Llama-3.1-70B-Instruct",
       {{"model", "llama-3.1-70b"}, {"weight_bytes", "2"}, {"matmul_precision", "stored"}}},
      {"vllm serve nvidia/No-Such-Model-FP8", {{"model", ""}}, {"--model"}},
      {megatron + "--pipeline-model-parallel-size 4 --num-layers-per-virtual-pipeline-stage 2",
       {{"virtual_stages", "4"}, {"schedule", "interleaved"}}},
      {megatron + "--pipeline-model-parallel-size 4 --num-layers-per-virtual-pipeline-stage 3",
       {{"virtual_stages", "1"}},
       {"--num-layers-per-virtual-pipeline-stage"}},
      // Delayed scaling is the default of its recipe; a recipe without a format changes nothing.
      {megatron + "--bf16 --fp8-format hybrid", {{"matmul_precision", "fp8"}}},
      {megatron + "--fp8-recipe mxfp8 --fp8-format e4m3", {{"matmul_precision", "mxfp8"}}},
      {megatron + "--bf16 --fp8-recipe tensorwise", {{"matmul_precision", "stored"}}},
      {megatron + "--fp8-format e5m2", {{"matmul_precision", "stored"}}, {"--fp8-format"}},
      {megatron + "--fp4-format e2m1", {{"matmul_precision", "nvfp4"}}},
      {megatron + "--fp4-recipe nvfp4", {{"matmul_precision", "stored"}}},
      {megatron + "--recompute-activations", {{"recompute", "selective"}, {"core_attn", "1"}}},
      {megatron + "--recompute-granularity selective --recompute-modules core_attn mlp",
       {{"recompute", "selective"}, {"core_attn", "1"}},
       {"--recompute-modules"}},
      {experts + "--recompute-granularity selective --recompute-modules moe layernorm",
       {{"recompute", "selective"}, {"core_attn", "0"}, {"elementwise", "1"}},
       {"--recompute-modules"}},
      {megatron + "--cuda-graph-impl local", {{"graphs", "1"}}},
      {megatron + "--external-cuda-graph", {{"graphs", "1"}}},
      {megatron + "--cuda-graph-impl none", {{"graphs", "0"}}},
      // As torchtitan has them: off in its recipes with experts.
      {"MODULE=llama3 CONFIG=llama3_70b ./run_train.sh", {{"graphs", "1"}}},
      {"MODULE=llama3 CONFIG=llama3_70b ./run_train.sh --training.disable_cuda_graphs", {{"graphs", "0"}}},
      {"MODULE=deepseek_v3 CONFIG=deepseek_v3_671b ./run_train.sh", {{"graphs", "0"}}},
      {experts + "--moe-token-dispatcher-type allgather",
       {{"exchange", "nccl"}},
       {"--moe-token-dispatcher-type"}},
      {experts + "--moe-token-dispatcher-type flex --moe-enable-deepep", {{"exchange", "normal"}}},
      {R"({"train_micro_batch_size_per_gpu": 1, "zero_optimization": {"stage": 3, "zero_hpz_partition_size": 8}})",
       {{"shard_group", "8"}},
       {"zero_optimization.zero_hpz_partition_size"}},
      {R"({"train_micro_batch_size_per_gpu": 1, "optimizer": {"type": "Lion", "params": {"lr": 1}}})",
       {{"batch_size", "1"}},
       {"optimizer.type"}},
      {R"({"optimizer": {"type": "FusedAdam"}, "expert_parallel": {"enabled": false, "autoep_size": 8}})",
       {{"expert_parallel", "1"}}},
      {"torchrun run_recipe.py --recipe llama31_8b_pretrain_2gpu_h100_bf16_config --mode finetune --dataset "
       "mock",
       {{"format", "megatron_bridge"}},
       {"--mode"}},
      {titan +
           "pipeline_parallel_degree = 1\n[activation_checkpoint]\nmode = 'full'\n[metrics]\nlog_freq = 10",
       {{"model", "llama-3.1-70b"},
        {"tensor_parallel", "8"},
        {"data_parallel", "4"},
        {"batch_size", "8"},
        {"sequence", "8192"},
        {"recompute", "full"}},
       {"TOML", "--metrics.log_freq"}},
      {titan + "data_parallel_shard_degree = 1", {{"zero_stage", "0"}, {"shard_group", "0"}}, {"TOML"}},
      {titan + "data_parallel_shard_degree = 2",
       {{"data_parallel", "8"}, {"zero_stage", "3"}, {"shard_group", "2"}},
       {"TOML"}},
      // Cut into micro-batches of one sequence.
      {titan + "pipeline_parallel_degree = 2",
       {{"pipeline_parallel", "2"}, {"batch_size", "1"}, {"global_batch", "32"}},
       {"TOML"}},
      {"NGPU=8 CONFIG_FILE=\"./train_configs/llama3_8b.toml\" ./run_train.sh --training.steps 10",
       {{"format", "torchtitan"}},
       {"CONFIG_FILE"}},
  };
  for (const Case& one : cases) {
    const Outcome<ReadLaunch> read = read_launch(one.text);
    ASSERT_TRUE(read) << one.text;
    const Job& job = read->launched.job;
    const Layout& layout = job.layout;
    const auto whole = [](std::int64_t value) { return std::to_string(value); };
    std::map<std::string, std::string> all{
        {"format", std::string(launch_format_names[static_cast<std::size_t>(read->format)])},
        {"model", read->launched.model == nullptr ? "" : std::string(read->launched.model->id)},
        {"tensor_parallel", whole(layout.tensor_parallel)},
        {"data_parallel", whole(layout.data_parallel)},
        {"pipeline_parallel", whole(layout.pipeline_parallel)},
        {"expert_parallel", whole(layout.expert_parallel)},
        {"expert_tensor", whole(layout.expert_tensor_parallel)},
        {"virtual_stages", whole(layout.virtual_stages)},
        {"zero_stage", whole(layout.zero_stage)},
        {"shard_group", whole(layout.shard_group_size)},
        {"schedule",
         std::string(pipeline_schedule_names[static_cast<std::size_t>(layout.pipeline_schedule)])},
        {"exchange", std::string(exchange_kernel_names[static_cast<std::size_t>(layout.expert_exchange)])},
        {"weight_bytes", text_of(served_weight_bytes(job.work))},
        {"matmul_precision",
         std::string(matmul_precision_names[static_cast<std::size_t>(job.work.matmul_precision)])},
        {"recompute", std::string(recompute_names[static_cast<std::size_t>(job.work.recompute)])},
        {"graphs", job.stack.cuda_graphs ? "1" : "0"},
        {"core_attn", job.work.recompute_attention_core ? "1" : "0"},
        {"elementwise", job.work.recompute_elementwise ? "1" : "0"},
        {"batch_size", whole(job.work.batch_size)},
        {"global_batch", whole(job.work.global_batch_size)},
        {"sequence", whole(job.work.sequence_length)},
        {"bytes", whole(job.work.bytes_per_element)},
    };
    for (const auto& [what, value] : one.says) EXPECT_EQ(all.at(what), value) << what << '\n' << one.text;
    std::set<std::string> named;
    for (const NotUnderstood& other : read->not_understood) {
      named.insert(other.option);
      EXPECT_FALSE(other.why.empty());
    }
    EXPECT_EQ(named, one.not_understood) << one.text;
  }
}

TEST(ReadLaunch, RefusesWhatIsNoLaunch) {
  for (const char* other : {"", "hello", "{}", "{\"model_type\": \"llama\"}", "ls -l --all", "-t",
                            "[general]\nname = 1\n", "[", "[]"}) {
    const Outcome<ReadLaunch> read = read_launch(other);
    EXPECT_FALSE(read) << other;
  }
}

}  // namespace
}  // namespace commcost
