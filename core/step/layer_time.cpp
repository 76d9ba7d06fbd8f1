#include "core/step/layer_time.h"

#include <algorithm>

#include "core/model/recomputation.h"
#include "core/step/constants.h"
#include "core/step/layer_kernels.h"

namespace commcost {
namespace {

// Of an MLP of experts, what the shared ones are: they alone have messages beside their products.
double shared_expert_share(const Setting& setting) {
  const auto shared = static_cast<double>(setting.shape.num_shared_experts);
  return shared / (shared + static_cast<double>(setting.shape.experts_per_token));
}

// Compute of one pass, beside which a layer's message is sent.
double window_us(const Communication& message, const Setting& setting, const LayerKernels& kernels) {
  if (message.overlaps_with == OverlapsWith::attention)
    return message.phase == StepPhase::backward ? kernels.core_backward_us : kernels.core_forward_us;
  if (message.overlaps_with == OverlapsWith::product) {
    // Backward the gathered gradients feed the row-parallel matrix alone.
    const bool both = message.phase != StepPhase::backward;
    const auto of = [&](double in_us, double out_us) { return out_us + (both ? in_us : 0); };
    const double attention = of(kernels.query_key_value_us, kernels.attention_output_us);
    const double mlp = of(kernels.mlp_in_us, kernels.mlp_out_us) *
                       (message.part == Part::shared_experts ? shared_expert_share(setting) : 1);
    return message.part == Part::attention ? attention : message.part == Part::layer ? attention + mlp : mlp;
  }
  // Gradients of inputs and of weights each take as long as the forward pass of their matrix.
  switch (message.part) {
    case Part::attention:
      return kernels.query_key_value_us;
    case Part::layer:
      return kernels.query_key_value_us + kernels.mlp_in_us;
    case Part::shared_experts:
      return kernels.mlp_in_us * shared_expert_share(setting);
    default:
      return kernels.mlp_in_us;
  }
}

OverlapShares shares_of(const Communication& message) {
  if (message.overlaps_with != OverlapsWith::attention && message.overlaps_with != OverlapsWith::product)
    return {};
  // One block of keys, or piece of a product, has nothing to travel beside.
  const double share = (message.ranks.size - 1) / message.ranks.size;
  return {share, share};
}

// Host time of a kernel; a graph that is replayed takes none.
double layer_launch_us(const Setting& setting, const StepModel& model) {
  return setting.pace.cuda_graphs ? 0 : model.rates().launch_us;
}

// What a stack does in Python for each layer and micro-batch as soon as there are stages.
double staged_host_us(const Setting& setting, const StepModel& model) {
  const Layout& layout = setting.layout;
  if (layout.pipeline_parallel == 1) return 0;
  return model.calibrated_us(setting.pace.staged_layer_host_us) * static_cast<double>(layout.tensor_parallel);
}

// What tensor and context ranks leave of the compute, tokens of another micro-batch travel beside.
CommunicationTime expert_time(const Communications& messages, const Setting& setting, const StepModel& model,
                              LayerKind kind, const LayerTime& time) {
  CommunicationSum expert(model.scales().overlap);
  const double forward_us = time.free_forward_us();
  const double backward_us = time.free_backward_us();
  for (const Communication& message : messages) {
    if (message.dimension != Dimension::expert || !sent_in(message, kind)) continue;
    const MessageTime one = model.time_of(message, setting);
    if (message.overlaps_with == OverlapsWith::nothing) {
      expert.add(message, one, message.count, 0, {});
    } else {
      expert.add_beside_both(message, one, message.count, forward_us, backward_us);
    }
  }
  return expert.total();
}

void add_communication(const Communications& messages, const Setting& setting, const StepModel& model,
                       LayerKind kind, const LayerKernels& kernels, LayerTime& time) {
  CommunicationSum tensor(model.scales().overlap);
  CommunicationSum context(model.scales().overlap);
  double calls = 0;
  for (const Communication& message : messages) {
    if (!sent_in(message, kind)) continue;
    calls += message.count;
    if (message.dimension == Dimension::expert) continue;
    (message.dimension == Dimension::context ? context : tensor)
        .add(message, model.time_of(message, setting), message.count, window_us(message, setting, kernels),
             shares_of(message));
  }
  time.tensor = tensor.total();
  time.context = context.total();
  time.expert = expert_time(messages, setting, model, kind, time);
  time.launch_us += layer_launch_us(setting, model) * constants::launches_per_collective * calls;
}

LayerTime compute_time(const Setting& setting, const StepModel& model, const LayerKernels& kernels) {
  const Work& work = setting.work;
  LayerTime time;
  const double products = kernels.products_us();
  time.forward_us = products + kernels.core_forward_us + kernels.bound_forward_us;
  time.attention_us = kernels.core_forward_us;
  time.memory_bound_us = kernels.bound_forward_us;
  // Twice the products: gradients of the inputs, and of the weights.
  time.weight_gradient_us = products + kernels.gradient_us;
  time.backward_us =
      2 * products + kernels.core_backward_us + kernels.bound_backward_us + kernels.gradient_us;
  time.attention_us += kernels.core_backward_us;
  time.memory_bound_us += kernels.bound_backward_us + kernels.gradient_us;
  double passes = 1 + constants::launches_backward;
  if (work.recompute == Recompute::full) {
    time.recompute_us = time.forward_us;
    time.attention_us += kernels.core_forward_us;
    time.memory_bound_us += kernels.bound_forward_us;
    passes += 1;
  }
  time.recompute_us += kernels.recomputed_products_us;
  if (recomputes(work, &Work::recompute_attention_core)) {
    time.recompute_us += kernels.core_forward_us;
    time.attention_us += kernels.core_forward_us;
  }
  if (recomputes(work, &Work::recompute_elementwise)) {
    time.recompute_us += kernels.bound_forward_us;
    time.memory_bound_us += kernels.bound_forward_us;
  }
  const double launches =
      setting.shape.gated_mlp ? constants::launches_gated_layer : constants::launches_classic_layer;
  time.launch_us = layer_launch_us(setting, model) * launches * passes + staged_host_us(setting, model);
  return time;
}

}  // namespace

LayerTimes layer_times(const Setting& setting, const StepModel& model) {
  Communications messages;
  add_layer_messages(setting, messages);
  const auto of = [&](LayerKind kind) {
    const LayerKernels kernels = layer_kernels(setting, model.rates(), kind);
    LayerTime time = compute_time(setting, model, kernels);
    add_communication(messages, setting, model, kind, kernels, time);
    return time;
  };
  const std::int64_t moe = expert_layers(setting.shape);
  return {moe < setting.shape.num_layers ? of(LayerKind::dense) : LayerTime{},
          moe > 0 ? of(LayerKind::moe) : LayerTime{}};
}

EndTimes end_times(const Setting& setting, const StepModel& model) {
  const auto& [shape, work, layout, pace] = setting;
  EndTimes times;
  if (shape.vocab_size == 0) return times;
  const ComputeRates& rates = model.rates();
  const double product_us = head_product_us(setting, rates);
  const double logits = tokens(work) / static_cast<double>(layout.context_parallel) *
                        head_matrix(shape, static_cast<double>(layout.tensor_parallel)).outputs;
  times.last.compute_us = 3 * product_us + logits * constants::bytes_per_logit / rates.hbm_bytes_per_us;
  times.last.launch_us = rates.launch_us * constants::launches_head;

  CommunicationSum first(model.scales().overlap);
  CommunicationSum last(model.scales().overlap);
  Communications messages;
  add_vocabulary_messages(setting, messages);
  for (const Communication& message : messages) {
    (message.stages == Stages::first ? first : last)
        .add(message, model.time_of(message, setting), message.count, product_us, {});
  }
  times.first.tensor = first.total();
  times.last.tensor = last.total();
  return times;
}

}  // namespace commcost
