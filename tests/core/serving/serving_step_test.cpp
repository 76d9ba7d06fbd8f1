#include "core/serving/serving_step.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/units.h"
#include "core/model/catalog.h"
#include "core/model/parameters.h"
#include "core/parallel/recipes.h"
#include "support/ledgers.h"

namespace commcost {
namespace {

using test::ledger_of;

ServingStepInputs server(std::string_view model, std::string_view accelerator, std::int64_t tensor = 1) {
  ServingStepInputs inputs;
  for (const auto& row : all_models())
    if (row.id == model) inputs.job.model = row.shape;
  inputs.job.machine.accelerator = place_of_accelerator(accelerator);
  inputs.job.layout.tensor_parallel = tensor;
  inputs.job.work.batch_size = 1;
  inputs.job.work.sequence_length = 2048;
  return inputs;
}

template <class Change>
ServingStepInputs changed(ServingStepInputs inputs, Change change) {
  change(inputs);
  return inputs;
}

ServingStep step(const ServingStepInputs& inputs) {
  const Outcome<ServingStep> found = serving_step(inputs);
  EXPECT_TRUE(found);
  return found ? *found : ServingStep{};
}

// At TP 1 a token costs reading every weight once, but of the embedding a row: of Llama 3.1 8B 7.50e9
// of 8.03e9 parameters, at what products of few rows reach of 3350 GB/s.
TEST(ServingStep, ReadsEveryWeightOnceATokenAtOneRank) {
  const ServingStep one = step(server("llama-3.1-8b", "h100-sxm"));
  const ModelShape shape = completed(server("llama-3.1-8b", "h100-sxm").job.model);
  const Parameters parameters = parameters_of(shape);
  const double matrices = parameters.total - parameters.embedding - parameters.final_norm -
                          static_cast<double>(shape.num_layers) * parameters.norm;
  EXPECT_DOUBLE_EQ(one.weight_bytes_read, 2 * (matrices + static_cast<double>(shape.hidden_size)));
  EXPECT_NEAR(one.weight_bytes_read, 15.01e9, 0.01e9);
  EXPECT_GT(one.parts.weights_us, one.weight_bytes_read / (3350e3 * 0.9));
  EXPECT_LT(one.parts.weights_us, one.weight_bytes_read / (3350e3 * 0.7));
  EXPECT_GT(one.step_time_ms, 15.01e9 / 3350e9 * 1e3);
}

// Cached bytes of a token: 2 x 8 heads x 128 x 2 bytes x 80 layers = 327,680 of Llama 3.1 70B; DeepSeek-V3
// keeps 512 + 64 elements a layer, 61 layers: 70,272 in bf16 (arXiv:2412.19437, section 2.1.1); Llama 2 7B,
// without grouped heads, 524,288.
TEST(ServingStep, CachesWhatTheModelsPapersSay) {
  EXPECT_EQ(step(server("llama-3.1-70b", "b200", 1)).cache_bytes_per_token, 327680);
  EXPECT_EQ(step(server("deepseek-v3", "b200", 1)).cache_bytes_per_token, 70272);
  EXPECT_EQ(step(server("llama-2-7b", "h100-sxm", 1)).cache_bytes_per_token, 524288);
  // Eight heads are divided by eight ranks; a latent is not.
  EXPECT_EQ(step(server("llama-3.1-70b", "b200", 8)).cache_bytes_per_token, 327680 / 8);
  EXPECT_EQ(step(server("deepseek-v3", "b200", 8)).cache_bytes_per_token, 70272);
  const auto narrow =
      changed(server("llama-3.1-70b", "b200"), [](auto& s) { s.job.work.kv_bytes_per_element = 1; });
  EXPECT_EQ(step(narrow).cache_bytes_per_token, 327680 / 2);
}

// Two sums a layer and one of the embedding's rows (which the count leaves out), of batch x hidden elements.
TEST(ServingStep, SumsTwiceALayerForEachToken) {
  const ServingStep four =
      step(changed(server("llama-3.1-70b", "h100-sxm", 4), [](auto& s) { s.job.work.batch_size = 16; }));
  EXPECT_EQ(four.allreduce_calls, 160);
  EXPECT_EQ(four.allreduce_bytes, 16 * 8192 * 2);
  EXPECT_EQ(step(server("llama-3.1-70b", "b200", 1)).allreduce_calls, 0);
  // Falcon sums attention and MLP at once.
  EXPECT_EQ(step(server("falcon-180b", "h100-sxm", 8)).allreduce_calls, 80);
}

TEST(ServingStep, PartsAddUpToTheStep) {
  for (const std::int64_t tensor : {1, 2, 8}) {
    const ServingStep one = step(server("mixtral-8x7b", "h100-sxm", tensor));
    double sum = 0;
    for (const ServingPart& part : all_serving_parts) {
      EXPECT_GE(one.parts.*part.us, 0) << part.name;
      sum += one.parts.*part.us;
    }
    EXPECT_NEAR(sum * 1e-3, one.step_time_ms, 1e-9);
  }
}

TEST(ServingStep, MoreRanksNeverReadMoreWeights) {
  for (const char* model :
       {"llama-3.1-8b", "llama-3.1-70b", "mixtral-8x7b", "deepseek-v3", "qwen3-30b-a3b"}) {
    for (const std::int64_t batch : {1, 16, 256}) {
      double read = 1e30;
      double weights = 1e30;
      for (const std::int64_t tensor : {1, 2, 4}) {
        const ServingStep now = step(
            changed(server(model, "gb200", tensor), [batch](auto& s) { s.job.work.batch_size = batch; }));
        EXPECT_LT(now.weight_bytes_read, read) << model;
        EXPECT_LT(now.parts.weights_us, weights) << model;
        read = now.weight_bytes_read;
        weights = now.parts.weights_us;
      }
    }
  }
}

// One token of Mixtral meets 2 of 8 experts; a large batch meets all of them (W12 of the review: all were
// read).
TEST(ServingStep, ReadsTheExpertsThatABatchMeets) {
  const auto of = [](std::int64_t batch) {
    return step(
        changed(server("mixtral-8x7b", "h100-sxm", 2), [batch](auto& s) { s.job.work.batch_size = batch; }));
  };
  EXPECT_NEAR(of(1).experts_read, 2, 1e-12);
  EXPECT_NEAR(of(2).experts_read, 8 * (1 - 0.75 * 0.75), 1e-12);
  EXPECT_NEAR(of(512).experts_read, 8, 1e-9);
  EXPECT_LT(of(1).weight_bytes_read, 0.35 * of(512).weight_bytes_read);
  EXPECT_EQ(step(server("llama-3.1-8b", "h100-sxm")).experts_read, 0);
}

TEST(ServingStep, TakesLongerForMoreSequencesAndLongerOnes) {
  for (const char* model : {"llama-3.1-8b", "deepseek-v3"}) {
    double before = 0;
    for (std::int64_t batch = 1; batch <= 512; batch *= 2) {
      const ServingStep now =
          step(changed(server(model, "h200-sxm", 8), [batch](auto& s) { s.job.work.batch_size = batch; }));
      EXPECT_GT(now.step_time_ms, before);
      before = now.step_time_ms;
    }
    before = 0;
    for (std::int64_t length = 128; length <= 131072; length *= 4) {
      const ServingStep now = step(
          changed(server(model, "h200-sxm", 8), [length](auto& s) { s.job.work.sequence_length = length; }));
      EXPECT_GT(now.step_time_ms, before);
      EXPECT_GT(now.first_token_ms, 0);
      before = now.step_time_ms;
    }
  }
}

// A step of many sequences gives each user less and the GPU more.
TEST(ServingStep, ABatchTradesUsersForThroughput) {
  const ServingStep one = step(server("llama-3.1-70b", "h200-sxm", 4));
  const ServingStep many =
      step(changed(server("llama-3.1-70b", "h200-sxm", 4), [](auto& s) { s.job.work.batch_size = 64; }));
  EXPECT_LT(many.tokens_per_sec_per_user, one.tokens_per_sec_per_user);
  EXPECT_GT(many.tokens_per_sec_per_gpu, 10 * one.tokens_per_sec_per_gpu);
  EXPECT_NEAR(many.tokens_per_sec_per_gpu, many.tokens_per_sec_per_user * 64 / 4, 1e-9);
}

// Two replicas answer twice as many users with twice as many GPUs.
TEST(ServingStep, ReplicasAnswerBesideEachOther) {
  const auto with = [](std::int64_t replicas) {
    return step(changed(server("llama-3.1-8b", "h100-sxm", 2),
                        [&](auto& s) { s.job.layout.data_parallel = replicas; }));
  };
  for (const std::int64_t replicas : {1, 2, 4}) {
    const ServingStep now = with(replicas);
    EXPECT_EQ(now.cluster_gpus, 2 * static_cast<double>(replicas));
    EXPECT_NEAR(now.tokens_per_sec_per_gpu, with(1).tokens_per_sec_per_gpu, 1e-9);
  }
}

TEST(ServingStep, QuickerMemoryLinksAndPeaksNeverSlowAStep) {
  const auto time = [](auto change) {
    return step(changed(server("llama-3.1-70b", "h100-sxm", 8), change)).step_time_ms;
  };
  const double now = time([](auto&) {});
  EXPECT_LT(time([](auto& s) { s.job.machine.hbm_gb_per_sec = 4800; }), now);
  EXPECT_LE(time([](auto& s) { s.job.machine.bandwidth_gb_per_sec = 900; }), now);
  EXPECT_LE(time([](auto& s) { s.job.machine.peak_tflops = 2000; }), now);
  EXPECT_LT(time([](auto& s) { s.job.work.weight_bytes_per_element = 1; }), now);
  EXPECT_GT(time([](auto& s) { s.job.stack.serving.allreduce_kernel = ReduceKernel::nccl; }), now);
  EXPECT_GT(time([](auto& s) {
              s.job.stack.cuda_graphs = false;
              s.job.stack.host_us_per_kernel = 40;
            }),
            now);
}

// The sums are the ledger's: as many bytes, as often.
TEST(ServingStep, SumsWhatTheLedgerSays) {
  const ServingStepInputs inputs =
      changed(server("llama-3.1-8b", "h100-sxm", 8), [](auto& s) { s.job.work.batch_size = 32; });
  const ServingStep found = step(inputs);
  const Job job = completed(inputs.job);
  double bytes = 0;
  for (const SentMessage& entry : ledger_of(job))
    if (entry.dimension == Dimension::tensor) bytes += entry.message_size_bytes * entry.calls;
  EXPECT_DOUBLE_EQ(found.allreduce_bytes * found.allreduce_calls, bytes);
}

// The wait for one sum is that of the layers' messages over their calls: its kernel, and the start of its
// ranks.
TEST(ServingStep, WaitsForASumAsLongAsItsMessagesSay) {
  for (const std::int64_t stages : {1, 4}) {
    const ServingStepInputs inputs = changed(server("llama-3.1-70b", "h100-sxm", 8), [&](auto& s) {
      s.job.work.batch_size = 64;
      s.job.layout.pipeline_parallel = stages;
      s.job.stack.serving.micro_batch_tokens = 8;
    });
    const ServingStep found = step(inputs);
    double time_us = 0, calls = 0;
    for (const ServingMessage& row : found.messages) {
      if (row.phase != StepPhase::decode || row.collective != Collective::all_reduce) continue;
      if (row.part == Part::embedding) continue;
      time_us += row.time_us;
      calls += row.calls;
    }
    EXPECT_DOUBLE_EQ(calls, found.allreduce_calls);
    EXPECT_DOUBLE_EQ(found.allreduce_wait_us, time_us / calls);
    const double alone = found.allreduce_us + inputs.job.stack.serving.allreduce_start_us;
    // Eight micro-batches on four stages wait as long as eleven fourths of one.
    EXPECT_DOUBLE_EQ(found.allreduce_wait_us, stages == 1 ? alone : alone * 11 / 4 / 8);
  }
  EXPECT_EQ(step(server("llama-3.1-70b", "b200", 1)).allreduce_wait_us, 0);
}

double exposed_us(const ServingParts& parts) {
  return parts.tensor_us + parts.expert_us + parts.pipeline_us;
}

// Both look at the same messages: their times are what the step waits for, their bytes, by NCCL's ring, the
// ledger's, of a stage on the average.
TEST(ServingStep, ItsMessagesAreTheLedgersAndWhatItWaitsFor) {
  for (const char* model : {"llama-3.1-70b", "mixtral-8x7b", "falcon-180b"}) {
    for (const std::int64_t stages : {1, 2}) {
      const ServingStepInputs inputs = changed(server(model, "h100-sxm", 8), [stages](auto& s) {
        s.job.work.batch_size = 24;
        s.job.layout.pipeline_parallel = stages;
        s.job.stack.serving.allreduce_kernel = ReduceKernel::nccl;
      });
      const ServingStep found = step(inputs);
      double us = 0, bytes = 0, calls = 0;
      for (const ServingMessage& row : found.messages) {
        if (row.phase != StepPhase::decode) continue;
        us += row.time_us;
        if (row.dimension != Dimension::tensor) continue;
        bytes += row.sent_bytes_per_gpu;
        calls += row.calls;
      }
      EXPECT_NEAR(us, exposed_us(found.parts), 1e-9 * us) << model;
      double wanted = 0, times = 0;
      for (const SentMessage& entry : ledger_of(completed(inputs.job))) {
        if (entry.dimension != Dimension::tensor) continue;
        wanted += entry.sent_bytes_per_gpu;
        times += entry.calls;
      }
      EXPECT_NEAR(bytes, wanted, 1e-9 * wanted) << model;
      EXPECT_EQ(calls, times * static_cast<double>(stages)) << model;
    }
  }
}

// 70B over 8 ranks, two sums a layer of 8192 x 2 bytes: 80 x 2 x 2 x 7/8 x 16 KiB a token by a ring; a prompt
// of 2048 sends as much for each of its tokens, and its answer of 256 takes 255 steps more.
TEST(ServingStep, ARequestSendsItsPromptAndEachFurtherToken) {
  const ServingStepInputs inputs = changed(server("llama-3.1-70b", "h100-sxm", 8), [](auto& s) {
    s.job.model.vocab_size = 0;
    s.job.work.batch_size = 16;
    s.job.stack.serving.allreduce_kernel = ReduceKernel::nccl;
  });
  const ServingStep found = step(inputs);
  const double token = 80 * 2 * 2 * 7.0 / 8 * 8192 * 2;
  EXPECT_DOUBLE_EQ(found.token.sent_bytes_per_gpu, token);
  EXPECT_DOUBLE_EQ(found.request.sent_bytes_per_gpu, (2048 + 255) * token);
  EXPECT_EQ(found.token.calls, 160);
  EXPECT_EQ(found.request.calls, 256 * 160);
  EXPECT_EQ(found.token.network_bytes_per_gpu, 0);
  EXPECT_NEAR(found.token.time_us, exposed_us(found.parts), 1e-9);
  // Whichever of the two is asked for, a request is the same.
  const ServingStep prompts = step(changed(inputs, [](auto& s) { s.job.work.mode = Mode::prefill; }));
  EXPECT_DOUBLE_EQ(prompts.request.time_us, found.request.time_us);
  for (const ServingMessage& row : prompts.messages) EXPECT_EQ(row.phase, StepPhase::prefill);
}

// A one-shot kernel sends its message to every other rank, a switch takes it once and brings 1/n back.
TEST(ServingStep, CountsTheBytesOfTheKernelThatRuns) {
  const auto sent = [](ReduceKernel kernel) {
    return step(changed(server("llama-3.1-70b", "h100-sxm", 8),
                        [kernel](auto& s) {
                          s.job.model.vocab_size = 0;
                          s.job.stack.serving.allreduce_kernel = kernel;
                        }))
        .token.sent_bytes_per_gpu;
  };
  EXPECT_DOUBLE_EQ(sent(ReduceKernel::one_shot), 160 * 7 * 8192 * 2.0);
  EXPECT_DOUBLE_EQ(sent(ReduceKernel::two_shot), sent(ReduceKernel::nccl));
  EXPECT_DOUBLE_EQ(sent(ReduceKernel::nvls), 160 * 9.0 / 8 * 8192 * 2);
}

// Sixteen ranks in nodes of eight: a ring crosses with one rank of eight, of 15 sixteenths half lies between.
TEST(ServingStep, SaysWhatLeavesTheNode) {
  const ServingStep found = step(changed(server("llama-3.1-70b", "h100-sxm", 16), [](auto& s) {
    s.job.model.vocab_size = 0;
    s.job.layout.tensor_parallel = 16;
  }));
  EXPECT_GT(found.token.network_bytes_per_gpu, 0);
  EXPECT_NEAR(found.token.network_bytes_per_gpu / found.token.sent_bytes_per_gpu, 8.0 / 15 / 8, 1e-12);
}

// Experts over more GPUs than share a matrix make groups of these; over fewer, each is cut among the rest.
TEST(ServingStep, HasAsManyGroupsAsShareItsExperts) {
  const auto with = [](std::int64_t tensor, std::int64_t experts, std::int64_t groups, std::int64_t cut) {
    return step(changed(server("mixtral-8x7b", "h100-sxm"), [&](auto& s) {
      s.job.layout.tensor_parallel = tensor;
      s.job.layout.expert_parallel = experts;
      s.job.layout.data_parallel = groups;
      s.job.layout.expert_tensor_parallel = cut;
    }));
  };
  const ServingStep spread = with(2, 8, 0, 0);
  EXPECT_EQ(spread.cluster_gpus, 8);
  EXPECT_EQ(spread.step_time_ms, with(2, 8, 4, 1).step_time_ms);
  const ServingStep shared = with(8, 2, 0, 0);
  EXPECT_EQ(shared.cluster_gpus, 8);
  EXPECT_EQ(shared.step_time_ms, with(8, 2, 1, 4).step_time_ms);
  EXPECT_NE(shared.step_time_ms, with(8, 1, 1, 8).step_time_ms);
}

// 8.03e9 parameters in 16 bits are 14.96 GiB. A layer at work has 17 h of each token of a step: both norms'
// inputs and outputs, 1.5 h of queries, keys and values, h of the core, 3 * 3.5 h of the MLP; 1.06 GiB of
// 8192 tokens (vLLM's own profile of this model and step: some 1.2 GiB with the logits). What is left of 80
// GiB less 2 holds caches of 0.25 GiB.
TEST(ServingStep, SaysHowManySequencesFit) {
  const ServingStep one = step(server("llama-3.1-8b", "h100-sxm"));
  EXPECT_NEAR(one.memory.weights / gib, 14.96, 0.01);
  EXPECT_NEAR(one.memory.cache / gib, 0.25, 1e-9);
  EXPECT_TRUE(one.fits);
  EXPECT_EQ(one.memory.working, 17.0 * 4096 * 8192 * 2);
  EXPECT_EQ(one.most_sequences, std::floor((78 - 14.96 - 1.0625) / 0.25));
  const ServingStep narrow =
      step(changed(server("llama-3.1-8b", "h100-sxm"), [](auto& s) { s.job.work.step_tokens = 1; }));
  EXPECT_EQ(narrow.memory.working, 17.0 * 4096 * 2);
  EXPECT_EQ(narrow.most_sequences, 252);
  EXPECT_FALSE(step(server("llama-3.1-70b", "h100-sxm")).fits);
  EXPECT_EQ(step(server("llama-3.1-70b", "h100-sxm")).most_sequences, 0);
}

// Published figures of stacks, within 18 %: LLM-Inference-Bench @4211f5d4 (TensorRT-LLM, Llama 3 8B,
// H100, batch 16, 128/128: 1041.6 ms a request), vLLM's CI (build 9515: 70B on 4 H200, batch 8, 32/128:
// 2077.5 ms), gpt-fast
// @32971d31 (70B on 8 A100: 58.78 tokens/s).
TEST(ServingStep, TakesWhatStacksPublished) {
  const auto on = [](std::string_view recipe, ServingStepInputs inputs, std::int64_t batch,
                     std::int64_t context) {
    fill(inputs.job, *find_recipe(recipe));
    inputs.job.work.mode = Mode::decode;
    inputs.job.work.batch_size = batch;
    inputs.job.work.sequence_length = context;
    return step(inputs);
  };
  const auto expect_near = [](const ServingStep& found, double ms) {
    EXPECT_NEAR(found.step_time_ms / ms, 1, 0.18);
  };
  expect_near(on("tensorrt-llm", server("llama-3.1-8b", "h100-sxm"), 16, 192), 1041.6 / 128);
  expect_near(on("vllm", server("llama-3.1-70b", "h200-sxm", 4), 8, 96), 2077.5 / 128);
  expect_near(on("gpt-fast", server("llama-3.1-70b", "a100-sxm-80gb", 8), 1, 105), 1e3 / 58.78);
}

TEST(ServingStep, PromptsGrowFasterThanTheirLength) {
  const auto prefill = [](std::int64_t length) {
    return step(changed(server("llama-3.1-70b", "h200-sxm", 4), [length](auto& s) {
      s.job.work.mode = Mode::prefill;
      s.job.work.sequence_length = length;
    }));
  };
  EXPECT_GT(prefill(32768).step_time_ms, 16 * prefill(2048).step_time_ms);
  EXPECT_DOUBLE_EQ(prefill(2048).step_time_ms, prefill(2048).first_token_ms);
  EXPECT_EQ(prefill(2048).tokens_per_sec_per_user, 0);
  EXPECT_LT(prefill(2048).mfu_percent, 100);
}

// Experts over 32 GPUs of a rack: each reads its own, tokens travel twice a layer.
TEST(ServingStep, ExpertRanksReadFewerExpertsAndSendTokens) {
  const auto spread = changed(server("deepseek-v3", "gb200"), [](auto& s) {
    s.job.layout.data_parallel = 32;
    s.job.layout.expert_parallel = 32;
    s.job.work.batch_size = 64;
  });
  const ServingStep wide = step(spread);
  EXPECT_NEAR(wide.experts_read, 8, 1e-6);
  EXPECT_GT(wide.parts.expert_us, 0);
  EXPECT_EQ(wide.parts.tensor_us, 0);
  EXPECT_EQ(wide.cluster_gpus, 32);
}

TEST(ServingStep, StagesAddTheirBoundaries) {
  const ServingStep one = step(server("llama-3.1-70b", "h200-sxm", 4));
  const ServingStep staged = step(
      changed(server("llama-3.1-70b", "h200-sxm", 4), [](auto& s) { s.job.layout.pipeline_parallel = 2; }));
  EXPECT_GT(staged.step_time_ms, one.step_time_ms);
  EXPECT_GT(staged.parts.pipeline_us, 0);
  EXPECT_LT(staged.memory.weights, 0.6 * one.memory.weights);
}

// 48 prompts of 512 tokens on 3 stages: 16 each, halved to 2 of 1,024 tokens; 24 micro-batches leave the
// stages after 24 + 2 times a third of one's way.
TEST(ServingStep, MicroBatchesFollowEachOtherThroughTheStages) {
  const auto prompts = changed(server("llama-3.1-70b", "a100-sxm-80gb", 8), [](ServingStepInputs& inputs) {
    auto& [shape, work, layout, stack, machine] = inputs.job;
    shape.num_layers = 81;
    work.mode = Mode::prefill;
    work.batch_size = 48;
    work.sequence_length = 512;
    layout.pipeline_parallel = 3;
    stack.serving.sequence_host_us = 0;
    stack.serving.micro_batch_tokens = 1024;
  });
  const auto whole = [&](std::int64_t batch) {
    return changed(prompts, [&](ServingStepInputs& inputs) {
      inputs.job.stack.serving.micro_batch_tokens = 0;
      inputs.job.work.batch_size = batch;
    });
  };
  const ServingStep split = step(prompts), one = step(whole(2)), together = step(whole(48));
  EXPECT_DOUBLE_EQ(split.step_time_ms, one.step_time_ms * 26 / 3);
  EXPECT_LT(split.step_time_ms, together.step_time_ms / 2);
  EXPECT_DOUBLE_EQ(split.allreduce_calls, 24 * one.allreduce_calls);
  ASSERT_EQ(split.messages.size(), one.messages.size());
  for (std::size_t at = 0; at < one.messages.size(); ++at)
    EXPECT_DOUBLE_EQ(split.messages[at].sent_bytes_per_gpu, 24 * one.messages[at].sent_bytes_per_gpu);
  EXPECT_DOUBLE_EQ(split.memory_gib, together.memory_gib);
  // A token of each sequence is no prompt: 48 of them are 16 for each stage, which read the weights three
  // times.
  const auto decoding =
      changed(prompts, [](ServingStepInputs& inputs) { inputs.job.work.mode = Mode::decode; });
  const auto third =
      changed(whole(16), [](ServingStepInputs& inputs) { inputs.job.work.mode = Mode::decode; });
  EXPECT_DOUBLE_EQ(step(decoding).step_time_ms, step(third).step_time_ms * 5 / 3);
}

}  // namespace
}  // namespace commcost
