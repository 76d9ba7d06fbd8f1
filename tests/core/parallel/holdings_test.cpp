#include "core/parallel/holdings.h"

#include <gtest/gtest.h>

#include "core/collective/bus_bandwidth.h"
#include "core/model/catalog.h"
#include "core/parallel/memory.h"
#include "core/parallel/message_parts.h"
#include "support/jobs.h"
#include "support/random_jobs.h"

namespace commcost {
namespace {

// One part of a model, shared by replicas.
Holdings holdings_of(double parameters, double replicas) {
  const Ranks all{replicas, 1};
  Holdings holdings;
  holdings.add({Part::layers,
                AmongLayers::dense,
                Stages::all,
                {all, all, {1, replicas}},
                parameters,
                0,
                1,
                1,
                parameters});
  return holdings;
}

Layout at_stage(std::int64_t zero_stage) {
  Layout layout;
  layout.zero_stage = zero_stage;
  return layout;
}

struct StateCase {
  const char* name;
  std::int64_t gradient_bytes;
  std::int64_t optimizer_bytes;
  std::int64_t zero_stage;
  double shards;
  double bytes_per_parameter;
};

void PrintTo(const StateCase& state, std::ostream* out) {
  *out << state.name;
}

class ModelStateOf : public testing::TestWithParam<StateCase> {};

TEST_P(ModelStateOf, AParameter) {
  Work work;
  work.gradient_bytes_per_element = GetParam().gradient_bytes;
  work.optimizer_bytes_per_parameter = GetParam().optimizer_bytes;
  const ModelState state =
      model_state(holdings_of(1, GetParam().shards), completed(work), at_stage(GetParam().zero_stage));
  EXPECT_DOUBLE_EQ(state.total(), GetParam().bytes_per_parameter);
}

// Ultra-Scale Playbook: 16 bytes a parameter, 20 with an fp32 copy of the gradients; arXiv:1910.02054, figure
// 1: K = 12; Megatron-LM theoretical_memory_usage.py: 18, or 6 + 12/d with a distributed optimizer.
INSTANTIATE_TEST_SUITE_P(Published, ModelStateOf,
                         testing::Values(StateCase{"mixed_precision", 2, 12, 0, 64, 16},
                                         StateCase{"fp32_gradients", 4, 12, 0, 1, 18},
                                         StateCase{"both_gradients", 6, 12, 0, 1, 20},
                                         StateCase{"without_master_copy", 2, 8, 0, 1, 12},
                                         StateCase{"zero_1", 2, 12, 1, 64, 4 + 12.0 / 64},
                                         StateCase{"zero_2", 2, 12, 2, 64, 2 + 14.0 / 64},
                                         StateCase{"zero_3", 2, 12, 3, 64, 16.0 / 64},
                                         StateCase{"megatron_distributed_optimizer", 4, 12, 1, 8,
                                                   6 + 12.0 / 8}),
                         [](const auto& state) { return std::string(state.param.name); });

// arXiv:1910.02054, section 1: 7.5B parameters take 120 GB, and 31.4, 16.6, 1.9 GB at stages 1 to 3 over 64
// GPUs.
TEST(ModelState, MatchesZerosFigure) {
  const auto bytes = [](std::int64_t zero_stage) {
    return model_state(holdings_of(7.5e9, 64), completed(Work{}), at_stage(zero_stage)).total();
  };
  EXPECT_NEAR(bytes(0) / 1e9, 120, 0.05);
  EXPECT_NEAR(bytes(1) / 1e9, 31.4, 0.05);
  EXPECT_NEAR(bytes(2) / 1e9, 16.6, 0.05);
  EXPECT_NEAR(bytes(3) / 1e9, 1.9, 0.05);
}

// Gradients that are added up whole stay whole.
TEST(ModelState, AtZero2MayKeepWholeGradients) {
  Layout layout = at_stage(2);
  EXPECT_EQ(model_state(holdings_of(64, 64), completed(Work{}), layout).gradients, 2);
  layout.accumulate_whole_gradients = true;
  EXPECT_EQ(model_state(holdings_of(64, 64), completed(Work{}), layout).gradients, 2 * 64);
  EXPECT_EQ(model_state(holdings_of(64, 64), completed(Work{}), layout).optimizer, 12);
}

TEST(ModelState, OfInferenceIsWeightsAlone) {
  Work work;
  work.mode = Mode::decode;
  EXPECT_EQ(model_state(holdings_of(10, 1), completed(work), Layout{}).total(), 20);
}

TEST(DataMessages, SendThePublishedVolumes) {
  for (const test::CsvRow& row : test::read_csv(test::data_file("data_parallel_volumes.csv"))) {
    Communications messages;
    add_data_messages(at_stage(test::whole(row, "zero_stage")),
                      holdings_of(row.number("parameters"), row.number("replicas")), messages);
    double sent = 0;
    for (const Communication& message : messages) {
      sent += message.count *
              ring_sent_bytes(message.collective, message.ranks.size, message.elements * row.number("bytes"));
    }
    EXPECT_NEAR(sent / 1e9, row.number("gigabytes"), 1e-9) << row.line();
  }
}

// With as many expert ranks as replicas no two GPUs keep the same experts: ZeRO has nothing of them to
// divide.
TEST(Holdings, OfExpertsAreSharedByFewer) {
  const Job job =
      test::changed(test::plain_job(completed(find_model("mixtral-8x7b")->shape), 4096), [](Job& s) {
        s.layout.data_parallel = 8;
        s.layout.expert_parallel = 8;
      });
  const StageShare share = stage_share(job);
  const Holdings holdings = holdings_of(job, share, distinct_stages(job, share)[0]);
  // 8 x 3 matrices of 4096 x 14336, an eighth of them on each GPU.
  const double experts = 32 * 3 * 4096.0 * 14336;
  const double shared = parameters_of(job.model).total - 8 * experts;
  for (const std::int64_t zero_stage : {0, 1, 2, 3}) {
    const double divided = zero_stage > 0 ? 8 : 1;
    EXPECT_DOUBLE_EQ(parameters_kept(holdings, at_stage(zero_stage), StateKind::optimizer),
                     shared / divided + experts);
  }
  EXPECT_DOUBLE_EQ(gathered_parameters(holdings, at_stage(3)), share.expert_layer);
  EXPECT_EQ(gathered_parameters(holdings, at_stage(2)), 0);
  const Job alone = test::changed(job, [](Job& s) { s.layout.data_parallel = s.layout.expert_parallel = 1; });
  EXPECT_EQ(gathered_parameters(holdings_of(alone, share, distinct_stages(alone, share)[0]), at_stage(3)), 0);
}

// All stages together keep the model, on all tensor and expert ranks, but for what ranks keep as copies.
TEST(Holdings, OfAllStagesAreTheModel) {
  test::Random random(1);
  int compared = 0;
  for (int drawn = 0; drawn < 2000; ++drawn) {
    Job job = test::random_training(random);
    const Layout& layout = job.layout;
    // One rank a matrix, and a pipeline of even stages of which each is one of the distinct ones.
    if (layout.tensor_parallel > 1 || expert_tensor_degree(layout) > 1 || layout.pipeline_parallel > 3 ||
        job.model.num_layers % layout.pipeline_parallel != 0 || ends_meet(layout))
      continue;
    const StageShare share = stage_share(job);
    const DistinctStages stages = distinct_stages(job, share);
    if (stages.size() != static_cast<std::size_t>(layout.pipeline_parallel)) continue;
    double kept = 0;
    for (const Stage& stage : stages) {
      for (const Holding& holding : holdings_of(job, share, stage)) {
        const bool routed = holding.part == Part::experts;
        kept += holding.parameters * (routed ? static_cast<double>(layout.expert_parallel) : 1);
      }
    }
    // The LM head of a pipeline whose ends share the embedding is a copy of it.
    const Parameters model = parameters_of(job.model);
    const bool copied = job.model.tied_embeddings && layout.pipeline_parallel > 1;
    EXPECT_NEAR(kept, model.total + (copied ? model.embedding : 0), 1e-9 * kept) << drawn;
    ++compared;
  }
  EXPECT_GT(compared, 100);
}

PassHoldings without(const PassHoldings& holdings, std::size_t left_out) {
  PassHoldings rest;
  for (std::size_t at = 0; at < holdings.size(); ++at)
    if (at != left_out) rest.add(holdings[at]);
  return rest;
}

// Whatever a GPU is said not to keep of a micro-batch, its memory is less, under every kind of recomputation
// and in inference.
TEST(PassHoldings, AreMissedByMemory) {
  test::Random random(3);
  for (int drawn = 0; drawn < 500; ++drawn) {
    const Job job = test::random_job(random);
    const PassHoldings all = pass_holdings(job);
    const LayerMemory memory = layer_memory(job, all);
    ASSERT_EQ(memory.kept > 0, job.work.mode == Mode::training);
    ASSERT_EQ(memory.cache > 0, job.work.mode != Mode::training);
    for (std::size_t at = 0; at < all.size(); ++at) {
      const LayerMemory less = layer_memory(job, without(all, at));
      const PassState kind = all[at].kind;
      ASSERT_EQ(less.kept < memory.kept, kind == PassState::activations) << drawn << ' ' << at;
      ASSERT_EQ(less.logits < memory.logits, kind == PassState::logits) << drawn;
      ASSERT_EQ(less.cache < memory.cache, kind == PassState::cache) << drawn;
      ASSERT_EQ(less.working < memory.working, kind == PassState::working) << drawn;
      ASSERT_EQ(less.whole < memory.whole, kind == PassState::whole) << drawn;
    }
  }
}

}  // namespace
}  // namespace commcost
