#include "core/parallel/call.h"
#include "core/parallel/exchange.h"

namespace commcost {

// Two all-to-alls a layer with experts, tokens to their experts and results back, and the same for gradients.
// Every token travels to each of its experts, routing taken as even.
void add_expert(LedgerWriter& writer) {
  const Setting& setting = writer.setting;
  const StridedGroup group = expert_group(setting.layout);
  const auto add = [&](StepPhase phase, Payload payload) {
    writer.add(group, {Dimension::expert, phase, Part::mlp, payload, Collective::all_to_all,
                       writer.local_tokens / expert_senders(setting.layout) * writer.hidden *
                           static_cast<double>(setting.shape.experts_per_token),
                       2 * writer.share.expert_layers * writer.steps});
  };
  add(writer.forward, Payload::activations);
  if (!writer.training) return;
  add(StepPhase::backward, Payload::activation_gradients);
  if (setting.work.recompute == Recompute::full) add(StepPhase::recompute, Payload::activations);
}

}  // namespace commcost
