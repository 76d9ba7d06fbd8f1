#include "core/step/memory_bound.h"

namespace commcost {
namespace {

double element_bytes(const Work& work) {
  return static_cast<double>(work.bytes_per_element);
}

// Elements that pass through HBM on the way from the projections to the core, or back.
double passes_over_heads(const ModelShape& shape, const AttentionWidths& attention) {
  // Rotary positions of a part of each head; queries, keys and values are put together, read and written.
  if (attention.latents > 0) return 6 * attention.rotated + 2 * attention.all();
  // Rotary positions and transposes; without a gate transposes into heads and back.
  return shape.gated_mlp ? 6 * attention.all() : 5 * attention.all() / 3;
}

}  // namespace

TokenTraffic forward_traffic(const ModelShape& shape, const LayerMatrices& layer, const Work& work) {
  const auto hidden = static_cast<double>(shape.hidden_size);
  const double element = element_bytes(work);
  const double mask = work.dropout ? 1 : 0;
  // silu: read, write; product with the gate: read two, write one. Without a gate bias and activation
  // function: read, write.
  const double inner_passes = shape.gated_mlp ? 5 : 2;
  // Norms read and write; two sums into the residual stream read two and write one, with a dropout mask.
  return {element * 2 * (2 * hidden + layer.attention.latents) + hidden * 2 * (3 * element + mask),
          element * (inner_passes * layer.inner_width(busiest_experts(work)) +
                     passes_over_heads(shape, layer.attention))};
}

TokenTraffic backward_traffic(const ModelShape& shape, const LayerMatrices& layer, const Work& work) {
  const auto hidden = static_cast<double>(shape.hidden_size);
  const double element = element_bytes(work);
  const double mask = work.dropout ? 1 : 0;
  const double inner_passes = shape.gated_mlp ? 8 : 3;
  // Norms read input and gradient twice (input gradient, weight gradient); sums read and write, with the
  // mask.
  return {element * 4 * (2 * hidden + layer.attention.latents) + hidden * 2 * (3 * element + mask),
          element * (inner_passes * layer.inner_width(busiest_experts(work)) +
                     passes_over_heads(shape, layer.attention))};
}

double score_traffic_forward(const Work& work) {
  // Softmax reads and writes; dropout reads, writes and keeps a mask.
  return 2 * element_bytes(work) + (work.dropout ? 2 * element_bytes(work) + 1 : 0);
}

double score_traffic_backward(const Work& work) {
  // Softmax reads its output and the gradient and writes; dropout reads gradient and mask and writes.
  return 3 * element_bytes(work) + (work.dropout ? 2 * element_bytes(work) + 1 : 0);
}

double gradient_traffic(const Work& work) {
  // Read the sum and the new gradient, write the sum.
  return element_bytes(work) + 2 * static_cast<double>(work.gradient_bytes_per_element);
}

}  // namespace commcost
