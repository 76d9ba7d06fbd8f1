#include "core/parallel/call.h"

namespace commcost {

// Megatron-LM's vocabulary-parallel embedding, LM head and loss (megatron/core/tensor_parallel/layers.py and
// cross_entropy.py): the logits never leave their rank in training; three small sums replace them.
void add_vocabulary(LedgerWriter& writer) {
  const Setting& setting = writer.setting;
  if (setting.shape.vocab_size == 0) return;
  const StridedGroup group = tensor_group(setting.layout);
  const bool spread = setting.layout.sequence_parallel;
  const double elements = writer.local_tokens * writer.hidden;
  const auto add = [&](StepPhase phase, Part part, Payload payload, Collective collective, double size,
                       double calls) {
    const Stages stages = part == Part::embedding ? Stages::first : Stages::last;
    writer.add(group, {Dimension::vocabulary, phase, part, payload, collective, size, calls * writer.steps,
                       HiddenBy::nothing, stages});
  };

  add(writer.forward, Part::embedding, Payload::activations,
      spread ? Collective::reduce_scatter : Collective::all_reduce, elements, 1);
  if (spread) add(writer.forward, Part::lm_head, Payload::activations, Collective::all_gather, elements, 1);
  if (!writer.training) {
    // The next token needs the logits of each sequence's last position in one place.
    add(writer.forward, Part::lm_head, Payload::logits, Collective::all_gather,
        static_cast<double>(setting.work.batch_size) * static_cast<double>(setting.shape.vocab_size), 1);
    return;
  }
  // Greatest logit, the label's logit, sum of exponentials.
  add(writer.forward, Part::loss, Payload::loss_terms, Collective::all_reduce, writer.local_tokens, 3);
  add(StepPhase::backward, Part::lm_head, Payload::activation_gradients,
      spread ? Collective::reduce_scatter : Collective::all_reduce, elements, 1);
  if (spread) {
    add(StepPhase::backward, Part::embedding, Payload::activation_gradients, Collective::all_gather, elements,
        1);
  }
}

}  // namespace commcost
