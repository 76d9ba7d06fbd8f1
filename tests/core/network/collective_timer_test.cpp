#include "core/network/collective_timer.h"

#include <gtest/gtest.h>

#include <ostream>

namespace commcost {
namespace {

Machine machine_with(std::string_view id, std::int64_t gpus_per_node, double nic_gb_per_sec) {
  return {place_of_accelerator(id), gpus_per_node, nic_gb_per_sec};
}

const Machine dgx = machine_with("a100-sxm-80gb", 8, 25);

struct DomainCase {
  const char* name;
  Ranks ranks;
  double domains;
};
void PrintTo(const DomainCase& one, std::ostream* out) {
  *out << one.name;
}

class Domains : public testing::TestWithParam<DomainCase> {};

TEST_P(Domains, AreFilledInOrder) {
  EXPECT_EQ(domains_of(GetParam().ranks, dgx), GetParam().domains);
}

INSTANTIATE_TEST_SUITE_P(
    CollectiveTimer, Domains,
    testing::Values(DomainCase{"inside_one_node", {4, 1}, 1}, DomainCase{"all_of_a_node", {8, 1}, 1},
                    DomainCase{"two_nodes", {16, 1}, 2}, DomainCase{"every_second", {16, 2}, 4},
                    DomainCase{"one_a_node", {16, 8}, 16}, DomainCase{"strides_beyond_a_node", {4, 32}, 4}));

// Ranks 0 and 7 are neighbours round a ring of eight, 0 and 8 in a line over two nodes.
TEST(CollectiveTimer, NeighboursWaitForTheSlowestPair) {
  const CollectiveTimer timer(dgx);
  const double within = timer.time_us(Collective::send_receive, {8, 1}, 1e8);
  EXPECT_EQ(timer.time_us(Collective::send_receive, {2, 1}, 1e8), within);
  EXPECT_EQ(timer.time_us(Collective::send_receive, {2, 4}, 1e8), within);
  const double between = timer.time_us(Collective::send_receive, {2, 8}, 1e8);
  EXPECT_EQ(timer.time_us(Collective::send_receive, {16, 1}, 1e8), between);
  EXPECT_GE(within, 1e8 / 300e3);
  EXPECT_GE(between, 1e8 / 25e3);
}

// What is kept of ranks within a node would be wrong of ranks that nodes join.
TEST(CollectiveTimer, KeepsNothingThatAnotherNetworkChanges) {
  const Machine other = machine_with("a100-sxm-80gb", 8, 50);
  const CollectiveTimer before(dgx);
  const CollectiveTimer anew(other);
  constexpr Collective collectives[] = {Collective::all_reduce, Collective::send_receive};
  constexpr Ranks groups[] = {{8, 1}, {4, 2}, {16, 1}, {4, 8}};
  for (const Collective collective : collectives)
    for (const Ranks& ranks : groups) before.time_us(collective, ranks, 1e7);
  const CollectiveTimer after = before.with_network(other);
  for (const Collective collective : collectives)
    for (const Ranks& ranks : groups)
      EXPECT_EQ(after.time_us(collective, ranks, 1e8), anew.time_us(collective, ranks, 1e8));
}

TEST(CollectiveTimer, ARackIsOneDomainWhateverANodeIs) {
  EXPECT_EQ(scale_up_domain(machine_with("gb200", 4, 50)), 72);
  EXPECT_EQ(scale_up_domain(dgx), 8);
}

// MaxText's 22B on TPU v4 lost 2.6 % from one slice of 64 chips to two, and 6.4 % to eight (configs/tpu/v4 in
// github.com/AI-Hypercomputer/maxtext): the pod of 4,096 does not join them.
TEST(CollectiveTimer, SlicesOfAPodAreJoinedByTheNetwork) {
  EXPECT_EQ(scale_up_domain(machine_with("tpu-v4", 64, 6.25)), 64);
  EXPECT_EQ(domains_of({512, 1}, machine_with("tpu-v4", 64, 6.25)), 8);
  // Where hosts are counted, the whole pod is meant.
  EXPECT_EQ(scale_up_domain(machine_with("tpu-v4", 4, 6.25)), 4096);
  EXPECT_EQ(scale_up_domain(machine_with("tpu-v5p", 8, 6.25)), 8960);
  const Machine slices = completed(machine_with("tpu-v4", 64, 6.25));
  const Machine pod = completed(machine_with("tpu-v4", 4, 6.25));
  const double between = CollectiveTimer(slices).time_us(Collective::all_reduce, {8, 64}, 1e9);
  EXPECT_GT(between, 1e9 * 2 * 7 / 8 / 6.25e3);
  EXPECT_LT(CollectiveTimer(pod).time_us(Collective::all_reduce, {8, 64}, 1e9), between / 5);
  EXPECT_EQ(CollectiveTimer(pod).time_us(Collective::all_reduce, {64, 1}, 1e9),
            CollectiveTimer(slices).time_us(Collective::all_reduce, {64, 1}, 1e9));
}

// A machine that its log has calibrated is timed as predict_collective times it.
TEST(CollectiveTimer, IsCalibratedAsThePredictionIs) {
  Machine calibrated = completed(dgx);
  calibrated.latency_scale = 1.7;
  calibrated.bandwidth_scale = 0.6;
  const Fabric fabric = fabric_of(calibrated);
  GpuGroup sixteen = group_of(calibrated, fabric, 16);
  for (const double bytes : {1e3, 1e6, 1e9}) {
    const double predicted = predictor_of(sixteen, Collective::all_reduce, {1.7, 0.6}).at(bytes).time_us;
    EXPECT_DOUBLE_EQ(CollectiveTimer(calibrated).time_us(Collective::all_reduce, {16, 1}, bytes), predicted);
    EXPECT_GT(predicted, CollectiveTimer(dgx).time_us(Collective::all_reduce, {16, 1}, bytes));
  }
}

TEST(CollectiveTimer, OneRankAndNoBytesAreFree) {
  const CollectiveTimer timer(dgx);
  EXPECT_EQ(timer.time_us(Collective::all_reduce, {1, 1}, 1e9), 0);
  EXPECT_EQ(timer.time_us(Collective::all_reduce, {8, 1}, 0), 0);
}

TEST(CollectiveTimer, TakesAtLeastTheLineRate) {
  const CollectiveTimer timer(dgx);
  // A ring of eight over 300 GB/s one way.
  EXPECT_GE(timer.time_us(Collective::all_reduce, {8, 1}, 1e9), 2 * 7.0 / 8 * 1e9 / 300e3);
  // Two nodes of one GPU each over 25 GB/s.
  EXPECT_GE(timer.time_us(Collective::all_reduce, {2, 8}, 1e9), 1e9 / 25e3);
}

TEST(CollectiveTimer, CrossingNodesCostsMore) {
  const CollectiveTimer timer(dgx);
  EXPECT_GT(timer.time_us(Collective::all_reduce, {8, 8}, 1e8),
            timer.time_us(Collective::all_reduce, {8, 1}, 1e8));
}

TEST(CollectiveTimer, ScalesSpeedUpTheirOwnLinks) {
  const CollectiveTimer plain(dgx);
  MachineScales scales;
  scales.network = 2;
  const CollectiveTimer wider(dgx, scales);
  const Ranks inside{8, 1};
  const Ranks outside{16, 1};
  EXPECT_EQ(wider.time_us(Collective::all_reduce, inside, 1e8),
            plain.time_us(Collective::all_reduce, inside, 1e8));
  EXPECT_EQ(wider.time_us(Collective::all_reduce, outside, 2e8),
            plain.time_us(Collective::all_reduce, outside, 1e8));
  scales = {};
  scales.latency = 3;
  // Latency alone is three times as long.
  EXPECT_NEAR(CollectiveTimer(dgx, scales).time_us(Collective::all_reduce, inside, 8) /
                  plain.time_us(Collective::all_reduce, inside, 8),
              3, 0.05);
}

// Ultra-Scale Playbook, bus bandwidths of 256 MB on nodes of eight H100 joined by EFA.
TEST(CollectiveTimer, KeepsToMeasuredCollectivesAcrossEfa) {
  Machine machine = machine_with("h100-sxm", 8, 50);
  machine.network = static_cast<int>(NetworkKind::efa);
  const CollectiveTimer timer(machine);
  struct {
    double nodes, all_reduce, all_gather;
  } const rows[] = {
      {2, 361.7, 184.6}, {4, 160.1, 119.0}, {8, 99.6, 69.0}, {16, 84.7, 55.0}, {32, 64.9, 28.0}};
  for (const auto& row : rows) {
    const double ranks = 8 * row.nodes;
    const double bytes = 256e6;
    const double share = (ranks - 1) / ranks;
    const double reduced =
        2 * share * bytes / timer.time_us(Collective::all_reduce, {ranks, 1}, bytes) * 1e-3;
    const double gathered = share * bytes / timer.time_us(Collective::all_gather, {ranks, 1}, bytes) * 1e-3;
    EXPECT_NEAR(reduced / row.all_reduce, 1, 0.25) << row.nodes;
    EXPECT_NEAR(gathered / row.all_gather, 1, 0.25) << row.nodes;
  }
}

}  // namespace
}  // namespace commcost
