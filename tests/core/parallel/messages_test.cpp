#include <gtest/gtest.h>

#include <functional>
#include <tuple>
#include <vector>

#include "core/model/catalog.h"
#include "core/parallel/layout_problems.h"
#include "core/parallel/recipes.h"
#include "core/parallel/served_exchange.h"
#include "support/jobs.h"
#include "support/ledgers.h"

namespace commcost {
namespace {

using test::changed;
using test::ledger_of;
using test::plain_job;

using WantedMessage = std::function<bool(const Communication&)>;

Job tensor_8(const char* model, std::int64_t sequence = 4096) {
  return changed(plain_job(completed(find_model(model)->shape), sequence), [](Job& s) {
    s.layout.tensor_parallel = 8;
    s.layout.sequence_parallel = true;
    s.work.gradient_bytes_per_element = 4;
    s.layout.gradient_wire_bytes_per_element = 4;
  });
}

double message_bytes(const Job& job, const WantedMessage& wanted) {
  double bytes = 0;
  for (const SentMessage& entry : ledger_of(job)) {
    if (wanted(entry)) bytes += entry.message_size_bytes;
  }
  return bytes;
}

double units(const Job& job, const WantedMessage& wanted) {
  double sent = 0;
  for (const SentMessage& entry : ledger_of(job)) {
    if (wanted(entry)) sent += entry.sent_bytes_per_gpu;
  }
  const double residual =
      tokens(job.work) * static_cast<double>(job.model.hidden_size * job.work.bytes_per_element);
  const auto ranks = static_cast<double>(job.layout.tensor_parallel);
  return sent / (residual * (ranks - 1) / ranks);
}

bool norms(const Communication& message) {
  return message.part == Part::norm;
}

// What every tensor rank holds whole has gradients to sum: norms, router, projections down to latents
// (megatron/core/distributed/finalize_model_grads.py; the router's weight is marked sequence_parallel in
// megatron/core/transformer/moe/router.py). Mixtral: 32 (2 * 4096 + 4096 * 8) + 4096 elements of 4 bytes.
TEST(Messages, SequenceParallelismSumsAllThatIsHeldWhole) {
  EXPECT_EQ(message_bytes(tensor_8("mixtral-8x7b"), norms), 4 * (32 * (2 * 4096 + 4096 * 8) + 4096.0));
  // DeepSeek-V3: 61 layers of norms, 7168 (1536 + 512 + 64) and norms of the latents, 58 of a router of 7168
  // * 256.
  EXPECT_EQ(message_bytes(tensor_8("deepseek-v3"), norms),
            4 * (61 * (2 * 7168 + 7168.0 * 2112 + 1536 + 512) + 58 * 7168.0 * 256 + 7168));
  Job whole = tensor_8("mixtral-8x7b");
  whole.layout.sequence_parallel = false;
  EXPECT_EQ(message_bytes(whole, norms), 0);
}

// megatron/core/distributed/finalize_model_grads.py sums word embeddings alone: V h / t elements of GPT-3
// with 2048 positions are 51200 * 12288 / 8 * 4 = 314,572,800 bytes.
TEST(Messages, TiedEmbeddingsSumTheirWords) {
  Job job = changed(plain_job(test::classic_shape(96, 12288, 96, 51200), 2048), [](Job& s) {
    s.model.num_positions = 2048;
    s.layout.tensor_parallel = 8;
    s.layout.pipeline_parallel = 8;
    s.work.gradient_bytes_per_element = 4;
    s.layout.gradient_wire_bytes_per_element = 4;
  });
  EXPECT_EQ(message_bytes(job, [](const Communication& m) { return m.stages == Stages::first_and_last; }),
            314572800);
}

// megatron/core/transformer/moe/token_dispatcher.py, all-to-all: tokens are gathered over the expert-tensor
// group after k copies of each have come. Mixtral, TP2 EP4: 4096 tokens * 4096 * 2 copies * 2 bytes.
TEST(Messages, TokensOfExpertsAreGatheredAfterTheyHaveCome) {
  const auto gathered = [](const Communication& m) {
    return m.dimension == Dimension::tensor && m.layers == AmongLayers::moe && m.part == Part::mlp &&
           m.phase == StepPhase::forward && m.collective == Collective::all_gather;
  };
  Job mixtral = changed(tensor_8("mixtral-8x7b"), [](Job& s) {
    s.layout.tensor_parallel = 2;
    s.layout.data_parallel = 4;
    s.layout.expert_parallel = 4;
  });
  EXPECT_EQ(message_bytes(mixtral, gathered), 67108864);
  // Without expert parallelism the tokens are gathered as they are.
  mixtral.layout.expert_parallel = 1;
  EXPECT_EQ(message_bytes(mixtral, gathered), 33554432);
  const Job deepseek = changed(tensor_8("deepseek-v3"), [](Job& s) {
    s.layout.data_parallel = 32;
    s.layout.expert_parallel = 32;
  });
  EXPECT_EQ(message_bytes(deepseek, gathered), 8 * 4096.0 * 7168 * 2);
  // Its shared expert is an MLP of its own.
  EXPECT_EQ(message_bytes(deepseek,
                          [](const Communication& m) {
                            return m.part == Part::shared_experts && m.phase == StepPhase::forward;
                          }),
            2 * 4096.0 * 7168 * 2);
}

// 16 sequences of 7168 elements in 2 bytes for each group. One group of tensor ranks has the same tokens and
// sums what their experts return, as if each had a slice of all; groups gather their tokens and scatter the
// sums, and tensor ranks put together what each of them has got of these.
TEST(Messages, ServersGatherWhatGroupsHaveAndSumWithinOne) {
  using Sent = std::tuple<Dimension, Collective, double, double>;
  const auto sent = [](std::int64_t tensor, std::int64_t experts) {
    Job job = plain_job(find_model("deepseek-v3")->shape, 1024);
    job.work.mode = Mode::decode;
    job.work.batch_size = 16;
    job.layout = server_layout(tensor, 1, experts);
    std::vector<Sent> messages;
    for (const SentMessage& one : ledger_of(completed(job)))
      if (one.layers == AmongLayers::moe && one.part == Part::mlp)
        messages.emplace_back(one.dimension, one.collective, one.ranks.size, one.message_size_bytes);
    return messages;
  };
  constexpr double group = 16.0 * 7168 * 2;
  using enum Collective;
  const std::vector<Sent> sum{{Dimension::tensor, all_reduce, 8, group}};
  EXPECT_EQ(sent(8, 1), sum);
  EXPECT_EQ(sent(8, 8), sum);
  EXPECT_EQ(sent(1, 8), (std::vector<Sent>{{Dimension::expert, all_gather, 8, 8 * group},
                                           {Dimension::expert, reduce_scatter, 8, 8 * group}}));
  EXPECT_EQ(sent(2, 8), (std::vector<Sent>{{Dimension::expert, all_gather, 8, 4 * group},
                                           {Dimension::expert, reduce_scatter, 8, 4 * group},
                                           {Dimension::tensor, all_gather, 2, group}}));
}

// What runs of what is asked for: TensorRT-LLM's kernels end with NVLink, DeepEP's of low latency are
// SGLang's for tokens alone, and a group of its own or a slice of each expert leaves nothing to send.
TEST(Messages, ServersRunTheExchangeThatReaches) {
  struct Case {
    const char* recipe;
    const char* accelerator;
    std::int64_t tensor, experts;
    Mode mode;
    ExchangeKernel runs;
    ExchangeKernel asked = ExchangeKernel::low_latency;
  };
  using enum ExchangeKernel;
  constexpr Mode decode = Mode::decode;
  constexpr Case cases[] = {
      {"vllm", "h200-sxm", 1, 8, decode, low_latency},
      {"vllm", "h200-sxm", 1, 8, Mode::prefill, low_latency},
      {"vllm", "h200-sxm", 8, 8, decode, nccl},
      {"vllm", "h200-sxm", 1, 8, decode, nccl, nccl},
      {"vllm", "h200-sxm", 1, 8, decode, normal, normal},
      {"sglang", "h200-sxm", 1, 8, decode, low_latency},
      {"sglang", "h200-sxm", 1, 8, Mode::prefill, normal},
      {"sglang", "h200-sxm", 8, 8, decode, low_latency},
      {"tensorrt-llm", "h200-sxm", 1, 8, decode, by_rank, by_rank},
      {"tensorrt-llm", "h200-sxm", 1, 16, decode, normal, by_rank},
      {"tensorrt-llm", "gb200", 1, 16, decode, by_rank, by_rank},
      {"tensorrt-llm", "l40s", 1, 8, decode, nccl, by_rank},
      {"tensorrt-llm", "h200-sxm", 8, 8, decode, nccl, by_rank},
      {"tensorrt-llm", "h200-sxm", 8, 4, decode, nccl, by_rank},
  };
  for (const Case& one : cases) {
    Job job;
    job.model = find_model("deepseek-v3")->shape;
    job.machine.accelerator = place_of_accelerator(one.accelerator);
    fill(job, *find_recipe(one.recipe));
    job.layout = server_layout(one.tensor, 1, one.experts);
    job.layout.expert_exchange = one.asked;
    job.work.mode = one.mode;
    EXPECT_EQ(served_exchange(completed(job)), one.runs) << one.recipe << ' ' << one.experts;
  }
}

// arXiv:2412.19437, section 3.3: dispatch in fp8, combine in bf16, 4096 tokens of 7168 elements to 8 experts
// each. A rank that gets a quarter more than the mean sends a quarter more.
TEST(Messages, DispatchAndCombineHaveTypesOfTheirOwn) {
  Job job = changed(tensor_8("deepseek-v3"), [](Job& s) {
    s.layout.tensor_parallel = 1;
    s.layout.sequence_parallel = false;
    s.layout.data_parallel = 64;
    s.layout.expert_parallel = 64;
    s.layout.dispatch_wire_bytes_per_element = 1;
  });
  const auto bytes = [&](Payload payload, StepPhase phase) {
    return message_bytes(job,
                         [=](const Communication& m) { return m.payload == payload && m.phase == phase; });
  };
  for (const StepPhase phase : {StepPhase::forward, StepPhase::backward}) {
    EXPECT_EQ(bytes(Payload::dispatched, phase), 4096.0 * 7168 * 8);
    EXPECT_EQ(bytes(Payload::combined, phase), 4096.0 * 7168 * 8 * 2);
  }
  job.work.expert_imbalance_percent = 25;
  EXPECT_EQ(bytes(Payload::combined, StepPhase::forward), 1.25 * 4096 * 7168 * 8 * 2);
  job.work.expert_capacity_factor = 1.125;
  EXPECT_EQ(bytes(Payload::combined, StepPhase::forward), 1.125 * 4096 * 7168 * 8 * 2);
}

// arXiv:2205.05198, section 4.2.2: under full recomputation a layer sends 6 reduce-scatters and 6 all-gathers
// of b s h, and gathers two inputs again: 12 -> 14; the LM head one more for each micro-batch.
TEST(Messages, InputsAreGatheredAgainUnderFullRecomputationToo) {
  const Job kept =
      changed(tensor_8("llama-3.1-70b", 8192), [](Job& s) { s.work.recompute = Recompute::full; });
  const Job again = changed(kept, [](Job& s) { s.layout.regather_input = true; });
  const auto layers = [](const Communication& m) {
    return m.per == Per::layer && (m.dimension == Dimension::tensor || m.dimension == Dimension::sequence);
  };
  EXPECT_DOUBLE_EQ(units(kept, layers), 80 * 12);
  EXPECT_DOUBLE_EQ(units(again, layers), 80 * 14);
  const auto head = [](const Communication& m) {
    return m.dimension == Dimension::sequence && m.part == Part::lm_head;
  };
  EXPECT_EQ(units(kept, head), 0);
  EXPECT_DOUBLE_EQ(units(again, head), 1);
}

// megatron/core/transformer/multi_latent_attention.py: projections down are not split, so latents and
// positions are gathered: 4096 (1536 + 512 + 64) elements, and 4096 * 7168 summed.
TEST(Messages, LatentAttentionGathersItsLatents) {
  const auto forward = [](Collective collective) {
    return [collective](const Communication& m) {
      return m.part == Part::attention && m.phase == StepPhase::forward && m.collective == collective;
    };
  };
  EXPECT_EQ(message_bytes(tensor_8("deepseek-v3"), forward(Collective::all_gather)), 4096.0 * 2112 * 2);
  EXPECT_EQ(message_bytes(tensor_8("deepseek-v3"), forward(Collective::reduce_scatter)), 4096.0 * 7168 * 2);
}

TEST(Messages, FusedKernelsConvertForNothing) {
  Job job = tensor_8("llama-3.1-8b");
  job.layout.activation_wire_bytes_per_element = 1;
  double converted = 0;
  for (const SentMessage& entry : ledger_of(job)) converted += entry.quantized_bytes_per_gpu;
  EXPECT_GT(converted, 0);
  job.layout.fused_quantization = true;
  for (const SentMessage& entry : ledger_of(job)) EXPECT_EQ(entry.quantized_bytes_per_gpu, 0);
}

// Shares that are sent are put together wherever they arrive: on every stage a chunk, but the first chunk of
// the first stage comes from nowhere.
TEST(Messages, ScatteredBoundariesAreGatheredOnArrival) {
  const Job job = changed(plain_job(test::classic_shape(96, 12288, 96, 51200), 2048), [](Job& s) {
    s.layout.tensor_parallel = 8;
    s.layout.pipeline_parallel = 4;
    s.layout.virtual_stages = 3;
    s.layout.pipeline_schedule = PipelineSchedule::interleaved;
    s.layout.scatter_gather = true;
    s.work.global_batch_size = 8;
  });
  for (int stage = 0; stage < 4; ++stage) {
    double sent = 0, gathered = 0;
    for (const SentMessage& entry : ledger_of(job)) {
      if (entry.per != Per::boundary || !takes_part(entry, {24, 0, stage == 0, stage == 3})) continue;
      (entry.collective == Collective::all_gather ? gathered : sent) += entry.calls;
    }
    // Three chunks, eight micro-batches, two ways; the ends miss one crossing.
    const double crossings = 8.0 * (stage == 0 || stage == 3 ? 5 : 6);
    EXPECT_EQ(sent, crossings) << stage;
    EXPECT_EQ(gathered, crossings) << stage;
  }
}

// Llama 3.1 405B, 126 layers: the first and the last of 16 stages have one less (arXiv:2407.21783, section
// 3.3.2).
TEST(Stages, EndsMayHaveLayersOfTheirOwn) {
  const auto dealt = [](std::int64_t stages, std::int64_t first, std::int64_t last) {
    const Job job = changed(tensor_8("llama-3.1-405b"), [&](Job& s) {
      s.layout.pipeline_parallel = stages;
      s.layout.first_stage_layers = first;
      s.layout.last_stage_layers = last;
    });
    EXPECT_TRUE(can_exist(job)) << stages << " " << first << " " << last;
    std::vector<double> layers;
    for (const Stage& stage : distinct_stages(job, stage_share(job))) layers.push_back(stage.layers());
    return layers;
  };
  EXPECT_EQ(dealt(16, 7, 7), (std::vector<double>{7, 8, 7}));
  EXPECT_EQ(dealt(16, 0, 6), (std::vector<double>{8, 6}));
  EXPECT_EQ(dealt(16, 6, 0), (std::vector<double>{6, 8, 8}));
  EXPECT_EQ(dealt(2, 60, 66), (std::vector<double>{60, 66}));
  EXPECT_EQ(dealt(2, 60, 0), (std::vector<double>{60, 66}));
  EXPECT_EQ(dealt(1, 7, 7), (std::vector<double>{126}));
}

TEST(Stages, DenseLayersComeFirstAndExpertsFillTheRest) {
  const Job job = changed(tensor_8("deepseek-v3"), [](Job& s) { s.layout.pipeline_parallel = 16; });
  const DistinctStages stages = distinct_stages(job, stage_share(job));
  ASSERT_EQ(stages.size(), 3u);
  EXPECT_EQ(stages[0].dense_layers, 3);
  EXPECT_EQ(stages[0].moe_layers, 1);
  EXPECT_TRUE(stages[0].is_first && !stages[0].is_last);
  EXPECT_EQ(stages[1].moe_layers, 4);
  EXPECT_FALSE(stages[1].is_first || stages[1].is_last);
  EXPECT_EQ(stages[2].layers(), 1);
  EXPECT_TRUE(stages[2].is_last && !stages[2].is_first);
}

}  // namespace
}  // namespace commcost
