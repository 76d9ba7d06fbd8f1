#pragma once

#include <algorithm>

#include "core/model/parameters.h"
#include "core/parallel/job.h"

namespace commcost {

/// Layers that a micro-batch passes through on each stage: on the first, on those between, on the last. One
/// stage has all of them; in DualPipe, the mean of both directions. If the earlier of those between have one
/// more than the later, `inner` is their mean, and the first has as many as any.
struct StageLayers {
  double first = 0;
  double inner = 0;
  double last = 0;

  /// For the busiest stage.
  double most() const { return std::max({first, inner, last}); }
};

/// What one GPU of the busiest stage holds: layers are dealt out evenly, rounded up, or by work with the LM
/// head (Layout::balanced_stages), or with the layout's numbers for the ends; with several stages, the layers
/// with experts are those of the busiest. Parameters in elements.
struct StageShare {
  StageLayers dealt;          ///< layers of every stage
  double layers = 0;          ///< layers of the busiest
  double expert_layers = 0;   ///< those of them with experts
  double layer = 0;           ///< of a layer without experts, this rank's share
  double expert_layer = 0;    ///< of a layer with experts, all but the routed ones
  double experts = 0;         ///< routed experts of a layer
  double embedding = 0;       ///< embedding and positions, on the first stage
  double word_embedding = 0;  ///< of embedding: the words alone
  double lm_head = 0;         ///< final norm and LM head, or its tied copy, on the last stage
  double final_norm = 0;      ///< of lm_head: the norm, which every tensor rank holds whole
  /// What every tensor rank holds whole of a layer: norms, added biases, projections down to latents.
  double replicated_layer = 0;
  double replicated_expert_layer = 0;  ///< of a layer with experts: the router too
};

/// The layers of every stage alone.
StageLayers stage_layers(const Job& job);

/// The share of each GPU of the busiest stage.
StageShare stage_share(const Job& job);

/// The shape that one tensor rank sees: its heads, its columns of the MLP, its rows of the vocabulary.
ModelShape tensor_shard(const ModelShape& shape, std::int64_t tensor_parallel);

}  // namespace commcost
