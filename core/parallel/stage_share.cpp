#include "core/parallel/stage_share.h"

#include <algorithm>

#include "core/parallel/rank_groups.h"

namespace commcost {
namespace {

std::int64_t divided_up(std::int64_t whole, std::int64_t by) {
  return (whole + by - 1) / by;
}

bool are_dealt_by_work(const Layout& layout) {
  return layout.balanced_stages && layout.pipeline_parallel > 1 && chunks_of_a_stage(layout) == 1;
}

// Layers with as many parameters in use as the LM head.
double layers_of_head(const ModelShape& shape, const Parameters& shard) {
  const double everywhere = shard.attention + shard.norm;
  const double experts_per_token = has_experts(shape) ? static_cast<double>(shape.experts_per_token) : 0;
  const double worked =
      has_experts(shape) ? everywhere + shard.shared_experts + shard.router + experts_per_token * shard.expert
                         : everywhere + shard.mlp;
  return shard.embedding / worked;
}

// Layers of every stage but the last. By work, the LM head counts as the layers whose parameters it has: the
// last stage gets fewer layers if that shortens the longest stage.
std::int64_t layers_of_a_stage(const Job& job, double head_in_layers) {
  const std::int64_t layers = job.model.num_layers;
  const std::int64_t stages = job.layout.pipeline_parallel;
  const std::int64_t even = divided_up(layers, stages);
  if (!are_dealt_by_work(job.layout)) return even;
  const auto longest = [&](std::int64_t first) {
    const std::int64_t last = std::max<std::int64_t>(0, layers - first * (stages - 1));
    return std::max(static_cast<double>(first), static_cast<double>(last) + head_in_layers);
  };
  const std::int64_t without_last = divided_up(layers, stages - 1);
  const double mean = (static_cast<double>(layers) + head_in_layers) / static_cast<double>(stages);
  const std::int64_t by_work =
      mean < static_cast<double>(without_last) ? static_cast<std::int64_t>(mean) + 1 : without_last;
  return longest(by_work) < longest(even) ? by_work : even;
}

// With the layout's own numbers for the ends, those between share the rest.
StageLayers dealt_in_line(const Job& job, double head_in_layers) {
  const Layout& layout = job.layout;
  const std::int64_t layers = job.model.num_layers;
  const std::int64_t stages = layout.pipeline_parallel;
  const auto dealt = [](std::int64_t first, std::int64_t inner, std::int64_t last) {
    return StageLayers{static_cast<double>(first), static_cast<double>(inner), static_cast<double>(last)};
  };
  if (stages == 1) return dealt(layers, layers, layers);
  const std::int64_t given_first = layout.first_stage_layers;
  const std::int64_t given_last = layout.last_stage_layers;
  if (given_first == 0 && given_last == 0) {
    const std::int64_t each = layers_of_a_stage(job, head_in_layers);
    const std::int64_t left = layers - each * (stages - 1);
    if (left > 0 || (left == 0 && layout.balanced_stages) || chunks_of_a_stage(layout) > 1)
      return dealt(each, each, std::max<std::int64_t>(0, left));
    // Rounded up, they would run out before the last stage: the later stages have one less, or the last has
    // only the head.
    StageLayers mixed = dealt(each, each, each > divided_up(layers, stages) ? 0 : each - 1);
    mixed.inner = (static_cast<double>(layers) - mixed.first - mixed.last) / static_cast<double>(stages - 2);
    return mixed;
  }
  const std::int64_t others = stages - (given_first > 0 ? 1 : 0) - (given_last > 0 ? 1 : 0);
  // If there is none between, `inner` is what the other end has.
  const std::int64_t inner = others == 0 ? 0 : (layers - given_first - given_last) / others;
  return dealt(given_first > 0 ? given_first : inner, inner, given_last > 0 ? given_last : inner);
}

// Where the ends meet, what is short is at both: each is the mean of both in DualPipe, the first has the end
// of the way in DualPipe-V.
StageLayers dealt_layers(const Job& job, double head_in_layers) {
  const StageLayers line = dealt_in_line(job, head_in_layers);
  if (!ends_meet(job.layout)) return line;
  const double mean = (line.first + line.last) / 2;
  if (held_copies(job.layout) > 1) return {mean, line.inner, mean};
  const bool given = job.layout.first_stage_layers + job.layout.last_stage_layers > 0;
  return given ? line : StageLayers{line.last, line.inner, line.first};
}

}  // namespace

ModelShape tensor_shard(const ModelShape& shape, std::int64_t tensor_parallel) {
  ModelShape shard = shape;
  shard.num_heads = divided_up(shape.num_heads, tensor_parallel);
  // With more ranks than key and value heads, ranks hold copies.
  shard.num_kv_heads = divided_up(shape.num_kv_heads, tensor_parallel);
  shard.ffn_hidden_size = divided_up(shape.ffn_hidden_size, tensor_parallel);
  shard.dense_ffn_hidden_size = divided_up(shape.dense_ffn_hidden_size, tensor_parallel);
  shard.vocab_size = divided_up(shape.vocab_size, tensor_parallel);
  return shard;
}

StageLayers stage_layers(const Job& job) {
  // Only layers that are dealt out by work need the parameters, which take most of the time to compute.
  if (!are_dealt_by_work(job.layout)) return dealt_layers(job, 0);
  return dealt_layers(job, layers_of_head(job.model, parameters_of(job.model, matrix_ranks(job.layout))));
}

StageShare stage_share(const Job& job) {
  const auto& [shape, work, layout, stack, machine] = job;
  const MatrixRanks ranks = matrix_ranks(layout);
  const Parameters shard = parameters_of(shape, ranks);
  const double everywhere = shard.attention + shard.norm;
  // Chunks too are dealt out round the stages, so that they leave no stage more than its share rounded up.
  StageShare share;
  share.dealt = dealt_layers(job, layers_of_head(shape, shard));
  share.layers = share.dealt.most();
  share.expert_layers = std::min(share.layers, static_cast<double>(expert_layers(shape)));
  share.layer = everywhere + shard.mlp;
  share.expert_layer = everywhere + shard.shared_experts + shard.router;
  share.experts =
      shard.expert * static_cast<double>(shape.num_experts) / static_cast<double>(layout.expert_parallel);
  share.embedding = shard.embedding + shard.positions;
  share.word_embedding = shard.embedding;
  const bool copied = shape.tied_embeddings && layout.pipeline_parallel > 1 && !ends_meet(layout);
  share.lm_head = shard.final_norm + (copied ? shard.embedding : shard.lm_head);
  share.replicated_layer = layer_matrices(shape, LayerKind::dense, ranks).replicated_parameters();
  share.replicated_expert_layer = layer_matrices(shape, LayerKind::moe, ranks).replicated_parameters();
  share.final_norm = shard.final_norm;
  return share;
}

}  // namespace commcost
