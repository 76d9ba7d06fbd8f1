#include "core/model/recomputation.h"
#include "core/parallel/message_parts.h"
#include "core/parallel/served_exchange.h"

namespace commcost {
namespace {

// One region of matrices between two sums over the tensor ranks, in elements of a micro-batch.
struct Region {
  Part part;
  AmongLayers layers;
  double entering;     // read by its column-parallel matrices
  double leaving;      // summed after its row-parallel matrix
  double kept_spread;  // of those entering, what the weight gradients need again; 0: the ranks keep it whole
  Ranks ranks;         // that share the matrices
  bool own_tokens;     // whether each of them has its own tokens outside
  Dimension dimension = Dimension::tensor;
};

// A sum at one side of a region: an all-reduce, with sequence parallelism a reduce-scatter.
void add_sum(const Region& region, StepPhase phase, Payload payload, double elements,
             OverlapsWith overlaps_with, Communications& list) {
  Communication message = layer_message(
      region.dimension, phase, region.part, payload,
      region.own_tokens ? Collective::reduce_scatter : Collective::all_reduce, region.ranks, elements);
  message.layers = region.layers;
  message.overlaps_with = overlaps_with;
  list.add(message);
}

// What sequence parallelism has spread is gathered on the other side.
void add_gather(const Region& region, Dimension dimension, StepPhase phase, Payload payload, double elements,
                OverlapsWith overlaps_with, Communications& list) {
  if (!region.own_tokens) return;
  Communication message =
      layer_message(dimension, phase, region.part, payload, Collective::all_gather, region.ranks, elements);
  message.layers = region.layers;
  message.overlaps_with = overlaps_with;
  list.add(message);
}

// The pair f, g around a region: all-reduce in one direction, nothing in the other (arXiv:1909.08053, section
// 3), or with sequence parallelism all-gather and reduce-scatter in both (arXiv:2205.05198, section 4.2.2).
void add_region(const Job& job, const Region& region, Communications& list) {
  if (region.ranks.size == 1) return;
  const auto& [shape, work, layout, stack, machine] = job;
  constexpr OverlapsWith nothing = OverlapsWith::nothing;
  // Collectives in pieces between those of a product need what sequence ranks have spread; experts' tokens
  // come from elsewhere.
  const bool in_pieces = layout.overlap_tensor_forward && region.own_tokens && region.kept_spread > 0;
  const OverlapsWith product = in_pieces ? OverlapsWith::product : nothing;
  const auto forward = [&](StepPhase phase) {
    add_gather(region, region.dimension, phase, Payload::activations, region.entering, product, list);
    add_sum(region, phase, Payload::activations, region.leaving, product, list);
  };
  forward(forward_phase(work.mode));
  if (work.mode != Mode::training) return;
  add_gather(region, Dimension::tensor, StepPhase::backward, Payload::activation_gradients, region.leaving,
             product, list);
  // The sum of input gradients does not wait for weight gradients, nor they for it.
  const bool beside = layout.overlap_tensor && region.kept_spread > 0;
  add_sum(region, StepPhase::backward, Payload::activation_gradients, region.entering,
          beside ? OverlapsWith::weight_gradient : nothing, list);
  if (recomputes_all(work)) forward(StepPhase::recompute);
  // The weight gradient needs the gathered input, of which each rank kept its share (arXiv:2205.05198,
  // section 4.2.2); what is computed again is kept so too.
  if (layout.regather_input) {
    add_gather(region, Dimension::sequence, StepPhase::backward, Payload::activations, region.kept_spread,
               OverlapsWith::input_gradient, list);
  }
}

// A region of the tensor ranks.
Region tensor_region(const Job& job, Part part, AmongLayers layers, double entering, double leaving,
                     double kept_spread) {
  return {
      part, layers, entering, leaving, kept_spread, tensor_ranks(job.layout), job.layout.sequence_parallel};
}

// One that the whole residual stream enters and leaves.
Region whole_region(const Job& job, Part part, AmongLayers layers) {
  const double elements = residual_elements(job);
  return tensor_region(job, part, layers, elements, elements, elements);
}

// Latent attention: every tensor rank projects down for its own tokens, and what is gathered are latents and
// positions, and hidden states where queries have no latent
// (megatron/core/transformer/multi_latent_attention.py).
Region attention_region(const Job& job) {
  const ModelShape& shape = job.model;
  if (shape.kv_rank == 0) return whole_region(job, Part::attention, AmongLayers::all);
  const std::int64_t queries = shape.query_rank > 0 ? shape.query_rank : shape.hidden_size;
  const double kept = local_tokens(job) * static_cast<double>(queries + shape.kv_rank);
  return tensor_region(job, Part::attention, AmongLayers::all,
                       kept + local_tokens(job) * static_cast<double>(shape.rope_head_size),
                       residual_elements(job), kept);
}

// Whether each tensor rank has a part of the tokens outside the routed experts.
bool brings_own_tokens(const Job& job) {
  const Layout& layout = job.layout;
  if (!gathers_tokens(job)) return routes_own_tokens(layout);
  return layout.tensor_parallel == 1 || ranks_of_experts(layout) != layout.tensor_parallel;
}

// Megatron-Core's dispatchers (megatron/core/transformer/moe/token_dispatcher.py): with expert parallelism,
// tokens are gathered among the ranks that share an expert after they arrive, one copy for each expert that
// they visit, and their results scattered before they leave; without it, as they are. The dispatcher keeps
// what it gathered. If each tensor rank brings all tokens, sums commute with the way back. In a server that
// gathers tokens, all GPUs with experts take the place of those that share one: groups of tensor ranks gather
// what each of these has a part of, and a single group sums as it does for any matrix
// (vllm/distributed/device_communicators/all2all.py, AgRsAll2AllManager).
Region routed_region(const Job& job) {
  const auto& [shape, work, layout, stack, machine] = job;
  const bool gathers = gathers_tokens(job);
  const bool own_tokens = brings_own_tokens(job);
  const bool copies = layout.expert_parallel > 1 && own_tokens && !gathers;
  const double times = copies ? static_cast<double>(shape.experts_per_token) * busiest_experts(work) : 1;
  const Ranks ranks = gathers ? ranks_with_experts(layout) : expert_tensor_ranks(layout);
  const double elements =
      residual_elements(job) * ranks.size / static_cast<double>(layout.tensor_parallel) * times;
  return {Part::mlp,  AmongLayers::moe,
          elements,   elements,
          0,          ranks,
          own_tokens, gathers && own_tokens ? Dimension::expert : Dimension::tensor};
}

// Tensor ranks that have the same tokens and each sent a part of them to experts gather the results, and the
// gradients of their tokens (arXiv:2303.06318, section 5.1).
void add_dropped_tokens(const Job& job, Communications& list) {
  const auto& [shape, work, layout, stack, machine] = job;
  if (layout.sequence_parallel || !brings_own_tokens(job)) return;
  Region region = whole_region(job, Part::mlp, AmongLayers::moe);
  region.own_tokens = true;
  const auto add = [&](StepPhase phase, Payload payload) {
    add_gather(region, Dimension::tensor, phase, payload, region.leaving, OverlapsWith::nothing, list);
  };
  add(forward_phase(work.mode), Payload::activations);
  if (work.mode != Mode::training) return;
  add(StepPhase::backward, Payload::activation_gradients);
  if (recomputes_all(work)) add(StepPhase::recompute, Payload::activations);
}

}  // namespace

void add_tensor_messages(const Job& job, Communications& list) {
  const ModelShape& shape = job.model;
  if (shape.parallel_sublayers)
    return add_region(job, whole_region(job, Part::layer, AmongLayers::all), list);
  add_region(job, attention_region(job), list);
  if (expert_layers(shape) < shape.num_layers)
    add_region(job, whole_region(job, Part::mlp, AmongLayers::dense), list);
  if (expert_layers(shape) == 0) return;
  add_region(job, routed_region(job), list);
  add_dropped_tokens(job, list);
  // Shared experts are an MLP of their own.
  if (shape.num_shared_experts > 0)
    add_region(job, whole_region(job, Part::shared_experts, AmongLayers::moe), list);
}

// Ranks see different tokens, so what they all hold whole has gradients to add up, once an iteration.
void add_replicated_messages(const Layout& layout, const Holdings& holdings, Communications& list) {
  if (!layout.sequence_parallel) return;
  Communication message =
      layer_message(Dimension::sequence, StepPhase::optimizer, Part::norm, Payload::weight_gradients,
                    Collective::all_reduce, tensor_ranks(layout), 0);
  message.per = Per::iteration;
  for (const Holding& holding : holdings) {
    if (holding.part != Part::layers) continue;
    message.elements += holding.modules * holding.whole;
    message.count = holding.copies;
  }
  list.add(message);
  for (const Holding& holding : holdings) {
    if (holding.part != Part::lm_head) continue;
    message.elements = holding.whole;
    message.count = holding.copies;
    message.stages = holding.stages;
    list.add(message);
  }
}

}  // namespace commcost
