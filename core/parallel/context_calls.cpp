#include "core/parallel/call.h"
#include "core/parallel/exchange.h"

namespace commcost {
namespace {

// Each rank's block of keys and values visits every other rank; in the backward pass their gradients travel
// too.
void add_ring(LedgerWriter& writer, double width) {
  const StridedGroup group = context_group(writer.setting.layout);
  const auto add = [&](StepPhase phase, Payload payload) {
    writer.add(group, {Dimension::context, phase, Part::attention, payload, Collective::send_receive,
                       writer.local_tokens * width, (group.size - 1) * writer.share.layers * writer.steps,
                       HiddenBy::attention});
  };
  add(writer.forward, Payload::keys_and_values);
  if (!writer.training) return;
  add(StepPhase::backward, Payload::keys_and_values);
  add(StepPhase::backward, Payload::activation_gradients);
  if (writer.setting.work.recompute == Recompute::full) add(StepPhase::recompute, Payload::keys_and_values);
}

void add_gathering(LedgerWriter& writer, double width) {
  const StridedGroup group = context_group(writer.setting.layout);
  const auto add = [&](StepPhase phase, Payload payload, Collective collective) {
    writer.add(group, {Dimension::context, phase, Part::attention, payload, collective,
                       group.size * writer.local_tokens * width, writer.share.layers * writer.steps});
  };
  add(writer.forward, Payload::keys_and_values, Collective::all_gather);
  if (!writer.training) return;
  add(StepPhase::backward, Payload::keys_and_values, Collective::all_gather);
  add(StepPhase::backward, Payload::activation_gradients, Collective::reduce_scatter);
  if (writer.setting.work.recompute == Recompute::full) {
    add(StepPhase::recompute, Payload::keys_and_values, Collective::all_gather);
  }
}

// DeepSpeed-Ulysses (arXiv:2309.14509): queries, keys, values go to whole sequences of some heads, the output
// back.
void add_ulysses(LedgerWriter& writer, const ExchangedWidths& widths) {
  const StridedGroup group = context_group(writer.setting.layout);
  const auto add = [&](StepPhase phase, Payload payload, Payload keys_and_values) {
    Call call{Dimension::context, phase, Part::attention, payload, Collective::all_to_all};
    call.elements = writer.local_tokens * widths.queries;
    call.calls = 2 * writer.share.layers * writer.steps;
    writer.add(group, call);
    call.payload = keys_and_values;
    call.elements = writer.local_tokens * widths.keys_and_values / 2;
    writer.add(group, call);
  };
  add(writer.forward, Payload::activations, Payload::keys_and_values);
  if (!writer.training) return;
  add(StepPhase::backward, Payload::activation_gradients, Payload::activation_gradients);
  if (writer.setting.work.recompute == Recompute::full) {
    add(StepPhase::recompute, Payload::activations, Payload::keys_and_values);
  }
}

}  // namespace

void add_context(LedgerWriter& writer) {
  if (writer.setting.layout.context_parallel == 1) return;
  const ExchangedWidths widths = exchanged_widths(writer.setting.shape, writer.setting.layout);
  switch (writer.setting.layout.context_scheme) {
    case ContextScheme::ring:
      return add_ring(writer, widths.keys_and_values);
    case ContextScheme::all_gather:
      return add_gathering(writer, widths.keys_and_values);
    case ContextScheme::ulysses:
      return add_ulysses(writer, widths);
  }
}

}  // namespace commcost
