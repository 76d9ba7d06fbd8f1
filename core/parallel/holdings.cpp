#include "core/parallel/holdings.h"

#include <algorithm>

namespace commcost {

bool is_sharded(const Layout& layout, StateKind kind) {
  switch (kind) {
    case StateKind::weights:
      return layout.zero_stage >= 3;
    case StateKind::gradients:
      return layout.zero_stage >= 3 || (layout.zero_stage == 2 && !layout.accumulate_whole_gradients);
    case StateKind::optimizer:
      return layout.zero_stage >= 1;
  }
  return false;
}

double bytes_per_parameter(const Work& work, StateKind kind) {
  if (kind == StateKind::weights) return static_cast<double>(work.bytes_per_element);
  if (work.mode != Mode::training) return 0;
  return static_cast<double>(kind == StateKind::gradients ? work.gradient_bytes_per_element
                                                          : work.optimizer_bytes_per_parameter);
}

Holdings holdings_of(const Job& job, const StageShare& share, const Stage& stage) {
  const DataGroups replicas = data_groups(job.layout);
  Holdings holdings;
  const auto add = [&](Holding holding) {
    if (takes_part(holding.stages, stage))
      holding.parameters = holding.copies * holding.modules * holding.elements;
    holdings.add(holding);
  };
  const auto add_layers = [&](Part part, AmongLayers layers, const DataGroups& ranks, double elements,
                              double whole) {
    const double modules = layers == AmongLayers::moe ? stage.moe_layers : stage.dense_layers;
    add({part, layers, Stages::all, ranks, elements, whole, modules, stage.copies, 0});
  };
  const auto add_end = [&](Part part, Stages stages, double elements, double whole) {
    add({part, AmongLayers::all, stages, replicas, elements, whole, 1, 1, 0});
  };
  if (expert_layers(job.model) < job.model.num_layers)
    add_layers(Part::layers, AmongLayers::dense, replicas, share.layer, share.replicated_layer);
  if (has_experts(job.model))
    add_layers(Part::layers, AmongLayers::moe, replicas, share.expert_layer, share.replicated_expert_layer);
  add_end(Part::embedding, Stages::first, share.embedding, 0);
  add_end(Part::lm_head, Stages::last, share.lm_head, share.final_norm);
  if (has_experts(job.model))
    add_layers(Part::experts, AmongLayers::moe, expert_data_groups(job.layout), share.experts, 0);
  return holdings;
}

double parameters_kept(const Holdings& holdings, const Layout& layout, StateKind kind) {
  const bool sharded = is_sharded(layout, kind);
  double parameters = 0;
  for (const Holding& holding : holdings)
    parameters += holding.parameters / (sharded ? holding.ranks.shards.size : 1);
  return parameters;
}

double parameters_on_gpu(const Holdings& holdings) {
  double parameters = 0;
  for (const Holding& holding : holdings) parameters += holding.parameters;
  return parameters;
}

ModelState model_state(const Holdings& holdings, const Work& work, const Layout& layout) {
  const auto bytes = [&](StateKind kind) {
    return parameters_kept(holdings, layout, kind) * bytes_per_parameter(work, kind);
  };
  return {bytes(StateKind::weights), bytes(StateKind::gradients), bytes(StateKind::optimizer)};
}

double gathered_parameters(const Holdings& holdings, const Layout& layout) {
  if (!is_sharded(layout, StateKind::weights)) return 0;
  const auto layer = [&](AmongLayers kind) {
    double elements = 0;
    for (const Holding& holding : holdings)
      if (holding.layers == kind && holding.modules > 0) elements += holding.elements;
    return elements;
  };
  return std::max(layer(AmongLayers::dense), layer(AmongLayers::moe));
}

double parameters_per_gpu(const Job& job) {
  const StageShare share = stage_share(job);
  double most = 0;
  for (const Stage& stage : distinct_stages(job, share))
    most = std::max(most, parameters_on_gpu(holdings_of(job, share, stage)));
  return most;
}

}  // namespace commcost
