#include "core/compute/kernel_pricer.h"

#include <gtest/gtest.h>

#include "core/compute/kernel_price.h"

namespace commcost {
namespace {

Machine on(std::string_view accelerator) {
  Machine machine;
  machine.accelerator = place_of_accelerator(accelerator);
  return machine;
}

Work training(MatmulPrecision precision = MatmulPrecision::stored) {
  Work work;
  work.matmul_precision = precision;
  return work;
}

Work decoding() {
  Work work;
  work.mode = Mode::decode;
  return work;
}

Kernel product(double rows, double columns, double inner) {
  Kernel kernel;
  kernel.routine = Routine::product;
  kernel.precision = MatmulPrecision::bf16;
  kernel.gemm = {rows, columns, inner};
  kernel.flops = kernel.gemm.flops();
  kernel.held_bytes = 2 * columns * inner;
  kernel.bytes = kernel.held_bytes + 2 * rows * (columns + inner);
  return kernel;
}

Kernel attention(double sequence, double heads, double head_size) {
  Kernel kernel;
  kernel.operation = Operation::attention_core;
  kernel.routine = Routine::fused_attention;
  const auto wide = static_cast<float>(head_size);
  const auto all = static_cast<float>(heads);
  kernel.attended = {1, static_cast<float>(sequence), all, all, wide, wide};
  kernel.flops = 2 * sequence * sequence * heads * head_size;
  kernel.bytes = 8 * sequence * heads * head_size;
  return kernel;
}

Kernel moved(double bytes) {
  Kernel kernel;
  kernel.bytes = bytes;
  return kernel;
}

TEST(KernelPricer, AProductCountsAMultiplyAddAsTwo) {
  EXPECT_EQ((Gemm{3, 5, 7, 2}.flops()), 2.0 * 3 * 5 * 7 * 2);
}

// A product of a list is the one that kernel_time prices, but for what its list counts as kernels of their
// own.
TEST(KernelPricer, AgreesWithTheKernelsThatArePricedAlone) {
  for (const char* id : {"a100-sxm-80gb", "h100-sxm", "b200"}) {
    const KernelPricer pricer(on(id), decoding(), {});
    const KernelQuestion gemm{.call = GemmCall{.m = 4096, .n = 8192, .k = 5120},
                              .run = {.warm_cache = false}};
    EXPECT_NEAR(pricer.time_us(product(4096, 8192, 5120)),
                parts_of(gemm, *find_accelerator(id), kernel_table()).time_us, 1e-9)
        << id;
    for (const bool backward : {false, true}) {
      const KernelPricer trains(on(id), training(), {});
      Kernel core = attention(4096, 32, 128);
      if (backward) core.pass = KernelPass::input_gradient;
      KernelQuestion question{.call = PrefillCall{.sequence = 4096, .heads = 32, .kv_heads = 32},
                              .run = {.load = Load::burst, .backward = backward, .warm_cache = false}};
      const double alone = parts_of(question, *find_accelerator(id), kernel_table()).time_us;
      EXPECT_GT(trains.time_us(core), 0.99 * alone) << id;
      EXPECT_LT(trains.time_us(core), 1.5 * alone) << id;
    }
  }
}

TEST(KernelPricer, ThinProductsAreSlowerForTheSameFlops) {
  for (const char* id : {"a100-sxm-80gb", "h100-sxm", "b200", "mi300x", "tpu-v5p", "v100-sxm"}) {
    const KernelPricer pricer(on(id), training(), {});
    EXPECT_GT(pricer.time_us(product(8192, 64, 8192)), pricer.time_us(product(2048, 1024, 2048))) << id;
    for (const double ranks : {2.0, 4.0, 8.0}) {
      EXPECT_GT(pricer.time_us(product(2048, 4096 / ranks, 4096)) * ranks,
                pricer.time_us(product(2048, 4096, 4096)))
          << id;
    }
  }
}

TEST(KernelPricer, SequenceHeadsAndHeadSizeChangeAttention) {
  for (const char* id : {"a100-sxm-80gb", "h100-sxm", "b200"}) {
    const KernelPricer pricer(on(id), training(), {});
    const double usual = pricer.time_us(attention(4096, 32, 128));
    EXPECT_GT(pricer.time_us(attention(8192, 32, 128)), 3 * usual) << id;
    EXPECT_GT(pricer.time_us(attention(4096, 64, 128)), 1.7 * usual) << id;
    // As many FLOPs, but more scores.
    EXPECT_GT(pricer.time_us(attention(4096, 64, 64)), 1.05 * usual) << id;
  }
}

// Nothing newer than Ampere's instructions: there as elsewhere, on Hopper far slower than what uses its own.
TEST(KernelPricer, FlashAttention2IsBehindOnNewerGenerations) {
  const auto slower = [](std::string_view id) {
    const Kernel core = attention(16384, 32, 128);
    return KernelPricer(on(id), training(), {.flash_attention_2 = true}).time_us(core) /
           KernelPricer(on(id), training(), {}).time_us(core);
  };
  EXPECT_NEAR(slower("a100-sxm-80gb"), 1, 0.15);
  EXPECT_GT(slower("h100-sxm"), 1.4);
  EXPECT_GT(slower("b200"), 1.2);
}

TEST(KernelPricer, FactorsChangeTheirOwnKernels) {
  Kernel experts = product(512, 1024, 4096);
  experts.routine = Routine::grouped_product;
  experts.gemm.batch = 8;
  const std::pair<double KernelHabits::*, Kernel> kinds[] = {
      {&KernelHabits::gemm_time_scale, product(4096, 4096, 4096)},
      {&KernelHabits::grouped_gemm_time_scale, experts},
      {&KernelHabits::attention_time_scale, attention(4096, 32, 128)},
      {&KernelHabits::elementwise_time_scale, moved(1e9)}};
  for (const char* id : {"h100-sxm", "mi300x"}) {
    const KernelPricer pricer(on(id), training(), {});
    for (const auto& [scale, own] : kinds) {
      KernelHabits habits;
      habits.*scale = 2;
      const KernelPricer slower(on(id), training(), habits);
      for (const auto& [other, kernel] : kinds) {
        EXPECT_DOUBLE_EQ(slower.time_us(kernel), (other == scale ? 2 : 1) * pricer.time_us(kernel)) << id;
      }
    }
  }
}

// Eight experts, one after another: eight times one's product with its own tiles and start, at the factor of
// experts' products; as one kernel they fill the GPU together.
TEST(KernelPricer, SeparateExpertsTakeTheirProductsOneByOne) {
  const KernelPricer pricer(on("h100-sxm"), training(), {.grouped_gemm_time_scale = 1.5});
  Kernel experts = product(64, 1024, 4096);
  const double one = pricer.time_us(experts);
  for (double Kernel::*figure : {&Kernel::flops, &Kernel::bytes}) experts.*figure *= 8;
  experts.gemm.batch = 8;
  experts.routine = Routine::separate_products;
  const KernelParts parts = pricer.parts(experts);
  EXPECT_DOUBLE_EQ(parts.time_us, 8 * 1.5 * one);
  EXPECT_EQ(parts.flops, experts.flops);
  EXPECT_EQ(parts.bytes, experts.bytes);
  EXPECT_EQ(pricer.price(experts).basis, pricer.price(product(64, 1024, 4096)).basis);
  experts.routine = Routine::grouped_product;
  EXPECT_LT(pricer.time_us(experts), 0.8 * parts.time_us);
}

// By peak, memory rate and shares: 668.4 of MI300X's 1307.4 TFLOP/s are measured.
TEST(KernelPricer, AcceleratorsWithoutTablesArePricedByTheirRates) {
  const KernelPricer pricer(on("mi300x"), training(), {});
  const Kernel kernel = product(8192, 8192, 8192);
  const Accelerator& accelerator = *find_accelerator("mi300x");
  const double rate = accelerator.bf16_tflops * accelerator.product_rate.share * 0.9 * 1e6;
  const double bytes = accelerator.hbm_gb_per_sec * 1e3 * 0.92;
  EXPECT_NEAR(pricer.time_us(kernel) / (kernel.flops / rate + kernel.bytes / bytes), 1, 1e-12);
  EXPECT_NEAR(pricer.time_us(moved(1e9)) * bytes, 1e9, 1);
}

TEST(KernelPricer, MachinesThatAreOtherwiseChangeTheirOwnRate) {
  for (const char* id : {"b200", "mi300x"}) {
    const KernelPricer pricer(on(id), training(), {});
    EXPECT_NEAR(KernelPricer(on(id), training(), {}, {.hbm = 0.5}).streamed_bytes_per_us(),
                pricer.streamed_bytes_per_us() / 2, 1e-6);
    const Kernel large = product(16384, 16384, 16384);
    EXPECT_LT(KernelPricer(on(id), training(), {}, {.matmul = 2}).time_us(large), pricer.time_us(large))
        << id;
  }
}

TEST(KernelPricer, FewerBitsAreQuickerAndTheHeadStaysIn16) {
  const KernelPricer wide(on("b200"), training(), {});
  const KernelPricer narrow(on("b200"), training(MatmulPrecision::mxfp8), {});
  Kernel kernel = product(8192, 8192, 8192);
  EXPECT_LT(narrow.time_us(kernel), 0.75 * wide.time_us(kernel));
  kernel.precision = MatmulPrecision::stored;
  EXPECT_DOUBLE_EQ(narrow.time_us(kernel), wide.time_us(kernel));
}

TEST(KernelPricer, WeightsOfEightBitsAndOfFourAreKernelsOfTheirOwn) {
  Work work = decoding();
  const auto format = [&work](double weight_bytes, MatmulPrecision precision = MatmulPrecision::stored) {
    work.weight_bytes_per_element = weight_bytes;
    work.matmul_precision = precision;
    return product_format(work);
  };
  EXPECT_EQ(format(2), KernelFormat::bf16);
  EXPECT_EQ(format(1), KernelFormat::bf16_weights_8);
  EXPECT_EQ(format(0.53125), KernelFormat::bf16_weights_4);
  EXPECT_EQ(format(1, MatmulPrecision::fp8), KernelFormat::fp8);
  EXPECT_EQ(format(0.53125, MatmulPrecision::fp8), KernelFormat::fp8_weights_4);
}

TEST(KernelPricer, AtLineRatesOnlyFlopsOrBytesCount) {
  const KernelPricer line = KernelPricer::at_line_rates(989, 3350);
  EXPECT_DOUBLE_EQ(line.time_us(product(4096, 4096, 4096)), 2 * 4096.0 * 4096 * 4096 / 989e6);
  EXPECT_DOUBLE_EQ(line.time_us(moved(1e6)), 1e6 / 3350e3);
}

// What reads weights and cache, what multiplies beyond it, and what starts are the whole of a kernel.
TEST(KernelPricer, InferenceIsTheSumOfItsKernels) {
  Kernel cached;
  cached.routine = Routine::cached_attention;
  cached.attended = {16, 4096, 8, 1, 128, 128};
  cached.flops = 2.0 * 16 * 4096 * 8 * 256;
  cached.bytes = cached.held_bytes = 16.0 * 4096 * 256 * 2;
  for (const char* id : {"h100-sxm", "mi300x"}) {
    const KernelPricer pricer(on(id), decoding(), {});
    Kernels kernels;
    double whole_us = 0;
    for (const Kernel& kernel : {product(16, 4096, 4096), cached, moved(1e6)}) {
      kernels.add(kernel);
      whole_us += pricer.time_us(kernel);
    }
    const InferenceTime time = inference_time(kernels, pricer);
    EXPECT_GT(time.weights_us, 0);
    EXPECT_GT(time.cache_us, 0);
    EXPECT_GE(time.compute_us, 0);
    EXPECT_NEAR(time.weights_us + time.cache_us + time.compute_us + time.start_us, whole_us, 1e-9) << id;
  }
}

// Fully recomputed kernels are launched once more; a part of one takes its part of the time.
TEST(KernelPricer, SumsAreOfAllPasses) {
  const KernelPricer pricer = KernelPricer::at_line_rates(100, 100);
  Kernel forward = product(10, 20, 30);
  forward.operation = Operation::mlp_in;
  forward.launches = 1;
  forward.recomputed = 0.5;
  forward.recomputed_by = RecomputedBy::products;
  Kernel weight = forward;
  weight.pass = KernelPass::weight_gradient;
  weight.recomputed = 0;
  weight.recomputed_by = RecomputedBy::nothing;
  Kernel norm = moved(700);
  norm.launches = 4;
  norm.recomputed = 1;
  norm.recomputed_by = RecomputedBy::full;
  Kernels kernels;
  for (const Kernel& kernel : {norm, forward, weight}) kernels.add(kernel);
  const ComputeTime time = compute_time(kernels, pricer);
  const double each = pricer.time_us(forward);
  const double norm_us = pricer.time_us(norm);
  EXPECT_DOUBLE_EQ(time.forward_us(), each + norm_us);
  EXPECT_DOUBLE_EQ(time.forward_us(Operation::mlp_in), each);
  EXPECT_DOUBLE_EQ(time.backward_us(), each);
  EXPECT_DOUBLE_EQ(time.backward_us(Operation::mlp_in), each);
  EXPECT_DOUBLE_EQ(time.weight_gradient_us, each);
  EXPECT_DOUBLE_EQ(time.recompute_us, each / 2 + norm_us);
  EXPECT_EQ(time.launches, 1 + 1 + 2 * 4);
}

}  // namespace
}  // namespace commcost
