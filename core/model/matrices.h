#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/fixed_list.h"
#include "core/model/shape.h"

namespace commcost {

/// What a matrix of a layer is for, in the order in which a token meets them.
enum class MatrixPart : std::uint8_t { query_key_value, attention_output, router, mlp_in, mlp_out };

/// How tensor ranks divide a matrix (arXiv:1909.08053, section 3).
enum class MatrixSplit : std::uint8_t {
  column,  ///< by outputs
  row,     ///< by inputs; the results are summed over ranks
  none,    ///< every rank holds it whole
};

/// Who owns a matrix.
enum class MatrixOwner : std::uint8_t { layer, routed_expert, shared_expert };

/// Ranks that share the matrices of a layer.
struct MatrixRanks {
  double tensor = 1;         ///< all but the routed experts'
  double expert_tensor = 1;  ///< those of each routed expert

  MatrixRanks() = default;
  /// The same ranks for all of them.
  MatrixRanks(double ranks) : tensor(ranks), expert_tensor(ranks) {}
  MatrixRanks(double tensor_ranks, double expert_tensor_ranks)
      : tensor(tensor_ranks), expert_tensor(expert_tensor_ranks) {}

  bool operator==(const MatrixRanks&) const = default;
};

/// One matrix of a layer as one tensor rank holds it, or several that are alike.
struct Matrix {
  MatrixPart part = MatrixPart::query_key_value;
  MatrixSplit split = MatrixSplit::none;
  MatrixOwner owner = MatrixOwner::layer;
  double inputs = 0;   ///< elements of a token that it reads
  double outputs = 0;  ///< elements of a token that it writes
  double count = 1;    ///< identical matrices: the routed experts' of all expert ranks
  double visits = 1;   ///< of them, those that one token visits
  double tokens = 1;   ///< that reach the rank per token of its tensor ranks: other ranks share an expert
  double biases = 0;   ///< elements, of one of them
  bool shares_input = false;  ///< whether an earlier matrix of the layer reads the same
  bool from_latent = false;   ///< whether it projects up what latent attention keeps

  /// Elements of one of them, biases included.
  double size() const { return inputs * outputs + biases; }
  double parameters() const { return count * size(); }
  /// Products of the rank for each token of its tensor ranks.
  double passes() const { return visits * tokens; }
  /// FLOPs of one token, forward; a multiply-add counts two.
  double flops() const { return 2 * inputs * outputs * passes(); }
};

/// What the attention core of one tensor rank works on: elements of a token, unless said otherwise.
struct AttentionWidths {
  double heads = 0;              ///< query heads, a count
  double score_head = 0;         ///< of one head, in queries and keys
  double value_head = 0;         ///< of one head, in values and outputs
  double queries = 0;            ///< all heads
  double keys = 0;               ///< all heads
  double values = 0;             ///< all heads
  double rotated = 0;            ///< elements that get their position by rotation
  double latents = 0;            ///< latent attention: normalised between the projections down and up
  double cache = 0;              ///< elements that inference keeps
  double cached_head_width = 0;  ///< multiplied by one head for each cached token, in both products

  /// Queries, keys and values together.
  double all() const { return queries + keys + values; }
  /// Multiplied by one head for each query and key, in both products.
  double head_width() const { return score_head + value_head; }
};

/// Everything that one layer multiplies, on one tensor rank. Nothing else in the core describes what a layer
/// is made of: parameters, FLOPs, activations, kernels and memory are sums over it.
class LayerMatrices : public FixedList<Matrix, 10> {
 public:
  AttentionWidths attention;
  double norms = 0;    ///< parameters of its norms, which every rank holds whole
  bool gated = false;  ///< whether the projections into its MLPs are two side by side

  /// Parameters that tensor parallelism does not divide: norms, undivided matrices, biases added after a sum;
  /// routed experts apart.
  double replicated_parameters() const;
};

/// The layer of a completed shape, on one of `ranks`. A rank holds at least one key and value head, a copy
/// where there are fewer than ranks. Latent attention as DeepSeek-V3 has it: projections down held whole,
/// projections up split by heads (arXiv:2412.19437, section 2.1.1).
LayerMatrices layer_matrices(const ModelShape& shape, LayerKind kind, const MatrixRanks& ranks = {});

/// The LM head, by its rows of the vocabulary, rounded up.
Matrix head_matrix(const ModelShape& shape, double tensor_parallel = 1);

}  // namespace commcost
