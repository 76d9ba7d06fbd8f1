#include "core/parallel/rank_groups.h"

namespace commcost {
namespace {

Ranks ranks(std::int64_t size, std::int64_t stride) {
  return {static_cast<double>(size), static_cast<double>(stride)};
}

}  // namespace

Ranks tensor_ranks(const Layout& layout) {
  return ranks(layout.tensor_parallel, 1);
}

Ranks expert_tensor_ranks(const Layout& layout) {
  return ranks(expert_tensor_degree(layout), 1);
}

MatrixRanks matrix_ranks(const Layout& layout) {
  return {static_cast<double>(layout.tensor_parallel), static_cast<double>(expert_tensor_degree(layout))};
}

RankShare rank_share(const Work& work, const Layout& layout) {
  const auto context = static_cast<double>(layout.context_parallel);
  return {tokens(work) / context, matrix_ranks(layout), context, static_cast<double>(layout.expert_parallel),
          layout.sequence_parallel ? static_cast<double>(layout.tensor_parallel) : 1};
}

bool routes_own_tokens(const Layout& layout) {
  return layout.sequence_parallel || layout.tensor_parallel == 1 ||
         expert_tensor_degree(layout) != layout.tensor_parallel;
}

Ranks context_ranks(const Layout& layout) {
  return ranks(layout.context_parallel, layout.tensor_parallel);
}

Ranks data_ranks(const Layout& layout) {
  return ranks(held_copies(layout) * layout.data_parallel * layout.context_parallel, layout.tensor_parallel);
}

Ranks expert_ranks(const Layout& layout) {
  return ranks(layout.expert_parallel, expert_tensor_degree(layout));
}

Ranks ranks_with_experts(const Layout& layout) {
  return ranks(ranks_of_experts(layout), 1);
}

Ranks expert_data_ranks(const Layout& layout) {
  const std::int64_t share_experts = ranks_of_experts(layout);
  return ranks(held_copies(layout) * stage_ranks(layout) / share_experts, share_experts);
}

namespace {

DataGroups groups_of(const Ranks& all, double group) {
  const double shards = group > 0 ? group : all.size;
  return {all, {shards, all.stride}, {all.size / shards, all.stride * shards}};
}

}  // namespace

DataGroups data_groups(const Layout& layout) {
  return groups_of(data_ranks(layout), static_cast<double>(layout.shard_group_size));
}

DataGroups expert_data_groups(const Layout& layout) {
  const std::int64_t group = layout.shard_group_size * layout.tensor_parallel;
  // Of a group's ranks, those that hold the same part of the same experts; where that leaves none, copies.
  const std::int64_t share_experts = ranks_of_experts(layout);
  const std::int64_t same = group % share_experts == 0 ? group / share_experts : 1;
  return groups_of(expert_data_ranks(layout), static_cast<double>(group > 0 ? same : 0));
}

Ranks pipeline_ranks(const Layout& layout) {
  return ranks(layout.pipeline_parallel, stage_ranks(layout));
}

Ranks pipeline_ends(const Layout& layout) {
  const Ranks line = pipeline_ranks(layout);
  return line.size > 1 ? Ranks{2, line.stride * (line.size - 1)} : Ranks{1, 1};
}

}  // namespace commcost
