#pragma once

#include "core/collective/ranks.h"
#include "core/model/kernels.h"
#include "core/parallel/layout.h"

namespace commcost {

/// The ranks that share a layer's matrices, routed experts apart.
Ranks tensor_ranks(const Layout& layout);
/// The ranks that share each routed expert's matrices.
Ranks expert_tensor_ranks(const Layout& layout);
/// The sizes of both groups.
MatrixRanks matrix_ranks(const Layout& layout);
/// One rank's part of a micro-batch.
RankShare rank_share(const Work& work, const Layout& layout);
/// Whether each tensor rank sends its own tokens to experts: those that sequence parallelism gives it, or, if
/// tensor ranks do not share experts, a part of those that all have (arXiv:2303.06318, section 5.1).
bool routes_own_tokens(const Layout& layout);
/// The ranks that share a sequence.
Ranks context_ranks(const Layout& layout);
/// The ranks that hold the same weights, routed experts apart.
Ranks data_ranks(const Layout& layout);
/// The ranks that share a layer's experts.
Ranks expert_ranks(const Layout& layout);
/// The ranks that hold a layer's experts together, whole or in parts.
Ranks ranks_with_experts(const Layout& layout);
/// The ranks that hold the same experts.
Ranks expert_data_ranks(const Layout& layout);

/// Ranks that hold the same weights, divided as ZeRO does.
struct DataGroups {
  Ranks all;
  Ranks shards;  ///< those among which state is sharded: all, or neighbours (Layout::shard_group_size)
  Ranks copies;  ///< those that hold the same shard
};
/// Of all but the routed experts.
DataGroups data_groups(const Layout& layout);
/// Of the routed experts.
DataGroups expert_data_groups(const Layout& layout);

/// The stages that one replica's activations pass.
Ranks pipeline_ranks(const Layout& layout);
/// The first and the last of them.
Ranks pipeline_ends(const Layout& layout);

}  // namespace commcost
