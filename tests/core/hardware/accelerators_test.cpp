#include "core/hardware/accelerators.h"

#include <gtest/gtest.h>

#include <set>

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
    EXPECT_GT(accelerator.bf16_tflops, 0) << accelerator.id;
  }
}

TEST(Accelerators, AreNotMeasuredAboveTheirPeak) {
  for (const Accelerator& accelerator : all_accelerators()) {
    EXPECT_LE(accelerator.achievable_tflops, accelerator.bf16_tflops) << accelerator.id;
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
    EXPECT_LE(accelerator.tf32_tflops, accelerator.bf16_tflops) << accelerator.id;
    EXPECT_LE(accelerator.fp16_tflops, accelerator.bf16_tflops) << accelerator.id;
    if (accelerator.fp8_tflops > 0) {
      EXPECT_GE(accelerator.fp8_tflops, accelerator.bf16_tflops) << accelerator.id;
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
