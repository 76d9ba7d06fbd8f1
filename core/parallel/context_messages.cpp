#include <algorithm>

#include "core/model/recomputation.h"
#include "core/parallel/message_parts.h"

namespace commcost {
namespace {

// Elements of a token that a rank exchanges.
struct Widths {
  double queries;          // its queries on a tensor rank, and an equal amount of the attention's output
  double keys_and_values;  // its keys and values together; under latent attention the latents
};

Widths widths_of(const ModelShape& shape, const Layout& layout) {
  const ModelShape shard = tensor_shard(shape, layout.tensor_parallel);
  const auto head = static_cast<double>(shard.head_size);
  const double queries = static_cast<double>(shard.num_heads) * head;
  // Every tensor rank holds the latents whole.
  if (shard.kv_rank > 0) return {queries, static_cast<double>(shard.kv_rank + shard.rope_head_size)};
  double kv_heads = static_cast<double>(shard.num_kv_heads);
  // Under Ulysses every rank ends with whole heads, copies where there are too few (arXiv:2309.14509).
  if (layout.context_scheme == ContextScheme::ulysses) {
    kv_heads = std::max(kv_heads, static_cast<double>(layout.context_parallel));
  }
  return {queries, 2 * kv_heads * head};
}

// Each rank's block of keys and values visits every other rank; in the backward pass their gradients travel
// too. Meanwhile the current block is computed.
void add_ring(const Job& job, double width, Communications& list) {
  const auto& [shape, work, layout, stack, machine] = job;
  const Ranks ranks = context_ranks(layout);
  const auto add = [&](StepPhase phase, Payload payload) {
    Communication message = layer_message(Dimension::context, phase, Part::attention, payload,
                                          Collective::send_receive, ranks, local_tokens(job) * width);
    message.count = ranks.size - 1;
    message.overlaps_with = OverlapsWith::attention;
    list.add(message);
  };
  add(forward_phase(work.mode), Payload::keys_and_values);
  if (work.mode != Mode::training) return;
  add(StepPhase::backward, Payload::keys_and_values);
  add(StepPhase::backward, Payload::activation_gradients);
  if (recomputes_all(work)) add(StepPhase::recompute, Payload::keys_and_values);
}

void add_gathering(const Job& job, double width, Communications& list) {
  const auto& [shape, work, layout, stack, machine] = job;
  const Ranks ranks = context_ranks(layout);
  const auto add = [&](StepPhase phase, Payload payload, Collective collective) {
    list.add(layer_message(Dimension::context, phase, Part::attention, payload, collective, ranks,
                           ranks.size * local_tokens(job) * width));
  };
  add(forward_phase(work.mode), Payload::keys_and_values, Collective::all_gather);
  if (work.mode != Mode::training) return;
  add(StepPhase::backward, Payload::keys_and_values, Collective::all_gather);
  add(StepPhase::backward, Payload::activation_gradients, Collective::reduce_scatter);
  if (recomputes_all(work)) {
    add(StepPhase::recompute, Payload::keys_and_values, Collective::all_gather);
  }
}

// DeepSpeed-Ulysses (arXiv:2309.14509): queries, keys, values go to whole sequences of some heads, the output
// back.
void add_ulysses(const Job& job, const Widths& widths, Communications& list) {
  const Work& work = job.work;
  const auto add = [&](StepPhase phase, Payload payload, Payload keys_and_values) {
    Communication message =
        layer_message(Dimension::context, phase, Part::attention, payload, Collective::all_to_all,
                      context_ranks(job.layout), local_tokens(job) * widths.queries);
    message.count = 2;
    list.add(message);
    message.payload = keys_and_values;
    message.elements = local_tokens(job) * widths.keys_and_values / 2;
    list.add(message);
  };
  add(forward_phase(work.mode), Payload::activations, Payload::keys_and_values);
  if (work.mode != Mode::training) return;
  add(StepPhase::backward, Payload::activation_gradients, Payload::activation_gradients);
  if (recomputes_all(work)) {
    add(StepPhase::recompute, Payload::activations, Payload::keys_and_values);
  }
}

}  // namespace

void add_context_messages(const Job& job, Communications& list) {
  if (job.layout.context_parallel == 1) return;
  const Widths widths = widths_of(job.model, job.layout);
  switch (job.layout.context_scheme) {
    case ContextScheme::ring:
      return add_ring(job, widths.keys_and_values, list);
    case ContextScheme::all_gather:
      return add_gathering(job, widths.keys_and_values, list);
    case ContextScheme::ulysses:
      return add_ulysses(job, widths, list);
  }
}

}  // namespace commcost
