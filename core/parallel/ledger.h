#pragma once

#include <vector>

#include "core/parallel/communications.h"

namespace commcost {

/// One message in bytes.
struct MessageBytes {
  double message = 0;    ///< as nccl-tests counts it: the whole tensor of a reduction or gathering
  double converted = 0;  ///< memory read and written to change the data type; 0: not changed, or for nothing
};
MessageBytes bytes_of(const Communication& message, const Job& job);

/// Bytes that each GPU sends, the mean over the group's GPUs.
struct SentBytes {
  double scale_up = 0;  ///< within its scale-up domain
  double network = 0;   ///< to other domains

  double total() const { return scale_up + network; }
};

/// What a message of `message_bytes` makes a GPU send in domains of `gpus_per_domain`: in a ring, or by the
/// kernel that exchanges tokens.
SentBytes sent_bytes(const Communication& message, double message_bytes, double gpus_per_domain);

/// One kind of message, with what a GPU sends in all its calls.
struct SentMessage : Communication {
  double group_size;          ///< ranks that call together
  double message_size_bytes;  ///< of one call, as nccl-tests counts it
  double calls;
  double sent_bytes_per_gpu;       ///< in all calls
  double network_bytes_per_gpu;    ///< of those, to other scale-up domains
  double quantized_bytes_per_gpu;  ///< memory read and written to change the data type

  double scale_up_bytes_per_gpu() const { return sent_bytes_per_gpu - network_bytes_per_gpu; }
};
/// That many calls of a message.
SentMessage sent_message(const Communication& message, const MessageBytes& bytes, const SentBytes& sent,
                         double calls);

/// The same with its time.
struct PricedMessage : SentMessage {
  double time_us;  ///< of all calls, nothing hidden; data types apart
};

/// The total of several messages.
struct MessageSum {
  double calls = 0;
  double sent_bytes_per_gpu = 0;
  double network_bytes_per_gpu = 0;
  double time_us = 0;

  void add(const PricedMessage& message);
};

/// What every parallelism of a completed job without problems sends in an iteration, on a stage with
/// `stage`'s layers; with what only stages at other places send.
std::vector<SentMessage> ledger_of(const Job& job, const Stage& stage, double gpus_per_domain);

/// The first of those stages of such a job that send most bytes; the rest as in ledger_of().
Stage busiest_stage(const Job& job, double gpus_per_domain);

/// Share of a message's bytes that crosses nodes, mean over the group's GPUs, when rings run within nodes
/// first: the rest, at `gpus_per_node` GPUs each, stays on the links within. Both together are what a flat
/// ring sends. Does not apply to an exchange of tokens, which is no ring.
double network_share(const Communication& message, double gpus_per_node);

}  // namespace commcost
