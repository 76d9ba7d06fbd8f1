#include "core/parallel/message_parts.h"

namespace commcost {

// Megatron-LM's vocabulary-parallel embedding, LM head and loss (megatron/core/tensor_parallel/layers.py and
// cross_entropy.py): the logits never leave their rank in training; three small sums replace them. With
// learned positions the embedding is summed whole, and split only after they are added
// (megatron/core/models/common/embeddings/language_model_embedding.py).
void add_vocabulary_messages(const Job& job, Communications& list) {
  const ModelShape& shape = job.model;
  const Work& work = job.work;
  const Layout& layout = job.layout;
  if (shape.vocab_size == 0) return;
  const bool spread = layout.sequence_parallel;
  const double elements = residual_elements(job);
  const StepPhase forward = forward_phase(work.mode);
  const auto add = [&](Dimension dimension, StepPhase phase, Part part, Payload payload,
                       Collective collective, double size, double count = 1,
                       OverlapsWith overlaps_with = OverlapsWith::nothing) {
    const Stages stages = part == Part::embedding ? Stages::first : Stages::last;
    list.add({dimension, phase, part, payload, collective, tensor_ranks(layout), size, Per::micro_batch,
              count, overlaps_with, stages, AmongLayers::all});
  };
  constexpr Dimension vocabulary = Dimension::vocabulary;
  const Collective sum = spread ? Collective::reduce_scatter : Collective::all_reduce;

  add(vocabulary, forward, Part::embedding, Payload::activations,
      shape.num_positions > 0 ? Collective::all_reduce : sum, elements);
  if (spread) add(vocabulary, forward, Part::lm_head, Payload::activations, Collective::all_gather, elements);
  if (work.mode != Mode::training) {
    // The next token needs the logits of each sequence's last position in one place.
    return add(vocabulary, forward, Part::lm_head, Payload::logits, Collective::all_gather,
               static_cast<double>(work.batch_size) * static_cast<double>(shape.vocab_size));
  }
  // Greatest logit, the label's logit, sum of exponentials.
  add(vocabulary, forward, Part::loss, Payload::loss_terms, Collective::all_reduce, local_tokens(job), 3);
  add(vocabulary, StepPhase::backward, Part::lm_head, Payload::activation_gradients, sum, elements);
  if (!spread) return;
  add(vocabulary, StepPhase::backward, Part::embedding, Payload::activation_gradients, Collective::all_gather,
      elements);
  if (layout.regather_input) {
    add(Dimension::sequence, StepPhase::backward, Part::lm_head, Payload::activations, Collective::all_gather,
        elements, 1, OverlapsWith::input_gradient);
  }
}

}  // namespace commcost
