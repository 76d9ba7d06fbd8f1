#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/fixed_list.h"
#include "core/model/matrices.h"
#include "core/model/work.h"

namespace commcost {

/// The purpose of a kernel: in a layer, in the order in which a token meets them, then at the ends of the
/// model.
enum class Operation : std::uint8_t {
  norm,
  query_key_value,
  positions,  ///< rotary positions, and transposes of queries, keys and values
  attention_core,
  attention_output,
  router,
  mlp_in,
  activation,
  mlp_out,
  residual,
  embedding,
  lm_head,
  loss,
  optimizer,
};
inline constexpr std::size_t num_operations = 14;

/// How a kernel works.
enum class Routine : std::uint8_t {
  product,            ///< a product of matrices
  grouped_product,    ///< one kernel for all routed experts that a token meets
  separate_products,  ///< one kernel for each of them, one after another
  fused_attention,    ///< flash attention: scores never reach memory
  cached_attention,   ///< one query of each sequence over its cached keys and values
  softmax,
  dropout,
  conversion,    ///< inputs of a product written in fewer bits
  permutation,   ///< tokens put in the order of their experts, or back
  accumulation,  ///< weight gradients added to their sum
  elementwise,   ///< all others, which read and write tensors
};

/// When a kernel runs; recomputation runs kernels of the forward pass again, the update is once an iteration.
enum class KernelPass : std::uint8_t { forward, input_gradient, weight_gradient, update };

/// The half of a layer, or the end of the model, that a kernel belongs to.
enum class Sublayer : std::uint8_t { attention, mlp, embedding, head };

/// The recomputation that runs a kernel again.
enum class RecomputedBy : std::uint8_t { nothing, full, attention_core, elementwise, products };

/// A product of matrices, rows x inner times inner x columns, `batch` of them.
struct Gemm {
  double rows = 0;
  double columns = 0;
  double inner = 0;
  double batch = 1;

  /// A multiply-add counts two.
  double flops() const { return 2 * rows * columns * inner * batch; }
};

/// What a fused attention core attends to; small, as lists of kernels are made by the million.
struct Attended {
  double sequences = 0;  ///< a share of one where ranks share it
  float keys = 0;        ///< of a sequence
  float heads = 0;
  float kv_heads = 0;
  float key_size = 0;  ///< of one head
  float value_size = 0;
  bool latent = false;  ///< whether heads have their keys and values from latents
};

/// One kernel on one rank, for one micro-batch.
struct Kernel {
  Operation operation = Operation::norm;
  Routine routine = Routine::elementwise;
  KernelPass pass = KernelPass::forward;
  Sublayer sublayer = Sublayer::attention;
  MatrixOwner owner = MatrixOwner::layer;
  MatmulPrecision precision = MatmulPrecision::stored;  ///< of what it multiplies
  RecomputedBy recomputed_by = RecomputedBy::nothing;
  Gemm gemm;               ///< of a product
  Attended attended;       ///< of a fused attention core
  double flops = 0;        ///< that it computes; 0 if it is neither a product nor attention
  double model_flops = 0;  ///< that MFU counts: all scores unless Work::causal_attention
  double bytes = 0;        ///< through HBM: every operand read once, every result written once
  double held_bytes = 0;   ///< of them, those of weights, or of the cache
  double launches = 0;     ///< by the host
  double recomputed = 0;   ///< share of it that the backward pass runs again, 0 to 1
};

/// A rank's part of a micro-batch, and the ranks with which it shares the layer.
struct RankShare {
  double tokens = 0;    ///< that meet its matrices
  MatrixRanks ranks;    ///< that share the matrices
  double context = 1;   ///< ranks that share a sequence
  double expert = 1;    ///< ranks that share a layer's experts
  double sequence = 1;  ///< ranks that share what lies between the matrices

  bool operator==(const RankShare&) const = default;
};

/// Kernels of a layer, or of an end of the model, in the order of the forward pass.
using Kernels = FixedList<Kernel, 100>;

/// How a matrix is multiplied.
Operation operation_of(MatrixPart part);

/// Everything that a GPU computes in one layer for one micro-batch: each matrix is a product
/// (model/matrices.h) forward and two backward; of a rank's experts, those are read that a token is expected
/// to visit. Nothing else in the core describes what a layer computes: FLOPs, times, memory traffic, launches
/// and recomputation are sums over it.
Kernels layer_kernels(const ModelShape& shape, LayerKind kind, const Work& work, const RankShare& share);

/// The embedding: each token's row is looked up, with its position's row where positions are learned, and
/// gradients are added to those rows and to their sum; none without a vocabulary.
Kernels embedding_kernels(const ModelShape& shape, const Work& work, const RankShare& share);

/// The last norm, the LM head and the loss: logits of every token in training, of each sequence's last in
/// inference; none without a vocabulary.
Kernels head_kernels(const ModelShape& shape, const Work& work, const RankShare& share);

/// The optimizer's update of so many parameters, each read and written with its gradient and moments.
Kernel optimizer_kernel(double parameters);

}  // namespace commcost
