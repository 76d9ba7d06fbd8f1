#include "core/training/layer_time.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/hardware/machine.h"
#include "core/training/constants.h"
#include "core/training/overlap_rule.h"
#include "support/jobs.h"

namespace commcost {
namespace {

using test::changed;
using test::classic_shape;
using test::plain_job;

const Machine a100s = {place_of_accelerator("a100-sxm-80gb"), 8, 25};

// A layer of the 22B model of arXiv:2205.05198: tensor degree 8, micro-batches of 4.
Job layer_of_22b() {
  Job job = plain_job(classic_shape(48, 6144, 64, 51200), 2048, 4);
  return changed(job, [](Job& s) {
    s.machine = a100s;
    s.layout.tensor_parallel = 8;
    s.layout.regather_input = true;
    s.layout.overlap_tensor = true;
  });
}

LayerTime time_of(const Job& job, const MachineScales& scales = {}) {
  return layer_times(StepModel(job, scales)).dense;
}

EndTimes ends_of(const Job& job) {
  return end_times(StepModel(job));
}

TEST(LayerTime, KeepsToKorthikantisLayer) {
  const Job plain = layer_of_22b();
  const Job full = changed(plain, [](Job& s) { s.work.recompute = Recompute::full; });
  const Job shared = changed(plain, [](Job& s) {
    s.layout.sequence_parallel = true;
    s.work.recompute = Recompute::selective;
  });
  // Table 4, both passes, ms.
  EXPECT_NEAR(time_of(plain).device_us() * 1e-3 / 19.6, 1, 0.07);
  EXPECT_NEAR(time_of(full).device_us() * 1e-3 / 27.2, 1, 0.07);
  EXPECT_NEAR(time_of(shared).device_us() * 1e-3 / 20.3, 1, 0.07);
}

TEST(LayerTime, BackwardPassTakesAboutTwiceAsLong) {
  const LayerTime time = time_of(layer_of_22b());
  EXPECT_NEAR(time.backward_us / time.forward_us, 2, 0.2);
  EXPECT_GT(time.weight_gradient_us, 0);
  EXPECT_LT(time.weight_gradient_us, time.backward_us);
}

TEST(LayerTime, RecomputesWhatIsAskedFor) {
  const auto with = [](Recompute recompute) {
    return time_of(changed(layer_of_22b(), [=](Job& s) { s.work.recompute = recompute; }));
  };
  EXPECT_EQ(with(Recompute::none).recompute_us, 0);
  EXPECT_DOUBLE_EQ(with(Recompute::full).recompute_us, with(Recompute::full).forward_us);
  EXPECT_GT(with(Recompute::selective).recompute_us, 0);
  EXPECT_LT(with(Recompute::selective).recompute_us, with(Recompute::full).recompute_us);
  EXPECT_EQ(with(Recompute::selective).tensor.total_us(), with(Recompute::none).tensor.total_us());
  EXPECT_NEAR(with(Recompute::full).tensor.total_us(), 1.5 * with(Recompute::none).tensor.total_us(), 1e-6);
}

// Each part adds its own time, and all of them less than the whole forward pass.
TEST(LayerTime, SelectiveRecomputationTakesWhatItsPartsTake) {
  const auto recompute_us = [](const auto& choose) {
    return time_of(changed(layer_of_22b(),
                           [&](Job& s) {
                             s.work.recompute = Recompute::selective;
                             s.work.recompute_attention_core = false;
                             choose(s.work);
                           }))
        .recompute_us;
  };
  EXPECT_EQ(recompute_us([](Work&) {}), 0);
  const double core = recompute_us([](Work& work) { work.recompute_attention_core = true; });
  const double elementwise = recompute_us([](Work& work) { work.recompute_elementwise = true; });
  const double products = recompute_us([](Work& work) { work.recompute_products = true; });
  EXPECT_GT(core, 0);
  EXPECT_GT(elementwise, 0);
  EXPECT_GT(products, 0);
  const double all = recompute_us([](Work& work) {
    work.recompute_attention_core = work.recompute_elementwise = work.recompute_products = true;
  });
  EXPECT_NEAR(all, core + elementwise + products, 1e-6);
  EXPECT_LT(all, time_of(layer_of_22b()).forward_us);
}

TEST(LayerTime, OneRankSendsNothing) {
  const LayerTime time = time_of(changed(layer_of_22b(), [](Job& s) { s.layout.tensor_parallel = 1; }));
  EXPECT_EQ(time.tensor.total_us(), 0);
  EXPECT_EQ(time.context.total_us(), 0);
  EXPECT_EQ(time.expert.total_us(), 0);
  EXPECT_EQ(time.device_us(), time.compute_us());
}

TEST(LayerTime, HidesSumsBesideWeightGradientsOnlyIfAllowed) {
  const LayerTime beside = time_of(layer_of_22b());
  const LayerTime apart = time_of(changed(layer_of_22b(), [](Job& s) { s.layout.overlap_tensor = false; }));
  EXPECT_GT(beside.tensor.hidden_us, 0);
  EXPECT_EQ(apart.tensor.hidden_us, 0);
  EXPECT_LT(beside.device_us(), apart.device_us());
  EXPECT_NEAR(beside.tensor.slow_down_us, (constants::overlap_slow_down - 1) * beside.tensor.hidden_us, 1e-9);
  MachineScales nothing_hides;
  nothing_hides.overlap = 0;
  EXPECT_DOUBLE_EQ(time_of(layer_of_22b(), nothing_hides).device_us(), apart.device_us());
}

TEST(LayerTime, SequenceParallelismSparesMemoryTraffic) {
  const LayerTime shared =
      time_of(changed(layer_of_22b(), [](Job& s) { s.layout.sequence_parallel = true; }));
  EXPECT_LT(shared.forward_us, time_of(layer_of_22b()).forward_us);
  EXPECT_LT(shared.backward_us, time_of(layer_of_22b()).backward_us);
  EXPECT_EQ(shared.weight_gradient_us, time_of(layer_of_22b()).weight_gradient_us);
}

TEST(LayerTime, FlashAttentionIsQuickerThanStoredScores) {
  const LayerTime flash = time_of(changed(layer_of_22b(), [](Job& s) { s.work.flash_attention = true; }));
  EXPECT_LT(flash.compute_us(), time_of(layer_of_22b()).compute_us());
}

TEST(LayerTime, SplitMatricesNeverGainMoreThanTheirNumber) {
  const auto compute_us = [](std::int64_t ranks) {
    return time_of(changed(layer_of_22b(), [=](Job& s) { s.layout.tensor_parallel = ranks; })).compute_us();
  };
  EXPECT_LT(compute_us(8), compute_us(1));
  EXPECT_GT(8 * compute_us(8), compute_us(1));
}

TEST(LayerTime, LaunchesMoreWhereThereIsMoreToRun) {
  const auto launch_us = [](auto change) { return time_of(changed(layer_of_22b(), change)).launch_us; };
  const double plain = launch_us([](Job&) {});
  EXPECT_GT(launch_us([](Job& s) { s.work.recompute = Recompute::full; }), plain);
  EXPECT_GT(launch_us([](Job& s) { s.layout.sequence_parallel = true; }), plain);
  EXPECT_LT(launch_us([](Job& s) { s.layout.tensor_parallel = 1; }), plain);
  EXPECT_DOUBLE_EQ(launch_us([](Job& s) { s.work.batch_size = 1; }), plain);
}

// Experts of DeepSeek-V3's kind over 16 ranks, sent node by node.
Job layer_of_experts() {
  ModelShape shape = classic_shape(8, 4096, 32, 32000);
  shape.num_experts = 64;
  shape.experts_per_token = 8;
  shape.ffn_hidden_size = 1024;
  return changed(plain_job(shape, 4096), [](Job& s) {
    s.layout.data_parallel = 16;
    s.layout.expert_parallel = 16;
    s.layout.expert_exchange = ExchangeKernel::normal;
  });
}

LayerTime expert_time_of(const Job& job) {
  return layer_times(StepModel(job)).moe;
}

TEST(LayerTime, AnotherMicroBatchHidesTokensOnTheirWay) {
  const LayerTime alone = expert_time_of(layer_of_experts());
  const LayerTime beside =
      expert_time_of(changed(layer_of_experts(), [](Job& s) { s.layout.overlap_expert = true; }));
  EXPECT_EQ(alone.expert.hidden_us, 0);
  EXPECT_DOUBLE_EQ(beside.expert.total_us(), alone.expert.total_us());
  EXPECT_DOUBLE_EQ(beside.expert.hidden_us, std::min(alone.expert.total_us(), alone.compute_us()));
  EXPECT_DOUBLE_EQ(beside.expert.slow_down_us, beside.expert.hidden_us * (constants::overlap_slow_down - 1));
  EXPECT_GE(beside.free_forward_us(), 0);
  EXPECT_GE(beside.free_backward_us(), 0);
}

TEST(LayerTime, TheBusiestRankHasMoreToSendAndToMultiply) {
  const LayerTime even = expert_time_of(layer_of_experts());
  const LayerTime uneven =
      expert_time_of(changed(layer_of_experts(), [](Job& s) { s.work.expert_imbalance_percent = 50; }));
  EXPECT_GT(uneven.forward_us, even.forward_us);
  EXPECT_LT(uneven.forward_us, 1.5 * even.forward_us);
  EXPECT_GT(uneven.expert.forward_us, even.expert.forward_us);
  EXPECT_LE(uneven.expert.forward_us, 1.5 * even.expert.forward_us);
}

// What an expert has no room for is dropped; what is filled up to its room is sent and multiplied like
// tokens.
TEST(LayerTime, ExpertsTakeNoMoreThanTheirCapacity) {
  const auto with = [](double imbalance, double capacity, bool padded) {
    return expert_time_of(changed(layer_of_experts(), [=](Job& s) {
      s.work.expert_imbalance_percent = imbalance;
      s.work.expert_capacity_factor = capacity;
      s.work.pad_expert_inputs = padded;
    }));
  };
  const auto expect_alike = [](const LayerTime& one, const LayerTime& other) {
    EXPECT_DOUBLE_EQ(one.forward_us, other.forward_us);
    EXPECT_DOUBLE_EQ(one.expert.forward_us, other.expert.forward_us);
  };
  expect_alike(with(50, 1.25, false), with(25, 0, false));
  expect_alike(with(50, 1.25, true), with(25, 0, false));
  expect_alike(with(10, 1.25, false), with(10, 0, false));
  expect_alike(with(10, 1.25, true), with(25, 0, false));
  expect_alike(with(10, 0, true), with(10, 0, false));
  EXPECT_LT(with(0, 0.5, false).forward_us, with(0, 0, false).forward_us);
}

TEST(LayerTime, FewerBitsAreSentSooner) {
  const LayerTime wide = expert_time_of(layer_of_experts());
  const LayerTime narrow = expert_time_of(changed(layer_of_experts(), [](Job& s) {
    s.layout.dispatch_wire_bytes_per_element = 1;
    s.layout.fused_quantization = true;
  }));
  EXPECT_LT(narrow.expert.forward_us, wide.expert.forward_us);
  EXPECT_GT(narrow.expert.forward_us, 0.5 * wide.expert.forward_us);
}

TEST(EndTimes, OfAModelWithoutVocabularyIsNothing) {
  const EndTimes ends = ends_of(plain_job(classic_shape(4, 1024, 16), 1024));
  EXPECT_EQ(ends.last.compute_us + ends.first.compute_us, 0);
  EXPECT_EQ(ends.last.tensor.total_us() + ends.first.tensor.total_us(), 0);
  EXPECT_EQ(ends.last.launch_us + ends.first.launch_us, 0);
}

TEST(EndTimes, MultipliesThriceReadsItsLogitsAndAddsItsGradients) {
  const Job job = changed(layer_of_22b(), [](Job& s) { s.layout.tensor_parallel = 1; });
  const KernelPricer pricer = kernel_pricer(job);
  const double tokens = 4 * 2048;
  Kernel product;
  product.routine = Routine::product;
  const auto product_us = [&](double rows, double columns, double inner) {
    product.gemm = {rows, columns, inner};
    product.flops = product.gemm.flops();
    product.bytes = 2 * (tokens * 51200 + 51200 * 6144 + tokens * 6144);
    return pricer.time_us(product);
  };
  const auto passing_us = [&](Routine routine, double bytes, double launches) {
    Kernel kernel;
    kernel.routine = routine;
    kernel.bytes = bytes;
    kernel.launches = launches;
    return pricer.time_us(kernel);
  };
  const double gradients = 2 + 2 * static_cast<double>(job.work.gradient_bytes_per_element);
  EXPECT_DOUBLE_EQ(ends_of(job).last.compute_us,
                   passing_us(Routine::elementwise, tokens * 6144 * 2 * 2, 1) +
                       passing_us(Routine::elementwise, tokens * 6144 * 4 * 2, 2) +
                       product_us(tokens, 51200, 6144) + product_us(tokens, 6144, 51200) +
                       product_us(6144, 51200, tokens) +
                       passing_us(Routine::accumulation, 51200 * 6144 * gradients, 0) +
                       passing_us(Routine::elementwise, tokens * 51200 * 52, 39));
}

TEST(EndTimes, TensorRanksShareTheVocabulary) {
  const Job alone = changed(layer_of_22b(), [](Job& s) { s.layout.tensor_parallel = 1; });
  EXPECT_LT(ends_of(layer_of_22b()).last.compute_us, ends_of(alone).last.compute_us / 4);
  EXPECT_GT(ends_of(layer_of_22b()).first.tensor.total_us(), 0);
  EXPECT_GT(ends_of(layer_of_22b()).last.tensor.total_us(), 0);
  EXPECT_EQ(ends_of(alone).last.tensor.total_us(), 0);
}

}  // namespace
}  // namespace commcost
