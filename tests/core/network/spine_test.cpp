#include "core/network/spine.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/split_mix.h"
#include "core/network/collective_timer.h"
#include "core/training/training_step.h"
#include "support/jobs.h"
#include "support/models.h"

namespace commcost {
namespace {

using test::changed;
using test::classic_shape;
using test::of_system;
using test::plain_job;

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

// Alibaba's HPN (doi:10.1145/3651890.3672265): 128 cards a leaf and eight rails are 1,024 GPUs that need no
// spine, 15 of them 15,360 that need no core; 16/15 and 15 at the two borders.
TEST(Spine, OfThreeTiersMultipliesTheirRatios) {
  const Machine hpn = of_system("alibaba-hpn");
  const auto [leaf, spines] = borders_of(hpn);
  EXPECT_EQ(leaf.gpus_below, 1024);
  EXPECT_NEAR(leaf.oversubscription, 16.0 / 15, 1e-12);
  EXPECT_EQ(spines.gpus_below, 15360);
  EXPECT_NEAR(spines.oversubscription, 16, 1e-12);
  EXPECT_EQ(share(hpn, {1024, 1}, Collective::all_to_all), 1);
  EXPECT_EQ(share(hpn, {15360, 1}, Collective::all_to_all), 1);  // 14 of 15 bytes leave, 15 of 16 may
  const double between_pods = (30720.0 - 15360) / (30720 - 8);
  EXPECT_NEAR(share(hpn, {30720, 1}, Collective::all_to_all), 1 / (16 * between_pods), 1e-12);
  EXPECT_EQ(share(hpn, {30720, 1}), 1);                   // a ring leaves a pod once for 1,920 nodes
  EXPECT_EQ(share(hpn, {2, 15360}), 1.0 / 16);            // one rank a pod: every card wants the core
  EXPECT_NEAR(share(hpn, {15, 1024}), 15.0 / 16, 1e-12);  // one a segment: every card wants the spine
}

TEST(Spine, LeavesAllOfTheRateWhereNothingIsOversubscribed) {
  for (const System& system : all_systems()) {
    if (system.pod_gpus > 0 || system.superpod_gpus > 0) continue;
    const Machine machine = of_system(system.id);
    for (int collective = 0; collective < static_cast<int>(std::size(collective_names)); ++collective)
      EXPECT_EQ(share(machine, {256, 4}, static_cast<Collective>(collective)), 1) << system.id;
  }
}

// A network drawn at random, and the same made worse at one place.
struct Worsened {
  Machine before;
  Machine after;
};

Worsened drawn(SplitMix& random) {
  const auto power = [&](std::uint32_t most) { return static_cast<double>(1 << random.below(most)); };
  Machine machine = of_system(all_systems()[random.below(system_count)].id);
  machine.pod_gpus = 8 * power(8);
  machine.rails = static_cast<std::int64_t>(power(4));
  machine.oversubscription = 1 + static_cast<double>(random.below(32)) / 4;
  machine.superpod_gpus = machine.pod_gpus * static_cast<double>(machine.rails) * power(5);
  machine.core_oversubscription = 1 + static_cast<double>(random.below(32)) / 4;
  Machine worse = machine;
  switch (random.below(6)) {
    case 0:
      worse.oversubscription *= 1.5;
      break;
    case 1:
      worse.core_oversubscription *= 1.5;
      break;
    case 2:
      worse.rails = std::max<std::int64_t>(1, worse.rails / 2);
      break;
    case 3:
      worse.pod_gpus /= 2;
      break;
    case 4:
      worse.superpod_gpus /= 2;
      break;
    default:
      worse.nic_gb_per_sec /= 2;
  }
  return {machine, worse};
}

TEST(Spine, WorseNetworksNeverMakeACollectiveQuicker) {
  SplitMix random{32};
  int slower = 0;
  for (int draw = 0; draw < 3000; ++draw) {
    const auto [before, after] = drawn(random);
    const auto collective = static_cast<Collective>(random.below(std::size(collective_names)));
    const Ranks ranks{static_cast<double>(2 << random.below(9)), static_cast<double>(1 << random.below(7))};
    const double bytes = static_cast<double>(1LL << (10 + random.below(21)));
    const double quick = CollectiveTimer(before).time_us(collective, ranks, bytes);
    const double slow = CollectiveTimer(after).time_us(collective, ranks, bytes);
    EXPECT_GE(slow, quick) << draw << ' ' << collective_names[static_cast<std::size_t>(collective)] << ' '
                           << ranks.size << " x " << ranks.stride;
    slower += slow > quick ? 1 : 0;
  }
  EXPECT_GT(slower, 300) << "and some get slower";
}

TEST(Spine, WorseNetworksNeverMakeAStepQuicker) {
  SplitMix random{33};
  int slower = 0;
  for (int draw = 0; draw < 300; ++draw) {
    const auto [before, after] = drawn(random);
    const auto step_ms = [&](const Machine& machine, std::int64_t tensor, std::int64_t pipeline) {
      const Job job = changed(plain_job(classic_shape(24, 2304, 24, 51200), 2048), [&](Job& s) {
        s.machine = machine;
        s.layout.tensor_parallel = tensor;
        s.layout.pipeline_parallel = pipeline;
        s.layout.data_parallel = 256 / tensor / pipeline;
        s.work.global_batch_size = 256;
      });
      const Outcome<TrainingStep> step = training_step({job});
      return step ? step->step_time_ms : 0;
    };
    const std::int64_t tensor = 1 << random.below(4);
    const std::int64_t pipeline = 1 << random.below(4);
    const double quick = step_ms(before, tensor, pipeline);
    const double slow = step_ms(after, tensor, pipeline);
    EXPECT_GE(slow, quick) << draw;
    slower += slow > quick ? 1 : 0;
  }
  EXPECT_GT(slower, 30) << "and some get slower";
}

}  // namespace
}  // namespace commcost
