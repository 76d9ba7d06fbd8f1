#include "core/step/software.h"

#include <gtest/gtest.h>

namespace commcost {
namespace {

const Accelerator& a100 = *find_accelerator("a100-sxm-80gb");
const Accelerator& h100 = *find_accelerator("h100-sxm");

Work recomputing(Recompute recompute) {
  Work work;
  work.recompute = recompute;
  return work;
}

TEST(Software, IsClassicWhereOldAcceleratorsRecompute) {
  EXPECT_EQ(usual_software(a100, recomputing(Recompute::full)), Software::classic);
  EXPECT_EQ(usual_software(a100, recomputing(Recompute::selective)), Software::classic);
  EXPECT_EQ(usual_software(*find_accelerator("v100-sxm"), recomputing(Recompute::full)), Software::classic);
  EXPECT_EQ(usual_software(a100, recomputing(Recompute::none)), Software::current);
  EXPECT_EQ(usual_software(h100, recomputing(Recompute::full)), Software::current);
}

TEST(Software, CurrentFusesAttentionAndSumsGradientsInSinglePrecision) {
  Work work;
  Layout layout;
  apply(Software::current, h100, work, layout);
  EXPECT_TRUE(work.flash_attention);
  EXPECT_FALSE(work.dropout);
  EXPECT_EQ(work.gradient_bytes_per_element, 4);
  EXPECT_TRUE(layout.overlap_data);
  EXPECT_TRUE(layout.balanced_stages);
}

TEST(Software, ClassicStoresScoresAndReducesAfterTheBackwardPass) {
  Work work;
  Layout layout;
  apply(Software::classic, a100, work, layout);
  EXPECT_FALSE(work.flash_attention);
  EXPECT_TRUE(work.dropout);
  EXPECT_EQ(work.gradient_bytes_per_element, work.bytes_per_element);
  EXPECT_TRUE(layout.regather_input);
  EXPECT_FALSE(layout.overlap_data);
  EXPECT_FALSE(layout.balanced_stages);
}

TEST(Software, UsualIsOneOfTheTwo) {
  Work usual_work = recomputing(Recompute::full);
  Work classic_work = usual_work;
  Layout usual_layout;
  Layout classic_layout;
  apply(Software::usual, a100, usual_work, usual_layout);
  apply(Software::classic, a100, classic_work, classic_layout);
  EXPECT_EQ(usual_work.flash_attention, classic_work.flash_attention);
  EXPECT_EQ(usual_work.gradient_bytes_per_element, classic_work.gradient_bytes_per_element);
  EXPECT_EQ(usual_layout.overlap_data, classic_layout.overlap_data);
}

TEST(Software, GivenChangesNothing) {
  Work work;
  work.flash_attention = true;
  work.gradient_bytes_per_element = 3;
  Layout layout;
  layout.tensor_parallel = 8;
  layout.overlap_data = false;
  apply(Software::given, h100, work, layout);
  EXPECT_TRUE(work.flash_attention);
  EXPECT_EQ(work.gradient_bytes_per_element, 3);
  EXPECT_FALSE(layout.overlap_data);
  EXPECT_FALSE(layout.overlap_tensor);
  EXPECT_FALSE(layout.scatter_gather);
}

TEST(Software, SendsSharesBetweenStagesOnlyWhereTensorRanksCan) {
  Work work;
  Layout alone;
  apply(Software::current, h100, work, alone);
  EXPECT_FALSE(alone.scatter_gather);
  Layout shared;
  shared.tensor_parallel = 2;
  apply(Software::current, h100, work, shared);
  EXPECT_TRUE(shared.scatter_gather);
}

}  // namespace
}  // namespace commcost
