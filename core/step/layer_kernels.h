#pragma once

#include "core/parallel/setting.h"
#include "core/step/gemm.h"

namespace commcost {

/// Kernels of one micro-batch in one layer, on one of the ranks that share it, us. Products are those of the
/// forward pass; the backward pass does each twice.
struct LayerKernels {
  double query_key_value_us = 0;
  double attention_output_us = 0;
  double router_us = 0;
  double mlp_in_us = 0;
  double mlp_out_us = 0;
  double core_forward_us = 0;  ///< attention core
  double core_backward_us = 0;
  double bound_forward_us = 0;  ///< kernels bound by memory: norms, activation functions, residual sums
  double bound_backward_us = 0;
  double gradient_us = 0;             ///< adding weight gradients to their sum
  double recomputed_products_us = 0;  ///< of the products, those that selective recomputation does again

  double products_us() const {
    return query_key_value_us + attention_output_us + router_us + mlp_in_us + mlp_out_us;
  }
};

/// A layer without experts, or one with them; the latter only in a model that has such. Every matrix is a
/// GEMM of its own (model/matrices.h); of an expert group's experts those are read that a token is expected
/// to meet.
LayerKernels layer_kernels(const Setting& setting, const ComputeRates& rates, LayerKind kind);

/// The product with the LM head, forward, in training: logits of every token, us.
double head_product_us(const Setting& setting, const ComputeRates& rates);

/// `share` of `moe` and the rest of `dense`: a layer on the average of a model that mixes both.
LayerKernels mean(const LayerKernels& dense, const LayerKernels& moe, double share);

}  // namespace commcost
