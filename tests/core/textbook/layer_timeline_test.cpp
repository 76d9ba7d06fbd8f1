#include "core/textbook/layer_timeline.h"

#include <gtest/gtest.h>

#include "core/model/catalog.h"
#include "core/model/flops.h"
#include "support/jobs.h"

namespace commcost {
namespace {

using test::changed;

// The 22B layer of arXiv:2205.05198, table 4.
Job layer(std::int64_t tensor_parallel = 8) {
  return changed(test::plain_job(test::classic_shape(48, 6144, 64), 2048, 4),
                 [&](Job& s) { s.layout.tensor_parallel = tensor_parallel; });
}

double span(const LayerTimeline& timeline) {
  return timeline.forward_us + timeline.backward_us;
}

TEST(Timeline, HasNoTransfersOnOneGpu) {
  const LayerTimeline timeline = layer_timeline(layer(1), {});
  EXPECT_EQ(timeline.communication_us, 0);
  EXPECT_DOUBLE_EQ(timeline.compute_us, span(timeline));
}

// 4 sequences of 2048 tokens, 6144 values of 2 bytes each; in pieces, each as much less.
TEST(Timeline, SaysWhatATransferCarries) {
  for (const std::int64_t chunks : {1, 4}) {
    TimelineRates rates;
    rates.chunks = chunks;
    const Job job = changed(layer(), [](Job& s) { s.layout.sequence_parallel = true; });
    double carried = 0;
    for (const Bar& bar : layer_timeline(job, rates).bars) {
      if (bar.lane == Lane::compute) {
        EXPECT_EQ(bar.message_size_bytes + bar.calls + bar.group_size, 0);
      } else {
        EXPECT_EQ(bar.group_size, 8);
        EXPECT_EQ(bar.calls, 1);
        carried = std::max(carried, bar.message_size_bytes);
        if (chunks == 4 && bar.pass == Pass::forward) {
          EXPECT_EQ(bar.message_size_bytes, 4 * 2048 * 6144 * 2 / 4);
        }
      }
    }
    EXPECT_EQ(carried <= 4 * 2048 * 6144 * 2, true);
    EXPECT_GT(carried, 0);
  }
  for (const Bar& bar : layer_timeline(layer(), {}).bars) {
    EXPECT_EQ(bar.message_size_bytes, bar.lane == Lane::compute ? 0 : 4 * 2048 * 6144 * 2);
  }
}

double time_of(const LayerTimeline& timeline, Pass pass, Activity operation) {
  double sum = 0;
  for (const Bar& bar : timeline.bars) {
    if (bar.pass == pass && bar.operation == operation) sum += bar.duration_us;
  }
  return sum;
}

TEST(Timeline, MultipliesWhatTheModelCounts) {
  constexpr double flops_per_us = 312e6;
  for (const char* model : {"gpt3-175b", "llama-3.1-70b", "mixtral-8x7b", "deepseek-v3"}) {
    const Job job = changed(test::plain_job(completed(find_model(model)->shape), 2048, 4), [](Job& s) {
      s.layout.tensor_parallel = 8;
      s.layout.sequence_parallel = true;
      s.work.flash_attention = true;
    });
    const LayerTimeline timeline = layer_timeline(job, {});
    const LayerFlops flops = layer_flops(job.model, job.work, usual_layer(job.model));
    const auto forward = [&](Activity operation) {
      return 8 * flops_per_us * time_of(timeline, Pass::forward, operation);
    };
    EXPECT_NEAR(forward(Activity::query_key_value) / flops.query_key_value, 1, 1e-12) << model;
    // Flash attention skips the masked half.
    EXPECT_NEAR(forward(Activity::attention_core) / flops.attention_core, 0.5, 1e-12) << model;
    EXPECT_NEAR(forward(Activity::attention_output) / flops.attention_output, 1, 1e-12) << model;
    EXPECT_NEAR(
        (forward(Activity::router) + forward(Activity::mlp_in) + forward(Activity::mlp_out)) / flops.mlp, 1,
        1e-12)
        << model;
    for (const Activity operation : {Activity::query_key_value, Activity::mlp_in, Activity::mlp_out}) {
      const double once = time_of(timeline, Pass::forward, operation);
      EXPECT_NEAR(time_of(timeline, Pass::input_gradient, operation) / once, 1, 1e-12) << model;
      // And the gradients' sum is read and written.
      EXPECT_GT(time_of(timeline, Pass::weight_gradient, operation), once) << model;
    }
  }
}

TEST(Timeline, MultipliesOnEveryRankWhatRanksDoNotDivide) {
  const auto router = [](bool sequence_parallel) {
    const Job job = changed(test::plain_job(completed(find_model("mixtral-8x7b")->shape), 2048), [&](Job& s) {
      s.layout.tensor_parallel = 8;
      s.layout.sequence_parallel = sequence_parallel;
    });
    return time_of(layer_timeline(job, {}), Pass::forward, Activity::router) * 312e6;
  };
  const double router_flops = 2 * 2048 * 4096.0 * 8;
  EXPECT_NEAR(router(false) / router_flops, 1, 1e-12);
  EXPECT_NEAR(router(true) / (router_flops / 8), 1, 1e-12);
}

TEST(Timeline, SendsWhatTheLedgerCounts) {
  for (const bool spread : {false, true}) {
    for (const Recompute recompute : {Recompute::none, Recompute::full}) {
      const Job job = changed(layer(), [&](Job& s) {
        s.layout.sequence_parallel = spread;
        s.work.recompute = recompute;
      });
      const double sums = recompute == Recompute::full ? 6 : 4;
      const double bytes = sums * 2 * 7.0 / 8 * 4 * 2048 * 6144 * 2;
      EXPECT_NEAR(layer_timeline(job, {}).communication_us, bytes / 300e3, 1e-6) << spread;
    }
  }
}

// Of half a sequence a rank passes on keys and values of its heads once, and twice as much in the backward
// pass: these again, and their gradients.
TEST(Timeline, PassesKeysAndValuesRoundARing) {
  const Job job = changed(layer(), [](Job& s) {
    s.layout.context_parallel = 2;
    s.layout.context_scheme = ContextScheme::ring;
    s.work.flash_attention = true;
  });
  const LayerTimeline timeline = layer_timeline(job, {});
  const double block_us = 2 * 4 * 1024 * (6144 / 8) * 2 / 300e3;
  EXPECT_NEAR(time_of(timeline, Pass::forward, Activity::send_receive), block_us, 1e-6);
  EXPECT_NEAR(time_of(timeline, Pass::input_gradient, Activity::send_receive), 2 * block_us, 1e-6);
}

TEST(Timeline, BarsOfALaneNeverOverlap) {
  for (const std::int64_t chunks : {1, 4, 16}) {
    TimelineRates rates;
    rates.chunks = chunks;
    const Job job = changed(layer(), [](Job& s) {
      s.layout.sequence_parallel = true;
      s.layout.overlap_tensor = true;
      s.layout.regather_input = true;
      s.work.recompute = Recompute::selective;
    });
    double free[2] = {0, 0};
    for (const Bar& bar : layer_timeline(job, rates).bars) {
      double& lane = free[static_cast<int>(bar.lane)];
      EXPECT_GE(bar.start_us, lane - 1e-9);
      lane = bar.start_us + bar.duration_us;
    }
  }
}

TEST(Timeline, ExposesEverythingWhereNothingOverlaps) {
  const LayerTimeline timeline = layer_timeline(layer(), {});
  EXPECT_DOUBLE_EQ(timeline.exposed_us, timeline.communication_us);
  EXPECT_NEAR(span(timeline), timeline.compute_us + timeline.communication_us, 1e-6);
}

TEST(Timeline, WeightGradientsHideTheBackwardSums) {
  const LayerTimeline apart = layer_timeline(layer(), {});
  const LayerTimeline beside =
      layer_timeline(changed(layer(), [](Job& s) { s.layout.overlap_tensor = true; }), {});
  EXPECT_DOUBLE_EQ(beside.forward_us, apart.forward_us);
  EXPECT_NEAR(beside.exposed_us, apart.exposed_us / 2, 1e-6);
  EXPECT_NEAR(span(apart) - span(beside), apart.exposed_us / 2, 1e-6);
}

TEST(Timeline, PiecesHideAllButTheirFirstAndLast) {
  TimelineRates rates;
  rates.chunks = 8;
  const LayerTimeline whole = layer_timeline(layer(), {});
  const LayerTimeline pieces = layer_timeline(layer(), rates);
  EXPECT_LT(pieces.exposed_us, 0.6 * whole.exposed_us);
  EXPECT_LT(span(pieces), span(whole));
  EXPECT_NEAR(pieces.communication_us, whole.communication_us, 1e-6);
}

TEST(Timeline, SequenceParallelismSparesMemoryPassesNotBytes) {
  const LayerTimeline off = layer_timeline(layer(), {});
  const LayerTimeline on =
      layer_timeline(changed(layer(), [](Job& s) { s.layout.sequence_parallel = true; }), {});
  EXPECT_NEAR(on.communication_us, off.communication_us, 1e-6);
  EXPECT_LT(on.compute_us, off.compute_us);
  EXPECT_LT(span(on), span(off));
}

TEST(Timeline, LengthensByWhatIsComputedAgain) {
  const auto with = [](Recompute recompute) {
    return layer_timeline(changed(layer(), [&](Job& s) { s.work.recompute = recompute; }), {});
  };
  const LayerTimeline none = with(Recompute::none);
  EXPECT_NEAR(with(Recompute::full).backward_us, none.backward_us + none.forward_us, 1e-6);
  EXPECT_GT(with(Recompute::selective).backward_us, none.backward_us);
  EXPECT_LT(with(Recompute::selective).backward_us, with(Recompute::full).backward_us);
}

TEST(Timeline, ShowsWhatSelectiveRecomputationRepeats) {
  const auto repeated = [](const auto& choose) {
    const Job job = changed(layer(), [&](Job& s) {
      s.model.gated_mlp = true;
      s.work.recompute = Recompute::selective;
      s.work.recompute_attention_core = false;
      choose(s.work);
    });
    std::vector<Activity> operations;
    for (const Bar& bar : layer_timeline(job, {}).bars)
      if (bar.pass == Pass::recompute) operations.push_back(bar.operation);
    return operations;
  };
  using enum Activity;
  EXPECT_EQ(repeated([](Work&) {}), std::vector<Activity>{});
  EXPECT_EQ(repeated([](Work& work) { work.recompute_attention_core = true; }),
            std::vector<Activity>{attention_core});
  EXPECT_EQ(repeated([](Work& work) { work.recompute_elementwise = true; }),
            (std::vector<Activity>{norm, activation, residual, norm, positions, residual}));
  EXPECT_EQ(repeated([](Work& work) { work.recompute_products = true; }),
            (std::vector<Activity>{mlp_in, query_key_value, attention_output}));
}

TEST(Timeline, OfInferenceHasNoBackwardPass) {
  const Job job = changed(layer(), [](Job& s) { s.work.mode = Mode::prefill; });
  EXPECT_EQ(layer_timeline(job, {}).backward_us, 0);
}

TEST(Timeline, LatencyCountsEveryStepOfARing) {
  TimelineRates rates;
  rates.latency_us = 3;
  const double without = layer_timeline(layer(), {}).communication_us;
  EXPECT_NEAR(layer_timeline(layer(), rates).communication_us - without, 4 * 14 * 3, 1e-6);
}

}  // namespace
}  // namespace commcost
