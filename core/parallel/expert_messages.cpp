#include "core/model/recomputation.h"
#include "core/parallel/message_parts.h"

namespace commcost {

// A dispatch and a combine for each pass of a layer with experts: tokens to their experts and results back,
// and the same way for gradients. Each token counts once for each expert that it visits, whatever the kernel
// makes of it, and the rank is the one whose experts are visited most; each tensor rank sends its own tokens,
// or all of them.
void add_expert_messages(const Setting& setting, Communications& list) {
  const ModelShape& shape = setting.shape;
  const Work& work = setting.work;
  const Layout& layout = setting.layout;
  const double senders = routes_own_tokens(layout) ? static_cast<double>(layout.tensor_parallel) : 1;
  const double elements = residual_elements(setting) / senders *
                          static_cast<double>(shape.experts_per_token) * busiest_experts(work);
  const auto add = [&](StepPhase phase) {
    for (const Payload payload : {Payload::dispatched, Payload::combined}) {
      Communication message = layer_message(Dimension::expert, phase, Part::mlp, payload,
                                            Collective::all_to_all, expert_ranks(layout), elements);
      message.layers = AmongLayers::moe;
      if (layout.overlap_expert) message.overlaps_with = OverlapsWith::other_micro_batch;
      list.add(message);
    }
  };
  add(forward_phase(work.mode));
  if (work.mode != Mode::training) return;
  add(StepPhase::backward);
  if (recomputes_all(work)) add(StepPhase::recompute);
}

}  // namespace commcost
