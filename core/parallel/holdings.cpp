#include "core/parallel/holdings.h"

#include <algorithm>

#include "core/model/recomputation.h"

namespace commcost {
namespace {

// Bytes per parameter; ends of the model keep theirs when layers are served in fewer bits.
double bytes_per_parameter(const Holding& holding, const Work& work, StateKind kind) {
  const bool training = work.mode == Mode::training;
  switch (kind) {
    case StateKind::weights:
      return training || holding.layers == AmongLayers::all ? static_cast<double>(work.bytes_per_element)
                                                            : served_weight_bytes(work);
    case StateKind::gradients:
      return training ? static_cast<double>(work.gradient_bytes_per_element) : 0;
    case StateKind::optimizer:
      return training ? static_cast<double>(work.optimizer_bytes_per_parameter) : 0;
  }
  return 0;
}

// After ZeRO has divided it.
double kept_parameters(const Holding& holding, const Layout& layout, StateKind kind) {
  return holding.parameters / (is_sharded(layout, kind) ? holding.ranks.shards.size : 1);
}

ActivationSplit activation_split(const Layout& layout) {
  return {matrix_ranks(layout), layout.sequence_parallel, static_cast<double>(layout.context_parallel),
          routes_own_tokens(layout)};
}

// What one micro-batch leaves in layers of one kind.
class LayerHoldings {
 public:
  LayerHoldings(const Job& job, LayerKind kind, PassHoldings& holdings)
      : job_(job),
        split_(activation_split(job.layout)),
        layer_(layer_matrices(job.model, kind, split_.ranks)),
        layers_(kind == LayerKind::moe ? AmongLayers::moe : AmongLayers::dense),
        holdings_(holdings) {}

  void add_activations() {
    // Whatever is kept, a layer being computed has all of it.
    Work at_work = job_.work;
    at_work.recompute = Recompute::none;
    if (at_work.mode != Mode::training) {
      const auto own = static_cast<std::int64_t>(tokens(at_work));
      at_work.mode = Mode::decode;
      at_work.batch_size = std::max(own, at_work.step_tokens);
    }
    const LayerActivations all = layer_activations(job_.model, at_work, split_, layer_);
    add(PassState::working, Part::layer, all.total());
    if (job_.work.mode != Mode::training) return;
    if (job_.work.recompute == Recompute::none) {
      add_kept(PassState::activations, all);
    } else {
      add_kept(PassState::activations, layer_activations(job_.model, job_.work, split_, layer_));
    }
    if (!recomputes_all(job_.work)) add_copies(PassState::activations);
    if (!repeats_some_layers(job_.work)) return;
    add_kept(PassState::whole, all);
    add_copies(PassState::whole);
  }

  void add_cache() {
    if (job_.work.mode == Mode::training) return;
    const double tokens = static_cast<double>(job_.work.batch_size * job_.work.sequence_length);
    add(PassState::cache, Part::attention, tokens * layer_.attention.cache * cached_bytes(job_.work));
  }

 private:
  void add(PassState kind, Part part, double bytes) {
    if (bytes > 0) holdings_.add({kind, part, layers_, bytes});
  }

  void add_kept(PassState kind, const LayerActivations& kept) {
    for (const Activation& one : kept)
      add(kind, one.sublayer == Sublayer::mlp ? Part::mlp : Part::attention, one.bytes);
  }

  void add_copies(PassState kind) {
    const Work& work = job_.work;
    const double token_bytes = static_cast<double>(work.bytes_per_element) * tokens(work) /
                               static_cast<double>(job_.layout.context_parallel);
    // Gathered inputs of the column-parallel matrices, unless the backward pass gathers them again, as it
    // does not for experts.
    for (const Matrix& matrix : layer_) {
      const bool routed = matrix.owner == MatrixOwner::routed_expert;
      if (matrix.split != MatrixSplit::column || (job_.layout.regather_input && !routed)) continue;
      const double others = 1 - (routed ? split_.brought() : split_.between());
      add(kind, matrix.part == MatrixPart::mlp_in ? Part::mlp : Part::attention,
          token_bytes * matrix.inputs * matrix.passes() * others);
    }
    // Rotary positions make copies of queries and keys; learned positions do not.
    if (job_.model.gated_mlp && !recomputes(work, &Work::recompute_elementwise))
      add(kind, Part::attention, token_bytes * layer_.attention.rotated);
  }

  const Job& job_;
  const ActivationSplit split_;
  const LayerMatrices layer_;
  const AmongLayers layers_;
  PassHoldings& holdings_;
};

}  // namespace

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
  double parameters = 0;
  for (const Holding& holding : holdings) parameters += kept_parameters(holding, layout, kind);
  return parameters;
}

double offloaded_optimizer_share(const Work& work) {
  constexpr double percent = 0.01;
  return work.mode == Mode::training ? work.offloaded_optimizer_percent * percent : 0;
}

double parameters_on_gpu(const Holdings& holdings) {
  double parameters = 0;
  for (const Holding& holding : holdings) parameters += holding.parameters;
  return parameters;
}

ModelState model_state(const Holdings& holdings, const Work& work, const Layout& layout) {
  const auto bytes = [&](StateKind kind) {
    double sum = 0;
    for (const Holding& holding : holdings)
      sum += kept_parameters(holding, layout, kind) * bytes_per_parameter(holding, work, kind);
    return sum;
  };
  const double optimizer = bytes(StateKind::optimizer);
  const double host = offloaded_optimizer_share(work) * optimizer;
  return {bytes(StateKind::weights), bytes(StateKind::gradients), optimizer - host, host};
}

double gathered_parameters(const Holdings& holdings, const Layout& layout) {
  if (!is_sharded(layout, StateKind::weights)) return 0;
  const auto layer = [&](AmongLayers kind) {
    double elements = 0;
    for (const Holding& holding : holdings) {
      const bool divided = holding.ranks.shards.size > 1;
      if (holding.layers == kind && holding.modules > 0 && divided) elements += holding.elements;
    }
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

PassHoldings pass_holdings(const Job& job) {
  const auto& [shape, work, layout, stack, machine] = job;
  PassHoldings holdings;
  const auto add_layers = [&job, &holdings](LayerKind kind) {
    LayerHoldings layer(job, kind, holdings);
    layer.add_activations();
    layer.add_cache();
  };
  if (expert_layers(shape) < shape.num_layers) add_layers(LayerKind::dense);
  if (expert_layers(shape) > 0) add_layers(LayerKind::moe);
  const double logits = tokens(work) *
                        head_matrix(shape, static_cast<double>(layout.tensor_parallel)).outputs *
                        stack.held_bytes_per_logit / static_cast<double>(layout.context_parallel);
  if (work.mode == Mode::training && logits > 0)
    holdings.add({PassState::logits, Part::lm_head, AmongLayers::all, logits});
  return holdings;
}

}  // namespace commcost
