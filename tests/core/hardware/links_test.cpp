#include "core/hardware/links.h"

#include <gtest/gtest.h>

#include <set>

namespace commcost {
namespace {

TEST(Links, AreNamedOnceAndHaveABandwidthAndASource) {
  std::set<std::string_view> ids;
  for (const Link& link : all_links()) {
    EXPECT_TRUE(ids.insert(link.id).second) << link.id;
    EXPECT_EQ(find_link(link.id), &link);
    EXPECT_FALSE(link.name.empty()) << link.id;
    EXPECT_FALSE(link.made_of.empty()) << link.id;
    EXPECT_FALSE(link.source.empty()) << link.id;
    EXPECT_GT(link.bandwidth_gb_per_sec, 0) << link.id;
  }
  EXPECT_EQ(find_link("nvlink"), nullptr);
}

// Vendors print both directions together; ours are one way.
TEST(Links, AreCountedOneWay) {
  EXPECT_EQ(find_link("nvlink3")->bandwidth_gb_per_sec, 300);
  EXPECT_EQ(find_link("nvlink4")->bandwidth_gb_per_sec, 450);
  EXPECT_EQ(find_link("nvlink5")->bandwidth_gb_per_sec, 900);
}

TEST(LinkClass, HasANameEach) {
  EXPECT_EQ(link_class_names[static_cast<int>(LinkClass::scale_up)], "scale_up");
  EXPECT_EQ(link_class_names[static_cast<int>(LinkClass::host)], "host");
  EXPECT_EQ(link_class_names[static_cast<int>(LinkClass::network)], "network");
}

}  // namespace
}  // namespace commcost
