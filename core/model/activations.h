#pragma once

#include "core/base/fixed_list.h"
#include "core/model/kernels.h"

namespace commcost {

/// How one layer's activations are spread over GPUs.
struct ActivationSplit {
  MatrixRanks ranks;                           ///< that share the matrices
  bool sequence_parallel = false;              ///< whether they share what lies between the matrices too
  double context_parallel = 1;                 ///< ranks that share the sequence
  bool routes_own_tokens = sequence_parallel;  ///< whether each sends its own tokens to experts

  /// A rank's share of what lies between the matrices.
  double between() const { return sequence_parallel ? 1 / ranks.tensor : 1; }
  /// The part of an expert's input that one of the ranks sharing it brought.
  double brought() const { return routes_own_tokens ? 1 / ranks.expert_tensor : 1; }
};

/// A tensor that a layer keeps for its backward pass, or several alike, on one GPU and for one micro-batch.
struct Activation {
  Sublayer sublayer;
  Operation operation;  ///< that reads it again, or uses it for dropout
  double bytes;
};

/// Everything that one layer keeps.
class LayerActivations : public FixedList<Activation, 32> {
 public:
  double total() const;
  /// For one half of the layer.
  double of(Sublayer sublayer) const;
};

/// What a layer keeps: s b h (34 + 5 a s / h) bytes for the classic shape in 16 bits, s b h (10 + 24/t + 5 a
/// s / h t) split by tensor, /t throughout with sequence parallelism, no core with its recomputation or flash
/// attention, 2 s b h with full (arXiv:2205.05198, table 2). Other shapes keep what their own matrices need,
/// but for what selective recomputation computes again (model/recomputation.h).
LayerActivations layer_activations(const ModelShape& shape, const Work& work, const ActivationSplit& split,
                                   LayerKind kind);
/// The same for a layer with these matrices, as one of split.ranks holds them.
LayerActivations layer_activations(const ModelShape& shape, const Work& work, const ActivationSplit& split,
                                   const LayerMatrices& layer);

/// The classic shape's formula for all layers of the model, 16 bits: L s b h (34 + 5 a s / h), split as
/// above.
double rule_of_thumb_activations(const ModelShape& shape, const Work& work, const ActivationSplit& split);

}  // namespace commcost
