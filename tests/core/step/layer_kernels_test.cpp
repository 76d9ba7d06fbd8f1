#include "core/step/layer_kernels.h"

#include <gtest/gtest.h>

#include "core/model/catalog.h"
#include "core/model/flops.h"
#include "core/model/matrices.h"
#include "core/model/routing.h"
#include "core/parallel/layout_problems.h"
#include "core/step/constants.h"
#include "core/step/memory_bound.h"
#include "support/models.h"
#include "support/settings.h"

namespace commcost {
namespace {

using test::changed;

// A machine on which a FLOP takes a microsecond and memory is free, and one on which a byte takes a
// microsecond and FLOPs are free.
constexpr ComputeRates rates_of(double flops_per_us, double bytes_per_us) {
  return {.flops_per_us = flops_per_us,
          .wide_flops_per_us = flops_per_us,
          .flash_flops_per_us = flops_per_us,
          .hbm_bytes_per_us = bytes_per_us};
}
constexpr ComputeRates counts_flops = rates_of(1, 1e300);
constexpr ComputeRates counts_bytes = rates_of(1e300, 1);

Setting setting_of(const char* model, std::int64_t sequence_length, std::int64_t batch_size = 1) {
  return changed(test::plain_setting(completed(find_model(model)->shape), sequence_length, batch_size),
                 [](Setting& s) {
                   s.work.flash_attention = true;
                   s.pace.expert_efficiency_percent = 100;
                 });
}

class KernelsOfModel : public testing::TestWithParam<ModelRow> {};

// Priced is what the papers count, on one rank and on all ranks together; the core's masked half is skipped.
TEST_P(KernelsOfModel, TakeTheFlopsOfTheModel) {
  const Setting one = changed(test::plain_setting(completed(GetParam().shape), 128, 64), [](Setting& s) {
    s.work.flash_attention = true;
    s.pace.expert_efficiency_percent = 100;
  });
  for (const LayerKind kind : {LayerKind::dense, LayerKind::moe}) {
    if (kind == LayerKind::moe && !has_experts(one.shape)) continue;
    const LayerFlops flops = layer_flops(one.shape, 128 * 64, 64, kind);
    const LayerKernels kernels = layer_kernels(one, counts_flops, kind);
    EXPECT_NEAR(kernels.query_key_value_us / flops.query_key_value, 1, 1e-12);
    EXPECT_NEAR(kernels.attention_output_us / flops.attention_output, 1, 1e-12);
    EXPECT_NEAR((kernels.router_us + kernels.mlp_in_us + kernels.mlp_out_us) / flops.mlp, 1, 1e-12);
    EXPECT_NEAR(kernels.core_forward_us / flops.attention_core, 1, 1e-12);
    EXPECT_NEAR(kernels.core_backward_us / flops.attention_core, 2.5, 1e-12);

    const Setting shared = changed(one, [](Setting& s) {
      s.layout.tensor_parallel = 2;
      s.layout.sequence_parallel = true;
      s.layout.context_parallel = 2;
      s.layout.data_parallel = 2;
      s.layout.expert_parallel = has_experts(s.shape) ? 4 : 1;
    });
    if (!can_exist(shared)) continue;
    const LayerKernels share = layer_kernels(shared, counts_flops, kind);
    const double copied_keys =
        one.shape.num_kv_heads == 1 && one.shape.kv_rank == 0
            ? 2.0 * 128 * 64 * static_cast<double>(2 * one.shape.head_size * one.shape.hidden_size)
            : 0;
    EXPECT_NEAR(4 * share.products_us() / (kernels.products_us() + copied_keys), 1, 1e-12);
    EXPECT_NEAR(4 * share.core_forward_us / kernels.core_forward_us, 1, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(All, KernelsOfModel, testing::ValuesIn(all_models().begin(), all_models().end()),
                         test::name_of_model);

// arXiv:2412.19437: 7168 (1536 + 576) + 1536 * 24576 + 512 * 32768 multiply-adds a token, 139.3 MFLOP.
TEST(LayerKernels, ProjectLatentsAtLowRank) {
  const LayerKernels kernels = layer_kernels(setting_of("deepseek-v3", 4096), counts_flops, LayerKind::dense);
  EXPECT_NEAR(kernels.query_key_value_us / 4096, 139.3e6, 0.05e6);
  // Each product streams its own three matrices.
  const double read =
      layer_kernels(setting_of("deepseek-v3", 4096), counts_bytes, LayerKind::dense).query_key_value_us;
  const auto streamed = [](double inputs, double outputs) {
    return 2 * (4096 * inputs + inputs * outputs + 4096 * outputs);
  };
  EXPECT_EQ(read, streamed(7168, 1536) + streamed(1536, 24576) + streamed(7168, 576) + streamed(512, 32768));
}

// Without sequence parallelism every tensor rank multiplies all tokens with what it holds whole.
TEST(LayerKernels, RepeatWhatRanksDoNotDivide) {
  const auto router_us = [](bool shared) {
    const Setting setting = changed(setting_of("deepseek-v3", 4096), [&](Setting& s) {
      s.layout.tensor_parallel = 8;
      s.layout.sequence_parallel = shared;
    });
    return layer_kernels(setting, counts_flops, LayerKind::moe).router_us;
  };
  EXPECT_EQ(router_us(false), 2 * 4096 * 7168.0 * 256);
  EXPECT_EQ(router_us(true), 2 * 4096 / 8 * 7168.0 * 256);
}

// One token of Mixtral visits two of eight experts: what is read is theirs, whatever else there is.
TEST(LayerKernels, ReadOnlyExpertsThatTokensMeet) {
  const auto read = [](std::int64_t batch_size) {
    const Setting setting = setting_of("mixtral-8x7b", 1, batch_size);
    return layer_kernels(setting, counts_bytes, LayerKind::moe).mlp_out_us;
  };
  constexpr double expert = 4096.0 * 14336;
  EXPECT_DOUBLE_EQ(read(1), 2 * (2 * expert + 2 * (4096 + 14336)));
  // Two tokens meet 3.5 on average: the second chooses among those of the first too.
  EXPECT_DOUBLE_EQ(read(2), 2 * (3.5 * expert + 4 * (4096 + 14336)));
  EXPECT_NEAR(read(256) / (2 * (8 * expert + 512 * (4096 + 14336))), 1, 1e-12);
}

// Four ranks with two experts each, one token a rank: together they meet 8 (1 - (3/4)^4) experts.
TEST(LayerKernels, ReadExpertsThatTheirGroupMeets) {
  const Setting setting = changed(setting_of("mixtral-8x7b", 1), [](Setting& s) {
    s.layout.data_parallel = 4;
    s.layout.expert_parallel = 4;
  });
  const double met = 2 * (1 - 0.75 * 0.75 * 0.75 * 0.75);
  EXPECT_DOUBLE_EQ(layer_kernels(setting, counts_bytes, LayerKind::moe).mlp_out_us,
                   2 * (met * 4096.0 * 14336 + 2 * (4096 + 14336)));
  EXPECT_DOUBLE_EQ(layer_kernels(setting, counts_flops, LayerKind::moe).mlp_out_us, 2 * 2 * 4096.0 * 14336);
}

// Half the rate doubles what routed experts multiply, not what they read, nor what the shared one does.
TEST(LayerKernels, RoutedExpertsMultiplyAtTheirOwnRate) {
  const auto mlp_us = [](double percent, const ComputeRates& rates) {
    const Setting setting = changed(setting_of("deepseek-v3", 4096),
                                    [percent](Setting& s) { s.pace.expert_efficiency_percent = percent; });
    return layer_kernels(setting, rates, LayerKind::moe).mlp_out_us;
  };
  const double expert = 2 * 4096 * 7168.0 * 2048;
  EXPECT_DOUBLE_EQ(mlp_us(100, counts_flops), (8 + 1) * expert);
  EXPECT_DOUBLE_EQ(mlp_us(50, counts_flops), (2 * 8 + 1) * expert);
  EXPECT_EQ(mlp_us(50, counts_bytes), mlp_us(100, counts_bytes));
}

// Heads of 128: scores of 128, values of 128; 2 sequences of 64 tokens, 64 heads, all keys.
TEST(LayerKernels, UnfusedCoreStoresItsScores) {
  Setting setting = setting_of("llama-3.1-70b", 64, 2);
  setting.work.flash_attention = false;
  setting.work.dropout = false;
  const LayerKernels flops = layer_kernels(setting, counts_flops, LayerKind::dense);
  EXPECT_NEAR(flops.core_forward_us, 2 * 2 * 64 * 64 * 64 * 256.0, 1);
  EXPECT_NEAR(flops.core_backward_us, 2 * flops.core_forward_us, 1);
  const LayerKernels bytes = layer_kernels(setting, counts_bytes, LayerKind::dense);
  const double scores = 2 * 64 * 64 * 64, heads = 2 * 64 * 64 * 128;
  // Both products stream two tensors of heads and the scores; softmax reads and writes them.
  const double products = 2 * (2 * 2 * heads + 2 * scores);
  EXPECT_DOUBLE_EQ(bytes.core_forward_us, products + 4 * scores);
  EXPECT_DOUBLE_EQ(bytes.core_backward_us, 2 * products + 6 * scores);
  // Two ranks that share the sequence have half the queries each, of all keys.
  const Setting shared = changed(setting, [](Setting& s) { s.layout.context_parallel = 2; });
  EXPECT_DOUBLE_EQ(layer_kernels(shared, counts_flops, LayerKind::dense).core_forward_us,
                   flops.core_forward_us / 2);
  EXPECT_DOUBLE_EQ(layer_kernels(shared, counts_bytes, LayerKind::dense).core_forward_us,
                   2 * (3 * heads + scores) + 4 * scores / 2);
}

TEST(LayerKernels, MemoryBoundKernelsAreThoseOfTheRank) {
  const Setting setting = changed(setting_of("deepseek-v3", 64), [](Setting& s) {
    s.layout.tensor_parallel = 8;
    s.layout.context_parallel = 2;
  });
  const LayerMatrices layer = layer_matrices(setting.shape, LayerKind::moe, 8);
  const LayerKernels whole = layer_kernels(setting, counts_bytes, LayerKind::moe);
  const TokenTraffic forward = forward_traffic(setting.shape, layer, setting.work);
  const TokenTraffic backward = backward_traffic(setting.shape, layer, setting.work);
  EXPECT_DOUBLE_EQ(whole.bound_forward_us, 32 * (forward.whole + forward.split));
  EXPECT_DOUBLE_EQ(whole.bound_backward_us, 32 * (backward.whole + backward.split));
  const LayerKernels shared = layer_kernels(
      changed(setting, [](Setting& s) { s.layout.sequence_parallel = true; }), counts_bytes, LayerKind::moe);
  EXPECT_DOUBLE_EQ(shared.bound_forward_us, 32 * (forward.whole / 8 + forward.split));
  EXPECT_DOUBLE_EQ(shared.bound_backward_us, 32 * (backward.whole / 8 + backward.split));
}

// Every parameter of the layer's matrices, of the experts a share: new gradient read, sum read and written.
TEST(LayerKernels, GradientsAreAddedToTheirSum) {
  const Setting setting = changed(setting_of("mixtral-8x7b", 64), [](Setting& s) {
    s.layout.data_parallel = 4;
    s.layout.expert_parallel = 4;
    s.work.gradient_bytes_per_element = 4;
  });
  const double attention = 4096.0 * (6144 + 4096), expert = 3 * 4096.0 * 14336;
  EXPECT_DOUBLE_EQ(layer_kernels(setting, counts_bytes, LayerKind::moe).gradient_us,
                   (attention + 4096 * 8 + 2 * expert) * (2 + 2 * 4));
}

TEST(LayerKernels, HeadMultipliesWhatIsNeeded) {
  const Setting setting = changed(setting_of("llama-3.1-70b", 64, 2), [](Setting& s) {
    s.layout.tensor_parallel = 8;
    s.layout.context_parallel = 2;
  });
  EXPECT_EQ(head_product_us(setting, counts_flops), 2 * 64 * 8192.0 * 16032);
}

TEST(LayerKernels, MeanIsOfEveryKernel) {
  const Setting setting = setting_of("deepseek-v3", 64);
  const LayerKernels dense = layer_kernels(setting, counts_bytes, LayerKind::dense);
  const LayerKernels moe = layer_kernels(setting, counts_bytes, LayerKind::moe);
  const LayerKernels quarter = mean(dense, moe, 0.25);
  EXPECT_DOUBLE_EQ(quarter.products_us(), 0.75 * dense.products_us() + 0.25 * moe.products_us());
  EXPECT_DOUBLE_EQ(quarter.router_us, 0.25 * moe.router_us);
  EXPECT_DOUBLE_EQ(quarter.bound_forward_us, 0.75 * dense.bound_forward_us + 0.25 * moe.bound_forward_us);
  EXPECT_DOUBLE_EQ(quarter.bound_backward_us, 0.75 * dense.bound_backward_us + 0.25 * moe.bound_backward_us);
  EXPECT_DOUBLE_EQ(quarter.gradient_us, 0.75 * dense.gradient_us + 0.25 * moe.gradient_us);
}

}  // namespace
}  // namespace commcost
