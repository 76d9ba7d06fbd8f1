#include "core/parallel/call.h"

namespace commcost {
namespace {

void add_boundary(LedgerWriter& writer, StepPhase phase, Payload payload, Stages others, Stages end) {
  const Layout& layout = writer.setting.layout;
  const bool interleaved = layout.virtual_stages > 1;
  const auto ranks = static_cast<double>(layout.tensor_parallel);
  const bool shared = layout.sequence_parallel || layout.scatter_gather;
  const auto chunks = static_cast<double>(layout.virtual_stages);
  const HiddenBy compute = phase == StepPhase::backward ? HiddenBy::backward : HiddenBy::forward;

  Call call{Dimension::pipeline, phase, Part::boundary, payload, Collective::send_receive};
  call.elements = writer.local_tokens * writer.hidden / (shared ? ranks : 1);
  // Chunks let a stage compute one while it sends another; without them the next stage waits.
  call.hidden_by = interleaved ? compute : HiddenBy::nothing;
  // One end of the pipeline has nobody to send its last chunk to.
  call.calls = chunks * writer.steps;
  call.stages = others;
  writer.add(pipeline_group(layout), call);
  call.calls = (chunks - 1) * writer.steps;
  call.stages = end;
  writer.add(pipeline_group(layout), call);

  if (layout.scatter_gather && !layout.sequence_parallel) {
    call.collective = Collective::all_gather;
    call.elements = writer.local_tokens * writer.hidden;
    call.calls = chunks * writer.steps;
    call.hidden_by = HiddenBy::nothing;
    // Who sends forward is followed by who gathers: all but the other end.
    call.stages = others == Stages::all_but_last ? Stages::all_but_first : Stages::all_but_last;
    writer.add(tensor_group(layout), call);
  }
}

}  // namespace

// Point to point between neighbouring stages: b s h elements a micro-batch and direction, a share of them
// from each tensor rank where they are scattered, times the chunks of a stage (arXiv:2104.04473, sections 3.2
// and 4.1).
void add_pipeline(LedgerWriter& writer) {
  const Layout& layout = writer.setting.layout;
  if (layout.pipeline_parallel == 1) return;
  add_boundary(writer, writer.forward, Payload::activations, Stages::all_but_last, Stages::last);
  if (!writer.training) return;
  add_boundary(writer, StepPhase::backward, Payload::activation_gradients, Stages::all_but_first,
               Stages::first);
  if (writer.setting.shape.tied_embeddings) {
    // First and last stage hold a copy each, and must change it alike.
    writer.add(pipeline_ends(layout), {Dimension::pipeline, StepPhase::optimizer, Part::embedding,
                                       Payload::weight_gradients, Collective::all_reduce,
                                       writer.share.embedding, 1, HiddenBy::nothing, Stages::first_and_last});
  }
}

}  // namespace commcost
