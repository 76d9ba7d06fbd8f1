#include <cmath>

#include "core/parallel/message_parts.h"

namespace commcost {
namespace {

// What replicas hold alike of one part of the model.
struct Held {
  Part part;
  DataGroups ranks;
  double elements;  // on a GPU of a stage, of one copy
  Stages stages = Stages::all;
  double copies = 1;  // of them on a stage: Stage::copies
};

OverlapsWith beside(const Layout& layout, OverlapsWith pass) {
  return layout.overlap_data ? pass : OverlapsWith::nothing;
}

// Gradients that each micro-batch scatters add up in their shard: copies of it are summed once.
Communication sum_of_copies(const Layout& layout, const Held& held) {
  return {Dimension::data,
          StepPhase::backward,
          held.part,
          Payload::weight_gradients,
          Collective::all_reduce,
          held.ranks.copies,
          held.elements / held.ranks.shards.size,
          Per::iteration,
          held.copies,
          beside(layout, OverlapsWith::backward),
          held.stages,
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
void add_reduced(const Layout& layout, const Held& held, Communications& list) {
  const bool scattered = layout.zero_stage > 0 && layout.zero_gradients == ZeroGradients::reduce_scatter;
  const bool each = keeps_gradient_shards(layout);
  Communication message{Dimension::data,
                        StepPhase::backward,
                        held.part,
                        Payload::weight_gradients,
                        scattered ? Collective::reduce_scatter : Collective::all_reduce,
                        scattered ? held.ranks.shards : held.ranks.all,
                        held.elements,
                        each ? Per::micro_batch : Per::iteration,
                        each ? 1 : held.copies,
                        beside(layout, OverlapsWith::backward),
                        held.stages,
                        AmongLayers::all};
  add_buckets(layout, message, list);
  if (layout.zero_stage == 0) return;
  if (scattered) add_buckets(layout, sum_of_copies(layout, held), list);
  message.ranks = held.ranks.shards;
  message.phase = StepPhase::optimizer;
  message.payload = Payload::weights;
  message.collective = Collective::all_gather;
  message.per = Per::iteration;
  message.count = held.copies;
  const bool prefetched = layout.overlap_data && layout.overlap_param_gather;
  message.overlaps_with = prefetched ? OverlapsWith::forward : OverlapsWith::nothing;
  add_buckets(layout, message, list);
}

// ZeRO-3: each module's weights are gathered before it runs, forward and backward, and its gradients
// scattered (arXiv:1910.02054, section 7.2.2), for every micro-batch.
void add_gathered(const Layout& layout, const Held& held, Per per, AmongLayers layers, Communications& list) {
  Communication message{Dimension::data,
                        StepPhase::forward,
                        held.part,
                        Payload::weights,
                        Collective::all_gather,
                        held.ranks.shards,
                        held.elements,
                        per,
                        1,
                        beside(layout, OverlapsWith::forward),
                        held.stages,
                        layers};
  list.add(message);
  message.phase = StepPhase::backward;
  message.overlaps_with = beside(layout, OverlapsWith::backward);
  list.add(message);
  message.payload = Payload::weight_gradients;
  message.collective = Collective::reduce_scatter;
  list.add(message);
}

void add_modules(const Setting& setting, const StageShare& share, Communications& list) {
  const Layout& layout = setting.layout;
  const DataGroups replicas = data_groups(layout);
  if (expert_layers(setting.shape) < setting.shape.num_layers)
    add_gathered(layout, {Part::layers, replicas, share.layer}, Per::layer, AmongLayers::dense, list);
  if (has_experts(setting.shape)) {
    add_gathered(layout, {Part::layers, replicas, share.expert_layer}, Per::layer, AmongLayers::moe, list);
    add_gathered(layout, {Part::experts, expert_data_groups(layout), share.experts}, Per::layer,
                 AmongLayers::moe, list);
  }
  add_gathered(layout, {Part::embedding, replicas, share.embedding, Stages::first}, Per::micro_batch,
               AmongLayers::all, list);
  add_gathered(layout, {Part::lm_head, replicas, share.lm_head, Stages::last}, Per::micro_batch,
               AmongLayers::all, list);
}

}  // namespace

void add_data_messages(const Setting& setting, const StageShare& share, const Stage& stage,
                       Communications& list) {
  const Layout& layout = setting.layout;
  const bool gathered = layout.zero_stage == 3;
  if (gathered) add_modules(setting, share, list);
  const auto add = [&](const Held& held) {
    if (gathered) return add_buckets(layout, sum_of_copies(layout, held), list);
    add_reduced(layout, held, list);
  };
  const DataGroups replicas = data_groups(layout);
  const double layers = stage.dense_layers * share.layer + stage.moe_layers * share.expert_layer;
  if (layout.pipeline_parallel == 1) {
    // Buckets fill up across the borders of layers, so that one stage has one run of them.
    add({Part::model, replicas, layers + share.embedding + share.lm_head});
  } else {
    add({Part::layers, replicas, layers, Stages::all, stage.copies});
    add({Part::embedding, replicas, share.embedding, Stages::first});
    add({Part::lm_head, replicas, share.lm_head, Stages::last});
  }
  add({Part::experts, expert_data_groups(layout), stage.moe_layers * share.experts, Stages::all,
       stage.copies});
}

}  // namespace commcost
