#include "core/parallel/memory.h"

#include <gtest/gtest.h>

#include "core/model/activations.h"
#include "core/model/catalog.h"
#include "core/parallel/recipes.h"
#include "support/jobs.h"

namespace commcost {
namespace {

using test::changed;

Job setting_of(const char* model, std::int64_t sequence_length, std::int64_t batch_size = 1) {
  return changed(test::plain_job(completed(find_model(model)->shape), sequence_length, batch_size),
                 [](Job& s) {
                   s.work.flash_attention = true;
                   s.work.dropout = false;
                 });
}

// Beside what the matrices need, of a token: rotated copies of 64 + 8 heads, and gathered inputs of the two
// column-parallel matrices where they are not gathered again.
TEST(LayerMemory, InTrainingKeepsCopies) {
  const Job plain = changed(setting_of("llama-3.1-70b", 1000, 3), [](Job& s) {
    s.layout.tensor_parallel = 4;
    s.layout.context_parallel = 2;
    s.layout.sequence_parallel = true;
    s.layout.regather_input = true;
  });
  const double tokens = 3 * 500;
  const double matrices = layer_activations(plain.model, plain.work, {4, true, 2}, LayerKind::dense).total();
  const LayerMemory memory = layer_memory(plain);
  EXPECT_EQ(memory.kept, matrices + 2 * tokens * (64 + 8) * 128 / 4);
  EXPECT_EQ(memory.working, matrices);
  EXPECT_EQ(memory.logits, 3 * 500 * 32064 * Stack{}.held_bytes_per_logit);
  const Job gathered = changed(plain, [](Job& s) { s.layout.regather_input = false; });
  EXPECT_EQ(layer_memory(gathered).kept - memory.kept, 2 * tokens * 2 * 8192 * 3 / 4);
  const Job apart = changed(gathered, [](Job& s) { s.layout.sequence_parallel = false; });
  EXPECT_EQ(layer_memory(apart).kept,
            layer_activations(plain.model, plain.work, {4, false, 2}, LayerKind::dense).total() +
                2 * tokens * (64 + 8) * 128 / 4);
  const Job full = changed(plain, [](Job& s) { s.work.recompute = Recompute::full; });
  EXPECT_EQ(layer_memory(full).kept, 2 * tokens * 8192 / 4);
  EXPECT_EQ(layer_memory(full).working, matrices);
}

// Of Mixtral's two visited experts each rank keeps the tokens that it gathered, of the attention unless it
// gathers them again.
TEST(LayerMemory, GathersWhatExpertsRead) {
  const Job plain = changed(setting_of("mixtral-8x7b", 1000), [](Job& s) {
    s.layout.tensor_parallel = 2;
    s.layout.sequence_parallel = true;
    s.layout.regather_input = true;
  });
  const Job gathered = changed(plain, [](Job& s) { s.layout.regather_input = false; });
  EXPECT_EQ(layer_memory(gathered).kept - layer_memory(plain).kept, 2 * 1000 * 4096 / 2);
  const ActivationSplit split{2, true, 1};
  const double own = layer_activations(plain.model, plain.work, split, LayerKind::moe).total();
  const double rotated = layer_matrices(plain.model, LayerKind::moe, 2).attention.rotated;
  EXPECT_EQ(layer_memory(plain).kept, own + 2 * 1000 * (2 * 4096.0 / 2 + rotated));
}

TEST(LayerMemory, IsTheMeanOfBothKindsOfLayer) {
  const Job job = setting_of("deepseek-v3", 1000);
  const auto of = [&](LayerKind kind) {
    return layer_activations(job.model, job.work, {1, false, 1}, kind).total();
  };
  const double mean = (3 * of(LayerKind::dense) + 58 * of(LayerKind::moe)) / 61;
  EXPECT_DOUBLE_EQ(layer_memory(job).working, mean);
  // Rotated: 64 elements of 128 heads of queries, and of the keys once.
  EXPECT_DOUBLE_EQ(layer_memory(job).kept, mean + 2 * 1000 * 129 * 64);
}

// Keys and values of 8 heads of 128, in 2 bytes, for each of 3 x 1000 tokens.
TEST(LayerMemory, OfInferenceKeepsTheCacheAlone) {
  const Job decode =
      changed(setting_of("llama-3.1-70b", 1000, 3), [](Job& s) { s.work.mode = Mode::decode; });
  EXPECT_EQ(layer_memory(decode).kept, 0);
  EXPECT_EQ(layer_memory(decode).logits, 0);
  EXPECT_GT(layer_memory(decode).working, 0);
  EXPECT_EQ(layer_memory(decode).cache, 3 * 1000 * 2 * 8 * 128 * 2.0);
  EXPECT_EQ(fullest_gpu(decode).memory.cache, 80 * layer_memory(decode).cache);
}

// Sharding within 8 of 64 replicas leaves what ZeRO leaves on 8.
TEST(StageState, GroupsShardAsFewReplicasDo) {
  const auto bytes = [](std::int64_t replicas, std::int64_t group) {
    const Job job = changed(setting_of("llama-3.1-8b", 4096), [&](Job& s) {
      s.layout.data_parallel = replicas;
      s.layout.shard_group_size = group;
      s.layout.zero_stage = 3;
    });
    const StageShare share = stage_share(job);
    return stage_states(job, share, distinct_stages(job, share))[0].state.total();
  };
  EXPECT_EQ(bytes(64, 8), bytes(8, 0));
  EXPECT_NEAR(bytes(64, 8) / bytes(64, 0), 8, 1e-9);
}

DistinctStages stages_of(std::initializer_list<double> layers) {
  DistinctStages stages;
  for (const double dense : layers) {
    const bool is_last = stages.size() + 1 == layers.size();
    stages.add({dense, 0, stages.size() == 0, is_last});
  }
  return stages;
}

// A first stage with one layer of 13 leaves the second with more activations: 4 layers of 3 micro-batches.
TEST(FullestGpu, MayBeBetweenTheEnds) {
  const LayerMemory layer{100, 10, 50};
  const StageStates states{{{{1, 1, 1}, 0}, {{2, 2, 2}, 0}, {{3, 3, 3}, 0}}};
  const InFlight four{4, 3, 1};
  const StepMemory uneven = fullest(stage_memories(layer, states, stages_of({1, 4, 4}), four)).memory;
  EXPECT_EQ(uneven.activations, 4 * 3 * 100);
  EXPECT_EQ(uneven.weights, 2);
  EXPECT_EQ(uneven.logits, 0);
  const StageMemory even = fullest(stage_memories(layer, states, stages_of({4, 4, 4}), four));
  EXPECT_EQ(even.memory.activations, 4 * 4 * 100);
  EXPECT_TRUE(even.stage.is_first);
  EXPECT_EQ(step_bytes(stage_needs(layer, stages_of({4, 4, 4})), states, four), even.memory.total());
}

// The loss comes first on the way back: what a layer at work needs beyond the logits counts, and weights that
// are gathered lie beside both.
TEST(FullestGpu, HoldsLogitsOrALayerAtWork) {
  const StageStates states{{{{1, 1, 1}, 7}}};
  const StepMemory small = fullest(stage_memories({100, 50, 10}, states, stages_of({4}), {})).memory;
  EXPECT_EQ(small.logits, 10);
  EXPECT_EQ(small.working, 50 - 10 + 7);
  const StepMemory large = fullest(stage_memories({100, 50, 60}, states, stages_of({4}), {})).memory;
  EXPECT_EQ(large.logits, 60);
  EXPECT_EQ(large.working, 7);
}

// DeepSeek-V3 has three layers without experts, all on the first of 16 stages of four: it keeps the weights
// of one layer with experts, the stages behind it of four.
TEST(FullestGpu, CountsTheLayersWithExpertsOfItsStage) {
  const Job job = changed(setting_of("deepseek-v3", 4096), [](Job& s) {
    s.layout.pipeline_parallel = 16;
    s.layout.data_parallel = 64;
    s.layout.expert_parallel = 64;
  });
  const StageShare share = stage_share(job);
  const DistinctStages stages = distinct_stages(job, share);
  const StageStates states = stage_states(job, share, stages);
  ASSERT_EQ(stages.size(), 3u);
  const double moe = share.expert_layer + share.experts;
  EXPECT_DOUBLE_EQ(states[0].state.weights, 2 * (3 * share.layer + moe + share.embedding));
  EXPECT_DOUBLE_EQ(states[1].state.weights, 2 * 4 * moe);
}

struct KorthikantiCase {
  const char* name;
  std::int64_t heads;
  std::int64_t hidden_size;
  std::int64_t layers;
  std::int64_t micro_batch;
  std::int64_t stages;
  std::int64_t chunks;
  double gib;
};

class Korthikanti : public testing::TestWithParam<KorthikantiCase> {};

// arXiv:2205.05198, section 4.2.3 and table 3: s b h L 34 / t bytes on the first stage, times 1 + (p-1)/(p v)
// where its layers are in v chunks, with the inputs of matrices spread over the tensor ranks and gathered
// again.
TEST_P(Korthikanti, KeepsTheirActivations) {
  const KorthikantiCase& run = GetParam();
  Job job = setting_of("gpt3-175b", 2048, run.micro_batch);
  fill(job, *find_recipe("megatron-2021"));
  job.model.num_heads = run.heads;
  job.model.hidden_size = run.hidden_size;
  job.model.num_layers = run.layers;
  job.model.ffn_hidden_size = 4 * run.hidden_size;
  job.model.num_kv_heads = job.model.head_size = 0;
  job.work.recompute = Recompute::selective;
  job.work.global_batch_size = run.micro_batch * run.stages * 8;
  job.layout.tensor_parallel = 8;
  job.layout.sequence_parallel = true;
  job.layout.pipeline_parallel = run.stages;
  job.layout.virtual_stages = run.chunks;
  if (run.chunks > 1) job.layout.pipeline_schedule = PipelineSchedule::interleaved;
  job.layout.cluster_gpus = 0;
  const StageMemory fullest = fullest_gpu(completed(job));
  EXPECT_TRUE(fullest.stage.is_first);
  EXPECT_NEAR(fullest.memory.activations / gib, run.gib, 0.005);
}

INSTANTIATE_TEST_SUITE_P(Runs, Korthikanti,
                         testing::Values(KorthikantiCase{"22B", 64, 6144, 48, 4, 1, 1, 9.56},
                                         KorthikantiCase{"175B", 96, 12288, 96, 1, 8, 3, 12.35},
                                         KorthikantiCase{"530B", 128, 20480, 105, 1, 35, 3, 23.08},
                                         KorthikantiCase{"1T", 160, 25600, 128, 1, 64, 1, 26.56}),
                         [](const auto& run) { return std::string(run.param.name); });

StepMemory memory_under(PipelineSchedule schedule, std::int64_t zero_stage) {
  const Job job = changed(setting_of("llama-3.1-8b", 4096), [&](Job& s) {
    s.layout.pipeline_parallel = 4;
    s.layout.pipeline_schedule = schedule;
    s.layout.data_parallel = 8;
    s.layout.zero_stage = zero_stage;
    s.work.global_batch_size = 8 * 16;
    s.stack.held_bytes_per_logit = 0;
  });
  return fullest_gpu(job).memory;
}

// arXiv:2412.19437, table 2: twice the parameters, PP + 1 activations. The two copies of a stage are
// replicas: their optimizer's state is sharded over twice the ranks, and takes what it did.
TEST(FullestGpu, OfDualPipeIsTwiceTheWeightsAndOneMicroBatchMore) {
  const StepMemory dual = memory_under(PipelineSchedule::dualpipe, 1);
  const StepMemory line = memory_under(PipelineSchedule::one_f_one_b, 1);
  EXPECT_NEAR(dual.weights / line.weights, 2, 1e-4);
  EXPECT_NEAR(dual.gradients / line.gradients, 2, 1e-4);
  EXPECT_NEAR(dual.optimizer / line.optimizer, 1, 1e-4);
  EXPECT_NEAR(dual.activations / line.activations, 5.0 / 4, 1e-12);
}

// Embedding and LM head, 128256 * 4096 each, are on one stage.
TEST(FullestGpu, OfDualPipeVHoldsEachLayerOnce) {
  const StepMemory folded = memory_under(PipelineSchedule::dualpipe_v, 0);
  const StepMemory line = memory_under(PipelineSchedule::one_f_one_b, 0);
  EXPECT_NEAR(folded.weights, line.weights + 128256.0 * 4096 * 2, 1e-4 * folded.weights);
  EXPECT_NEAR(folded.activations / line.activations, 4.5 / 4, 1e-12);
}

}  // namespace
}  // namespace commcost
