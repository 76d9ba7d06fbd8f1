#include "core/parallel/message_parts.h"

namespace commcost {
namespace {

// A micro-batch's way over the boundaries of a stage's chunks, in one direction.
struct Crossing {
  StepPhase phase;
  Payload payload;
  OverlapsWith compute;
  Stages all_but_end;    // who sends every chunk on
  Stages end;            // who has nobody to send its last chunk to
  Stages all_but_start;  // who receives every chunk
  Stages start;          // who has nobody to receive its first chunk from
};

void add_crossing(const Setting& setting, const Crossing& crossing, Communications& list) {
  const Layout& layout = setting.layout;
  const bool shared = layout.sequence_parallel || layout.scatter_gather;
  const auto chunks = static_cast<double>(layout.virtual_stages);
  Communication message =
      layer_message(Dimension::pipeline, crossing.phase, Part::boundary, crossing.payload,
                    Collective::send_receive, pipeline_ranks(layout),
                    residual_elements(setting) / (shared ? static_cast<double>(layout.tensor_parallel) : 1));
  message.per = Per::boundary;
  // Chunks let a stage compute one while it sends another; without them the next stage waits.
  message.overlaps_with = layout.virtual_stages > 1 ? crossing.compute : OverlapsWith::nothing;
  message.count = chunks;
  message.stages = crossing.all_but_end;
  list.add(message);
  message.count = chunks - 1;
  message.stages = crossing.end;
  list.add(message);
  if (!layout.scatter_gather || layout.sequence_parallel) return;
  // The shares are put together where they arrive.
  message.collective = Collective::all_gather;
  message.ranks = tensor_ranks(layout);
  message.elements = residual_elements(setting);
  message.overlaps_with = OverlapsWith::nothing;
  message.count = chunks;
  message.stages = crossing.all_but_start;
  list.add(message);
  message.count = chunks - 1;
  message.stages = crossing.start;
  list.add(message);
}

}  // namespace

// Point to point between neighbouring stages: b s h elements a micro-batch and direction, a share of them
// from each tensor rank where they are scattered, times the chunks of a stage (arXiv:2104.04473, sections 3.2
// and 4.1).
void add_boundary_messages(const Setting& setting, Communications& list) {
  if (setting.layout.pipeline_parallel == 1) return;
  add_crossing(setting,
               {forward_phase(setting.work.mode), Payload::activations, OverlapsWith::forward,
                Stages::all_but_last, Stages::last, Stages::all_but_first, Stages::first},
               list);
  if (setting.work.mode != Mode::training) return;
  add_crossing(setting,
               {StepPhase::backward, Payload::activation_gradients, OverlapsWith::backward,
                Stages::all_but_first, Stages::first, Stages::all_but_last, Stages::last},
               list);
}

// First and last stage hold a copy each of the word embedding, and must change it alike.
void add_tied_embedding_message(const Setting& setting, const StageShare& share, Communications& list) {
  if (!setting.shape.tied_embeddings) return;
  list.add({Dimension::pipeline, StepPhase::optimizer, Part::embedding, Payload::weight_gradients,
            Collective::all_reduce, pipeline_ends(setting.layout), share.word_embedding, Per::iteration, 1,
            OverlapsWith::nothing, Stages::first_and_last, AmongLayers::all});
}

}  // namespace commcost
