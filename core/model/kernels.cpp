#include "core/model/kernels.h"

#include <utility>

#include "core/model/recomputation.h"
#include "core/model/routing.h"

namespace commcost {
namespace {

// arXiv:2307.08691, section 4.1: five products for two.
constexpr double flash_backward_flops = 2.5;
// Loss in fp32, forward and backward; counted, each operand once.
constexpr double bytes_per_logit = 52;
constexpr double wide_bytes = 2;

// Launches of a layer's forward pass in training, as PyTorch runs it: 20 in all, 28 with gate, rotary
// positions and RMS norm. Paces are fitted with these sums; what latents and experts add is not counted.
double training_launches(Operation operation, bool gated) {
  switch (operation) {
    case Operation::norm:
      return gated ? 4 : 1;
    case Operation::positions:
      return gated ? 8 : 4;
    case Operation::attention_core:
      return 4;
    case Operation::activation:
      return 2;
    case Operation::residual:
      return gated ? 1 : 2;
    case Operation::router:
      return 0;
    case Operation::loss:
      // Forward and backward.
      return 39;
    default:
      return 1;
  }
}

// The same in inference, where sums belong to norms and the cache's new entries to positions.
double inference_launches(Operation operation) {
  switch (operation) {
    case Operation::residual:
      return 0;
    case Operation::router:
      // With tokens put in order, and what experts return added up.
      return 4;
    default:
      return 1;
  }
}

// Keys that a query attends to, as MFU counts them: half where the causal mask is credited. In decode the one
// query sees the whole cache, mask or none.
double counted_keys(const Work& work) {
  const auto keys = static_cast<double>(work.sequence_length);
  return work.causal_attention && work.mode != Mode::decode ? keys / 2 : keys;
}

// Elements that pass through memory on the way from the projections to the core, or back.
double passes_over_heads(bool gated, const AttentionWidths& attention) {
  // Rotary positions of a part of each head; queries, keys and values are put together, read and written.
  if (attention.latents > 0) return 6 * attention.rotated + 2 * attention.all();
  // Rotary positions and transposes; without a gate transposes into heads and back.
  return gated ? 6 * attention.all() : 5 * attention.all() / 3;
}

// Adds kernels to a list: one of the forward pass, then those of its gradients.
class Lister {
 public:
  Lister(const ModelShape& shape, const Work& work, const RankShare& share, Kernels& kernels)
      : work_(work),
        share_(share),
        training_(work.mode == Mode::training),
        gated_(shape.gated_mlp),
        hidden_(static_cast<double>(shape.hidden_size)),
        keys_(static_cast<double>(work.sequence_length)),
        element_(static_cast<double>(work.bytes_per_element)),
        weight_(served_weight_bytes(work)),
        cached_(cached_bytes(work)),
        gradient_(static_cast<double>(work.gradient_bytes_per_element)),
        kernels_(kernels) {}

  void add_layer(const LayerMatrices& layer) {
    start(Sublayer::attention);
    add_norm(hidden_);
    add_norm(layer.attention.latents);
    for (const Matrix& matrix : layer) {
      if (matrix.part == MatrixPart::attention_output) {
        add_positions(layer.attention);
        add_core(layer.attention);
      }
      if (matrix.part == MatrixPart::mlp_out) add_activation(matrix);
      const bool routed = matrix.owner == MatrixOwner::routed_expert;
      if (routed && matrix.part == MatrixPart::mlp_in) add_permutation(matrix);
      add_matrix(matrix, layer);
      if (routed && matrix.part == MatrixPart::mlp_out) add_permutation(matrix);
      if (matrix.part == MatrixPart::attention_output) {
        add_residual();
        start(Sublayer::mlp);
        add_norm(hidden_);
      }
    }
    add_residual();
  }

  // Every tensor rank writes a row for each token, zeros where the word is another's (arXiv:1909.08053,
  // section 3). PyTorch's gradient is a whole table: zeros, to which the rows' gradients are added.
  void add_embedding(double words, double positions) {
    start(Sublayer::embedding);
    const double elements = share_.tokens * hidden_;
    const double rows = elements * (positions > 0 ? 2 : 1);
    const double table = (words + positions) * hidden_;
    Kernel lookup = kernel_of(Operation::embedding, Routine::elementwise);
    lookup.held_bytes = rows * element_;
    lookup.bytes = lookup.held_bytes + elements * element_;
    kernels_.add(lookup);
    if (!training_) return;
    Kernel& gradient = kernels_.add(lookup);
    gradient.pass = KernelPass::weight_gradient;
    gradient.held_bytes = (table + rows * 2) * element_;
    gradient.bytes = gradient.held_bytes + elements * element_;
    gradient.launches *= 2;
    add_accumulation(lookup, table);
  }

  // The last norm, then the head, kept, and multiplied, as activations are.
  void add_head(const Matrix& matrix) {
    start(Sublayer::head);
    add_norm(hidden_);
    Kernel product = product_of(Operation::lm_head, matrix, head_rows());
    set_bytes(product, element_, element_);
    add_with_gradients(product);
    if (!training_) return;
    add_accumulation(product, matrix.parameters());
    Kernel loss = kernel_of(Operation::loss, Routine::elementwise);
    loss.bytes = head_rows() * matrix.outputs * bytes_per_logit;
    kernels_.add(loss);
  }

 private:
  void start(Sublayer sublayer) {
    sublayer_ = sublayer;
    launched_ = 0;
  }

  // Host launches of an operation, which its first kernel in a sublayer has.
  double launches(Operation operation) {
    const auto bit = std::uint32_t{1} << static_cast<unsigned>(operation);
    if ((std::exchange(launched_, launched_ | bit) & bit) != 0) return 0;
    return training_ ? training_launches(operation, gated_) : inference_launches(operation);
  }

  Kernel kernel_of(Operation operation, Routine routine) {
    Kernel kernel;
    kernel.operation = operation;
    kernel.routine = routine;
    kernel.sublayer = sublayer_;
    kernel.launches = launches(operation);
    return kernel;
  }

  bool repeats(RecomputedBy by) const {
    return recomputes(work_, by == RecomputedBy::elementwise ? &Work::recompute_elementwise
                                                             : &Work::recompute_attention_core);
  }

  // The ends of a model are outside every recomputed layer.
  void set_recomputed(Kernel& kernel, RecomputedBy by, double share) const {
    if (!training_ || sublayer_ == Sublayer::head) return;
    const bool full = recomputes_all(work_);
    kernel.recomputed = full ? 1 : share;
    kernel.recomputed_by = full ? RecomputedBy::full : share > 0 ? by : RecomputedBy::nothing;
  }

  double busiest(const Matrix& matrix) const {
    return matrix.owner == MatrixOwner::routed_expert ? busiest_experts(work_) : 1;
  }

  // Tokens of which the logits are computed.
  double head_rows() const {
    return work_.mode == Mode::prefill ? share_.tokens * share_.context / keys_ : share_.tokens;
  }

  // A kernel whose gradients are one kernel of `gradient_bytes` and `gradient_flops` times its FLOPs.
  void add(const Kernel& kernel, RecomputedBy by, double gradient_bytes, double gradient_flops = 2) {
    set_recomputed(kernels_.add(kernel), by, repeats(by) ? 1 : 0);
    if (!training_) return;
    Kernel& gradient = kernels_.add(kernel);
    gradient.pass = KernelPass::input_gradient;
    gradient.gemm.batch *= 2;
    gradient.flops *= gradient_flops;
    gradient.model_flops *= 2;
    gradient.bytes = gradient_bytes;
    gradient.launches *= 2;
  }

  // What lies between the matrices, which tensor ranks divide by tokens with sequence parallelism; bytes of a
  // token.
  void add_between(Operation operation, double forward_bytes, double backward_bytes) {
    const double tokens = share_.tokens / share_.sequence;
    Kernel kernel = kernel_of(operation, Routine::elementwise);
    kernel.bytes = tokens * forward_bytes;
    add(kernel, RecomputedBy::elementwise, tokens * backward_bytes);
  }

  // Read and written; backward input and gradient are read for the input's gradient, and for the weight's.
  void add_norm(double width) {
    if (width > 0) add_between(Operation::norm, 2 * element_ * width, 4 * element_ * width);
  }

  // Two are read and one is written, or the other way round, with a dropout mask.
  void add_residual() {
    const double bytes = hidden_ * (3 * element_ + (work_.dropout ? 1 : 0));
    add_between(Operation::residual, bytes, bytes);
  }

  // What lies within a tensor rank's share of the heads or of the MLP; elements of a token.
  void add_within(Operation operation, double forward, double backward, MatrixOwner owner) {
    Kernel kernel = kernel_of(operation, Routine::elementwise);
    kernel.owner = owner;
    kernel.bytes = share_.tokens * element_ * forward;
    kernel.launches *= kernels_for(owner);
    add(kernel, RecomputedBy::elementwise, share_.tokens * element_ * backward);
  }

  void add_positions(const AttentionWidths& attention) {
    const double elements = passes_over_heads(gated_, attention);
    add_within(Operation::positions, elements, elements, MatrixOwner::layer);
  }

  // silu: read, write; product with the gate: read two, write one. Without a gate bias and activation
  // function: read, write.
  void add_activation(const Matrix& out) {
    const double width = out.inputs * out.passes() * busiest(out);
    add_within(Operation::activation, (gated_ ? 5 : 2) * width, (gated_ ? 8 : 3) * width, out.owner);
  }

  // Every copy of a token is read and written; counted with the sum, where the copies end.
  void add_permutation(const Matrix& matrix) {
    Kernel kernel;
    kernel.operation = Operation::residual;
    kernel.routine = Routine::permutation;
    kernel.sublayer = sublayer_;
    kernel.owner = matrix.owner;
    kernel.bytes = 2 * share_.tokens * matrix.passes() * busiest(matrix) * hidden_ * element_;
    add(kernel, RecomputedBy::elementwise, kernel.bytes);
  }

  Kernel product_of(Operation operation, const Matrix& matrix, double tokens) {
    const bool routed = matrix.owner == MatrixOwner::routed_expert;
    const Routine of_experts = work_.grouped_experts ? Routine::grouped_product : Routine::separate_products;
    Kernel kernel = kernel_of(operation, routed ? of_experts : Routine::product);
    if (!training_) kernel.launches = inference_launches(operation);
    kernel.owner = matrix.owner;
    // What ranks do not divide they do not do twice either: with sequence parallelism each multiplies its own
    // tokens.
    const double own = matrix.split == MatrixSplit::none ? tokens / share_.sequence : tokens;
    kernel.gemm = routed ? experts_gemm(matrix) : Gemm{own, matrix.outputs, matrix.inputs};
    kernel.launches *= kernels_for(matrix.owner);
    kernel.flops = kernel.gemm.flops();
    kernel.model_flops = own * matrix.flops();
    return kernel;
  }

  // Each expert sees its share of what all ranks of the group send; one that no token meets is not read.
  Gemm experts_gemm(const Matrix& matrix) {
    if (met_ == 0)
      met_ = experts_met(matrix.count / share_.expert, share_.tokens * matrix.tokens * share_.expert,
                         matrix.visits, matrix.count);
    return {busiest(matrix) * share_.tokens * matrix.passes() / met_, matrix.outputs, matrix.inputs, met_};
  }

  // As many as experts, where one after another runs its own.
  double kernels_for(MatrixOwner owner) const {
    return owner == MatrixOwner::routed_expert && !work_.grouped_experts ? met_ : 1;
  }

  // Inputs of `operand` bytes an element, weights of `weight`.
  void set_bytes(Kernel& kernel, double operand, double weight) const {
    const auto& [rows, columns, inner, batch] = kernel.gemm;
    kernel.held_bytes = batch * inner * columns * weight;
    kernel.bytes = kernel.held_bytes + batch * rows * (inner * operand + columns * element_);
  }

  // Forward, which is returned, and for the gradients of inputs and of weights, which read and write the same
  // three matrices.
  Kernel& add_with_gradients(const Kernel& kernel) {
    Kernel& forward = kernels_.add(kernel);
    if (!training_) return forward;
    const auto& [rows, columns, inner, batch] = kernel.gemm;
    Kernel& input = kernels_.add(kernel);
    input.pass = KernelPass::input_gradient;
    input.gemm = {rows, inner, columns, batch};
    Kernel& weight = kernels_.add(kernel);
    weight.pass = KernelPass::weight_gradient;
    weight.gemm = {inner, columns, rows, batch};
    return forward;
  }

  void add_matrix(const Matrix& matrix, const LayerMatrices& layer) {
    const double narrow = training_ ? operand_bytes(work_.matmul_precision) : 0;
    const double operand = narrow > 0 ? narrow : element_;
    Kernel product = product_of(operation_of(matrix.part), matrix, share_.tokens);
    product.precision = work_.matmul_precision;
    const double again = recomputed_share(matrix, layer, work_);
    set_bytes(product, operand, training_ ? operand : weight_);
    if (operand < element_) add_conversions(product, operand, again);
    set_recomputed(add_with_gradients(product), RecomputedBy::products, again);
    if (!training_) return;
    add_accumulation(product,
                     matrix.parameters() / (matrix.owner == MatrixOwner::routed_expert ? share_.expert : 1));
  }

  // Inputs are read as they are kept before the forward pass, gradients of results before the backward pass,
  // and written twice, as weights' gradients are summed over tokens; weights are converted once a step, which
  // is nothing. Where what is summed over shares a scale, each product's operands are converted for it,
  // weights too, and those across their rows from a transposed copy (github.com/pytorch/ao @0598012
  // torchao/testing/training/roofline_utils.py).
  void add_conversions(const Kernel& product, double operand, double again) {
    const auto& [rows, columns, inner, batch] = product.gemm;
    const double inputs = batch * rows * inner;
    const double gradients = batch * rows * columns;
    const double weights = batch * inner * columns;
    const bool by_row =
        work_.matmul_precision == MatmulPrecision::fp8 && work_.fp8_scaling == Fp8Scaling::row;
    const double along = element_ + operand;
    const double across = element_ + along;
    Kernel conversion = alongside(product, Routine::conversion);
    const auto convert = [&](KernelPass pass, double bytes) -> Kernel& {
      conversion.pass = pass;
      conversion.bytes = bytes;
      return kernels_.add(conversion);
    };
    // In 16 bits one copy serves all products.
    const double both = element_ + (operand < wide_bytes ? 2 : 1) * operand;
    Kernel& forward = convert(KernelPass::forward, by_row ? (inputs + weights) * along : inputs * both);
    set_recomputed(forward, RecomputedBy::products, again);
    convert(KernelPass::input_gradient,
            by_row ? gradients * along + weights * (element_ + across) : gradients * both);
    if (by_row) convert(KernelPass::weight_gradient, (inputs + gradients) * across);
  }

  // The sum of so many parameters' gradients and the new gradients are read, the sum is written.
  void add_accumulation(const Kernel& other, double parameters) {
    Kernel accumulation = alongside(other, Routine::accumulation);
    accumulation.pass = KernelPass::weight_gradient;
    accumulation.bytes = parameters * (element_ + 2 * gradient_);
    kernels_.add(accumulation);
  }

  // A kernel that is launched with another.
  static Kernel alongside(const Kernel& other, Routine routine) {
    Kernel kernel;
    kernel.operation = other.operation;
    kernel.routine = routine;
    kernel.sublayer = other.sublayer;
    kernel.owner = other.owner;
    return kernel;
  }

  // Two products for every head, softmax between them.
  void add_core(const AttentionWidths& attention) {
    if (work_.mode == Mode::decode) {
      add_cached_core(attention);
    } else if (work_.flash_attention) {
      add_fused_core(attention);
    } else {
      add_stored_core(attention);
    }
  }

  Kernel core_kernel(Routine routine) { return kernel_of(Operation::attention_core, routine); }

  Attended attended(const AttentionWidths& attention, double sequences) const {
    return {sequences,
            static_cast<float>(keys_),
            static_cast<float>(attention.heads),
            static_cast<float>(attention.keys / attention.score_head),
            static_cast<float>(attention.score_head),
            static_cast<float>(attention.value_head),
            attention.latents > 0};
  }

  // The cache is read once.
  void add_cached_core(const AttentionWidths& attention) {
    const double cached = share_.tokens * keys_;
    Kernel kernel = core_kernel(Routine::cached_attention);
    kernel.flops = 2 * cached * attention.heads * attention.cached_head_width;
    kernel.model_flops = 2 * cached * attention.heads * attention.head_width();
    kernel.bytes = kernel.held_bytes = cached * attention.cache * cached_;
    kernel.attended = attended(attention, share_.tokens);
    if (attention.latents > 0) {
      // The one latent is key and value of all heads.
      kernel.attended.kv_heads = 1;
      kernel.attended.key_size = static_cast<float>(attention.cache);
      kernel.attended.value_size = static_cast<float>(attention.cached_head_width - attention.cache);
    }
    kernels_.add(kernel);
  }

  // Queries, keys and values are read and the outputs are written; blocks above the diagonal are skipped.
  void add_fused_core(const AttentionWidths& attention) {
    const double a_key = 2 * share_.tokens * attention.heads * attention.head_width();
    const double elements = attention.all() + attention.heads * attention.value_head;
    Kernel kernel = core_kernel(Routine::fused_attention);
    kernel.flops = a_key * (keys_ / 2);
    kernel.model_flops = a_key * counted_keys(work_);
    kernel.bytes = share_.tokens * elements * element_;
    kernel.attended = attended(attention, share_.tokens / keys_);
    add(kernel, RecomputedBy::attention_core, 2 * kernel.bytes, flash_backward_flops);
  }

  void add_stored_core(const AttentionWidths& attention) {
    const double queries = keys_ / share_.context;
    const double batch = share_.tokens / queries * attention.heads;
    const double scores = share_.tokens * keys_ * attention.heads;
    add_core_product({queries, keys_, attention.score_head, batch});
    // Read and written; backward its output and the gradient are read.
    add_over_scores(Routine::softmax, scores * 2 * element_, scores * 3 * element_);
    // A mask is written too, and read backward.
    const double masked = scores * (2 * element_ + 1);
    if (work_.dropout) add_over_scores(Routine::dropout, masked, masked);
    add_core_product({queries, attention.value_head, keys_, batch});
  }

  void add_over_scores(Routine routine, double forward_bytes, double backward_bytes) {
    Kernel kernel = core_kernel(routine);
    kernel.bytes = forward_bytes;
    add(kernel, RecomputedBy::attention_core, backward_bytes);
  }

  // Backward each factor has a gradient.
  void add_core_product(const Gemm& gemm) {
    Kernel kernel = core_kernel(Routine::product);
    kernel.gemm = gemm;
    kernel.flops = gemm.flops();
    kernel.model_flops = kernel.flops * (counted_keys(work_) / keys_);
    kernel.bytes = gemm.batch * element_ *
                   (gemm.rows * gemm.inner + gemm.inner * gemm.columns + gemm.rows * gemm.columns);
    add(kernel, RecomputedBy::attention_core, 2 * kernel.bytes);
  }

  const Work& work_;
  const RankShare& share_;
  const bool training_;
  const bool gated_;
  const double hidden_;   // elements of a token
  const double keys_;     // that a query attends to
  const double element_;  // bytes of one, as are the next three
  const double weight_;
  const double cached_;
  const double gradient_;
  Kernels& kernels_;
  Sublayer sublayer_ = Sublayer::attention;
  double met_ = 0;              // routed experts, the same of all their matrices
  std::uint32_t launched_ = 0;  // operations whose launches are counted, a bit each
};

}  // namespace

Operation operation_of(MatrixPart part) {
  switch (part) {
    case MatrixPart::query_key_value:
      return Operation::query_key_value;
    case MatrixPart::attention_output:
      return Operation::attention_output;
    case MatrixPart::router:
      return Operation::router;
    case MatrixPart::mlp_in:
      return Operation::mlp_in;
    case MatrixPart::mlp_out:
      break;
  }
  return Operation::mlp_out;
}

Kernels layer_kernels(const ModelShape& shape, LayerKind kind, const Work& work, const RankShare& share) {
  Kernels kernels;
  Lister(shape, work, share, kernels).add_layer(layer_matrices(shape, kind, share.ranks));
  return kernels;
}

Kernel optimizer_kernel(double parameters) {
  // Counted as PyTorch runs Adam, each operand once.
  constexpr double bytes_per_parameter = 44;
  Kernel kernel;
  kernel.operation = Operation::optimizer;
  kernel.pass = KernelPass::update;
  kernel.bytes = parameters * bytes_per_parameter;
  return kernel;
}

Kernels embedding_kernels(const ModelShape& shape, const Work& work, const RankShare& share) {
  Kernels kernels;
  if (shape.vocab_size > 0)
    Lister(shape, work, share, kernels)
        .add_embedding(head_matrix(shape, share.ranks.tensor).outputs,
                       static_cast<double>(shape.num_positions));
  return kernels;
}

Kernels head_kernels(const ModelShape& shape, const Work& work, const RankShare& share) {
  Kernels kernels;
  if (shape.vocab_size > 0)
    Lister(shape, work, share, kernels).add_head(head_matrix(shape, share.ranks.tensor));
  return kernels;
}

}  // namespace commcost
