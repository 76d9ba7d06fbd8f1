#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "core/base/units.h"
#include "core/collective/token_exchange.h"
#include "core/model/work.h"

namespace commcost {

/// The order in which a pipeline's stages work on micro-batches.
enum class PipelineSchedule {
  one_f_one_b,     ///< one forward, one backward in turn (arXiv:2104.04473, section 2.2.1)
  interleaved,     ///< the same with several chunks of layers a stage (arXiv:2104.04473, section 2.2.2)
  zero_bubble,     ///< weight gradients put off into the bubble, memory as 1F1B: ZB1P (arXiv:2401.10241)
  gpipe,           ///< all forward, then all backward (arXiv:1811.06965)
  zero_bubble_2p,  ///< no bubble for twice the memory: ZB2P (arXiv:2401.10241)
  dualpipe,        ///< fed from both ends, each stage held twice (arXiv:2412.19437, section 3.2.1)
  dualpipe_v,      ///< the same with the way folded into a V: two chunks a stage, held once
                   ///< (deepseek-ai/DualPipe)
};
inline constexpr std::string_view pipeline_schedule_names[] = {
    "1f1b", "interleaved", "zero_bubble", "gpipe", "zero_bubble_2p", "dualpipe", "dualpipe_v"};

/// How ranks that share a sequence exchange keys and values.
enum class ContextScheme {
  ring,        ///< blocks of keys and values travel round a ring while scores are computed
  all_gather,  ///< keys and values are gathered before the scores
  ulysses,     ///< all-to-all from a share of the sequence to a share of the heads, and back
};
inline constexpr std::string_view context_scheme_names[] = {"ring", "all_gather", "ulysses"};

/// How ZeRO-1 and ZeRO-2 reduce gradients.
enum class ZeroGradients {
  reduce_scatter,  ///< each rank receives its shard (arXiv:1910.02054)
  all_reduce,      ///< every rank receives all, as DeepSpeed often does (issues 5758, 7059)
};
inline constexpr std::string_view zero_gradients_names[] = {"reduce_scatter", "all_reduce"};

/// How a model and its batch are spread over GPUs; field names as they cross the boundary. Ranks are numbered
/// with tensor innermost, then context, data, pipeline outermost, as Megatron does. Routed experts are folded
/// over the same ranks of a stage: expert-tensor innermost, then expert, then those that hold the same
/// (arXiv:2504.14960).
struct Layout {
  std::int64_t tensor_parallel = 1;    ///< ranks that share each matrix
  bool sequence_parallel = false;      ///< whether they share the tokens between the matrices too
  std::int64_t pipeline_parallel = 1;  ///< stages
  std::int64_t virtual_stages = 1;     ///< chunks of layers a stage, for the interleaved schedule
  PipelineSchedule pipeline_schedule = PipelineSchedule::one_f_one_b;  ///< order of micro-batches
  std::int64_t data_parallel = 1;  ///< replicas; of a server also 0: as many as its experts are spread over
  std::int64_t zero_stage = 0;     ///< what replicas share: 1 optimizer, 2 gradients too, 3 weights too
  std::int64_t shard_group_size = 0;  ///< ranks among which ZeRO shards, out of data and context ranks, the
                                      ///< others holding copies (HSDP); 0: all
  std::int64_t context_parallel = 1;  ///< ranks that share each sequence
  std::int64_t expert_parallel = 1;   ///< ranks that share a layer's experts
  std::int64_t expert_tensor_parallel = 0;  ///< ranks that share each expert's matrices; 0: tensor_parallel
  std::int64_t cluster_gpus = 0;            ///< GPUs there are; 0: as many as the degrees need
  ContextScheme context_scheme = ContextScheme::ring;            ///< how keys and values are exchanged
  ZeroGradients zero_gradients = ZeroGradients::reduce_scatter;  ///< how ZeRO-1 and 2 reduce gradients
  bool accumulate_whole_gradients = false;  ///< ZeRO-2: whether gradients are added up whole over
                                            ///< micro-batches, and scattered once, instead of after each
  double bucket_size_bytes =
      256e6;                    ///< of gradients reduced at once; 0: all at once. An estimate: Megatron-Core
                                ///< takes 160 MB and more (distributed_data_parallel.py), DDP 25 MiB
  bool scatter_gather = false;  ///< whether tensor ranks send a share each between stages
  bool regather_input = false;  ///< whether the backward pass gathers sequence-parallel inputs again
  bool overlap_tensor = false;  ///< whether weight gradients hide the backward pass's tensor traffic
  bool overlap_tensor_forward = false;  ///< whether products hide the gathers and scatters of sequence ranks
                                        ///< before and after them, piece by piece, in either pass
  bool balanced_stages = false;         ///< whether the last stage has fewer layers for its LM head
  std::int64_t first_stage_layers = 0;  ///< layers of the first of several stages; 0: as many as the others
  std::int64_t last_stage_layers = 0;   ///< of the last; 0: as many as the others, or what is left
  bool overlap_data = true;             ///< whether compute hides gradient buckets and gathered weights
  bool overlap_param_gather = true;  ///< whether the next forward pass hides weights after ZeRO-1/2's update,
                                     ///< where overlap_data holds
  bool overlap_expert = false;       ///< whether compute of another micro-batch hides tokens on their way to
                                     ///< experts and back
  ExchangeKernel expert_exchange = ExchangeKernel::nccl;  ///< what sends them
  bool fused_quantization = false;  ///< whether kernels that run anyway change data types for free
  double activation_wire_bytes_per_element = 0;  ///< of activations as sent; 0: bytes_per_element
  double gradient_wire_bytes_per_element = 0;  ///< of weight gradients as sent; 0: gradient_bytes_per_element
  double parameter_wire_bytes_per_element = 0;  ///< of weights as sent; 0: bytes_per_element
  double dispatch_wire_bytes_per_element = 0;   ///< of tokens sent to experts, and of the gradients of what
                                                ///< these return; 0: as other activations
  double combine_wire_bytes_per_element = 0;  ///< of what experts return, and of their tokens' gradients; 0:
                                              ///< as other activations

  bool operator==(const Layout&) const = default;
};

/// The layout with the usual values in place of zeros, for a completed work.
Layout completed(Layout layout, const Work& work);

/// Whether the first and the last layers lie on one stage: DualPipe and DualPipe-V.
inline bool ends_meet(const Layout& layout) {
  return layout.pipeline_parallel > 1 && (layout.pipeline_schedule == PipelineSchedule::dualpipe ||
                                          layout.pipeline_schedule == PipelineSchedule::dualpipe_v);
}

/// Stages' shares of layers that one stage holds: two in DualPipe, where half of the micro-batches go each
/// way.
inline std::int64_t held_copies(const Layout& layout) {
  return layout.pipeline_parallel > 1 && layout.pipeline_schedule == PipelineSchedule::dualpipe ? 2 : 1;
}

/// How often a micro-batch passes through a stage.
inline std::int64_t chunks_of_a_stage(const Layout& layout) {
  const bool folded =
      layout.pipeline_parallel > 1 && layout.pipeline_schedule == PipelineSchedule::dualpipe_v;
  return folded ? 2 : layout.virtual_stages;
}

/// GPUs of a stage, over which experts are folded.
inline std::int64_t stage_ranks(const Layout& layout) {
  return layout.tensor_parallel * layout.context_parallel * layout.data_parallel;
}

/// GPUs that share each expert's matrices.
inline std::int64_t expert_tensor_degree(const Layout& layout) {
  return layout.expert_tensor_parallel > 0 ? layout.expert_tensor_parallel : layout.tensor_parallel;
}

/// GPUs that hold a layer's routed experts once.
inline std::int64_t ranks_of_experts(const Layout& layout) {
  return layout.expert_parallel * expert_tensor_degree(layout);
}

/// GPUs that the degrees need.
inline std::int64_t gpus_needed(const Layout& layout) {
  return stage_ranks(layout) * layout.pipeline_parallel;
}

/// Groups of tensor and context ranks among which a layer's experts are spread; at least 1.
inline std::int64_t groups_of_experts(const Layout& layout) {
  return std::max<std::int64_t>(
      1, ranks_of_experts(layout) / (layout.tensor_parallel * layout.context_parallel));
}

/// Whether a layer's experts are held once by all GPUs of one or of several groups of tensor ranks.
inline bool holds_experts_once(const Layout& layout) {
  return ranks_of_experts(layout) == layout.tensor_parallel * groups_of_experts(layout);
}

/// One server on that many tensor ranks and stages whose experts are spread over `experts` GPUs: 1 means that
/// all of them hold a slice of each; as many as a stage has, that each holds whole ones. If there are more of
/// them than tensor ranks, there are groups of these, each attending to its own sequences. It holds experts
/// once; further restrictions of a stack are among its abilities.
Layout server_layout(std::int64_t tensor, std::int64_t stages, std::int64_t experts);
/// The server with these degrees and the other layout inputs of a server.
Layout server_layout(const Layout& given);

/// Sequences a step: those asked for, or one micro-batch for each replica.
inline std::int64_t sequences_per_step(const Work& work, const Layout& layout) {
  return work.global_batch_size > 0 ? work.global_batch_size : work.batch_size * layout.data_parallel;
}

/// Micro-batches that each replica works through in a step, for a layout without problems.
inline std::int64_t micro_batches(const Work& work, const Layout& layout) {
  return sequences_per_step(work, layout) / (work.batch_size * layout.data_parallel);
}

}  // namespace commcost
