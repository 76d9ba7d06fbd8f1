#include "core/parallel/ledger.h"

#include <algorithm>
#include <cmath>

#include "core/collective/bus_bandwidth.h"

namespace commcost {
namespace {

constexpr double loss_bytes = 4;

double kept_bytes(Payload payload, const Work& work) {
  switch (payload) {
    case Payload::weight_gradients:
      return static_cast<double>(work.gradient_bytes_per_element);
    case Payload::loss_terms:
      return loss_bytes;
    default:
      return static_cast<double>(work.bytes_per_element);
  }
}

double wire_bytes(Payload payload, const Layout& layout) {
  switch (payload) {
    case Payload::weight_gradients:
      return layout.gradient_wire_bytes_per_element;
    case Payload::weights:
      return layout.parameter_wire_bytes_per_element;
    case Payload::loss_terms:
      return loss_bytes;
    case Payload::dispatched:
      return layout.dispatch_wire_bytes_per_element;
    case Payload::combined:
      return layout.combine_wire_bytes_per_element;
    default:
      return layout.activation_wire_bytes_per_element;
  }
}

// Elements that are converted, in messages, each read in one data type and written in the other: what a rank
// sends is converted before, what it receives after; a reduction adds in the wider type, so it needs both.
double conversions(Collective collective, double ranks) {
  switch (collective) {
    case Collective::all_reduce:
      return 3 + 1 / ranks;
    case Collective::all_gather:
      return 1 + 1 / ranks;
    default:
      return 2;
  }
}

}  // namespace

MessageBytes bytes_of(const Communication& message, const Job& job) {
  const double wire = wire_bytes(message.payload, job.layout);
  const double kept = kept_bytes(message.payload, job.work);
  const bool converts = wire != kept && !job.layout.fused_quantization;
  MessageBytes bytes;
  bytes.message = message.elements * wire;
  if (converts)
    bytes.converted = message.elements * conversions(message.collective, message.ranks.size) * (kept + wire);
  return bytes;
}

SentBytes sent_bytes(const Communication& message, double message_bytes, double gpus_per_domain) {
  if (message.exchange) {
    const Routing& routing = message.exchange->routing;
    const TokenCopies copies = token_copies(message.exchange->kernel, routing, message.ranks.size,
                                            std::ceil(domains_of(message.ranks, gpus_per_domain)));
    const double copy = message_bytes / routing.experts_per_token;
    return {copy * copies.inside, copy * copies.network};
  }
  const double sent = ring_sent_bytes(message.collective, message.ranks.size, message_bytes);
  const double network = sent * network_share(message, gpus_per_domain);
  return {sent - network, network};
}

SentMessage sent_message(const Communication& message, const MessageBytes& bytes, const SentBytes& sent,
                         double calls) {
  return {message,
          message.ranks.size,
          bytes.message,
          calls,
          sent.total() * calls,
          sent.network * calls,
          bytes.converted * calls};
}

std::vector<SentMessage> ledger_of(const Job& job, const Stage& stage, double gpus_per_domain) {
  const Communications messages = communications_of(job, stage_share(job), stage);
  const auto count = static_cast<double>(micro_batches(job.work, job.layout));
  std::vector<SentMessage> sent;
  sent.reserve(messages.size());
  for (const Communication& message : messages) {
    const double times = calls(message, stage, count);
    if (times == 0) continue;
    const MessageBytes bytes = bytes_of(message, job);
    sent.push_back(sent_message(message, bytes, sent_bytes(message, bytes.message, gpus_per_domain), times));
  }
  return sent;
}

void MessageSum::add(const PricedMessage& message) {
  calls += message.calls;
  sent_bytes_per_gpu += message.sent_bytes_per_gpu;
  network_bytes_per_gpu += message.network_bytes_per_gpu;
  time_us += message.time_us;
}

Stage busiest_stage(const Job& job, double gpus_per_domain) {
  const StageShare share = stage_share(job);
  if (job.layout.pipeline_parallel == 1) return stage_at(job, share, 0);
  Stage busiest;
  Stage before;
  double most = -1;
  for (std::int64_t at = 0; at < job.layout.pipeline_parallel; ++at) {
    const Stage stage = stage_at(job, share, at);
    const bool alike = stage.place == before.place && stage.dense_layers == before.dense_layers &&
                       stage.moe_layers == before.moe_layers;
    before = stage;
    if (at > 0 && alike) continue;
    double sent = 0;
    for (const SentMessage& message : ledger_of(job, stage, gpus_per_domain))
      if (takes_part(message, stage)) sent += message.sent_bytes_per_gpu;
    if (sent <= most) continue;
    most = sent;
    busiest = stage;
  }
  return busiest;
}

double network_share(const Communication& message, double gpus_per_node) {
  const Ranks& ranks = message.ranks;
  const double here = std::clamp(gpus_per_node / ranks.stride, 1.0, ranks.size);
  if (here >= ranks.size) return 0;
  const double elsewhere = (ranks.size - here) / (ranks.size - 1);
  // Every rank writes to every other.
  if (message.collective == Collective::all_to_all) return elsewhere;
  // In a ring, one rank in g has its neighbour on another node.
  if (message.dimension == Dimension::context && message.collective == Collective::send_receive) {
    return 1 / here;
  }
  // Reductions and gatherings: of (n - 1)/n in all, (g - 1)/g stays within a node. A line of stages: of n - 1
  // boundaries, n/g - 1 lie between nodes. Both come to the same share.
  return elsewhere / here;
}

}  // namespace commcost
