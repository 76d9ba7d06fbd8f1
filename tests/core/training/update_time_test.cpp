#include "core/training/update_time.h"

#include <gtest/gtest.h>

#include <cmath>
#include <ostream>

#include "core/parallel/holdings.h"
#include "core/training/constants.h"
#include "support/jobs.h"

namespace commcost {
namespace {

using test::changed;
using test::classic_shape;
using test::plain_job;

const Machine h100s = {place_of_accelerator("h100-sxm"), 8, 25};

Job gpt(std::int64_t layers = 32, std::int64_t vocabulary = 51200) {
  return test::on(plain_job(classic_shape(layers, 4096, 32, vocabulary), 2048), h100s);
}

StageLayers layers_of(const Job& job) {
  return stage_share(job).dealt;
}

struct DealCase {
  const char* name;
  std::int64_t layers;
  std::int64_t stages;
  std::int64_t vocabulary;
  bool balanced;
  double first;
  double last;
};
void PrintTo(const DealCase& one, std::ostream* out) {
  *out << one.name;
}

class Deal : public testing::TestWithParam<DealCase> {};

TEST_P(Deal, GivesStagesTheirLayers) {
  const DealCase& one = GetParam();
  const Job job = changed(gpt(one.layers, one.vocabulary), [&](Job& s) {
    s.layout.pipeline_parallel = one.stages;
    s.layout.balanced_stages = one.balanced;
  });
  const StageLayers layers = layers_of(job);
  EXPECT_EQ(layers.first, one.first);
  EXPECT_EQ(layers.last, one.last);
}

// A layer of hidden size 4096 has 12 * 4096^2 parameters and some: 49152 tokens of vocabulary weigh as much.
INSTANTIATE_TEST_SUITE_P(
    Stage, Deal,
    testing::Values(DealCase{"one_stage_has_all", 32, 1, 51200, true, 32, 32},
                    DealCase{"evenly", 32, 4, 51200, false, 8, 8},
                    DealCase{"the_last_is_short", 30, 4, 51200, false, 8, 6},
                    DealCase{"a_light_head_changes_nothing", 32, 4, 4096, true, 8, 8},
                    DealCase{"a_head_of_five_layers_takes_their_place", 32, 4, 256000, true, 10, 2},
                    DealCase{"a_head_heavier_than_a_stage_stands_alone", 16, 8, 256000, true, 3, 0}));

TEST(Stage, BalancingNeverLengthensTheLongest) {
  for (const std::int64_t layers : {12, 16, 28, 80, 126}) {
    for (const std::int64_t stages : {2, 3, 4, 8}) {
      for (const std::int64_t vocabulary : {32000, 128256, 256000}) {
        const auto longest = [&](bool balanced) {
          const Job job = changed(gpt(layers, vocabulary), [&](Job& s) {
            s.layout.pipeline_parallel = stages;
            s.layout.balanced_stages = balanced;
          });
          const StageShare share = stage_share(job);
          const StageLayers dealt = share.dealt;
          return std::max(dealt.first, dealt.last + share.lm_head / share.layer);
        };
        EXPECT_LE(longest(true), longest(false)) << layers << " over " << stages << ", " << vocabulary;
      }
    }
  }
}

TEST(Stage, ChunksAreDealtEvenly) {
  const Job job = changed(gpt(32, 256000), [](Job& s) {
    s.layout.pipeline_parallel = 4;
    s.layout.virtual_stages = 2;
    s.layout.pipeline_schedule = PipelineSchedule::interleaved;
    s.layout.balanced_stages = true;
  });
  EXPECT_EQ(layers_of(job).first, 8);
}

TEST(Stage, HoldsEmbeddingFirstAndHeadLast) {
  const Job job = changed(gpt(), [](Job& s) { s.layout.pipeline_parallel = 4; });
  const StageShare share = stage_share(job);
  const DistinctStages stages = distinct_stages(job, share);
  ASSERT_EQ(stages.size(), 2u);
  const auto held = [&](std::size_t at) { return parameters_on_gpu(holdings_of(job, share, stages[at])); };
  EXPECT_DOUBLE_EQ(held(0), 8 * share.layer + share.embedding);
  EXPECT_DOUBLE_EQ(held(1), 8 * share.layer + share.lm_head);
}

UpdateTime update_of(const Job& job) {
  const StageShare share = stage_share(job);
  return update_time(StepModel(job), share, distinct_stages(job, share)[0]);
}

Job replicated(std::int64_t replicas, std::int64_t zero_stage, std::int64_t micro_batches = 1) {
  return changed(gpt(), [=](Job& s) {
    s.layout.data_parallel = replicas;
    s.layout.zero_stage = zero_stage;
    s.work.global_batch_size = replicas * micro_batches;
  });
}

TEST(UpdateTime, OneReplicaExchangesNothing) {
  const UpdateTime update = update_of(gpt());
  EXPECT_EQ(update.iteration.total_us() + update.micro_batch.total_us(), 0);
  EXPECT_GT(update.optimizer_us, constants::optimizer_fixed_us);
}

TEST(UpdateTime, ZeroDecidesWhatIsExchangedWhen) {
  const UpdateTime whole = update_of(replicated(8, 0));
  EXPECT_GT(whole.iteration.beside_backward_us, 0);
  EXPECT_EQ(whole.iteration.beside_forward_us, 0);
  EXPECT_EQ(whole.micro_batch.total_us(), 0);
  const UpdateTime sharded = update_of(replicated(8, 1));
  EXPECT_GT(sharded.iteration.beside_backward_us, 0);
  EXPECT_GT(sharded.iteration.beside_forward_us, 0);
  EXPECT_LT(sharded.optimizer_us, whole.optimizer_us);
  // A rank that keeps its shard alone scatters after each micro-batch (arXiv:1910.02054, section 5.2).
  const UpdateTime gradients = update_of(replicated(8, 2));
  EXPECT_EQ(gradients.micro_batch.beside_backward_us, sharded.iteration.beside_backward_us);
  EXPECT_EQ(gradients.iteration.beside_backward_us, 0);
  EXPECT_EQ(gradients.iteration.beside_forward_us, sharded.iteration.beside_forward_us);
  Job added_up = replicated(8, 2);
  added_up.layout.accumulate_whole_gradients = true;
  EXPECT_EQ(update_of(added_up).iteration.beside_backward_us, sharded.iteration.beside_backward_us);
  EXPECT_EQ(update_of(added_up).micro_batch.total_us(), 0);
  const UpdateTime gathered = update_of(replicated(8, 3));
  EXPECT_EQ(gathered.iteration.total_us(), 0);
  EXPECT_GT(gathered.micro_batch.beside_forward_us, 0);
  EXPECT_GT(gathered.micro_batch.beside_backward_us, gathered.micro_batch.beside_forward_us);
}

TEST(UpdateTime, WeightsAreHiddenOnlyWhereTheStackOverlapsThem) {
  Job job = replicated(8, 1);
  const double weights_us = update_of(job).iteration.beside_forward_us;
  job.layout.overlap_param_gather = false;
  EXPECT_EQ(update_of(job).iteration.beside_forward_us, 0);
  EXPECT_EQ(update_of(job).iteration.exposed_us, weights_us);
}

TEST(UpdateTime, ReplicasOnMoreNodesExchangeLonger) {
  EXPECT_GT(update_of(replicated(16, 0)).iteration.total_us(),
            update_of(replicated(8, 0)).iteration.total_us());
}

TEST(UpdateTime, ExchangesInBuckets) {
  const Job job = replicated(8, 0);
  const double bytes = parameters_of(job.model).total * job.layout.gradient_wire_bytes_per_element;
  const double bucket = job.layout.bucket_size_bytes;
  const double full = std::floor(bytes / bucket);
  ASSERT_GT(full, 1);
  const auto us = [](double size) {
    return CollectiveTimer(h100s).time_us(Collective::all_reduce, {8, 1}, size);
  };
  EXPECT_NEAR(update_of(job).iteration.total_us(), full * us(bucket) + us(bytes - full * bucket), 1e-6);
}

// Word embeddings alone are shared by both ends (megatron/core/distributed/finalize_model_grads.py): V h / t
// elements, an all-reduce of two ranks.
TEST(UpdateTime, EndsSumATiedEmbedding) {
  Job job = changed(gpt(), [](Job& s) {
    s.layout.pipeline_parallel = 4;
    s.layout.tensor_parallel = 2;
    s.model.num_positions = 2048;
  });
  EXPECT_DOUBLE_EQ(update_of(job).tied_us,
                   CollectiveTimer(h100s).time_us(Collective::all_reduce, {2, 6}, 51200.0 / 2 * 4096 * 2) +
                       Stack{}.collective_start_us);
  job.model.tied_embeddings = false;
  EXPECT_EQ(update_of(job).tied_us, 0);
}

}  // namespace
}  // namespace commcost
