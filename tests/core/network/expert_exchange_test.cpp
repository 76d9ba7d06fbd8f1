#include "core/network/expert_exchange.h"

#include <gtest/gtest.h>

#include "core/hardware/accelerators.h"
#include "support/groups.h"

namespace commcost {
namespace {

using test::group_on;

// DeepSeek-V3: tokens of 7168 elements, 8 experts each.
TokenExchange exchange(ExchangeKernel kernel, ExchangePhase phase, double tokens, double element) {
  return {kernel, phase, tokens, 7168 * element, {256, 8, 1, 1}};
}

TEST(ExpertExchange, OneRankSendsNothing) {
  EXPECT_EQ(exchange_us(group_on("h200-sxm", 1),
                        exchange(ExchangeKernel::low_latency, ExchangePhase::dispatch, 64, 1)),
            0);
}

// github.com/ai-dynamo/aiconfigurator @095f58a5, DeepEP 0.5.12 on 8 H200 over NVLink: dispatch of 256 tokens
// in fp8 60.5 us, combine in bf16 124.5 us; of one token 11.9 us.
TEST(ExpertExchange, IsAsQuickAsDeepEp) {
  const GpuGroup group = group_on("h200-sxm", 8);
  const auto us = [&](ExchangePhase phase, double tokens, double element) {
    return exchange_us(group, exchange(ExchangeKernel::low_latency, phase, tokens, element));
  };
  EXPECT_NEAR(us(ExchangePhase::dispatch, 256, 1), 60.5, 6);
  EXPECT_NEAR(us(ExchangePhase::combine, 256, 2), 124.5, 12);
  EXPECT_NEAR(us(ExchangePhase::dispatch, 1, 1), 11.9, 2);
}

// A copy for each rank is at most one for each expert, and with many ranks as many.
TEST(ExpertExchange, ACopyForEachRankSendsLess) {
  const auto us = [](ExchangeKernel kernel, double ranks) {
    return exchange_us(group_on("gb200", ranks), exchange(kernel, ExchangePhase::dispatch, 2048, 2));
  };
  EXPECT_LT(us(ExchangeKernel::by_rank, 4), 0.6 * us(ExchangeKernel::low_latency, 4));
  EXPECT_NEAR(us(ExchangeKernel::by_rank, 72) / us(ExchangeKernel::low_latency, 72), 1, 0.06);
}

// The network carries what leaves a node: 7/8 of it over eight nodes, at 50 GB/s a GPU.
TEST(ExpertExchange, TheNetworkDecidesBetweenNodes) {
  const TokenExchange sent = exchange(ExchangeKernel::low_latency, ExchangePhase::dispatch, 256, 1);
  const double bytes = 256.0 * 7168 * 8 * 7 / 8;
  const double start = exchange_constants.start_hopper_us * exchange_constants.network_starts;
  EXPECT_NEAR(exchange_us(group_on("h100-sxm", 64), sent),
              start + bytes / (50e3 * exchange_constants.network_share), 1e-6);
}

// github.com/ai-dynamo/aiconfigurator @095f58a5, DeepEP's normal kernels on 64 H100, experts of at most four
// of eight nodes: combine of 4096 tokens in bf16 4475 us. A copy for each expert would take 8 * 7/8 / (50 *
// 0.92) = 8.9 ms.
TEST(ExpertExchange, ACopyForEachNodeCrossesTheNetworkOnce) {
  TokenExchange limited = exchange(ExchangeKernel::normal, ExchangePhase::combine, 4096, 2);
  limited.routing = {256, 8, 8, 4};
  EXPECT_NEAR(exchange_us(group_on("h100-sxm", 64), limited), 4475, 0.1 * 4475);
}

TEST(ExpertExchange, TakesLongerForMoreTokensAndMoreBytes) {
  for (const double ranks : {4.0, 16.0, 64.0}) {
    double before = 0;
    for (double tokens = 1; tokens <= 8192; tokens *= 2) {
      const double now = exchange_us(group_on("h100-sxm", ranks),
                                     exchange(ExchangeKernel::normal, ExchangePhase::combine, tokens, 2));
      EXPECT_GT(now, before);
      before = now;
    }
  }
}

}  // namespace
}  // namespace commcost
