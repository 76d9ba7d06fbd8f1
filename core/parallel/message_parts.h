#pragma once

#include "core/parallel/communications.h"

namespace commcost {

/// Defaults: sent by every stage, once per layer, not overlapped.
inline Communication layer_message(Dimension dimension, StepPhase phase, Part part, Payload payload,
                                   Collective collective, const Ranks& ranks, double elements) {
  return {dimension,   phase,           part,       payload, collective,
          ranks,       elements,        Per::layer, 1,       OverlapsWith::nothing,
          Stages::all, AmongLayers::all};
}

/// The name of the forward pass in a mode.
inline StepPhase forward_phase(Mode mode) {
  if (mode == Mode::prefill) return StepPhase::prefill;
  return mode == Mode::decode ? StepPhase::decode : StepPhase::forward;
}

/// Tokens of a micro-batch on a context rank.
inline double local_tokens(const Job& job) {
  return tokens(job.work) / static_cast<double>(job.layout.context_parallel);
}

/// Elements of the residual stream of a micro-batch on a context rank: b s h / c.
inline double residual_elements(const Job& job) {
  return local_tokens(job) * static_cast<double>(job.model.hidden_size);
}

/// What tensor and sequence parallelism send in a layer.
void add_tensor_messages(const Job& job, Communications& list);
/// What context parallelism sends in a layer.
void add_context_messages(const Job& job, Communications& list);
/// What expert parallelism sends in a layer.
void add_expert_messages(const Job& job, Communications& list);
/// What sequence parallelism sums once an iteration: gradients of what every tensor rank holds whole.
void add_replicated_messages(const Layout& layout, const Holdings& holdings, Communications& list);
/// What replicas exchange.
void add_data_messages(const Layout& layout, const Holdings& holdings, Communications& list);
/// What the ends of a pipeline sum once an iteration where they share their embedding.
void add_tied_embedding_message(const Job& job, const StageShare& share, Communications& list);

}  // namespace commcost
