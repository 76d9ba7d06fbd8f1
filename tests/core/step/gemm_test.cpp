#include "core/step/gemm.h"

#include <gtest/gtest.h>

namespace commcost {
namespace {

constexpr ComputeRates rates{.flops_per_us = 1000,
                             .wide_flops_per_us = 400,
                             .flash_flops_per_us = 500,
                             .hbm_bytes_per_us = 100,
                             .matrix_traffic_weight = 1.5};

TEST(Gemm, CountsAMultiplyAddAsTwo) {
  EXPECT_EQ(flops({3, 5, 7, 2}), 2.0 * 3 * 5 * 7 * 2);
}

TEST(Gemm, TakesFlopsAtTheRateAndTrafficOnTop) {
  // 2 * 10 * 20 * 30 FLOPs at 1000 a microsecond; (10*30 + 30*20 + 10*20) elements of 2 bytes, 1.5 times, at
  // 100.
  EXPECT_DOUBLE_EQ(gemm_us({10, 20, 30}, 2, rates), 12.0 + 1.5 * 2200 / 100);
}

TEST(Gemm, ThinProductsAreSlowerForTheSameFlops) {
  EXPECT_GT(gemm_us({4096, 64, 4096}, 2, rates), gemm_us({1024, 1024, 1024}, 2, rates));
}

TEST(Gemm, SplitOverRanksNeverGainsMoreThanTheirNumber) {
  for (const double ranks : {2.0, 4.0, 8.0}) {
    EXPECT_GT(gemm_us({2048, 4096 / ranks, 4096}, 2, rates) * ranks, gemm_us({2048, 4096, 4096}, 2, rates))
        << ranks;
  }
}

// Inputs of 8 bits: (10*30 + 30*20) of one byte and 10*20 of two, 1.5 times; the 10*30 activations are read
// in two bytes and written in one before.
TEST(Gemm, ConvertsWhatItMultipliesInFewerBits) {
  ComputeRates narrow = rates;
  narrow.operand_bytes = 1;
  EXPECT_DOUBLE_EQ(gemm_us({10, 20, 30}, 2, narrow), 12.0 + 1.5 * 1300 / 100 + 900.0 / 100);
}

TEST(Gemm, TheHeadIsMultipliedAsItIsKept) {
  ComputeRates narrow = rates;
  narrow.operand_bytes = 1;
  EXPECT_DOUBLE_EQ(wide_gemm_us({10, 20, 30}, 2, narrow), 12000.0 / 400 + 1.5 * 2200 / 100);
}

}  // namespace
}  // namespace commcost
