#include "core/step/layer_kernels.h"

#include <algorithm>

#include "core/step/constants.h"
#include "core/step/memory_bound.h"

namespace commcost {
namespace {

struct Core {
  double forward_us;
  double backward_us;
};

struct Shares {
  double tensor;
  double context;
  double expert;
  double between;  // ranks that share what lies between the matrices
};

Shares shares_of(const Layout& layout) {
  const auto tensor = static_cast<double>(layout.tensor_parallel);
  return {tensor, static_cast<double>(layout.context_parallel), static_cast<double>(layout.expert_parallel),
          layout.sequence_parallel ? tensor : 1};
}

// The attention core: two products for every head, softmax between them.
Core attention_core(const ModelShape& shape, const Work& work, const Shares& ranks, double local_tokens,
                    const ComputeRates& rates) {
  const auto element = static_cast<double>(work.bytes_per_element);
  const auto head = static_cast<double>(shape.head_size);
  const double heads = static_cast<double>(shape.num_heads) / ranks.tensor;
  const auto keys = static_cast<double>(work.sequence_length);
  const double score_width = head + (shape.kv_rank > 0 ? static_cast<double>(shape.rope_head_size) : 0);
  if (work.mode == Mode::decode) {
    // One query reads the whole cache: memory-bound.
    const double kv_heads = std::max(1.0, static_cast<double>(shape.num_kv_heads) / ranks.tensor);
    const double cache =
        shape.kv_rank > 0 ? static_cast<double>(shape.kv_rank + shape.rope_head_size) : 2 * kv_heads * head;
    return {static_cast<double>(work.batch_size) * keys / ranks.context * cache * element /
                rates.hbm_bytes_per_us,
            0};
  }
  if (work.flash_attention) {
    // Blocks above the diagonal are skipped.
    const double computed = 2 * local_tokens * (keys / 2) * heads * (score_width + head);
    const double forward_us = computed / rates.flash_flops_per_us;
    return {forward_us, constants::flash_attention_backward * forward_us};
  }
  const double queries = keys / ranks.context;
  const double batch = local_tokens / queries * heads;
  const double products = gemm_us({queries, keys, score_width, batch}, element, rates) +
                          gemm_us({queries, head, keys, batch}, element, rates);
  const double scores = local_tokens * keys * heads;
  return {products + scores * score_traffic_forward(work) / rates.hbm_bytes_per_us,
          2 * products + scores * score_traffic_backward(work) / rates.hbm_bytes_per_us};
}

}  // namespace

LayerKernels layer_kernels(const Setting& setting, const ComputeRates& rates, LayerKind kind) {
  const auto& [shape, work, layout] = setting;
  const Shares ranks = shares_of(layout);
  const auto element = static_cast<double>(work.bytes_per_element);
  const auto hidden = static_cast<double>(shape.hidden_size);
  const auto head = static_cast<double>(shape.head_size);
  const double local_tokens = tokens(work) / ranks.context;
  const double heads = static_cast<double>(shape.num_heads) / ranks.tensor;
  // A rank holds at least one key and value head, a copy where there are fewer than ranks.
  const double kv_heads = std::max(1.0, static_cast<double>(shape.num_kv_heads) / ranks.tensor);
  const double gates = shape.gated_mlp ? 2 : 1;

  LayerKernels kernels;
  const double attention_columns = (heads + 2 * kv_heads) * head;
  kernels.query_key_value_us = gemm_us({local_tokens, attention_columns, hidden}, element, rates);
  kernels.attention_output_us = gemm_us({local_tokens, hidden, heads * head}, element, rates);
  double parameters = hidden * (attention_columns + heads * head);
  double traffic_width;
  if (kind == LayerKind::moe) {
    const auto visited = static_cast<double>(shape.experts_per_token);
    const double local_experts = static_cast<double>(shape.num_experts) / ranks.expert;
    const double width = static_cast<double>(shape.ffn_hidden_size) / ranks.tensor;
    // Tokens spread evenly: each expert sees its share of what all ranks of the group send.
    const double rows = local_tokens * visited / local_experts;
    kernels.mlp_in_us = gemm_us({rows, gates * width, hidden, local_experts}, element, rates);
    kernels.mlp_out_us = gemm_us({rows, hidden, width, local_experts}, element, rates);
    if (shape.num_shared_experts > 0) {
      const double shared = width * static_cast<double>(shape.num_shared_experts);
      kernels.mlp_in_us += gemm_us({local_tokens, gates * shared, hidden}, element, rates);
      kernels.mlp_out_us += gemm_us({local_tokens, hidden, shared}, element, rates);
    }
    const double all_visited = visited + static_cast<double>(shape.num_shared_experts);
    traffic_width = static_cast<double>(shape.ffn_hidden_size) * all_visited;
    parameters +=
        (gates + 1) * hidden * width * (local_experts + static_cast<double>(shape.num_shared_experts));
  } else {
    const std::int64_t ffn = has_experts(shape) ? shape.dense_ffn_hidden_size : shape.ffn_hidden_size;
    const double width = static_cast<double>(ffn) / ranks.tensor;
    kernels.mlp_in_us = gemm_us({local_tokens, gates * width, hidden}, element, rates);
    kernels.mlp_out_us = gemm_us({local_tokens, hidden, width}, element, rates);
    traffic_width = static_cast<double>(ffn);
    parameters += (gates + 1) * hidden * width;
  }
  const Core core = attention_core(shape, work, ranks, local_tokens, rates);
  kernels.core_forward_us = core.forward_us;
  kernels.core_backward_us = core.backward_us;

  const TokenTraffic forward = forward_traffic(shape, work, traffic_width);
  const TokenTraffic backward = backward_traffic(shape, work, traffic_width);
  const double token_us = local_tokens / rates.hbm_bytes_per_us;
  kernels.bound_forward_us = token_us * (forward.whole / ranks.between + forward.split / ranks.tensor);
  kernels.bound_backward_us = token_us * (backward.whole / ranks.between + backward.split / ranks.tensor);
  kernels.gradient_us = parameters * gradient_traffic(work) / rates.hbm_bytes_per_us;
  return kernels;
}

LayerKernels mean(const LayerKernels& dense, const LayerKernels& moe, double share) {
  const auto mix = [share](double one, double other) { return one + (other - one) * share; };
  return {mix(dense.query_key_value_us, moe.query_key_value_us),
          mix(dense.attention_output_us, moe.attention_output_us),
          mix(dense.mlp_in_us, moe.mlp_in_us),
          mix(dense.mlp_out_us, moe.mlp_out_us),
          mix(dense.core_forward_us, moe.core_forward_us),
          mix(dense.core_backward_us, moe.core_backward_us),
          mix(dense.bound_forward_us, moe.bound_forward_us),
          mix(dense.bound_backward_us, moe.bound_backward_us),
          mix(dense.gradient_us, moe.gradient_us)};
}

}  // namespace commcost
