#pragma once

#include <cstdint>
#include <string_view>

namespace commcost {

/// What the backward pass computes again instead of having stored it (arXiv:2205.05198).
enum class Recompute {
  none,       ///< nothing
  selective,  ///< in every layer, what is cheap to repeat for the memory it takes; recompute_… says what
  full,       ///< every layer from its input
};
inline constexpr std::string_view recompute_names[] = {"none", "selective", "full"};

/// The precision of the matrix units; state, activations and messages stay as bytes_per_element says.
enum class MatmulPrecision {
  stored,  ///< weights and activations as they are kept
  bf16,
  fp16,
  fp8,    ///< 8 bits, scaled as Fp8Scaling says
  mxfp8,  ///< 8 bits, scaled by blocks of 32
  nvfp4,  ///< 4 bits, scaled by blocks of 16
};
inline constexpr std::string_view matmul_precision_names[] = {"stored", "bf16",  "fp16",
                                                              "fp8",    "mxfp8", "nvfp4"};

/// Elements of FP8 products that share a scale.
enum class Fp8Scaling {
  tensor,  ///< all of a matrix
  row,     ///< elements that are summed over, which differ in each pass
  block,   ///< 128 of an input's row, 128 x 128 of the weights (arXiv:2412.19437, section 3.3)
};
inline constexpr std::string_view fp8_scaling_names[] = {"tensor", "row", "block"};

/// Bytes of an operand; 0 if it is multiplied as it is kept.
double operand_bytes(MatmulPrecision precision);

/// Whether a step trains or serves.
enum class Mode {
  training,  ///< forward, backward, optimizer
  prefill,   ///< one forward pass over the prompt
  decode,    ///< one forward pass for one new token a sequence, with sequence_length tokens in the cache
};
inline constexpr std::string_view mode_names[] = {"training", "prefill", "decode"};

/// What a step works on, and with which numbers; field names as they cross the boundary.
struct Work {
  std::int64_t sequence_length = 0;     ///< tokens a sequence
  std::int64_t batch_size = 0;          ///< micro-batch of a replica, sequences
  std::int64_t global_batch_size = 0;   ///< sequences a step; 0: one micro-batch for each replica
  std::int64_t bytes_per_element = 2;   ///< of weights and activations
  double weight_bytes_per_element = 0;  ///< of the layers' matrices while serving; 0: bytes_per_element
  double kv_bytes_per_element = 0;      ///< of cached keys and values; 0: bytes_per_element
  MatmulPrecision matmul_precision = MatmulPrecision::stored;  ///< of the layers' products
  Fp8Scaling fp8_scaling = Fp8Scaling::tensor;                 ///< of them, in FP8
  double activation_bytes_per_element =
      0;  ///< of the inputs to products and to the MLP's activation function, as kept for the backward pass;
          ///< 0: as multiplied, else bytes_per_element
  Recompute recompute = Recompute::none;  ///< what the backward pass computes again
  std::int64_t recomputed_layers = 0;    ///< full: layers of each stage, its first ones, that are recomputed;
                                         ///< the others keep everything; 0: all
  bool recompute_attention_core = true;  ///< selective: scores, softmax, dropout, values
  bool recompute_elementwise = false;    ///< selective: norms, rotary positions, activation functions
  bool recompute_latent_projections = false;  ///< selective: queries, keys, values from their latents
  bool recompute_products = false;  ///< selective: every other product, as PyTorch's policy by operations
  bool causal_attention = false;    ///< whether the masked half of the scores is not counted as FLOPs
  Mode mode = Mode::training;       ///< training or inference
  bool flash_attention = false;     ///< whether the attention core is never stored
  bool dropout = true;              ///< whether dropout masks are stored, as arXiv:2205.05198 counts them
  std::int64_t gradient_bytes_per_element = 0;  ///< of gradients as they are kept; 0: bytes_per_element
  std::int64_t optimizer_bytes_per_parameter =
      12;                                  ///< fp32 master copy and two moments: 12; without the copy: 8
  std::int64_t offloaded_layers = 0;       ///< layers of each stage whose activations wait in host memory
  double offloaded_optimizer_percent = 0;  ///< of the optimizer's state: kept and updated by the host
  std::int64_t step_tokens = 0;  ///< of a server: most tokens of a step, for whose activations it has room;
                                 ///< 0: as many as this step has
  double expert_imbalance_percent = 0;  ///< tokens that the experts of the busiest rank get beyond the mean
  double expert_capacity_factor = 0;  ///< most tokens of an expert, relative to its even share: further ones
                                      ///< are dropped; 0: none is dropped
  bool pad_expert_inputs = false;     ///< whether experts with fewer are padded to that number
  bool grouped_experts = true;        ///< whether one kernel multiplies for all of a rank's experts

  bool operator==(const Work&) const = default;
};

/// Whether any part of a training step is kept in host memory.
inline bool offloads(const Work& work) {
  return work.mode == Mode::training && (work.offloaded_layers > 0 || work.offloaded_optimizer_percent > 0);
}

/// The work with the usual values in place of zeros, all but global_batch_size, which depends on the layout.
Work completed(Work work);

/// Bytes of an element of the layers' matrices while serving.
inline double served_weight_bytes(const Work& work) {
  return work.weight_bytes_per_element > 0 ? work.weight_bytes_per_element
                                           : static_cast<double>(work.bytes_per_element);
}

/// Bytes of an element of the cached keys and values.
inline double cached_bytes(const Work& work) {
  return work.kv_bytes_per_element > 0 ? work.kv_bytes_per_element
                                       : static_cast<double>(work.bytes_per_element);
}

/// Routed tokens of the busiest rank, over the mean, up to its experts' capacity.
inline double busiest_experts(const Work& work) {
  constexpr double percent = 0.01;
  const double routed = 1 + work.expert_imbalance_percent * percent;
  const double room = work.expert_capacity_factor;
  if (!(room > 0)) return routed;
  return work.pad_expert_inputs || routed > room ? room : routed;
}

/// Tokens of a micro-batch that pass through the model: one a sequence in decode.
inline double tokens(const Work& work) {
  const double sequence = work.mode == Mode::decode ? 1.0 : static_cast<double>(work.sequence_length);
  return sequence * static_cast<double>(work.batch_size);
}

}  // namespace commcost
