#pragma once

#include "core/model/matrices.h"
#include "core/model/work.h"

namespace commcost {

/// Bytes through HBM for each token on one tensor rank, one way through a layer.
struct TokenTraffic {
  double whole = 0;  ///< norms, dropout, residual sums: every rank does them all, unless sequence parallel
  double split = 0;  ///< activation function, rotary positions, transposes: this rank's share
};

/// Traffic of a layer's kernels other than GEMMs and the attention core, `layer` as a tensor rank holds it.
/// Counted kernel by kernel: every operand read once, every result written once.
TokenTraffic forward_traffic(const ModelShape& shape, const LayerMatrices& layer, const Work& work);
TokenTraffic backward_traffic(const ModelShape& shape, const LayerMatrices& layer, const Work& work);

/// Bytes through HBM for each attention score where the core is not fused: softmax and dropout.
double score_traffic_forward(const Work& work);
double score_traffic_backward(const Work& work);

/// Bytes through HBM for each parameter and micro-batch: adding its gradient to the sum.
double gradient_traffic(const Work& work);

}  // namespace commcost
