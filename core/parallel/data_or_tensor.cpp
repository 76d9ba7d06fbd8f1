#include "core/parallel/data_or_tensor.h"

#include "core/collective/bus_bandwidth.h"
#include "core/model/parameters.h"

namespace commcost {
namespace {

// Two sums forward, two backward (arXiv:1909.08053, section 3), and the forward ones once more if the
// backward pass computes the layer again.
double sums_of(const Work& work) {
  return work.recompute == Recompute::full ? 6 : 4;
}

double parameters_of_a_layer(const ModelShape& shape) {
  const Parameters parameters = parameters_of(shape);
  const double ends =
      parameters.embedding + parameters.positions + parameters.final_norm + parameters.lm_head;
  return (parameters.total - ends) / static_cast<double>(shape.num_layers);
}

}  // namespace

DataOrTensor data_or_tensor(const ModelShape& shape, const Work& work, double step_tokens, double gpus) {
  const auto hidden = static_cast<double>(shape.hidden_size);
  const double token_bytes = sums_of(work) * hidden * static_cast<double>(work.bytes_per_element);
  const double gradient_bytes =
      parameters_of_a_layer(shape) * static_cast<double>(work.gradient_bytes_per_element);
  DataOrTensor both;
  both.tensor_sent_bytes = ring_sent_bytes(Collective::all_reduce, gpus, token_bytes * step_tokens);
  both.data_sent_bytes = ring_sent_bytes(Collective::all_reduce, gpus, gradient_bytes);
  both.ratio = token_bytes * step_tokens / gradient_bytes;
  both.even_tokens = gradient_bytes / token_bytes;
  both.printed_ratio = step_tokens / (3 * hidden);
  return both;
}

}  // namespace commcost
