#include "core/step/stage.h"

#include <algorithm>

#include "core/step/constants.h"

namespace commcost {

StageLayers stage_layers(const Setting& setting, const StageShare& share) {
  const auto layers = static_cast<double>(setting.shape.num_layers);
  const auto stages = static_cast<double>(setting.layout.pipeline_parallel);
  if (stages == 1) return {layers, layers};
  return {share.layers, std::max(0.0, layers - share.layers * (stages - 1))};
}

HeldParameters held_parameters(const Setting& setting, const StageShare& share) {
  const StageLayers layers = stage_layers(setting, share);
  // Layers with experts come last, so that every late stage has nothing else.
  const double sparse = share.expert_layers / share.layers;
  const auto of = [&](double count) {
    return StageParameters{count * ((1 - sparse) * share.layer + sparse * share.expert_layer),
                           count * sparse * share.experts};
  };
  HeldParameters held{of(layers.first), of(layers.last)};
  held.first.shared += share.embedding;
  held.last.shared += share.lm_head;
  if (setting.layout.pipeline_parallel == 1) {
    held.first.shared += share.lm_head;
    held.last = held.first;
  }
  return held;
}

UpdateTime update_time(const Setting& setting, const HeldParameters& parameters, const Machine& machine,
                       const ComputeRates& rates, const Pricing& pricing) {
  const auto& [shape, work, layout] = setting;
  UpdateTime time;
  if (work.mode != Mode::training) return time;
  const StageParameters& held = parameters.most();
  const RankGroup replicas = place(data_group(layout), machine);
  const RankGroup expert_replicas = place(expert_data_group(layout), machine);

  const auto in_calls = [&](Collective collective, const RankGroup& group, double bytes) {
    const double calls = std::max(1.0, bytes / constants::data_call_bytes);
    return calls * pricing.us(collective, group, bytes / calls);
  };
  const auto both = [&](Collective collective, double bytes_per_parameter) {
    double us = in_calls(collective, replicas, held.shared * bytes_per_parameter);
    if (held.experts > 0) us += in_calls(collective, expert_replicas, held.experts * bytes_per_parameter);
    return us;
  };
  const double gradient = layout.gradient_wire_bytes_per_element;
  const double weight = layout.parameter_wire_bytes_per_element;
  if (layout.zero_stage == 0) {
    time.gradients_us = both(Collective::all_reduce, gradient);
  } else if (layout.zero_stage < 3) {
    const bool scatter = layout.zero_gradients == ZeroGradients::reduce_scatter;
    time.gradients_us = both(scatter ? Collective::reduce_scatter : Collective::all_reduce, gradient);
    time.weights_us = both(Collective::all_gather, weight);
  } else {
    time.per_micro_batch_us =
        2 * both(Collective::all_gather, weight) + both(Collective::reduce_scatter, gradient);
  }
  const double shards = layout.zero_stage >= 1 ? replicas.ranks : 1;
  const double expert_shards = layout.zero_stage >= 1 ? expert_replicas.ranks : 1;
  const double updated = held.shared / shards + held.experts / expert_shards;
  time.optimizer_us =
      constants::optimizer_fixed_us + updated * constants::optimizer_traffic_bytes / rates.hbm_bytes_per_us;
  return time;
}

}  // namespace commcost
