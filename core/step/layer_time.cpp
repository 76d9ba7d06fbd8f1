#include "core/step/layer_time.h"

#include <algorithm>

#include "core/model/flops.h"
#include "core/parallel/exchange.h"
#include "core/step/constants.h"
#include "core/step/hiding.h"
#include "core/step/memory_bound.h"

namespace commcost {
namespace {

// One kind of layer on one rank.
struct Pieces {
  double query_key_value_us = 0;
  double attention_output_us = 0;
  double mlp_in_us = 0;
  double mlp_out_us = 0;
  double core_forward_us = 0;
  double core_backward_us = 0;
  double bound_forward_us = 0;
  double bound_backward_us = 0;
  double gradient_us = 0;

  double products_us() const { return query_key_value_us + attention_output_us + mlp_in_us + mlp_out_us; }
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
void price_core(const ModelShape& shape, const Work& work, const Shares& ranks, double local_tokens,
                const ComputeRates& rates, Pieces& pieces) {
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
    pieces.core_forward_us = static_cast<double>(work.batch_size) * keys / ranks.context * cache * element /
                             rates.hbm_bytes_per_us;
    return;
  }
  if (work.flash_attention) {
    // Blocks above the diagonal are skipped.
    const double computed = 2 * local_tokens * (keys / 2) * heads * (score_width + head);
    pieces.core_forward_us = computed / rates.flash_flops_per_us;
    pieces.core_backward_us = constants::flash_attention_backward * pieces.core_forward_us;
    return;
  }
  const double queries = keys / ranks.context;
  const double batch = local_tokens / queries * heads;
  const double products = gemm_us({queries, keys, score_width, batch}, element, rates) +
                          gemm_us({queries, head, keys, batch}, element, rates);
  const double scores = local_tokens * keys * heads;
  pieces.core_forward_us = products + scores * score_traffic_forward(work) / rates.hbm_bytes_per_us;
  pieces.core_backward_us = 2 * products + scores * score_traffic_backward(work) / rates.hbm_bytes_per_us;
}

Pieces price(const ModelShape& shape, const Work& work, const Shares& ranks, bool with_experts,
             const ComputeRates& rates) {
  const auto element = static_cast<double>(work.bytes_per_element);
  const auto hidden = static_cast<double>(shape.hidden_size);
  const auto head = static_cast<double>(shape.head_size);
  const double local_tokens = tokens(work) / ranks.context;
  const double heads = static_cast<double>(shape.num_heads) / ranks.tensor;
  // A rank holds at least one key and value head, a copy where there are fewer than ranks.
  const double kv_heads = std::max(1.0, static_cast<double>(shape.num_kv_heads) / ranks.tensor);
  const double gates = shape.gated_mlp ? 2 : 1;

  Pieces pieces;
  const double attention_columns = (heads + 2 * kv_heads) * head;
  pieces.query_key_value_us = gemm_us({local_tokens, attention_columns, hidden}, element, rates);
  pieces.attention_output_us = gemm_us({local_tokens, hidden, heads * head}, element, rates);
  double parameters = hidden * (attention_columns + heads * head);
  double traffic_width;
  if (with_experts) {
    const auto visited = static_cast<double>(shape.experts_per_token);
    const double local_experts = static_cast<double>(shape.num_experts) / ranks.expert;
    const double width = static_cast<double>(shape.ffn_hidden_size) / ranks.tensor;
    // Tokens spread evenly: each expert sees its share of what all ranks of the group send.
    const double rows = local_tokens * visited / local_experts;
    pieces.mlp_in_us = gemm_us({rows, gates * width, hidden, local_experts}, element, rates);
    pieces.mlp_out_us = gemm_us({rows, hidden, width, local_experts}, element, rates);
    if (shape.num_shared_experts > 0) {
      const double shared = width * static_cast<double>(shape.num_shared_experts);
      pieces.mlp_in_us += gemm_us({local_tokens, gates * shared, hidden}, element, rates);
      pieces.mlp_out_us += gemm_us({local_tokens, hidden, shared}, element, rates);
    }
    const double all_visited = visited + static_cast<double>(shape.num_shared_experts);
    traffic_width = static_cast<double>(shape.ffn_hidden_size) * all_visited;
    parameters +=
        (gates + 1) * hidden * width * (local_experts + static_cast<double>(shape.num_shared_experts));
  } else {
    const std::int64_t ffn = has_experts(shape) ? shape.dense_ffn_hidden_size : shape.ffn_hidden_size;
    const double width = static_cast<double>(ffn) / ranks.tensor;
    pieces.mlp_in_us = gemm_us({local_tokens, gates * width, hidden}, element, rates);
    pieces.mlp_out_us = gemm_us({local_tokens, hidden, width}, element, rates);
    traffic_width = static_cast<double>(ffn);
    parameters += (gates + 1) * hidden * width;
  }
  price_core(shape, work, ranks, local_tokens, rates, pieces);

  const TokenTraffic forward = forward_traffic(shape, work, traffic_width);
  const TokenTraffic backward = backward_traffic(shape, work, traffic_width);
  const double token_us = local_tokens / rates.hbm_bytes_per_us;
  pieces.bound_forward_us = token_us * (forward.whole / ranks.between + forward.split / ranks.tensor);
  pieces.bound_backward_us = token_us * (backward.whole / ranks.between + backward.split / ranks.tensor);
  pieces.gradient_us = parameters * gradient_traffic(work) / rates.hbm_bytes_per_us;
  return pieces;
}

// All-reduces after attention and after the MLP; with sequence parallelism each is a reduce-scatter and an
// all-gather of the same bytes. With one sum for both sublayers, one.
void price_tensor(const ModelShape& shape, const Work& work, const Layout& layout, const Machine& machine,
                  const Pieces& pieces, const Pricing& pricing, double overlap_share, LayerTime& time) {
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
    for (const double input_gradient_us : {pieces.query_key_value_us, pieces.mlp_in_us}) {
      const Hiding beside = hide(again_us, input_gradient_us, std::min(1.0, overlap_share));
      time.tensor.hidden_us += beside.hidden_us * calls / 2;
      time.tensor.slow_down_us += beside.slow_down_us * calls / 2;
    }
  }
  if (!layout.overlap_tensor) return;
  // The reduction of a column-parallel matrix's input gradient runs beside its weight gradient
  // (arXiv:2205.05198, section 4.2.2).
  for (const double weight_gradient_us : {pieces.query_key_value_us, pieces.mlp_in_us}) {
    const Hiding beside = hide(hideable_us, weight_gradient_us, std::min(1.0, overlap_share));
    time.tensor.hidden_us += beside.hidden_us * calls / 2;
    time.tensor.slow_down_us += beside.slow_down_us * calls / 2;
  }
}

// Keys and values go round: in the backward pass again, and their gradients too.
void price_context(const ModelShape& shape, const Work& work, const Layout& layout, const Machine& machine,
                   const Pieces& pieces, const Pricing& pricing, double overlap_share, LayerTime& time) {
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
                              pieces.core_forward_us * (work.recompute == Recompute::full ? 2 : 1), share);
  const Hiding backward = hide(time.context.backward_us, pieces.core_backward_us, share);
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

Pieces mean(const Pieces& plain, const Pieces& sparse, double share) {
  const auto mix = [share](double one, double other) { return one + (other - one) * share; };
  return {mix(plain.query_key_value_us, sparse.query_key_value_us),
          mix(plain.attention_output_us, sparse.attention_output_us),
          mix(plain.mlp_in_us, sparse.mlp_in_us),
          mix(plain.mlp_out_us, sparse.mlp_out_us),
          mix(plain.core_forward_us, sparse.core_forward_us),
          mix(plain.core_backward_us, sparse.core_backward_us),
          mix(plain.bound_forward_us, sparse.bound_forward_us),
          mix(plain.bound_backward_us, sparse.bound_backward_us),
          mix(plain.gradient_us, sparse.gradient_us)};
}

}  // namespace

LayerTime layer_time(const Setting& setting, const Machine& machine, const ComputeRates& rates,
                     const Pricing& pricing, const MachineScales& scales) {
  const auto& [shape, work, layout] = setting;
  const Shares ranks = shares_of(layout);
  const double share_with_experts =
      static_cast<double>(expert_layers(shape)) / static_cast<double>(shape.num_layers);
  Pieces pieces = price(shape, work, ranks, has_experts(shape), rates);
  if (has_experts(shape) && share_with_experts < 1) {
    pieces = mean(price(shape, work, ranks, false, rates), pieces, share_with_experts);
  }

  LayerTime time;
  const double products = pieces.products_us();
  time.forward_us = products + pieces.core_forward_us + pieces.bound_forward_us;
  time.attention_us = pieces.core_forward_us;
  time.memory_bound_us = pieces.bound_forward_us;
  const double kernels =
      shape.gated_mlp ? constants::launches_gated_layer : constants::launches_classic_layer;
  double passes = 1;
  double calls = 2;
  if (work.mode == Mode::training) {
    // Twice the products: gradients of the inputs, and of the weights.
    time.weight_gradient_us = products + pieces.gradient_us;
    time.backward_us = 2 * products + pieces.core_backward_us + pieces.bound_backward_us + pieces.gradient_us;
    time.attention_us += pieces.core_backward_us;
    time.memory_bound_us += pieces.bound_backward_us + pieces.gradient_us;
    passes += constants::launches_backward;
    calls += 2;
    if (work.recompute == Recompute::full) {
      time.recompute_us = time.forward_us;
      time.attention_us += pieces.core_forward_us;
      time.memory_bound_us += pieces.bound_forward_us;
      passes += 1;
      calls += 2;
    }
    if (work.recompute == Recompute::selective) {
      time.recompute_us = pieces.core_forward_us;
      time.attention_us += pieces.core_forward_us;
    }
  }
  if (layout.tensor_parallel <= 1) calls = 0;
  if (layout.sequence_parallel) calls *= 2;
  time.launch_us = rates.launch_us * (kernels * passes + constants::launches_per_collective * calls);

  price_tensor(shape, work, layout, machine, pieces, pricing, scales.overlap, time);
  price_context(shape, work, layout, machine, pieces, pricing, scales.overlap, time);
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
  const auto element = static_cast<double>(work.bytes_per_element);
  const double local_tokens = tokens(work) / static_cast<double>(layout.context_parallel);
  // Inference needs the logits of one token a sequence.
  const double rows = training ? local_tokens : static_cast<double>(work.batch_size);
  const double vocabulary = static_cast<double>(shape.vocab_size) / tensor;
  time.compute_us = (training ? 3 : 1) * gemm_us({rows, vocabulary, hidden}, element, rates);
  if (training) time.compute_us += rows * vocabulary * constants::bytes_per_logit / rates.hbm_bytes_per_us;
  // One all-reduce after the look-up, one of the logits' input gradient.
  const double bytes = local_tokens * hidden * layout.activation_wire_bytes_per_element;
  time.tensor_us =
      (training ? 2 : 1) * pricing.us(Collective::all_reduce, place(tensor_group(layout), machine), bytes);
  time.launch_us = rates.launch_us * constants::launches_head * (training ? 1 : 1.0 / 3);
  return time;
}

}  // namespace commcost
