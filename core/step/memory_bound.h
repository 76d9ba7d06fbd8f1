#pragma once

#include "core/model/shape.h"
#include "core/model/work.h"

namespace commcost {

/// Bytes through HBM for each token, by whether tensor parallelism divides them; one way through a layer.
struct TokenTraffic {
  double whole = 0;  ///< norms, dropout, residual sums: every rank does them all, unless sequence parallel
  double split = 0;  ///< activation function, rotary positions, transposes: each rank its share
};

/// Traffic of a layer's kernels other than GEMMs and the attention core, with the widths of `shape`.
/// Counted kernel by kernel: every operand read once, every result written once.
TokenTraffic forward_traffic(const ModelShape& shape, const Work& work, double ffn_width);
TokenTraffic backward_traffic(const ModelShape& shape, const Work& work, double ffn_width);

/// Bytes through HBM for each attention score where the core is not fused: softmax and dropout.
double score_traffic_forward(const Work& work);
double score_traffic_backward(const Work& work);

/// Bytes through HBM for each parameter and micro-batch: adding its gradient to the sum.
double gradient_traffic(const Work& work);

}  // namespace commcost
