#include "core/step/layer_time.h"

#include <algorithm>

#include "core/model/matrices.h"
#include "core/parallel/exchange.h"
#include "core/step/constants.h"
#include "core/step/hiding.h"
#include "core/step/layer_kernels.h"

namespace commcost {
namespace {

// All-reduces after attention and after the MLP; with sequence parallelism each is a reduce-scatter and an
// all-gather of the same bytes. With one sum for both sublayers, one.
void price_tensor(const ModelShape& shape, const Work& work, const Layout& layout, const Machine& machine,
                  const LayerKernels& kernels, const Pricing& pricing, double overlap_share,
                  LayerTime& time) {
  const RankGroup group = place(tensor_group(layout), machine);
  if (group.ranks <= 1) return;
  const double bytes = tokens(work) / static_cast<double>(layout.context_parallel) *
                       static_cast<double>(shape.hidden_size) * layout.activation_wire_bytes_per_element;
  const double calls = shape.parallel_sublayers ? 1 : 2;
  const auto price = [&](Collective collective) {
    return pricing.us(collective, group, bytes) + constants::collective_start_us;
  };
  double call_us;
  double hideable_us;
  if (layout.sequence_parallel) {
    const double gather_us = price(Collective::all_gather);
    const double scatter_us = price(Collective::reduce_scatter);
    call_us = gather_us + scatter_us;
    hideable_us = scatter_us;
  } else {
    call_us = price(Collective::all_reduce);
    hideable_us = call_us;
  }
  time.tensor.forward_us = calls * call_us;
  if (work.mode != Mode::training) return;
  time.tensor.backward_us = calls * call_us;
  if (work.recompute == Recompute::full) time.tensor.recompute_us = calls * call_us;
  const bool regather = layout.sequence_parallel && layout.regather_input;
  const double again_us = regather ? price(Collective::all_gather) : 0;
  time.tensor.backward_us += calls * again_us;
  // Inputs gathered again travel while the input's gradient is computed (arXiv:2205.05198, section 4.2.2).
  if (regather) {
    for (const double input_gradient_us : {kernels.query_key_value_us, kernels.mlp_in_us}) {
      const Hiding beside = hide(again_us, input_gradient_us, std::min(1.0, overlap_share));
      time.tensor.hidden_us += beside.hidden_us * calls / 2;
      time.tensor.slow_down_us += beside.slow_down_us * calls / 2;
    }
  }
  if (!layout.overlap_tensor) return;
  // The reduction of a column-parallel matrix's input gradient runs beside its weight gradient
  // (arXiv:2205.05198, section 4.2.2).
  for (const double weight_gradient_us : {kernels.query_key_value_us, kernels.mlp_in_us}) {
    const Hiding beside = hide(hideable_us, weight_gradient_us, std::min(1.0, overlap_share));
    time.tensor.hidden_us += beside.hidden_us * calls / 2;
    time.tensor.slow_down_us += beside.slow_down_us * calls / 2;
  }
}

// Keys and values go round: in the backward pass again, and their gradients too.
void price_context(const ModelShape& shape, const Work& work, const Layout& layout, const Machine& machine,
                   const LayerKernels& kernels, const Pricing& pricing, double overlap_share,
                   LayerTime& time) {
  const RankGroup group = place(context_group(layout), machine);
  if (group.ranks <= 1) return;
  const double local_tokens = tokens(work) / group.ranks;
  const ExchangedWidths widths = exchanged_widths(shape, layout);
  const double element = layout.activation_wire_bytes_per_element;
  if (layout.context_scheme == ContextScheme::ulysses) {
    // Queries and outputs are as wide as the heads, keys and values as theirs; all-to-all there and back.
    const double bytes = local_tokens * element * (2 * widths.queries + widths.keys_and_values);
    time.context.forward_us = pricing.us(Collective::all_to_all, group, bytes);
    if (work.mode != Mode::training) return;
    time.context.backward_us = time.context.forward_us;
    if (work.recompute == Recompute::full) time.context.recompute_us = time.context.forward_us;
    return;
  }
  const double bytes = tokens(work) * element * widths.keys_and_values;
  const double gather_us = pricing.us(Collective::all_gather, group, bytes);
  time.context.forward_us = gather_us;
  if (work.mode == Mode::training) {
    time.context.backward_us = gather_us + pricing.us(Collective::reduce_scatter, group, bytes);
    if (work.recompute == Recompute::full) time.context.recompute_us = gather_us;
  }
  if (layout.context_scheme != ContextScheme::ring) return;
  // A block is computed while the next one travels; the last block has nothing to travel beside.
  const double share = std::min(1.0, (group.ranks - 1) / group.ranks * overlap_share);
  const Hiding forward = hide(time.context.forward_us + time.context.recompute_us,
                              kernels.core_forward_us * (work.recompute == Recompute::full ? 2 : 1), share);
  const Hiding backward = hide(time.context.backward_us, kernels.core_backward_us, share);
  time.context.hidden_us = forward.hidden_us + backward.hidden_us;
  time.context.slow_down_us = forward.slow_down_us + backward.slow_down_us;
}

// Tokens go to their experts and back: all-to-all, twice forward and twice backward.
void price_expert(const ModelShape& shape, const Work& work, const Layout& layout, const Machine& machine,
                  const Pricing& pricing, double share_with_experts, LayerTime& time) {
  const RankGroup group = place(expert_group(layout), machine);
  if (group.ranks <= 1) return;
  const double sent_tokens =
      tokens(work) / static_cast<double>(layout.context_parallel) / expert_senders(layout);
  const double bytes = sent_tokens * static_cast<double>(shape.experts_per_token) *
                       static_cast<double>(shape.hidden_size) * layout.activation_wire_bytes_per_element;
  const double both_ways_us = 2 * pricing.us(Collective::all_to_all, group, bytes) * share_with_experts;
  time.expert.forward_us = both_ways_us;
  if (work.mode != Mode::training) return;
  time.expert.backward_us = both_ways_us;
  if (work.recompute == Recompute::full) time.expert.recompute_us = both_ways_us;
}

// A model that mixes layers with and without experts has the mean of the two.
LayerKernels mean_kernels(const Setting& setting, const ComputeRates& rates, double share_with_experts) {
  if (!has_experts(setting.shape)) return layer_kernels(setting, rates, LayerKind::dense);
  const LayerKernels moe = layer_kernels(setting, rates, LayerKind::moe);
  if (share_with_experts == 1) return moe;
  return mean(layer_kernels(setting, rates, LayerKind::dense), moe, share_with_experts);
}

}  // namespace

LayerTime layer_time(const Setting& setting, const Machine& machine, const ComputeRates& rates,
                     const Pricing& pricing, const MachineScales& scales) {
  const auto& [shape, work, layout] = setting;
  const double share_with_experts =
      static_cast<double>(expert_layers(shape)) / static_cast<double>(shape.num_layers);
  const LayerKernels kernels = mean_kernels(setting, rates, share_with_experts);

  LayerTime time;
  const double products = kernels.products_us();
  time.forward_us = products + kernels.core_forward_us + kernels.bound_forward_us;
  time.attention_us = kernels.core_forward_us;
  time.memory_bound_us = kernels.bound_forward_us;
  const double launches =
      shape.gated_mlp ? constants::launches_gated_layer : constants::launches_classic_layer;
  double passes = 1;
  double calls = 2;
  if (work.mode == Mode::training) {
    // Twice the products: gradients of the inputs, and of the weights.
    time.weight_gradient_us = products + kernels.gradient_us;
    time.backward_us =
        2 * products + kernels.core_backward_us + kernels.bound_backward_us + kernels.gradient_us;
    time.attention_us += kernels.core_backward_us;
    time.memory_bound_us += kernels.bound_backward_us + kernels.gradient_us;
    passes += constants::launches_backward;
    calls += 2;
    if (work.recompute == Recompute::full) {
      time.recompute_us = time.forward_us;
      time.attention_us += kernels.core_forward_us;
      time.memory_bound_us += kernels.bound_forward_us;
      passes += 1;
      calls += 2;
    }
    if (work.recompute == Recompute::selective) {
      time.recompute_us = kernels.core_forward_us;
      time.attention_us += kernels.core_forward_us;
    }
  }
  if (layout.tensor_parallel <= 1) calls = 0;
  if (layout.sequence_parallel) calls *= 2;
  time.launch_us = rates.launch_us * (launches * passes + constants::launches_per_collective * calls);

  price_tensor(shape, work, layout, machine, kernels, pricing, scales.overlap, time);
  price_context(shape, work, layout, machine, kernels, pricing, scales.overlap, time);
  price_expert(shape, work, layout, machine, pricing, share_with_experts, time);
  return time;
}

HeadTime head_time(const Setting& setting, const Machine& machine, const ComputeRates& rates,
                   const Pricing& pricing) {
  const auto& [shape, work, layout] = setting;
  HeadTime time;
  if (shape.vocab_size == 0) return time;
  const bool training = work.mode == Mode::training;
  const auto hidden = static_cast<double>(shape.hidden_size);
  const auto tensor = static_cast<double>(layout.tensor_parallel);
  const double local_tokens = tokens(work) / static_cast<double>(layout.context_parallel);
  time.compute_us = (training ? 3 : 1) * head_product_us(setting, rates);
  if (training) {
    const double logits = local_tokens * head_matrix(shape, tensor).outputs;
    time.compute_us += logits * constants::bytes_per_logit / rates.hbm_bytes_per_us;
  }
  // One all-reduce after the look-up, one of the logits' input gradient.
  const double bytes = local_tokens * hidden * layout.activation_wire_bytes_per_element;
  time.tensor_us =
      (training ? 2 : 1) * pricing.us(Collective::all_reduce, place(tensor_group(layout), machine), bytes);
  time.launch_us = rates.launch_us * constants::launches_head * (training ? 1 : 1.0 / 3);
  return time;
}

}  // namespace commcost
