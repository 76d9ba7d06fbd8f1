// What must hold of every kernel's time, whatever constants were fitted.

#include "core/compute/kernel_price.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <vector>

#include "core/compute/expert_loads.h"
#include "support/random_inputs.h"

namespace commcost {
namespace {

constexpr KernelFormat product_formats[] = {
    KernelFormat::bf16,      KernelFormat::bf16_weights_8, KernelFormat::bf16_weights_4, KernelFormat::fp8,
    KernelFormat::fp8_block, KernelFormat::fp8_weights_4,  KernelFormat::nvfp4,          KernelFormat::int8};
constexpr KernelFormat prefill_formats[] = {KernelFormat::bf16, KernelFormat::bf16_cache_8,
                                            KernelFormat::fp8};
constexpr KernelFormat decode_formats[] = {KernelFormat::bf16, KernelFormat::fp8};

double between(test::Random& random, double least, double greatest) {
  return std::floor(least * std::pow(greatest / least, random.unit()));
}

template <std::size_t Count>
KernelFormat one_of(const KernelFormat (&formats)[Count], test::Random& random) {
  return formats[random.below(Count)];
}

KernelQuestion random_question(test::Random& random) {
  KernelQuestion question;
  question.library = static_cast<KernelLibrary>(random.below(4));
  question.run = {.load = random.one_in(2) ? Load::burst : Load::sustained,
                  .backward = random.one_in(4),
                  .warm_cache = random.one_in(2)};
  switch (random.below(5)) {
    case 0:
      question.call = GemmCall{.m = between(random, 1, 40000),
                               .n = between(random, 16, 70000),
                               .k = between(random, 16, 70000),
                               .quantizes_input = random.one_in(2)};
      question.format = one_of(product_formats, random);
      break;
    case 1: {
      const double experts = between(random, 2, 900);
      question.call = GroupedGemmCall{.tokens = between(random, 1, 40000),
                                      .hidden_size = between(random, 256, 16384),
                                      .ffn_hidden_size = between(random, 256, 16384),
                                      .num_experts = experts,
                                      .experts_per_token = between(random, 1, std::min(16.0, experts)),
                                      .expert_parallel = between(random, 1, experts),
                                      .expert_tensor_parallel = between(random, 1, 8),
                                      .gated = random.one_in(2),
                                      .routing_exponent = random.one_in(2) ? 4 * random.unit() : 0};
      question.format = one_of(product_formats, random);
      break;
    }
    case 2: {
      const double kv_heads = between(random, 1, 64);
      question.call = PrefillCall{.batch = between(random, 1, 64),
                                  .sequence = between(random, 1, 131072),
                                  .heads = kv_heads * between(random, 1, 16),
                                  .kv_heads = kv_heads,
                                  .key_size = between(random, 32, 512),
                                  .value_size = between(random, 32, 512),
                                  .causal = random.one_in(2),
                                  .window = random.one_in(3) ? between(random, 1, 8192) : 0,
                                  .latent = random.one_in(3)};
      question.format = one_of(prefill_formats, random);
      break;
    }
    case 3: {
      const bool latent = random.one_in(3);
      const double kv_heads = latent ? 1 : between(random, 1, 64);
      question.call = DecodeCall{.batch = between(random, 1, 2048),
                                 .sequence = between(random, 1, 131072),
                                 .heads = kv_heads * between(random, 1, 128),
                                 .kv_heads = kv_heads,
                                 .key_size = latent ? 576.0 : between(random, 32, 512),
                                 .value_size = latent ? 512.0 : between(random, 32, 512),
                                 .latent = latent};
      question.format = one_of(decode_formats, random);
      question.run.backward = false;
      break;
    }
    default:
      question.call = ElementwiseCall{.elements = between(random, 1, 1e9),
                                      .write_bytes = static_cast<double>(random.below(3))};
      question.format = KernelFormat::any;
  }
  return question;
}

// A kernel and hardware that runs it.
struct Draw {
  KernelQuestion question;
  const Accelerator* accelerator;
};

Draw draw(test::Random& random) {
  for (;;) {
    const KernelQuestion question = random_question(random);
    const auto accelerators = all_accelerators();
    const Accelerator& accelerator = accelerators[random.below(accelerators.size())];
    if (std::holds_alternative<DecodeCall>(question.call) || peak_tflops(accelerator, question.format) > 0)
      return {question, &accelerator};
  }
}

// The dimensions of a call of which more takes longer. Not the key and value heads of a decode step: the
// fewer share a key, the more libraries have a kernel for it.
std::vector<double*> dimensions(KernelCall& call) {
  if (auto* gemm = std::get_if<GemmCall>(&call)) return {&gemm->m, &gemm->n, &gemm->k};
  if (auto* grouped = std::get_if<GroupedGemmCall>(&call))
    return {&grouped->tokens, &grouped->hidden_size, &grouped->ffn_hidden_size};
  if (auto* prefill = std::get_if<PrefillCall>(&call))
    return {&prefill->batch, &prefill->sequence, &prefill->heads, &prefill->key_size, &prefill->value_size};
  if (auto* decode = std::get_if<DecodeCall>(&call))
    return {&decode->batch, &decode->sequence, &decode->heads, &decode->key_size, &decode->value_size};
  return {&std::get<ElementwiseCall>(call).elements};
}

constexpr int draws = 4000;
constexpr double rounding = 1 - 1e-9;

TEST(KernelPrice, GrowsWithEveryDimension) {
  test::Random random(1);
  for (int i = 0; i < draws; ++i) {
    auto [question, accelerator] = draw(random);
    const double before = price_of(question, *accelerator).time_us;
    const std::vector<double*> all = dimensions(question.call);
    double& dimension = *all[random.below(all.size())];
    const double was = dimension;
    dimension = random.one_in(2) ? was + 1 : std::ceil(was * (1 + random.unit()));
    // The busiest rank is an expectation, which a wider law may lower by its rounding.
    const auto* grouped = std::get_if<GroupedGemmCall>(&question.call);
    const double room = grouped != nullptr && grouped->routing_exponent > 0 ? 0.999 : rounding;
    EXPECT_GE(price_of(question, *accelerator).time_us, before * room)
        << kernel_family_names[static_cast<std::size_t>(family_of(question.call))] << " on "
        << accelerator->id << ", " << was << " to " << dimension;
  }
}

TEST(KernelPrice, IsNeverBelowThePeak) {
  test::Random random(2);
  for (int i = 0; i < draws; ++i) {
    const auto [question, accelerator] = draw(random);
    const KernelPrice price = price_of(question, *accelerator);
    const Chip chip = chip_of(*accelerator, question.format);
    EXPECT_GE(price.time_us, price.flops / chip.limit_flops_per_us * rounding) << accelerator->id;
    EXPECT_GT(price.time_us, price.start_us);
    EXPECT_LT(price.low_us, price.time_us);
    EXPECT_GT(price.high_us, price.time_us);
  }
}

// What a kernel reads once, and cannot find in a cache: weights, the cache of keys and values, tensors.
double streamed_bytes(const KernelCall& call, const KernelPrice& price) {
  if (const auto* grouped = std::get_if<GroupedGemmCall>(&call)) {
    double experts = 0;
    for (const ExpertLoad& load : expert_loads(*grouped)) experts += load.experts;
    return experts * (grouped->gated ? 3 : 2) * grouped->hidden_size * grouped->ffn_hidden_size /
           grouped->expert_tensor_parallel * grouped->weight_bytes;
  }
  return std::holds_alternative<PrefillCall>(call) ? 0 : price.bytes;
}

TEST(KernelPrice, IsNeverBelowTheMemoryWhereNothingIsCached) {
  test::Random random(3);
  for (int i = 0; i < draws; ++i) {
    auto [question, accelerator] = draw(random);
    question.run.warm_cache = false;
    question.run.backward = false;
    const KernelPrice price = price_of(question, *accelerator);
    EXPECT_GE(price.time_us,
              streamed_bytes(question.call, price) / (accelerator->hbm_gb_per_sec * 1e3) * rounding)
        << kernel_family_names[static_cast<std::size_t>(family_of(question.call))] << " on "
        << accelerator->id;
    KernelQuestion warm = question;
    warm.run.warm_cache = true;
    EXPECT_LE(price_of(warm, *accelerator).time_us, price.time_us / rounding);
  }
}

// Llama 3.1 70B's attention on one of eight ranks: 4 sequences, 8 heads over one key and value head.
TEST(KernelPrice, CountsWhatADecodeStepReads) {
  KernelQuestion question;
  question.call = DecodeCall{.batch = 4, .sequence = 4096, .heads = 8, .kv_heads = 1};
  const KernelPrice price = price_of(question, *find_accelerator("h100-sxm"));
  EXPECT_DOUBLE_EQ(price.bytes, 4 * 4096 * 256 * 2 + 4 * 8 * 256 * 2);
  EXPECT_DOUBLE_EQ(price.flops, 2.0 * 4 * 4096 * 8 * 256);
}

TEST(KernelPrice, SustainedLoadIsSlowerWhereThePowerLimitHolds) {
  const Accelerator& gb200 = *find_accelerator("gb200");
  KernelQuestion question;
  const auto slowdown = [&](double m) {
    question.call = GemmCall{.m = m, .n = 4096, .k = 10240};
    question.run.load = Load::burst;
    const double burst = price_of(question, gb200).time_us;
    question.run.load = Load::sustained;
    return price_of(question, gb200).time_us / burst;
  };
  // tests/data/kernels_gemm.csv, TensorRT-LLM: 270.2 us against 224.2 us; nothing for few rows.
  EXPECT_NEAR(slowdown(4096), 270.2 / 224.2, 0.1);
  EXPECT_LT(slowdown(16), 1.01);
}

TEST(KernelPrice, SaysWhatItRestsOn) {
  KernelQuestion question;
  question.call = GemmCall{.m = 4096, .n = 4096, .k = 4096};
  const auto basis_on = [&](std::string_view accelerator) {
    return price_of(question, *find_accelerator(accelerator)).basis;
  };
  EXPECT_EQ(basis_on("h100-sxm"), Basis::measured);
  EXPECT_EQ(basis_on("b200"), Basis::measured);
  EXPECT_EQ(basis_on("h200-sxm"), Basis::similar);
  EXPECT_EQ(basis_on("h20"), Basis::similar);
  for (const std::string_view other : {"mi300x", "gaudi3", "tpu-v5p", "v100-sxm", "trainium2"})
    EXPECT_EQ(basis_on(other), Basis::estimated) << other;
  // Wider the less is known.
  const auto width_on = [&](std::string_view accelerator) {
    const KernelPrice price = price_of(question, *find_accelerator(accelerator));
    return price.high_us / price.low_us;
  };
  EXPECT_GE(width_on("h20"), width_on("h100-sxm"));
  EXPECT_GT(width_on("mi300x"), width_on("h20"));
}

// A product rate that was measured on accelerators without rows: their best product reaches about that share.
TEST(KernelPrice, TakesTheProductRateOfAcceleratorsWithoutRows) {
  for (const std::string_view id : {"mi300x", "gaudi2", "tpu-v5p"}) {
    const Accelerator& accelerator = *find_accelerator(id);
    KernelQuestion question;
    question.call = GemmCall{.m = 16384, .n = 16384, .k = 16384};
    const KernelPrice price = price_of(question, accelerator);
    const double share = price.flops / price.time_us / (accelerator.peak_16_bits_tflops() * 1e6);
    EXPECT_NEAR(share / accelerator.product_rate.share, 1, 0.12) << id;
  }
}

TEST(KernelPrice, EveryFamilyHasConstantsForAllAndABandOnEveryBasis) {
  const KernelTable& table = kernel_table();
  for (std::size_t at = 0; at < static_cast<std::size_t>(KernelFamily::count); ++at) {
    const auto family = static_cast<KernelFamily>(at);
    const KernelTableRow* row =
        find_constants(table, family, Generation::tpu, KernelFormat::bf16, KernelLibrary::any);
    ASSERT_NE(row, nullptr);
    EXPECT_EQ(row->generation, Generation::none);
    std::set<Basis> bases;
    for (const KernelBandRow& band : table.bands) {
      if (band.family != family) continue;
      bases.insert(band.basis);
      for (const KernelBand& one : {band.starting, band.working}) {
        EXPECT_LT(one.low, 1);
        EXPECT_GT(one.high, 1);
      }
    }
    EXPECT_EQ(bases.size(), 3u) << kernel_family_names[at];
  }
}

// kernels.md: FlashAttention's backward pass takes 2.8 to 2.9 times as long on the newest kernels, 3.7 on
// older ones; a product's gradients are two products.
TEST(KernelPrice, BackwardPassesTakeAsLongAsPublished) {
  const auto ratio = [](const KernelCall& call, std::string_view accelerator) {
    KernelQuestion question;
    question.call = call;
    const double forward = price_of(question, *find_accelerator(accelerator)).time_us;
    question.run.backward = true;
    return price_of(question, *find_accelerator(accelerator)).time_us / forward;
  };
  const PrefillCall attention{.batch = 4, .sequence = 8192, .heads = 16, .kv_heads = 16};
  EXPECT_NEAR(ratio(attention, "b200"), 2.85, 0.1);
  EXPECT_NEAR(ratio(attention, "a100-sxm-80gb"), 3.7, 0.1);
  EXPECT_NEAR(ratio(GemmCall{.m = 8192, .n = 8192, .k = 8192}, "h100-sxm"), 2, 0.1);
}

TEST(ExpertLoads, AddUpToTheVisitsWhereAllAreEqual) {
  const GroupedGemmCall call{.tokens = 4096, .num_experts = 64, .experts_per_token = 8, .expert_parallel = 8};
  double visits = 0;
  for (const ExpertLoad& load : expert_loads(call)) visits += load.experts * load.tokens;
  EXPECT_DOUBLE_EQ(visits, 4096.0 * 8 / 8);
}

// Loads of many experts on a rank even each other out.
TEST(ExpertLoads, OfTheBusiestRankComeCloserToTheMeanWithMoreExperts) {
  const auto over_mean = [](double experts) {
    GroupedGemmCall call{.tokens = 65536, .num_experts = experts, .experts_per_token = 8};
    call.expert_parallel = 4;
    call.routing_exponent = 0.5;
    double visits = 0;
    for (const ExpertLoad& load : expert_loads(call)) visits += load.experts * load.tokens;
    return visits / (call.tokens * call.experts_per_token / call.expert_parallel) - 1;
  };
  // By the square root of their number.
  EXPECT_NEAR(over_mean(1024) / over_mean(256), 0.5, 0.02);
  EXPECT_NEAR(over_mean(4096) / over_mean(1024), 0.5, 0.02);
}

TEST(ExpertLoads, OfTheBusiestRankAreMoreThanEqualOnesAndNoMoreThanAll) {
  GroupedGemmCall call{.tokens = 4096, .num_experts = 256, .experts_per_token = 8};
  for (const double ranks : {1.0, 4.0, 32.0, 256.0}) {
    for (const double exponent : {0.5, 1.0, 1.2, 2.0}) {
      call.expert_parallel = ranks;
      call.routing_exponent = exponent;
      double visits = 0;
      for (const ExpertLoad& load : expert_loads(call)) {
        visits += load.experts * load.tokens;
        EXPECT_GE(load.tokens, 1);
        EXPECT_LE(load.tokens, call.tokens);
      }
      const double mean = call.tokens * call.experts_per_token / ranks;
      EXPECT_GE(visits, 0.8 * mean) << ranks << " ranks, exponent " << exponent;
      EXPECT_LE(visits, 1.1 * call.tokens * call.experts_per_token)
          << ranks << " ranks, exponent " << exponent;
    }
  }
}

}  // namespace
}  // namespace commcost
