// What of a launch becomes inputs of a calculation.

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "core/calculator/engine.h"

namespace commcost {
namespace {

Value read(const std::string& launch) {
  Value::Object inputs;
  inputs.push_back({"arguments", launch});
  const Outcome<Value> found = run("read_arguments", inputs);
  EXPECT_TRUE(found) << launch;
  return found ? *found : Value();
}

// As text; "" where it is not there.
std::string member(const Value& read, std::string_view object, std::string_view name) {
  const Value* found = read.find(object)->find(name);
  return found == nullptr ? "" : text_of(*found);
}

std::set<std::string> fields(const Value& read, std::string_view table) {
  std::set<std::string> names;
  for (const Value& row : *read.find(table)->list()) names.insert(*row.find("field")->text());
  return names;
}

const std::string megatron =
    "torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 32 --hidden-size 4096 --num-attention-heads 32 "
    "--micro-batch-size 1 --seq-length 4096 ";

TEST(ReadArguments, GivesTheInputsThatGoTogether) {
  const Value experts = read(megatron + "--num-experts 8 --expert-model-parallel-size 4");
  EXPECT_EQ(member(experts, "inputs", "expert_parallel"), "4");
  const Value whole = read(megatron +
                           "--num-experts 8 --tensor-model-parallel-size 2 --expert-model-parallel-size 4 "
                           "--expert-tensor-parallel-size 1");
  EXPECT_EQ(member(whole, "inputs", "expert_tensor_parallel"), "1");
  const Value chunks =
      read(megatron + "--pipeline-model-parallel-size 4 --num-layers-per-virtual-pipeline-stage 2");
  EXPECT_EQ(member(chunks, "inputs", "virtual_stages"), "4");
  EXPECT_EQ(member(chunks, "inputs", "pipeline_schedule"), "\"interleaved\"");
  const Value plain = read(megatron + "--pipeline-model-parallel-size 4");
  EXPECT_EQ(member(plain, "inputs", "pipeline_schedule"), "");
  EXPECT_EQ(member(plain, "inputs", "recipe"), "\"megatron-lm\"");
  EXPECT_EQ(member(plain, "server", "step_tokens"), "");
}

// A launch with a shape has a model; a server's is asked for by name.
TEST(ReadArguments, AsksForAModelWhereNoneIsTold) {
  EXPECT_FALSE(fields(read(megatron), "not_said").contains("model"));
  EXPECT_TRUE(fields(read("vllm serve nvidia/No-Such-Model-FP8"), "not_said").contains("model"));
  EXPECT_FALSE(fields(read("vllm serve meta-llama/Llama-3.1-8B"), "not_said").contains("model"));
}

TEST(ReadArguments, LeavesOutWhatIsNotPriced) {
  const Value found = read(megatron + "--tensor-model-parallel-size 100000000");
  EXPECT_EQ(member(found, "inputs", "tensor_parallel"), "");
  EXPECT_TRUE(fields(found, "not_understood").contains("tensor_parallel"));
  EXPECT_FALSE(fields(found, "found").contains("tensor_parallel"));
}

TEST(ReadArguments, GivesAServersSettings) {
  const std::string vllm = "vllm serve meta-llama/Llama-3.1-8B --max-num-batched-tokens 4096";
  const Value silent = read(vllm);
  EXPECT_EQ(member(silent, "inputs", "model"), "\"llama-3.1-8b\"");
  EXPECT_EQ(member(silent, "inputs", "num_layers"), "");
  EXPECT_EQ(member(silent, "inputs", "step_tokens"), "");
  EXPECT_EQ(member(silent, "server", "step_tokens"), "4096");
  EXPECT_EQ(member(silent, "server", "memory_share"), "");
  // Each stack has its own, which depends on the GPU.
  EXPECT_FALSE(fields(silent, "not_said").contains("memory_share"));
  EXPECT_EQ(member(read(vllm + " --gpu-memory-utilization 0.8"), "server", "memory_share"), "0.8");
  EXPECT_EQ(member(read("vllm serve nvidia/DeepSeek-R1-FP4 -tp 8"), "inputs", "weight_bytes_per_element"),
            "0.5625");
}

}  // namespace
}  // namespace commcost
