#include "core/hardware/systems.h"

#include <gtest/gtest.h>

#include <set>

#include "core/hardware/accelerators.h"

namespace commcost {
namespace {

TEST(Systems, AreNamedOnceAndHaveFiguresAndASource) {
  std::set<std::string_view> ids;
  for (const System& system : all_systems()) {
    EXPECT_TRUE(ids.insert(system.id).second) << system.id;
    EXPECT_EQ(find_system(system.id), &system);
    EXPECT_FALSE(system.name.empty()) << system.id;
    EXPECT_FALSE(system.source.empty()) << system.id;
    EXPECT_GE(system.gpus_per_node, 1) << system.id;
    EXPECT_GE(system.nic_gb_per_sec, 0) << system.id;
  }
  EXPECT_EQ(find_system("nonesuch"), nullptr);
}

TEST(Systems, AreMadeOfAcceleratorsOfTheTable) {
  for (const System& system : all_systems()) {
    EXPECT_NE(find_accelerator(system.accelerator), nullptr) << system.id << ": " << system.accelerator;
  }
}

}  // namespace
}  // namespace commcost
