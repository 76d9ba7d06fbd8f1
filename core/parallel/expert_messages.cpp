#include "core/model/recomputation.h"
#include "core/parallel/ledger.h"
#include "core/parallel/message_parts.h"
#include "core/parallel/served_exchange.h"

namespace commcost {

namespace {

// What sends the tokens of a message; it counts a copy for each expert that a token visits.
TokenExchange exchange_of(const Communication& message, const Job& job) {
  const ModelShape& shape = job.model;
  const double copies = message.elements / static_cast<double>(shape.hidden_size);
  TokenExchange exchange;
  exchange.kernel = job.layout.expert_exchange;
  exchange.phase = message.payload == Payload::dispatched ? ExchangePhase::dispatch : ExchangePhase::combine;
  exchange.routing = {static_cast<double>(shape.num_experts), static_cast<double>(shape.experts_per_token),
                      static_cast<double>(shape.expert_groups), static_cast<double>(shape.routed_groups)};
  exchange.tokens = copies / exchange.routing.experts_per_token;
  exchange.bytes_per_token = bytes_of(message, job).message / copies;
  return exchange;
}

}  // namespace

// A dispatch and a combine for each pass of a layer with experts: tokens to their experts and results back,
// and the same for gradients. Each token counts once for each expert that it visits, whatever the kernel
// makes of it, and the rank is the one whose experts are visited most; each tensor rank sends its own tokens,
// or all of them. Servers that gather tokens use the sums and gathers of ranks that share a matrix instead.
void add_expert_messages(const Job& job, Communications& list) {
  const ModelShape& shape = job.model;
  const Work& work = job.work;
  const Layout& layout = job.layout;
  if (gathers_tokens(job)) return;
  const double senders = routes_own_tokens(layout) ? static_cast<double>(layout.tensor_parallel) : 1;
  const double elements =
      residual_elements(job) / senders * static_cast<double>(shape.experts_per_token) * busiest_experts(work);
  const auto add = [&](StepPhase phase) {
    for (const Payload payload : {Payload::dispatched, Payload::combined}) {
      Communication message = layer_message(Dimension::expert, phase, Part::mlp, payload,
                                            Collective::all_to_all, expert_ranks(layout), elements);
      message.layers = AmongLayers::moe;
      if (layout.overlap_expert) message.overlaps_with = OverlapsWith::other_micro_batch;
      message.exchange = exchange_of(message, job);
      list.add(message);
    }
  };
  add(forward_phase(work.mode));
  if (work.mode != Mode::training) return;
  add(StepPhase::backward);
  if (recomputes_all(work)) add(StepPhase::recompute);
}

}  // namespace commcost
