#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>
#include <vector>

#include "core/model/catalog.h"
#include "core/model/parameters.h"
#include "core/parallel/communications.h"
#include "core/parallel/layout_problems.h"
#include "core/parallel/memory.h"
#include "core/parallel/rank_groups.h"
#include "support/jobs.h"

namespace commcost {
namespace {

using test::changed;
using test::plain_job;

struct Folding {
  std::int64_t tensor;
  std::int64_t expert;
  std::int64_t expert_tensor;
  std::int64_t data;
};

std::string name_of(const testing::TestParamInfo<Folding>& folding) {
  const auto& [tensor, expert, expert_tensor, data] = folding.param;
  return "tensor_" + std::to_string(tensor) + "_expert_" + std::to_string(expert) + "_expert_tensor_" +
         std::to_string(expert_tensor) + "_data_" + std::to_string(data);
}

constexpr std::int64_t tokens_of_a_replica = 64;

// Mixtral: 8 experts, 2 a token.
Job folded(const Folding& folding, bool sequence_parallel = true) {
  return changed(plain_job(completed(find_model("mixtral-8x7b")->shape), tokens_of_a_replica), [&](Job& s) {
    s.layout.tensor_parallel = folding.tensor;
    s.layout.sequence_parallel = sequence_parallel && folding.tensor > 1;
    s.layout.expert_parallel = folding.expert;
    s.layout.expert_tensor_parallel = folding.expert_tensor;
    s.layout.data_parallel = folding.data;
  });
}

// Where a rank stands among those that share experts: expert-tensor ranks are neighbours.
struct Place {
  std::int64_t expert_tensor;
  std::int64_t expert;
  std::int64_t copy;
};
Place place_of(std::int64_t rank, const Folding& folding) {
  return {rank % folding.expert_tensor, rank / folding.expert_tensor % folding.expert,
          rank / (folding.expert_tensor * folding.expert)};
}

// What one rank sends and works on, counted token by token: Megatron-Core's all-to-all dispatcher.
struct Counted {
  double sent = 0;      // copies of its tokens that it sends to experts
  double gathered = 0;  // copies that the ranks of its experts have after the gather
  std::array<double, 8> rows{};
};
std::vector<Counted> route_by_hand(const Folding& folding) {
  const std::int64_t ranks = folding.tensor * folding.data;
  const std::int64_t own_tokens = tokens_of_a_replica / folding.tensor;
  constexpr std::int64_t experts = 8;
  constexpr std::int64_t visits = 2;
  std::vector<Counted> counted(static_cast<std::size_t>(ranks));
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    const Place from = place_of(rank, folding);
    for (std::int64_t token = 0; token < own_tokens * visits; ++token) {
      const std::int64_t expert = (rank + token) % experts;
      const std::int64_t group = expert / (experts / folding.expert);
      counted[static_cast<std::size_t>(rank)].sent += 1;
      // The all-to-all keeps its place among those that share an expert; these then gather.
      for (std::int64_t shard = 0; shard < folding.expert_tensor; ++shard) {
        const std::int64_t to = shard + folding.expert_tensor * (group + folding.expert * from.copy);
        Counted& there = counted[static_cast<std::size_t>(to)];
        there.gathered += 1;
        there.rows[static_cast<std::size_t>(expert)] += 1;
      }
    }
  }
  return counted;
}

const Communication* find(const Communications& list, Dimension dimension, Payload payload,
                          Collective collective) {
  for (const Communication& message : list) {
    if (message.dimension == dimension && message.payload == payload && message.collective == collective &&
        message.phase == StepPhase::forward && message.part == Part::mlp)
      return &message;
  }
  return nullptr;
}

class ExpertFolding : public testing::TestWithParam<Folding> {};

TEST_P(ExpertFolding, SendsWhatTokensCountedByHandSend) {
  const Job job = folded(GetParam());
  ASSERT_TRUE(can_exist(job));
  Communications list;
  add_layer_messages(job, list);
  const double hidden = 4096;
  const auto& [tensor, expert, expert_tensor, data] = GetParam();
  for (const Counted& counted : route_by_hand(GetParam())) {
    for (const Payload payload : {Payload::dispatched, Payload::combined}) {
      const Communication* sent = find(list, Dimension::expert, payload, Collective::all_to_all);
      ASSERT_EQ(sent != nullptr, expert > 1);
      if (sent) {
        EXPECT_EQ(sent->elements, counted.sent * hidden);
      }
    }
    for (const Collective collective : {Collective::all_gather, Collective::reduce_scatter}) {
      const Communication* gathered = find(list, Dimension::tensor, Payload::activations, collective);
      ASSERT_EQ(gathered != nullptr, expert_tensor > 1);
      // Without expert parallelism each token is gathered once, and copied where it is.
      if (gathered) {
        EXPECT_EQ(gathered->elements, counted.gathered * hidden / (expert > 1 ? 1 : 2));
      }
    }
  }
}

TEST_P(ExpertFolding, MultipliesTheRowsCountedByHand) {
  const Job job = folded(GetParam());
  for (const Kernel& kernel :
       layer_kernels(job.model, LayerKind::moe, job.work, rank_share(job.work, job.layout))) {
    if (kernel.routine != Routine::grouped_product || kernel.pass != KernelPass::forward) continue;
    for (const Counted& counted : route_by_hand(GetParam()))
      EXPECT_DOUBLE_EQ(kernel.gemm.rows * kernel.gemm.batch, counted.gathered);
  }
}

TEST_P(ExpertFolding, HoldsEveryExpertAsOftenAsThereAreCopies) {
  const Job job = folded(GetParam());
  const std::int64_t ranks = stage_ranks(job.layout);
  const Parameters model = parameters_of(job.model);
  const double copies = static_cast<double>(ranks) / static_cast<double>(ranks_of_experts(job.layout));
  EXPECT_DOUBLE_EQ(stage_share(job).experts * static_cast<double>(ranks), copies * 8 * model.expert);
  EXPECT_EQ(expert_data_ranks(job.layout).size, copies);
}

// Groups as ranks name them are the ranks that differ in one place alone.
TEST_P(ExpertFolding, GroupsRanksThatDifferInOnePlace) {
  const Layout layout = folded(GetParam()).layout;
  const auto group = [](const Ranks& of) {
    std::set<std::int64_t> found;
    for (double rank = 0; rank < of.size; ++rank) found.insert(static_cast<std::int64_t>(rank * of.stride));
    return found;
  };
  const auto by_hand = [&](std::int64_t Place::*free) {
    std::set<std::int64_t> found;
    for (std::int64_t rank = 0; rank < stage_ranks(layout); ++rank) {
      Place place = place_of(rank, GetParam());
      place.*free = 0;
      if (place.expert_tensor + place.expert + place.copy == 0) found.insert(rank);
    }
    return found;
  };
  EXPECT_EQ(group(expert_tensor_ranks(layout)), by_hand(&Place::expert_tensor));
  EXPECT_EQ(group(expert_ranks(layout)), by_hand(&Place::expert));
  EXPECT_EQ(group(expert_data_ranks(layout)), by_hand(&Place::copy));
}

INSTANTIATE_TEST_SUITE_P(All, ExpertFolding,
                         testing::Values(Folding{4, 8, 1, 2}, Folding{4, 4, 2, 2}, Folding{4, 2, 4, 2},
                                         Folding{8, 8, 1, 1}, Folding{2, 8, 2, 8}, Folding{1, 2, 2, 4},
                                         Folding{4, 1, 1, 2}, Folding{4, 1, 4, 1}, Folding{2, 4, 1, 4},
                                         Folding{1, 8, 1, 8}),
                         name_of);

// The tensor ranks share each expert unless the layout says otherwise: saying so changes nothing.
TEST(ExpertFoldingOf, TheTensorRanksIsWhatTheyHaveUnsaid) {
  Job said = folded({4, 2, 4, 2});
  Job unsaid = folded({4, 2, 0, 2});
  Communications one;
  Communications other;
  add_layer_messages(said, one);
  add_layer_messages(unsaid, other);
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t at = 0; at < one.size(); ++at) {
    EXPECT_EQ(one.begin()[at].elements, other.begin()[at].elements);
    EXPECT_EQ(one.begin()[at].ranks, other.begin()[at].ranks);
  }
  EXPECT_EQ(layer_memory(said).kept, layer_memory(unsaid).kept);
  EXPECT_EQ(parameters_per_gpu(said), parameters_per_gpu(unsaid));
}

// Tensor ranks that have the same tokens each send a part, and gather what comes back (arXiv:2303.06318):
// 64 tokens of 4096 elements, twice in training.
TEST(ExpertFoldingOf, WholeTokensSendsAPartOfThemAndGathersTheResults) {
  Communications list;
  add_layer_messages(folded({4, 8, 1, 2}, false), list);
  const Communication* sent = find(list, Dimension::expert, Payload::dispatched, Collective::all_to_all);
  ASSERT_NE(sent, nullptr);
  EXPECT_EQ(sent->elements, 64 / 4 * 2 * 4096);
  const Communication* gathered = find(list, Dimension::tensor, Payload::activations, Collective::all_gather);
  ASSERT_NE(gathered, nullptr);
  EXPECT_EQ(gathered->elements, 64 * 4096);
  EXPECT_EQ(gathered->ranks, (Ranks{4, 1}));
  EXPECT_EQ(find(list, Dimension::tensor, Payload::activations, Collective::reduce_scatter), nullptr);
}

// What the experts of a rank keep does not depend on how many share each, but for what these gather: of 16
// tokens of its own, twice 4096 elements go in, 2 * 14336 come out of the gated projection in, and 14336 go
// into the projection out.
TEST(ExpertFoldingOf, AnyDegreeKeepsTheSameBesideWhatIsGathered) {
  const auto kept = [](std::int64_t expert_tensor, std::int64_t expert) {
    Job job = folded({4, expert, expert_tensor, 2});
    job.layout.regather_input = true;
    return layer_memory(job).kept;
  };
  const double alone = kept(1, 8);
  EXPECT_DOUBLE_EQ(kept(2, 4) - alone, 2 * 16 * 2 * 4096);
  EXPECT_DOUBLE_EQ(kept(4, 2) - alone, 2 * 16 * 2 * 4096 * 3);
}

// NVIDIA's Megatron-Bridge, 25.09: Qwen3 235B on 64 GB200, tensor degree 2, expert degree 64.
TEST(ExpertFoldingOf, QwenAsPublishedOn64Gpus) {
  const Job job = changed(plain_job(completed(find_model("qwen3-235b-a22b")->shape), 4096), [](Job& s) {
    s.layout.tensor_parallel = 2;
    s.layout.sequence_parallel = true;
    s.layout.data_parallel = 32;
    s.layout.expert_parallel = 64;
    s.layout.expert_tensor_parallel = 1;
  });
  EXPECT_TRUE(can_exist(job));
  EXPECT_EQ(expert_data_groups(job.layout).all.size, 1);
  // With experts on the tensor ranks 64 groups would need 128 GPUs.
  EXPECT_FALSE(can_exist(changed(job, [](Job& s) { s.layout.expert_tensor_parallel = 0; })));
}

// ZeRO's shards within 16 GPUs: of the 8 replicas of 2 tensor ranks, experts on 8 ranks are there twice.
TEST(ExpertFoldingOf, ShardGroupsCountTensorRanks) {
  Job job = folded({2, 8, 1, 16});
  job.layout.zero_stage = 1;
  job.layout.shard_group_size = 8;
  const DataGroups groups = expert_data_groups(job.layout);
  EXPECT_EQ(groups.all.size, 4);
  EXPECT_EQ(groups.shards.size, 2);
  EXPECT_EQ(groups.copies.size, 2);
}

}  // namespace
}  // namespace commcost
