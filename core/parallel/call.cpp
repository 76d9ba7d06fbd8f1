#include "core/parallel/call.h"

#include "core/collective/bus_bandwidth.h"

namespace commcost {
namespace {

StepPhase forward_phase(Mode mode) {
  switch (mode) {
    case Mode::training:
      return StepPhase::forward;
    case Mode::prefill:
      return StepPhase::prefill;
    case Mode::decode:
      return StepPhase::decode;
  }
  return StepPhase::forward;
}

// Elements that are converted, in messages, each of them read in one data type and written in the other: what
// a rank sends is converted before, what it receives after; a reduction adds in the wider type, so it needs
// both.
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

LedgerWriter::LedgerWriter(const Setting& from)
    : setting(from),
      share(stage_share(from)),
      steps(static_cast<double>(micro_batches(from.work, from.layout))),
      local_tokens(tokens(from.work) / static_cast<double>(from.layout.context_parallel)),
      hidden(static_cast<double>(from.shape.hidden_size)),
      training(from.work.mode == Mode::training),
      forward(forward_phase(from.work.mode)) {}

double LedgerWriter::kept_bytes(Payload payload) const {
  switch (payload) {
    case Payload::weight_gradients:
      return static_cast<double>(setting.work.gradient_bytes_per_element);
    case Payload::loss_terms:
      return 4;
    default:
      return static_cast<double>(setting.work.bytes_per_element);
  }
}

double LedgerWriter::wire_bytes(Payload payload) const {
  switch (payload) {
    case Payload::weight_gradients:
      return setting.layout.gradient_wire_bytes_per_element;
    case Payload::weights:
      return setting.layout.parameter_wire_bytes_per_element;
    case Payload::loss_terms:
      return 4;
    default:
      return setting.layout.activation_wire_bytes_per_element;
  }
}

void LedgerWriter::add(const StridedGroup& group, const Call& call) {
  if (group.size <= 1 || call.elements <= 0 || call.calls <= 0) return;
  const double wire = wire_bytes(call.payload);
  const double kept = kept_bytes(call.payload);
  const double message = call.elements * wire;
  const double quantized =
      wire == kept ? 0
                   : call.elements * conversions(call.collective, group.size) * (kept + wire) * call.calls;
  ledger.add({call.dimension, call.phase, call.part, call.payload, call.collective, call.hidden_by,
              call.stages, group.size, group.stride, message, call.calls,
              ring_sent_bytes(call.collective, group.size, message * call.calls), quantized});
}

StridedGroup tensor_group(const Layout& layout) {
  return {static_cast<double>(layout.tensor_parallel), 1};
}

StridedGroup context_group(const Layout& layout) {
  return {static_cast<double>(layout.context_parallel), static_cast<double>(layout.tensor_parallel)};
}

StridedGroup data_group(const Layout& layout) {
  return {static_cast<double>(layout.data_parallel * layout.context_parallel),
          static_cast<double>(layout.tensor_parallel)};
}

StridedGroup expert_group(const Layout& layout) {
  return {static_cast<double>(layout.expert_parallel), static_cast<double>(layout.tensor_parallel)};
}

StridedGroup expert_data_group(const Layout& layout) {
  return {static_cast<double>(layout.data_parallel * layout.context_parallel / layout.expert_parallel),
          static_cast<double>(layout.tensor_parallel * layout.expert_parallel)};
}

StridedGroup pipeline_group(const Layout& layout) {
  return {static_cast<double>(layout.pipeline_parallel),
          static_cast<double>(layout.tensor_parallel * layout.context_parallel * layout.data_parallel)};
}

StridedGroup pipeline_ends(const Layout& layout) {
  const StridedGroup line = pipeline_group(layout);
  return line.size > 1 ? StridedGroup{2, line.stride * (line.size - 1)} : StridedGroup{};
}

}  // namespace commcost
