#include "core/hardware/accelerators.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "core/hardware/links.h"

namespace commcost {
namespace {

// Ids stand in links that readers have kept: none may go.
constexpr std::string_view promised[] = {
    "v100-sxm", "v100-pcie",   "a100-sxm-40gb", "a100-sxm-80gb", "a100-pcie", "h100-sxm", "h100-pcie",
    "h100-nvl", "h200-sxm",    "gh200",         "b200",          "b300",      "gb200",    "l40s",
    "rtx4090",  "t4",          "mi250x",        "mi300x",        "mi325x",    "mi355x",   "gaudi2",
    "gaudi3",   "trainium2",   "tpu-v4",        "tpu-v5e",       "tpu-v5p",   "tpu-v6e",  "a800-sxm-80gb",
    "a10",      "a10g",        "rtx3090",       "h800-sxm",      "h20",       "gb300",    "l4",
    "l40",      "rtx6000-ada", "mi250x-gcd",    "tpu-v7x",
};

TEST(Accelerators, HoldEveryOneThatIsPromised) {
  for (const std::string_view id : promised) {
    ASSERT_NE(find_accelerator(id), nullptr) << id;
    EXPECT_EQ(find_accelerator(id)->id, id);
  }
  EXPECT_EQ(find_accelerator("h100"), nullptr);
}

TEST(Accelerators, AreNamedOnceAndHaveFiguresAndASource) {
  std::set<std::string_view> ids;
  for (const Accelerator& accelerator : all_accelerators()) {
    EXPECT_TRUE(ids.insert(accelerator.id).second) << accelerator.id;
    EXPECT_FALSE(accelerator.name.empty()) << accelerator.id;
    EXPECT_FALSE(accelerator.source.empty()) << accelerator.id;
    EXPECT_GT(accelerator.memory_gb, 0) << accelerator.id;
    EXPECT_GT(accelerator.hbm_gb_per_sec, 0) << accelerator.id;
    EXPECT_GT(accelerator.peak_16_bits_tflops(), 0) << accelerator.id;
  }
}

struct Made {
  std::string_view vendor;
  std::string_view generation;
  std::vector<std::string_view> ids;
};

// By the vendors' own names of their architectures.
const Made made[] = {
    {"NVIDIA", "volta", {"v100-sxm", "v100-pcie"}},
    {"NVIDIA", "turing", {"t4"}},
    {"NVIDIA",
     "ampere",
     {"a100-sxm-40gb", "a100-sxm-80gb", "a100-pcie", "a800-sxm-80gb", "a10", "a10g", "rtx3090"}},
    {"NVIDIA", "ada", {"l4", "l40", "l40s", "rtx4090", "rtx6000-ada"}},
    {"NVIDIA", "hopper", {"h100-sxm", "h100-pcie", "h100-nvl", "h200-sxm", "h800-sxm", "h20", "gh200"}},
    {"NVIDIA", "blackwell", {"b200", "b300", "gb200", "gb300"}},
    {"AMD", "cdna2", {"mi250x", "mi250x-gcd"}},
    {"AMD", "cdna3", {"mi300x", "mi325x"}},
    {"AMD", "cdna4", {"mi355x"}},
    {"Intel", "gaudi", {"gaudi2", "gaudi3"}},
    {"AWS", "trainium", {"trainium2"}},
    {"Google", "tpu", {"tpu-v4", "tpu-v5e", "tpu-v5p", "tpu-v6e", "tpu-v7x"}},
};

TEST(Accelerators, EachIsOfItsVendorAndGeneration) {
  std::size_t seen = 0;
  for (const Made& row : made) {
    for (const std::string_view id : row.ids) {
      ASSERT_NE(find_accelerator(id), nullptr) << id;
      const GenerationRow& found = row_of(find_accelerator(id)->generation);
      EXPECT_EQ(name_of(found.vendor), row.vendor) << id;
      EXPECT_EQ(found.id, row.generation) << id;
      ++seen;
    }
  }
  EXPECT_EQ(seen, all_accelerators().size());
}

// An id is a name and nothing else: what an accelerator is, its row says.
TEST(Accelerators, NothingFollowsFromHowAnIdBegins) {
  for (const std::string_view id :
       {"hccs-910b", "b-of-ours", "gb1", "tpu-like", "mi1", "v100-like", "a100x"}) {
    EXPECT_EQ(find_accelerator(id), nullptr);
    Accelerator made_up{};
    made_up.id = id;
    made_up.generation = Generation::gaudi;
    EXPECT_EQ(row_of(made_up.generation).vendor, Vendor::intel) << id;
    EXPECT_EQ(made_up.product_rate.share, 0) << id;
  }
}

// ml-engineering's greatest rates: 271.2 of 312, 794.5 of 989, 1745 of 2250 TFLOP/s.
TEST(Accelerators, ReachTheShareOfTheirPeakThatWasMeasured) {
  EXPECT_NEAR(find_accelerator("a100-sxm-80gb")->product_rate.share, 0.869, 5e-4);
  EXPECT_NEAR(find_accelerator("h100-sxm")->product_rate.share, 0.803, 5e-4);
  EXPECT_NEAR(find_accelerator("b200")->product_rate.share, 0.776, 5e-4);
  for (const Accelerator& accelerator : all_accelerators()) {
    EXPECT_EQ(accelerator.product_rate.share == accelerator.achievable_tflops / accelerator.bf16_tflops,
              accelerator.achievable_tflops > 0)
        << accelerator.id;
    EXPECT_FALSE(accelerator.product_rate.source.empty()) << accelerator.id;
  }
}

TEST(Accelerators, TakeTheShareOfTheOneThatTheyAreLike) {
  for (const Accelerator& accelerator : all_accelerators()) {
    const ProductRate& rate = accelerator.product_rate;
    if (rate.like.empty()) continue;
    const Accelerator* like = find_accelerator(rate.like);
    ASSERT_NE(like, nullptr) << accelerator.id;
    EXPECT_GT(like->achievable_tflops, 0) << accelerator.id;
    EXPECT_EQ(rate.share, like->product_rate.share) << accelerator.id;
    EXPECT_EQ(row_of(accelerator.generation).vendor, row_of(like->generation).vendor) << accelerator.id;
  }
  EXPECT_EQ(find_accelerator("h800-sxm")->product_rate.like, "h100-sxm");
  EXPECT_EQ(find_accelerator("gb300")->product_rate.like, "b300");
  EXPECT_EQ(find_accelerator("t4")->product_rate.share, 0.75);
}

// 304 compute units, 2048 FLOPs a cycle each, at 2.1 GHz.
TEST(Accelerators, OfOneDieHaveOnePeak) {
  EXPECT_NEAR(find_accelerator("mi300x")->bf16_tflops, 304 * 2048 * 2.1e-3, 1);
  EXPECT_EQ(find_accelerator("mi325x")->bf16_tflops, find_accelerator("mi300x")->bf16_tflops);
}

TEST(Accelerators, AreNotMeasuredAboveTheirPeak) {
  for (const Accelerator& accelerator : all_accelerators()) {
    EXPECT_LE(accelerator.achievable_tflops, accelerator.peak_16_bits_tflops()) << accelerator.id;
  }
}

TEST(Accelerators, HangOnLinksOfTheTableAndTakeTheirRates) {
  for (const Accelerator& accelerator : all_accelerators()) {
    ASSERT_NE(find_link(accelerator.link), nullptr) << accelerator.id << ": " << accelerator.link;
    EXPECT_EQ(accelerator.fabric.link_gb_per_sec, find_link(accelerator.link)->bandwidth_gb_per_sec);
    EXPECT_EQ(accelerator.fabric.accelerator, accelerator.id);
    EXPECT_FALSE(accelerator.fabric.source.empty()) << accelerator.id;
    if (accelerator.host_link.empty()) continue;
    EXPECT_EQ(find_link(accelerator.host_link)->link_class, LinkClass::host) << accelerator.id;
    EXPECT_EQ(accelerator.fabric.host_gb_per_sec, find_link(accelerator.host_link)->bandwidth_gb_per_sec);
  }
}

TEST(Accelerators, MultiplyFasterInFewerBits) {
  for (const Accelerator& accelerator : all_accelerators()) {
    EXPECT_LE(accelerator.tf32_tflops, accelerator.peak_16_bits_tflops()) << accelerator.id;
    EXPECT_LE(accelerator.fp16_tflops, accelerator.peak_16_bits_tflops()) << accelerator.id;
    if (accelerator.fp8_tflops > 0) {
      EXPECT_GE(accelerator.fp8_tflops, accelerator.peak_16_bits_tflops()) << accelerator.id;
    }
    if (accelerator.fp4_tflops > 0) {
      EXPECT_GE(accelerator.fp4_tflops, accelerator.fp8_tflops) << accelerator.id;
    }
  }
}

TEST(Accelerators, ADieIsHalfOfItsModule) {
  const Accelerator& die = *find_accelerator("mi250x-gcd");
  const Accelerator& module = *find_accelerator("mi250x");
  EXPECT_EQ(die.memory_gb * 2, module.memory_gb);
  EXPECT_EQ(die.hbm_gb_per_sec * 2, module.hbm_gb_per_sec);
  EXPECT_EQ(die.bf16_tflops * 2, module.bf16_tflops);
}

}  // namespace
}  // namespace commcost
