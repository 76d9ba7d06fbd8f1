#include "core/step/memory_bound.h"

namespace commcost {
namespace {

double element_bytes(const Work& work) {
  return static_cast<double>(work.bytes_per_element);
}

// Queries, keys and values side by side.
double attention_width(const ModelShape& shape) {
  return static_cast<double>((shape.num_heads + 2 * shape.num_kv_heads) * shape.head_size);
}

}  // namespace

TokenTraffic forward_traffic(const ModelShape& shape, const Work& work, double ffn_width) {
  const auto hidden = static_cast<double>(shape.hidden_size);
  const double element = element_bytes(work);
  const double mask = work.dropout ? 1 : 0;
  TokenTraffic traffic;
  // Two norms read and write; two sums into the residual stream read two and write one, with a dropout mask.
  traffic.whole = hidden * (2 * 2 * element + 2 * (3 * element + mask));
  if (shape.gated_mlp) {
    // silu: read, write; product with the gate: read two, write one. Rotary positions and transposes: twelve
    // passes over a third of queries, keys and values each.
    traffic.split = 5 * element * ffn_width + 6 * element * attention_width(shape);
  } else {
    // Bias and activation function: read, write. Transposes into heads and back.
    traffic.split = 2 * element * ffn_width + 5 * element * attention_width(shape) / 3;
  }
  return traffic;
}

TokenTraffic backward_traffic(const ModelShape& shape, const Work& work, double ffn_width) {
  const auto hidden = static_cast<double>(shape.hidden_size);
  const double element = element_bytes(work);
  const double mask = work.dropout ? 1 : 0;
  TokenTraffic traffic;
  // Norms read input and gradient twice (input gradient, weight gradient); sums read and write, with the
  // mask.
  traffic.whole = hidden * (2 * 4 * element + 2 * (3 * element + mask));
  if (shape.gated_mlp) {
    traffic.split = 8 * element * ffn_width + 6 * element * attention_width(shape);
  } else {
    traffic.split = 3 * element * ffn_width + 5 * element * attention_width(shape) / 3;
  }
  return traffic;
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
