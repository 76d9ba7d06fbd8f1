#include "core/parallel/layout.h"

namespace commcost {

Layout completed(Layout layout, const Work& work) {
  const auto element = static_cast<double>(work.bytes_per_element);
  if (layout.data_parallel == 0) {
    const Layout server = server_layout(layout);
    layout.data_parallel = server.data_parallel;
    if (layout.expert_tensor_parallel == 0) layout.expert_tensor_parallel = server.expert_tensor_parallel;
  }
  if (layout.cluster_gpus == 0) layout.cluster_gpus = gpus_needed(layout);
  if (layout.activation_wire_bytes_per_element == 0) layout.activation_wire_bytes_per_element = element;
  for (double Layout::*wire :
       {&Layout::dispatch_wire_bytes_per_element, &Layout::combine_wire_bytes_per_element})
    if (layout.*wire == 0) layout.*wire = layout.activation_wire_bytes_per_element;
  if (layout.parameter_wire_bytes_per_element == 0) layout.parameter_wire_bytes_per_element = element;
  if (layout.gradient_wire_bytes_per_element == 0) {
    layout.gradient_wire_bytes_per_element = static_cast<double>(work.gradient_bytes_per_element);
  }
  return layout;
}

Layout server_layout(std::int64_t tensor, std::int64_t stages, std::int64_t experts) {
  Layout layout;
  layout.tensor_parallel = tensor;
  layout.pipeline_parallel = stages;
  layout.data_parallel = std::max<std::int64_t>(1, experts / tensor);
  layout.expert_parallel = experts;
  layout.expert_tensor_parallel = tensor * layout.data_parallel / experts;
  return layout;
}

Layout server_layout(const Layout& given) {
  Layout layout = server_layout(given.tensor_parallel, given.pipeline_parallel, given.expert_parallel);
  layout.expert_exchange = given.expert_exchange;
  return layout;
}

}  // namespace commcost
