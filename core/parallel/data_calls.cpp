#include <cmath>

#include "core/parallel/call.h"

namespace commcost {
namespace {

// What replicas hold alike of one part of the model.
struct Held {
  Part part;
  Stages stages;
  bool experts;     // whether these are routed experts, whose replicas are fewer
  double elements;  // on a GPU
  double pieces;    // how many messages carry it when each module travels by itself
};

// DDP and ZeRO-1, 2: gradients leave in buckets as the backward pass fills them, once a step or, where they
// are sharded, once a micro-batch, since a rank that keeps a shard cannot add up the rest (DeepSpeed stage
// 2).
void add_buckets(LedgerWriter& writer, const StridedGroup& group, const Held& held, const Call& call) {
  const Layout& layout = writer.setting.layout;
  const double bucket = std::floor(layout.bucket_size_bytes / layout.gradient_wire_bytes_per_element);
  const bool whole = bucket <= 0 || bucket >= held.elements;
  const double full = whole ? 1 : std::floor(held.elements / bucket);
  Call bucketed = call;
  bucketed.elements = whole ? held.elements : bucket;
  bucketed.calls = call.calls * full;
  writer.add(group, bucketed);
  if (whole) return;
  bucketed.elements = held.elements - full * bucket;
  bucketed.calls = call.calls;
  writer.add(group, bucketed);
}

void add_reduced(LedgerWriter& writer, const StridedGroup& group, const Held& held) {
  const Layout& layout = writer.setting.layout;
  const bool overlap = layout.overlap_data;
  const bool sharded = layout.zero_stage > 0 && layout.zero_gradients == ZeroGradients::reduce_scatter;
  Call call{Dimension::data, StepPhase::backward, held.part, Payload::weight_gradients,
            sharded ? Collective::reduce_scatter : Collective::all_reduce};
  call.calls = layout.zero_stage == 2 ? writer.steps : 1;
  call.hidden_by = overlap ? HiddenBy::backward : HiddenBy::nothing;
  call.stages = held.stages;
  add_buckets(writer, group, held, call);
  if (layout.zero_stage == 0) return;
  call.phase = StepPhase::optimizer;
  call.payload = Payload::weights;
  call.collective = Collective::all_gather;
  call.calls = 1;
  call.hidden_by = overlap ? HiddenBy::forward : HiddenBy::nothing;
  add_buckets(writer, group, held, call);
}

// ZeRO-3: each module's weights are gathered before it runs, forward and backward, and its gradients
// scattered (arXiv:1910.02054, section 7.2.2), for every micro-batch.
void add_gathered(LedgerWriter& writer, const StridedGroup& group, const Held& held) {
  const bool overlap = writer.setting.layout.overlap_data;
  const auto hidden_by = [overlap](HiddenBy compute) { return overlap ? compute : HiddenBy::nothing; };
  Call call{Dimension::data, StepPhase::forward, held.part, Payload::weights, Collective::all_gather};
  call.elements = held.elements / held.pieces;
  call.calls = held.pieces * writer.steps;
  call.stages = held.stages;
  call.hidden_by = hidden_by(HiddenBy::forward);
  writer.add(group, call);
  call.phase = StepPhase::backward;
  call.hidden_by = hidden_by(HiddenBy::backward);
  writer.add(group, call);
  call.payload = Payload::weight_gradients;
  call.collective = Collective::reduce_scatter;
  writer.add(group, call);
}

}  // namespace

void add_data(LedgerWriter& writer) {
  if (!writer.training) return;
  const Layout& layout = writer.setting.layout;
  const StageShare& share = writer.share;
  const double plain_layers = share.layers - share.expert_layers;
  const double plain = plain_layers * share.layer;
  const double sparse = share.expert_layers * share.expert_layer;
  const double experts = share.expert_layers * share.experts;
  const auto add = [&](const Held& held) {
    if (held.elements <= 0) return;
    const StridedGroup group = held.experts ? expert_data_group(layout) : data_group(layout);
    layout.zero_stage == 3 ? add_gathered(writer, group, held) : add_reduced(writer, group, held);
  };
  if (layout.zero_stage == 3) {
    add({Part::layers, Stages::all, false, plain, plain_layers});
    add({Part::layers, Stages::all, false, sparse, share.expert_layers});
  } else if (layout.pipeline_parallel == 1) {
    // Buckets fill up across the borders of layers, so that one stage has one run of them.
    add({Part::model, Stages::all, false, plain + sparse + share.embedding + share.lm_head, 1});
  } else {
    add({Part::layers, Stages::all, false, plain + sparse, 1});
  }
  if (layout.zero_stage == 3 || layout.pipeline_parallel > 1) {
    add({Part::embedding, Stages::first, false, share.embedding, 1});
    add({Part::lm_head, Stages::last, false, share.lm_head, 1});
  }
  add({Part::experts, Stages::all, true, experts, layout.zero_stage == 3 ? share.expert_layers : 1});
}

}  // namespace commcost
