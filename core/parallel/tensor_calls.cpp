#include <span>

#include "core/parallel/call.h"

namespace commcost {
namespace {

// The pair f, g around a block of matrices: all-reduce in one direction, nothing in the other
// (arXiv:1909.08053, section 3), or with sequence parallelism all-gather and reduce-scatter in both
// (arXiv:2205.05198, section 4.2.2).
void add_block(LedgerWriter& writer, Part part, StepPhase phase, Payload payload, HiddenBy sum_hidden_by) {
  const StridedGroup group = tensor_group(writer.setting.layout);
  Call call{Dimension::tensor, phase, part, payload, Collective::all_reduce};
  call.elements = writer.local_tokens * writer.hidden;
  call.calls = writer.share.layers * writer.steps;
  if (writer.setting.layout.sequence_parallel) {
    call.collective = Collective::all_gather;
    writer.add(group, call);
    call.collective = Collective::reduce_scatter;
  }
  call.hidden_by = sum_hidden_by;
  writer.add(group, call);
}

void add_sequence(LedgerWriter& writer, std::span<const Part> parts) {
  const Setting& setting = writer.setting;
  const StridedGroup group = tensor_group(setting.layout);
  if (setting.layout.regather_input && setting.work.recompute != Recompute::full) {
    for (const Part part : parts) {
      writer.add(group, {Dimension::sequence, StepPhase::backward, part, Payload::activations,
                         Collective::all_gather, writer.local_tokens * writer.hidden,
                         writer.share.layers * writer.steps, HiddenBy::input_gradient});
    }
  }
  // Ranks see different tokens, so what they all hold whole has gradients to add up, once a step.
  const StageShare& share = writer.share;
  const double replicated = (share.layers - share.expert_layers) * share.replicated_layer +
                            share.expert_layers * share.replicated_expert_layer;
  writer.add(group, {Dimension::sequence, StepPhase::optimizer, Part::norm, Payload::weight_gradients,
                     Collective::all_reduce, replicated, 1});
}

}  // namespace

void add_tensor(LedgerWriter& writer) {
  const Setting& setting = writer.setting;
  constexpr Part apart[] = {Part::attention, Part::mlp};
  constexpr Part together[] = {Part::layer};
  const std::span<const Part> parts =
      setting.shape.parallel_sublayers ? std::span<const Part>(together) : std::span<const Part>(apart);
  for (const Part part : parts) {
    add_block(writer, part, writer.forward, Payload::activations, HiddenBy::nothing);
    if (!writer.training) continue;
    // The sum of input gradients does not wait for weight gradients, nor they for it.
    add_block(writer, part, StepPhase::backward, Payload::activation_gradients,
              setting.layout.overlap_tensor ? HiddenBy::weight_gradient : HiddenBy::nothing);
    if (setting.work.recompute == Recompute::full) {
      add_block(writer, part, StepPhase::recompute, Payload::activations, HiddenBy::nothing);
    }
  }
  if (writer.training && setting.layout.sequence_parallel) add_sequence(writer, parts);
}

}  // namespace commcost
