#include "core/parallel/message_parts.h"

namespace commcost {
namespace {

// A micro-batch's path over the boundaries of a stage's chunks, in one direction.
struct Crossing {
  StepPhase phase;
  Payload payload;
  OverlapsWith compute;
  Stages all_but_end;    // which send every chunk on
  Stages end;            // which have no stage to send their last chunk to
  Stages all_but_start;  // which receive every chunk
  Stages start;          // which have no stage to receive their first chunk from
};

// Sends chunks over boundaries, `count` on stages that are `most` and one fewer on an `end`.
void add_way(Communication message, double count, Stages most, Stages end, Communications& list) {
  message.count = count;
  message.stages = most;
  list.add(message);
  message.count = count - 1;
  message.stages = end;
  list.add(message);
}

// Half of the path to one side, half to the other: micro-batches in DualPipe, chunks in DualPipe-V, whose
// fold is on one stage.
void add_both_ways(Communication message, double count, Communications& list) {
  message.count = count / 2;
  for (const Stages stages : {Stages::all_but_last, Stages::all_but_first}) {
    message.stages = stages;
    list.add(message);
  }
}

void add_crossing(const Job& job, const Crossing& crossing, Communications& list) {
  const Layout& layout = job.layout;
  const bool shared = layout.sequence_parallel || layout.scatter_gather;
  const auto chunks = static_cast<double>(chunks_of_a_stage(layout));
  const bool both_ways = ends_meet(layout);
  Communication message =
      layer_message(Dimension::pipeline, crossing.phase, Part::boundary, crossing.payload,
                    Collective::send_receive, pipeline_ranks(layout),
                    residual_elements(job) / (shared ? static_cast<double>(layout.tensor_parallel) : 1));
  message.per = Per::boundary;
  // A stage with other chunks, or with micro-batches of the other direction, computes these while it sends;
  // otherwise the next stage waits.
  message.overlaps_with = chunks > 1 || both_ways ? crossing.compute : OverlapsWith::nothing;
  both_ways ? add_both_ways(message, chunks, list)
            : add_way(message, chunks, crossing.all_but_end, crossing.end, list);
  if (!layout.scatter_gather || layout.sequence_parallel) return;
  // The shares are gathered where they arrive.
  message.collective = Collective::all_gather;
  message.ranks = tensor_ranks(layout);
  message.elements = residual_elements(job);
  message.overlaps_with = OverlapsWith::nothing;
  both_ways ? add_both_ways(message, chunks, list)
            : add_way(message, chunks, crossing.all_but_start, crossing.start, list);
}

}  // namespace

// Point to point between neighbouring stages: b s h elements a micro-batch and direction, a share of them
// from each tensor rank where they are scattered, times the chunks of a stage (arXiv:2104.04473, sections 3.2
// and 4.1).
void add_boundary_messages(const Job& job, Communications& list) {
  if (job.layout.pipeline_parallel == 1) return;
  add_crossing(job,
               {forward_phase(job.work.mode), Payload::activations, OverlapsWith::forward,
                Stages::all_but_last, Stages::last, Stages::all_but_first, Stages::first},
               list);
  if (job.work.mode != Mode::training) return;
  add_crossing(job,
               {StepPhase::backward, Payload::activation_gradients, OverlapsWith::backward,
                Stages::all_but_first, Stages::first, Stages::all_but_last, Stages::last},
               list);
}

// First and last stage each hold a copy of the word embedding and must update it identically; where the ends
// meet they hold one.
void add_tied_embedding_message(const Job& job, const StageShare& share, Communications& list) {
  if (!job.model.tied_embeddings || ends_meet(job.layout)) return;
  list.add({Dimension::pipeline, StepPhase::optimizer, Part::embedding, Payload::weight_gradients,
            Collective::all_reduce, pipeline_ends(job.layout), share.word_embedding, Per::iteration, 1,
            OverlapsWith::nothing, Stages::first_and_last, AmongLayers::all});
}

}  // namespace commcost
