#include "core/network/spine.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/network/collective_timer.h"
#include "core/training/training_step.h"
#include "support/jobs.h"
#include "support/models.h"

namespace commcost {
namespace {

using test::changed;
using test::classic_shape;
using test::plain_job;

Machine of_system(std::string_view id) {
  Machine machine;
  fill(machine, *find_system(id));
  return completed(machine);
}

Machine leaf_and_spine(double pod_gpus, double oversubscription, std::int64_t rails = 1) {
  Machine machine = of_system("dgx-h100");
  machine.pod_gpus = pod_gpus;
  machine.oversubscription = oversubscription;
  machine.rails = rails;
  return machine;
}

double share(const Machine& machine, const Ranks& ranks, Collective collective = Collective::all_reduce) {
  const Fabric fabric = fabric_of(machine);
  return spine_share(group_of(machine, fabric, ranks), collective);
}

// The groups of a node, and those of a pod, share nothing; those that leave it share its uplinks.
TEST(Spine, WhereRanksLieDecidesWhatGroupsLeaveEachOther) {
  const Machine machine = leaf_and_spine(32, 8);
  EXPECT_EQ(share(machine, {8, 1}), 1);  // tensor groups of eight
  EXPECT_EQ(share(machine, {4, 8}), 1);  // one rank in each of a pod's four nodes
  EXPECT_EQ(share(machine, {64, 8}),
            0.5);  // rings through four nodes of each pod: eight cards want one uplink
  EXPECT_EQ(share(machine, {8, 64}), 1.0 / 8);  // one rank a pod: every card wants an uplink
  EXPECT_EQ(share(machine, {512, 1}), 0.5);     // eight rings, one a card, through four nodes of each pod
}

// Llama 3's cluster: pods of 3,072 GPUs, 1:7 between them (arXiv:2407.21783, section 3.3.1). Its replicas of
// TP 8 and CP 1 at DP 128 lie within a pod; an all-to-all of all would be left an uplink's share.
TEST(Spine, OfLlama3sClusterLeavesItsReplicasAlone) {
  const Machine meta = of_system("meta-h100");
  EXPECT_EQ(meta.pod_gpus, 3072);
  EXPECT_EQ(share(meta, {128, 8}), 1);
  const double leaving = (16384.0 - 3072) / (16384 - 8);
  EXPECT_NEAR(share(meta, {16384, 1}, Collective::all_to_all), 1 / (7 * leaving), 1e-12);
  EXPECT_EQ(share(meta, {16384, 1}), 1);  // a ring through 384 nodes of a pod leaves it once
}

TEST(Spine, LeavesAllOfTheRateWhereNothingIsOversubscribed) {
  for (const System& system : all_systems()) {
    if (system.pod_gpus > 0) continue;
    const Machine machine = of_system(system.id);
    for (int collective = 0; collective < static_cast<int>(std::size(collective_names)); ++collective)
      EXPECT_EQ(share(machine, {256, 4}, static_cast<Collective>(collective)), 1) << system.id;
  }
}

std::vector<Machine> from_best_to_worst_by(void (*worsen)(Machine&, int), int steps) {
  std::vector<Machine> machines;
  for (int step = 0; step < steps; ++step) {
    machines.push_back(leaf_and_spine(16, 4, 2));
    worsen(machines.back(), step);
  }
  return machines;
}

// More oversubscription, fewer rails, smaller pods: nothing gets quicker.
const std::vector<std::vector<Machine>> worse_and_worse = {
    from_best_to_worst_by([](Machine& machine, int step) { machine.oversubscription = 1 + step; }, 12),
    from_best_to_worst_by([](Machine& machine, int step) { machine.rails = 8 - step; }, 8),
    from_best_to_worst_by([](Machine& machine, int step) { machine.pod_gpus = 128 >> step; }, 8),
};

TEST(Spine, WorseNetworksNeverMakeACollectiveQuicker) {
  for (const std::vector<Machine>& machines : worse_and_worse) {
    for (int collective = 0; collective < static_cast<int>(std::size(collective_names)); ++collective) {
      for (const double size : {2.0, 16.0, 48.0, 256.0}) {
        for (const double stride : {1.0, 2.0, 8.0, 64.0}) {
          for (const double bytes : {4096.0, 1e6, 1e9}) {
            double before = 0;
            for (const Machine& machine : machines) {
              const double now = CollectiveTimer(machine).time_us(static_cast<Collective>(collective),
                                                                  {size, stride}, bytes);
              EXPECT_GE(now, before) << collective_names[static_cast<std::size_t>(collective)] << " " << size;
              before = now;
            }
          }
        }
      }
    }
  }
}

TEST(Spine, WorseNetworksNeverMakeAStepQuicker) {
  for (const std::vector<Machine>& machines : worse_and_worse) {
    for (const std::int64_t tensor : {1, 8}) {
      double before = 0;
      double first = 0;
      for (const Machine& machine : machines) {
        const Job job = changed(plain_job(classic_shape(24, 2304, 24, 51200), 2048), [&](Job& s) {
          s.machine = machine;
          s.layout.tensor_parallel = tensor;
          s.layout.pipeline_parallel = 2;
          s.layout.data_parallel = 32;
          s.work.global_batch_size = 64;
        });
        const Outcome<TrainingStep> step = training_step({job});
        ASSERT_TRUE(step);
        EXPECT_GE(step->step_time_ms, before);
        before = step->step_time_ms;
        if (first == 0) first = before;
      }
      EXPECT_GT(before, first) << "and some get slower";
    }
  }
}

}  // namespace
}  // namespace commcost
