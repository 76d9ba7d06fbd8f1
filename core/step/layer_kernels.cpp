#include "core/step/layer_kernels.h"

#include <algorithm>

#include "core/model/recomputation.h"
#include "core/parallel/ranks.h"
#include "core/step/constants.h"
#include "core/step/memory_bound.h"
#include "core/step/products.h"

namespace commcost {
namespace {

struct CoreKernels {
  double forward_us;
  double backward_us;
};

// The attention core: two products for every head, softmax between them.
CoreKernels attention_core(const Work& work, const AttentionWidths& attention, const RankShare& rank,
                           const ComputeRates& rates) {
  const auto keys = static_cast<double>(work.sequence_length);
  if (work.flash_attention) {
    // Blocks above the diagonal are skipped.
    const double flops = 2 * rank.tokens * (keys / 2) * attention.heads * attention.head_width();
    const double forward_us = flops / rates.flash_flops_per_us;
    return {forward_us, constants::flash_attention_backward * forward_us};
  }
  const auto element = static_cast<double>(work.bytes_per_element);
  const double queries = keys / rank.context;
  const double batch = rank.tokens / queries * attention.heads;
  const double products = wide_gemm_us({queries, keys, attention.score_head, batch}, element, rates) +
                          wide_gemm_us({queries, attention.value_head, keys, batch}, element, rates);
  const double scores = rank.tokens * keys * attention.heads;
  return {products + scores * score_traffic_forward(work) / rates.hbm_bytes_per_us,
          2 * products + scores * score_traffic_backward(work) / rates.hbm_bytes_per_us};
}

double& time_of(LayerKernels& kernels, MatrixPart part) {
  switch (part) {
    case MatrixPart::query_key_value:
      return kernels.query_key_value_us;
    case MatrixPart::attention_output:
      return kernels.attention_output_us;
    case MatrixPart::router:
      return kernels.router_us;
    case MatrixPart::mlp_in:
      return kernels.mlp_in_us;
    case MatrixPart::mlp_out:
      break;
  }
  return kernels.mlp_out_us;
}

}  // namespace

LayerKernels layer_kernels(const Setting& setting, const ComputeRates& rates, LayerKind kind) {
  const auto& [shape, work, layout, pace] = setting;
  const RankShare rank = rank_share(work, layout);
  const auto element = static_cast<double>(work.bytes_per_element);
  const LayerMatrices layer = layer_matrices(shape, kind, matrix_ranks(layout));

  ComputeRates routed = rates;
  routed.flops_per_us *= pace.expert_efficiency_percent * 0.01;
  LayerKernels kernels;
  double parameters = 0;
  for (const Matrix& matrix : layer) {
    const ComputeRates& reached = matrix.owner == MatrixOwner::routed_expert ? routed : rates;
    const double product_us = gemm_us(product_of(matrix, rank), element, reached);
    time_of(kernels, matrix.part) += product_us;
    kernels.recomputed_products_us += recomputed_share(matrix, layer, work) * product_us;
    parameters += matrix.parameters() / (matrix.owner == MatrixOwner::routed_expert ? rank.expert : 1);
  }
  const CoreKernels core = attention_core(work, layer.attention, rank, rates);
  kernels.core_forward_us = core.forward_us;
  kernels.core_backward_us = core.backward_us;

  const TokenTraffic forward = forward_traffic(shape, layer, work);
  const TokenTraffic backward = backward_traffic(shape, layer, work);
  const double token_us = rank.tokens / rates.hbm_bytes_per_us;
  kernels.bound_forward_us = token_us * (forward.whole / rank.sequence + forward.split);
  kernels.bound_backward_us = token_us * (backward.whole / rank.sequence + backward.split);
  kernels.gradient_us = parameters * gradient_traffic(work) / rates.hbm_bytes_per_us;
  return kernels;
}

double head_product_us(const Setting& setting, const ComputeRates& rates) {
  const auto& [shape, work, layout, pace] = setting;
  const Matrix head = head_matrix(shape, static_cast<double>(layout.tensor_parallel));
  return wide_gemm_us({rank_share(work, layout).tokens, head.outputs, head.inputs},
                      static_cast<double>(work.bytes_per_element), rates);
}

LayerKernels mean(const LayerKernels& dense, const LayerKernels& moe, double share) {
  const auto mix = [share](double one, double other) { return one + (other - one) * share; };
  return {mix(dense.query_key_value_us, moe.query_key_value_us),
          mix(dense.attention_output_us, moe.attention_output_us),
          mix(dense.router_us, moe.router_us),
          mix(dense.mlp_in_us, moe.mlp_in_us),
          mix(dense.mlp_out_us, moe.mlp_out_us),
          mix(dense.core_forward_us, moe.core_forward_us),
          mix(dense.core_backward_us, moe.core_backward_us),
          mix(dense.bound_forward_us, moe.bound_forward_us),
          mix(dense.bound_backward_us, moe.bound_backward_us),
          mix(dense.gradient_us, moe.gradient_us),
          mix(dense.recomputed_products_us, moe.recomputed_products_us)};
}

}  // namespace commcost
