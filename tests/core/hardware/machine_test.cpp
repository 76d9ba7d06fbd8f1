#include "core/hardware/machine.h"

#include <gtest/gtest.h>

namespace commcost {
namespace {

Machine machine_with(std::string_view id) {
  Machine machine;
  machine.accelerator = place_of_accelerator(id);
  return machine;
}

TEST(Machine, KeepsTheNetworkThatIsGiven) {
  Machine machine = machine_with("h100-sxm");
  machine.nic_gb_per_sec = 12.5;
  EXPECT_EQ(completed(machine).nic_gb_per_sec, 12.5);
  // Of any kind, where its rate is left to what is sold with the accelerator.
  for (const Accelerator& accelerator : all_accelerators()) {
    for (std::size_t kind = 0; kind < std::size(network_kind_names); ++kind) {
      Machine typed = machine_with(accelerator.id);
      typed.network = static_cast<int>(kind);
      EXPECT_EQ(completed(typed).network, typed.network) << accelerator.id;
    }
  }
}

TEST(Machine, HasTheLargestNetworkSoldWithItOtherwise) {
  EXPECT_EQ(completed(machine_with("h100-sxm")).nic_gb_per_sec, 50);
}

TEST(Machine, HasSomeNetworkEvenWhereNoSystemIsKnown) {
  for (const Accelerator& accelerator : all_accelerators())
    EXPECT_GT(completed(machine_with(accelerator.id)).nic_gb_per_sec, 0) << accelerator.id;
}

}  // namespace
}  // namespace commcost
