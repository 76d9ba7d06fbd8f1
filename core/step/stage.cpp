#include "core/step/stage.h"

#include <algorithm>
#include <cmath>

#include "core/step/constants.h"
#include "core/step/layer_time.h"

namespace commcost {
namespace {

StageParameters layer_share(const ModelShape& shape, const Parameters& count, const Layout& layout) {
  const auto tensor = static_cast<double>(layout.tensor_parallel);
  const double sparse = static_cast<double>(expert_layers(shape)) / static_cast<double>(shape.num_layers);
  StageParameters share;
  share.shared = count.attention / tensor + count.norm + (1 - sparse) * count.mlp / tensor +
                 sparse * (count.shared_experts / tensor + count.router);
  share.experts = sparse * static_cast<double>(shape.num_experts) * count.expert /
                  (tensor * static_cast<double>(layout.expert_parallel));
  return share;
}

}  // namespace

StageLayers stage_layers(const ModelShape& shape, const Layout& layout) {
  const auto layers = static_cast<double>(shape.num_layers);
  const auto stages = static_cast<double>(layout.pipeline_parallel);
  const auto chunks = static_cast<double>(layout.virtual_stages);
  const double first = std::min(layers, std::ceil(layers / (stages * chunks)) * chunks);
  return {first, stages > 1 ? std::max(0.0, layers - first * (stages - 1)) : layers};
}

StageParameters first_stage_parameters(const ModelShape& shape, const Parameters& count, const Layout& layout) {
  const StageParameters layer = layer_share(shape, count, layout);
  const StageLayers layers = stage_layers(shape, layout);
  const auto tensor = static_cast<double>(layout.tensor_parallel);
  StageParameters held{layers.first * layer.shared + (count.embedding + count.positions) / tensor,
                       layers.first * layer.experts};
  if (layout.pipeline_parallel == 1) held.shared += count.lm_head / tensor + count.final_norm;
  return held;
}

StageParameters last_stage_parameters(const ModelShape& shape, const Parameters& count, const Layout& layout) {
  if (layout.pipeline_parallel == 1) return first_stage_parameters(shape, count, layout);
  const StageParameters layer = layer_share(shape, count, layout);
  const StageLayers layers = stage_layers(shape, layout);
  // A tied head is a second copy of the embedding here.
  const double head = count.embedding / static_cast<double>(layout.tensor_parallel);
  return {layers.last * layer.shared + head + count.final_norm, layers.last * layer.experts};
}

UpdateTime update_time(const ModelShape& shape, const Parameters& count, const Work& work, const Layout& layout,
                       const Machine& machine, const ComputeRates& rates, const Pricing& pricing) {
  UpdateTime time;
  if (work.mode != Mode::training) return time;
  const StageParameters first = first_stage_parameters(shape, count, layout);
  const StageParameters last = last_stage_parameters(shape, count, layout);
  const StageParameters& held = first.total() >= last.total() ? first : last;
  const RankGroup replicas = gradient_group(layout, machine);
  RankGroup expert_replicas = replicas;
  expert_replicas.ranks = replicas.ranks / static_cast<double>(layout.expert_parallel);
  // Ranks with the same experts lie expert_parallel ranks apart.
  expert_replicas.ranks_per_node =
      std::min(expert_replicas.ranks,
               std::max(1.0, std::floor(replicas.ranks_per_node / static_cast<double>(layout.expert_parallel))));

  const auto both = [&](Collective collective, double bytes_per_parameter) {
    double us = pricing.us(collective, replicas, held.shared * bytes_per_parameter);
    if (held.experts > 0) us += pricing.us(collective, expert_replicas, held.experts * bytes_per_parameter);
    return us;
  };
  const double gradient = layout.gradient_wire_bytes_per_element;
  const double weight = layout.parameter_wire_bytes_per_element;
  if (layout.zero_stage == 0) {
    time.once_us = both(Collective::all_reduce, gradient);
  } else if (layout.zero_stage < 3) {
    const bool scatter = layout.zero_gradients == ZeroGradients::reduce_scatter;
    time.once_us = both(scatter ? Collective::reduce_scatter : Collective::all_reduce, gradient) +
                   both(Collective::all_gather, weight);
  } else {
    time.per_micro_batch_us = 2 * both(Collective::all_gather, weight) + both(Collective::reduce_scatter, gradient);
  }
  const double shards = layout.zero_stage >= 1 ? replicas.ranks : 1;
  const double expert_shards = layout.zero_stage >= 1 ? expert_replicas.ranks : 1;
  const double updated = held.shared / shards + held.experts / expert_shards;
  time.optimizer_us =
      constants::optimizer_fixed_us + updated * constants::optimizer_traffic_bytes / rates.hbm_bytes_per_us;
  return time;
}

}  // namespace commcost
