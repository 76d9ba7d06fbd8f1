#include "core/parallel/stage_share.h"

#include <gtest/gtest.h>

#include "core/model/catalog.h"
#include "core/parallel/holdings.h"
#include "core/parallel/layout_problems.h"
#include "support/jobs.h"
#include "support/models.h"
#include "support/random_jobs.h"

namespace commcost {
namespace {

using test::changed;
using test::plain_job;

class ModelShare : public testing::TestWithParam<ModelRow> {};

TEST_P(ModelShare, OfOneGpuIsTheWholeModel) {
  const Job job = plain_job(completed(GetParam().shape), 2048);
  EXPECT_DOUBLE_EQ(parameters_per_gpu(job), parameters_of(job.model).total);
}

TEST_P(ModelShare, OfTensorRanksCoversTheModel) {
  const Job plain = plain_job(completed(GetParam().shape), 2048);
  for (const std::int64_t degree : {2, 4, 8}) {
    const Job job = changed(plain, [&](Job& s) { s.layout.tensor_parallel = degree; });
    if (!can_exist(job)) continue;
    const double covered = static_cast<double>(degree) * parameters_per_gpu(job);
    const double total = parameters_of(job.model).total;
    EXPECT_GE(covered, total * (1 - 1e-12)) << degree;
    // What is copied: norms, added biases, positions, routers, spare key heads, down-projections.
    EXPECT_LE(covered, 1.1 * total) << degree;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ModelShare, testing::ValuesIn(all_models().begin(), all_models().end()),
                         test::name_of_model);

// Ultra-Scale Playbook, plot pp_memoryusage: of 8B over 8 stages, the first and the last keep an embedding
// whole.
TEST(Share, OfAPipelineKeepsAnEmbeddingAtEachEnd) {
  ModelShape shape = completed(find_model("llama-3-8b")->shape);
  const Job job = changed(plain_job(shape, 1024), [](Job& s) { s.layout.pipeline_parallel = 8; });
  const double gibibytes = parameters_per_gpu(job) * 2 / (1024.0 * 1024 * 1024);
  EXPECT_NEAR(gibibytes, 2.6035, 0.001);
}

TEST(Share, OfUnevenLayersIsRoundedUp) {
  const Job job = changed(plain_job(completed(find_model("llama-3.1-405b")->shape), 8192),
                          [](Job& s) { s.layout.pipeline_parallel = 16; });
  EXPECT_EQ(stage_share(job).layers, 8);
  const Job chunked = changed(job, [](Job& s) {
    s.layout.pipeline_schedule = PipelineSchedule::interleaved;
    s.layout.virtual_stages = 7;
  });
  EXPECT_EQ(stage_share(chunked).layers, 8);
}

// Whichever way a pipeline goes, its stages hold each layer once, or twice under DualPipe: 13 of 16 are
// dense.
TEST(Share, OfStagesIsEveryLayerOfItsKind) {
  Job job = plain_job(completed(find_model("mixtral-8x7b")->shape), 2048);
  job.model.num_layers = 16;
  for (const std::int64_t dense : {1, 5, 8, 13}) {
    job.model.num_dense_layers = dense;
    for (const auto schedule :
         {PipelineSchedule::one_f_one_b, PipelineSchedule::dualpipe_v, PipelineSchedule::dualpipe}) {
      job.layout.pipeline_parallel = 4;
      job.layout.pipeline_schedule = schedule;
      const Job staged = completed(job);
      const StageShare share = stage_share(staged);
      double without = 0;
      double with = 0;
      for (std::int64_t at = 0; at < 4; ++at) {
        const Stage stage = stage_at(staged, share, at);
        without += stage.dense_layers * stage.copies;
        with += stage.moe_layers * stage.copies;
      }
      const double times = schedule == PipelineSchedule::dualpipe ? 2 : 1;
      EXPECT_EQ(without, times * static_cast<double>(dense)) << dense;
      EXPECT_EQ(with, times * static_cast<double>(16 - dense)) << dense;
    }
  }
}

// 32 stages of 3 would be 96 of 80 layers.
TEST(Share, OfStagesThatRoundingUpWouldLeaveEmptyIsOneLess) {
  const Job job = changed(plain_job(completed(find_model("llama-3.1-70b")->shape), 8192),
                          [](Job& s) { s.layout.pipeline_parallel = 32; });
  const StageLayers dealt = stage_share(job).dealt;
  EXPECT_EQ(dealt.first, 3);
  EXPECT_EQ(dealt.inner, 2.5);
  EXPECT_EQ(dealt.last, 2);
}

TEST(Share, OfExpertsIsSplitByExpertDegree) {
  const Job one = plain_job(completed(find_model("mixtral-8x7b")->shape), 2048);
  const Job eight = changed(one, [](Job& s) {
    s.layout.data_parallel = 8;
    s.layout.expert_parallel = 8;
  });
  EXPECT_EQ(stage_share(one).experts, 8 * stage_share(eight).experts);
  EXPECT_EQ(stage_share(one).expert_layer, stage_share(eight).expert_layer);
}

// Under sequence parallelism these are the gradients that tensor ranks sum: of DeepSeek-V3 in 4 bytes 425.7
// MB of routers and 3694 MB of projections down and latent norms (arXiv:2412.19437, section 4.2).
TEST(Share, NamesWhatEveryTensorRankHoldsWhole) {
  const Job job = changed(plain_job(completed(find_model("deepseek-v3")->shape), 4096),
                          [](Job& s) { s.layout.tensor_parallel = 8; });
  const StageShare share = stage_share(job);
  EXPECT_EQ(share.replicated_expert_layer - share.replicated_layer, 7168 * 256);
  EXPECT_EQ(share.replicated_layer, 2 * 7168 + 7168 * (1536 + 576) + 1536 + 512);
  EXPECT_NEAR(58 * 4 * (share.replicated_expert_layer - share.replicated_layer), 425.7e6, 0.05e6);
  EXPECT_NEAR(61 * 4 * (share.replicated_layer - 2 * 7168), 3694e6, 0.5e6);
}

TEST(Share, DealsOutTheLayersThatAreAskedForAlone) {
  test::Random random(88);
  for (int draw = 0; draw < 2000; ++draw) {
    Job job = test::random_training(random);
    job.layout.balanced_stages = random.one_in(2);
    const StageLayers alone = stage_layers(job);
    const StageShare share = stage_share(job);
    EXPECT_EQ(alone.first, share.dealt.first) << draw;
    EXPECT_EQ(alone.inner, share.dealt.inner) << draw;
    EXPECT_EQ(alone.last, share.dealt.last) << draw;
    EXPECT_EQ(alone.most(), share.layers) << draw;
  }
}

}  // namespace
}  // namespace commcost
