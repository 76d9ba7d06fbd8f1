#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

// One kernel, as a stack launches it: its kind, shape and formats.
namespace commcost {

/// What kernels multiply, as far as it affects their time. For attention: the operands and the cache.
enum class KernelFormat {
  any,
  bf16,            ///< 16 bits; of a decode step: a cache of 16 bits
  bf16_weights_8,  ///< weights of 8 bits, multiplied in 16
  bf16_weights_4,  ///< weights of 4 bits, multiplied in 16
  fp8,             ///< 8 bits, scaled by tensor or token; of a decode step: a cache of 8 bits
  fp8_block,       ///< 8 bits, scaled by blocks
  fp8_weights_4,   ///< weights of 4 bits, multiplied in 8
  nvfp4,           ///< 4 bits, scaled by blocks of 16
  int8,            ///< 8-bit integers
  bf16_cache_8,    ///< attention in 16 bits that keeps keys and values in 8
};
inline constexpr std::string_view kernel_format_names[] = {
    "any",       "bf16",          "bf16_weights_8", "bf16_weights_4", "fp8",
    "fp8_block", "fp8_weights_4", "nvfp4",          "int8",           "bf16_cache_8"};

/// out[m, n] = x[m, k] w[n, k]^T.
struct GemmCall {
  double m = 0;
  double n = 0;
  double k = 0;
  double input_bytes = 2;        ///< of an element of x as it is multiplied
  double weight_bytes = 2;       ///< of an element of w
  double output_bytes = 2;       ///< of an element of out, read and written
  bool quantizes_input = false;  ///< whether x is converted from 16 bits on the way
};

/// The routed experts of one rank, of `num_experts` in all, on the tokens of all its expert ranks: permute,
/// multiply, activate, multiply, sum up.
struct GroupedGemmCall {
  double tokens = 0;  ///< of all expert ranks, before routing
  double hidden_size = 0;
  double ffn_hidden_size = 0;  ///< of a whole expert
  double num_experts = 1;
  double experts_per_token = 1;
  double expert_parallel = 1;
  double expert_tensor_parallel = 1;
  bool gated = true;
  double routing_exponent =
      0;  ///< experts' loads by a power law of this exponent, as the busiest rank has them; 0: equal
  double input_bytes = 2;
  double weight_bytes = 2;
};

/// Self-attention of `batch` sequences without a cache before them.
struct PrefillCall {
  double batch = 1;
  double sequence = 0;
  double heads = 1;
  double kv_heads = 1;
  double key_size = 128;
  double value_size = 128;
  bool causal = true;
  double window = 0;  ///< keys that a query sees; 0: all
  bool latent = false;
};

/// One new token of each of `batch` sequences against the `sequence` tokens in its cache.
struct DecodeCall {
  double batch = 1;
  double sequence = 0;
  double heads = 1;
  double kv_heads = 1;
  double key_size = 128;
  double value_size = 128;  ///< of a latent cache: the part of key_size that is the value too
  double cache_bytes = 2;   ///< of an element
  double window = 0;        ///< tokens of the cache that are read; 0: all
  bool latent = false;
};

/// Reads `elements` and writes as many; a reduction writes nothing.
struct ElementwiseCall {
  double elements = 0;
  double read_bytes = 2;
  double write_bytes = 2;
};

using KernelCall = std::variant<GemmCall, GroupedGemmCall, PrefillCall, DecodeCall, ElementwiseCall>;

/// Kinds of kernels that have their own constants.
enum class KernelFamily {
  gemm,
  grouped_gemm,
  prefill,
  latent_prefill,
  decode,
  latent_decode,
  elementwise,
  reduction,
  count,
};
inline constexpr std::string_view kernel_family_names[] = {
    "gemm",          "grouped_gemm", "attention_prefill", "latent_prefill", "attention_decode",
    "latent_decode", "elementwise",  "reduction"};

/// The family of a call.
KernelFamily family_of(const KernelCall& call);

}  // namespace commcost
