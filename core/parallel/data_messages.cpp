#include <cmath>

#include "core/parallel/message_parts.h"

namespace commcost {
namespace {

// What leaves in one sequence of buckets.
struct Run {
  Part part;
  Stages stages;
  DataGroups ranks;
  double elements;  // of one copy
  double copies;
};

// Buckets fill up across layers, and if one stage has the whole model, into its ends as well.
template <class Visit>
void for_each_run(const Layout& layout, const Holdings& holdings, const Visit& visit) {
  const bool one_stage = layout.pipeline_parallel == 1;
  const auto joins = [one_stage](const Holding& holding) {
    return holding.part == Part::layers || (one_stage && holding.part != Part::experts);
  };
  const Holding& first = *holdings.begin();
  Run joint{one_stage ? Part::model : Part::layers, Stages::all, first.ranks, 0, first.copies};
  for (const Holding& holding : holdings)
    if (joins(holding)) joint.elements += holding.modules * holding.elements;
  visit(joint);
  for (const Holding& holding : holdings) {
    if (joins(holding)) continue;
    visit(
        Run{holding.part, holding.stages, holding.ranks, holding.modules * holding.elements, holding.copies});
  }
}

OverlapsWith beside(const Layout& layout, OverlapsWith pass) {
  return layout.overlap_data ? pass : OverlapsWith::nothing;
}

// Gradients that each micro-batch scatters add up in their shard: copies of the shard are summed once.
Communication sum_of_copies(const Layout& layout, const Run& run) {
  return {Dimension::data,
          StepPhase::backward,
          run.part,
          Payload::weight_gradients,
          Collective::all_reduce,
          run.ranks.copies,
          run.elements / run.ranks.shards.size,
          Per::iteration,
          run.copies,
          beside(layout, OverlapsWith::backward),
          run.stages,
          AmongLayers::all};
}

// Gradients leave in buckets as the backward pass fills them; weights come back in the same buckets.
void add_buckets(const Layout& layout, Communication message, Communications& list) {
  const double held = message.elements;
  const double copies = message.count;
  const double bucket = std::floor(layout.bucket_size_bytes / layout.gradient_wire_bytes_per_element);
  if (bucket <= 0 || bucket >= held) return list.add(message);
  const double full = std::floor(held / bucket);
  message.elements = bucket;
  message.count = copies * full;
  list.add(message);
  message.elements = held - full * bucket;
  message.count = copies;
  list.add(message);
}

// DDP and ZeRO-1, 2: gradients once an iteration or, where they are kept sharded, once a micro-batch, since a
// rank that keeps a shard cannot add up the rest (DeepSpeed stage 2).
void add_reduced(const Layout& layout, const Run& run, Communications& list) {
  const bool sharded = is_sharded(layout, StateKind::optimizer);
  const bool scattered = sharded && layout.zero_gradients == ZeroGradients::reduce_scatter;
  const bool each = is_sharded(layout, StateKind::gradients);
  Communication message{Dimension::data,
                        StepPhase::backward,
                        run.part,
                        Payload::weight_gradients,
                        scattered ? Collective::reduce_scatter : Collective::all_reduce,
                        scattered ? run.ranks.shards : run.ranks.all,
                        run.elements,
                        each ? Per::micro_batch : Per::iteration,
                        each ? 1 : run.copies,
                        beside(layout, OverlapsWith::backward),
                        run.stages,
                        AmongLayers::all};
  add_buckets(layout, message, list);
  if (!sharded) return;
  if (scattered) add_buckets(layout, sum_of_copies(layout, run), list);
  message.ranks = run.ranks.shards;
  message.phase = StepPhase::optimizer;
  message.payload = Payload::weights;
  message.collective = Collective::all_gather;
  message.per = Per::iteration;
  message.count = run.copies;
  const bool prefetched = layout.overlap_data && layout.overlap_param_gather;
  message.overlaps_with = prefetched ? OverlapsWith::forward : OverlapsWith::nothing;
  add_buckets(layout, message, list);
}

// ZeRO-3: each module's weights are gathered before it runs, forward and backward, and its gradients
// scattered (arXiv:1910.02054, section 7.2.2), for every micro-batch.
void add_gathered(const Layout& layout, const Holding& module, Communications& list) {
  Communication message{Dimension::data,
                        StepPhase::forward,
                        module.part,
                        Payload::weights,
                        Collective::all_gather,
                        module.ranks.shards,
                        module.elements,
                        module.layers == AmongLayers::all ? Per::micro_batch : Per::layer,
                        1,
                        beside(layout, OverlapsWith::forward),
                        module.stages,
                        module.layers};
  list.add(message);
  message.phase = StepPhase::backward;
  message.overlaps_with = beside(layout, OverlapsWith::backward);
  list.add(message);
  message.payload = Payload::weight_gradients;
  message.collective = Collective::reduce_scatter;
  list.add(message);
}

}  // namespace

void add_data_messages(const Layout& layout, const Holdings& holdings, Communications& list) {
  const bool gathered = is_sharded(layout, StateKind::weights);
  if (gathered)
    for (const Holding& module : holdings) add_gathered(layout, module, list);
  for_each_run(layout, holdings, [&](const Run& run) {
    gathered ? add_buckets(layout, sum_of_copies(layout, run), list) : add_reduced(layout, run, list);
  });
}

}  // namespace commcost
