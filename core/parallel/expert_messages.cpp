#include "core/parallel/message_parts.h"

namespace commcost {

// Two all-to-alls a layer with experts, tokens to their experts and results back, and the same for gradients.
// Every token travels to each of its experts, routing taken as even; with sequence parallelism each tensor
// rank sends its own tokens, without it all of them.
void add_expert_messages(const Setting& setting, Communications& list) {
  const ModelShape& shape = setting.shape;
  const Work& work = setting.work;
  const Layout& layout = setting.layout;
  const double senders = layout.sequence_parallel ? static_cast<double>(layout.tensor_parallel) : 1;
  const auto add = [&](StepPhase phase, Payload payload) {
    Communication message = layer_message(
        Dimension::expert, phase, Part::mlp, payload, Collective::all_to_all, expert_ranks(layout),
        residual_elements(setting) / senders * static_cast<double>(shape.experts_per_token));
    message.count = 2;
    message.layers = AmongLayers::moe;
    list.add(message);
  };
  add(forward_phase(work.mode), Payload::activations);
  if (work.mode != Mode::training) return;
  add(StepPhase::backward, Payload::activation_gradients);
  if (work.recompute == Recompute::full) add(StepPhase::recompute, Payload::activations);
}

}  // namespace commcost
