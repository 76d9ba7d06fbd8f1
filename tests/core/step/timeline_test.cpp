#include "core/step/timeline.h"

#include <gtest/gtest.h>

#include "core/model/flops.h"
#include "support/settings.h"

namespace commcost {
namespace {

using test::changed;

// The 22B layer of arXiv:2205.05198, table 4.
Setting layer(std::int64_t tensor_parallel = 8) {
  return changed(test::plain_setting(test::classic_shape(48, 6144, 64), 2048, 4),
                 [&](Setting& s) { s.layout.tensor_parallel = tensor_parallel; });
}

double span(const LayerTimeline& timeline) {
  return timeline.forward_us + timeline.backward_us;
}

TEST(Timeline, HasNoTransfersOnOneGpu) {
  const LayerTimeline timeline = layer_timeline(layer(1), {});
  EXPECT_EQ(timeline.communication_us, 0);
  EXPECT_DOUBLE_EQ(timeline.compute_us, span(timeline));
}

TEST(Timeline, MultipliesWhatTheModelCounts) {
  TimelineRates rates;
  const Setting setting = changed(layer(), [](Setting& s) { s.work.flash_attention = true; });
  const LayerTimeline timeline = layer_timeline(setting, rates);
  double matrices = 0;
  for (const Bar& bar : timeline.bars) {
    const bool product = bar.operation == Operation::query_key_value ||
                         bar.operation == Operation::attention_core ||
                         bar.operation == Operation::attention_output || bar.operation == Operation::mlp_in ||
                         bar.operation == Operation::mlp_out;
    if (product) matrices += bar.duration_us;
  }
  const double flops = 3 * layer_flops(setting.shape, 4 * 2048, 2048, false).total();
  EXPECT_NEAR(matrices, flops / 8 / (rates.peak_tflops * 1e6), 1e-6);
}

TEST(Timeline, SendsWhatTheLedgerCounts) {
  for (const bool spread : {false, true}) {
    for (const Recompute recompute : {Recompute::none, Recompute::full}) {
      const Setting setting = changed(layer(), [&](Setting& s) {
        s.layout.sequence_parallel = spread;
        s.work.recompute = recompute;
      });
      const double sums = recompute == Recompute::full ? 6 : 4;
      const double bytes = sums * 2 * 7.0 / 8 * 4 * 2048 * 6144 * 2;
      EXPECT_NEAR(layer_timeline(setting, {}).communication_us, bytes / 300e3, 1e-6) << spread;
    }
  }
}

TEST(Timeline, BarsOfALaneNeverOverlap) {
  for (const std::int64_t chunks : {1, 4, 16}) {
    TimelineRates rates;
    rates.chunks = chunks;
    const Setting setting = changed(layer(), [](Setting& s) {
      s.layout.sequence_parallel = true;
      s.layout.overlap_tensor = true;
      s.layout.regather_input = true;
      s.work.recompute = Recompute::selective;
    });
    double free[2] = {0, 0};
    for (const Bar& bar : layer_timeline(setting, rates).bars) {
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
      layer_timeline(changed(layer(), [](Setting& s) { s.layout.overlap_tensor = true; }), {});
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
      layer_timeline(changed(layer(), [](Setting& s) { s.layout.sequence_parallel = true; }), {});
  EXPECT_NEAR(on.communication_us, off.communication_us, 1e-6);
  EXPECT_LT(on.compute_us, off.compute_us);
  EXPECT_LT(span(on), span(off));
}

TEST(Timeline, LengthensByWhatIsComputedAgain) {
  const auto with = [](Recompute recompute) {
    return layer_timeline(changed(layer(), [&](Setting& s) { s.work.recompute = recompute; }), {});
  };
  const LayerTimeline none = with(Recompute::none);
  EXPECT_NEAR(with(Recompute::full).backward_us, none.backward_us + none.forward_us, 1e-6);
  EXPECT_GT(with(Recompute::selective).backward_us, none.backward_us);
  EXPECT_LT(with(Recompute::selective).backward_us, with(Recompute::full).backward_us);
}

TEST(Timeline, OfInferenceHasNoBackwardPass) {
  const Setting setting = changed(layer(), [](Setting& s) { s.work.mode = Mode::prefill; });
  EXPECT_EQ(layer_timeline(setting, {}).backward_us, 0);
}

TEST(Timeline, LatencyCountsEveryStepOfARing) {
  TimelineRates rates;
  rates.latency_us = 3;
  const double without = layer_timeline(layer(), {}).communication_us;
  EXPECT_NEAR(layer_timeline(layer(), rates).communication_us - without, 4 * 14 * 3, 1e-6);
}

}  // namespace
}  // namespace commcost
