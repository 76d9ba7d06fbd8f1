#pragma once

#include "core/model/matrices.h"
#include "core/model/routing.h"
#include "core/parallel/setting.h"
#include "core/step/gemm.h"

namespace commcost {

/// What one rank has of a micro-batch, and of the layout.
struct RankShare {
  double tokens;
  double context;
  double expert;
  double sequence;  ///< ranks that share what lies between the matrices
  double busiest;   ///< routed tokens, over the mean of all ranks
};

inline RankShare rank_share(const Work& work, const Layout& layout) {
  const auto context = static_cast<double>(layout.context_parallel);
  return {tokens(work) / context, context, static_cast<double>(layout.expert_parallel),
          layout.sequence_parallel ? static_cast<double>(layout.tensor_parallel) : 1, busiest_experts(work)};
}

/// The GEMM of a matrix, forward. What ranks do not divide they do not do twice either: with sequence
/// parallelism each multiplies its own tokens.
inline Product product_of(const Matrix& matrix, const RankShare& rank) {
  if (matrix.owner != MatrixOwner::routed_expert) {
    const double rows = matrix.split == MatrixSplit::none ? rank.tokens / rank.sequence : rank.tokens;
    return {rows, matrix.outputs, matrix.inputs};
  }
  // Each expert sees its share of what all ranks of the group send; one that no token meets is not read.
  const double met = experts_met(matrix.count / rank.expert, rank.tokens * matrix.tokens * rank.expert,
                                 matrix.visits, matrix.count);
  return {rank.busiest * rank.tokens * matrix.passes() / met, matrix.outputs, matrix.inputs, met};
}

}  // namespace commcost
