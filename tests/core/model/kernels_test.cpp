#include "core/model/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>

#include "core/model/flops.h"
#include "core/parallel/layout_problems.h"
#include "core/parallel/rank_groups.h"
#include "support/jobs.h"
#include "support/models.h"
#include "support/random_jobs.h"

namespace commcost {
namespace {

using test::changed;

// Hidden size 8, two heads of 4, MLP of 32: small enough to count by hand.
ModelShape classic() {
  ModelShape shape;
  shape.num_layers = 1;
  shape.hidden_size = 8;
  shape.num_heads = 2;
  shape.num_kv_heads = 2;
  shape.head_size = 4;
  shape.ffn_hidden_size = 32;
  return shape;
}

Work half_precision(bool dropout) {
  Work work;
  work.sequence_length = 1;
  work.batch_size = 1;
  work.bytes_per_element = 2;
  work.gradient_bytes_per_element = 2;
  work.dropout = dropout;
  return work;
}

Kernels kernels_of(const Job& job, LayerKind kind) {
  return layer_kernels(job.model, kind, job.work, rank_share(job.work, job.layout));
}

template <class Of>
double sum(const Kernels& kernels, const Of& of) {
  double total = 0;
  for (const Kernel& kernel : kernels) total += of(kernel);
  return total;
}

using Operations = std::initializer_list<Operation>;

bool is_one_of(Operation operation, Operations operations) {
  return std::find(operations.begin(), operations.end(), operation) != operations.end();
}

double forward(const Kernels& kernels, Operations operations, double Kernel::*member) {
  return sum(kernels, [&](const Kernel& kernel) {
    return kernel.pass == KernelPass::forward && kernel.routine != Routine::permutation &&
                   is_one_of(kernel.operation, operations)
               ? kernel.*member
               : 0;
  });
}

double backward(const Kernels& kernels, Operations operations, double Kernel::*member) {
  return sum(kernels, [&](const Kernel& kernel) {
    return kernel.pass != KernelPass::forward && is_one_of(kernel.operation, operations) ? kernel.*member : 0;
  });
}

constexpr Operations whole_operations = {Operation::norm, Operation::residual};
constexpr Operations split_operations = {Operation::activation, Operation::positions};

// Of one token.
Kernels kernels_of(const ModelShape& shape, const Work& work, double ranks = 1) {
  RankShare share;
  share.tokens = 1;
  share.ranks = ranks;
  return layer_kernels(shape, usual_layer(shape), work, share);
}

double forward_bytes(const ModelShape& shape, const Work& work, Operations operations, double ranks = 1) {
  return forward(kernels_of(shape, work, ranks), operations, &Kernel::bytes);
}

double backward_bytes(const ModelShape& shape, const Work& work, Operations operations, double ranks = 1) {
  return backward(kernels_of(shape, work, ranks), operations, &Kernel::bytes);
}

TEST(LayerKernels, CountEveryOperandOnceForward) {
  const Work work = half_precision(false);
  // Two norms of 2 passes, two residual sums of 3 passes, 2 bytes, 8 wide.
  EXPECT_EQ(forward_bytes(classic(), work, whole_operations), (2 * 2 + 2 * 3) * 2 * 8);
  // Bias and activation: 2 passes of 32; transposes: 5 passes over a third of 24.
  EXPECT_EQ(forward_bytes(classic(), work, split_operations), 2 * 2 * 32 + 5 * 2 * 8);
  // Two ranks: half the heads and half the MLP each.
  EXPECT_EQ(forward_bytes(classic(), work, whole_operations, 2), (2 * 2 + 2 * 3) * 2 * 8);
  EXPECT_EQ(forward_bytes(classic(), work, split_operations, 2), (2 * 2 * 32 + 5 * 2 * 8) / 2);
}

TEST(LayerKernels, CountEveryOperandOnceBackward) {
  const Work work = half_precision(false);
  // Two norms of 4 passes; activation: input, gradient, result.
  EXPECT_EQ(backward_bytes(classic(), work, whole_operations), (2 * 4 + 2 * 3) * 2 * 8);
  EXPECT_EQ(backward_bytes(classic(), work, split_operations), 3 * 2 * 32 + 5 * 2 * 8);
}

TEST(LayerKernels, DropoutAddsAByteOfMaskForEachSum) {
  for (const auto of : {forward_bytes, backward_bytes}) {
    EXPECT_EQ(of(classic(), half_precision(true), {Operation::residual}, 1) -
                  of(classic(), half_precision(false), {Operation::residual}, 1),
              2 * 8);
  }
}

TEST(LayerKernels, AGateAndRotaryPositionsMoveMore) {
  ModelShape gated = classic();
  gated.gated_mlp = true;
  // silu 2 passes and product 3, of 32; 6 passes over 24.
  EXPECT_EQ(forward_bytes(gated, half_precision(false), split_operations), 5 * 2 * 32 + 6 * 2 * 24);
  EXPECT_EQ(backward_bytes(gated, half_precision(false), split_operations), 8 * 2 * 32 + 6 * 2 * 24);
}

TEST(LayerKernels, FewerKeysAndValuesMoveLess) {
  ModelShape grouped = classic();
  grouped.gated_mlp = true;
  grouped.num_kv_heads = 1;
  EXPECT_EQ(forward_bytes(grouped, half_precision(false), split_operations), 5 * 2 * 32 + 6 * 2 * 16);
  // Each of two ranks has a query head and a copy of the key and value head.
  EXPECT_EQ(forward_bytes(grouped, half_precision(false), split_operations, 2), 5 * 2 * 16 + 6 * 2 * 12);
}

TEST(LayerKernels, ATokenPassesThroughTheExpertsThatItVisits) {
  ModelShape sparse = classic();
  sparse.num_experts = 8;
  sparse.experts_per_token = 2;
  sparse.num_shared_experts = 1;
  EXPECT_EQ(forward_bytes(sparse, half_precision(false), split_operations), 2 * 2 * 3 * 32 + 5 * 2 * 8);
}

// Latents of 6 + 4, heads of 4 + 2 in queries and keys, of 4 in values; one rotated part of 2 for both keys.
TEST(LayerKernels, LatentAttentionNormalisesItsLatentsAndRotatesAPart) {
  ModelShape latent = classic();
  latent.gated_mlp = true;
  latent.query_rank = 6;
  latent.kv_rank = 4;
  latent.rope_head_size = 2;
  const Work work = half_precision(false);
  EXPECT_EQ(forward_bytes(latent, work, whole_operations), (2 * 2 + 2 * 3) * 2 * 8 + 2 * 2 * 10);
  EXPECT_EQ(forward_bytes(latent, work, split_operations),
            5 * 2 * 32 + 6 * 2 * (2 * 2 + 2) + 2 * 2 * (12 + 12 + 8));
  EXPECT_EQ(backward_bytes(latent, work, whole_operations), (2 * 4 + 2 * 3) * 2 * 8 + 4 * 2 * 10);
  EXPECT_EQ(backward_bytes(latent, work, split_operations),
            8 * 2 * 32 + 6 * 2 * (2 * 2 + 2) + 2 * 2 * (12 + 12 + 8));
}

// Two copies of 8 elements of 2 bytes, each read and written, on the way to the experts and back; forward and
// backward.
TEST(LayerKernels, TokensArePutInTheOrderOfTheirExpertsAndBack) {
  ModelShape sparse = classic();
  sparse.num_experts = 8;
  sparse.experts_per_token = 2;
  const Kernels kernels = kernels_of(sparse, half_precision(false));
  const auto moved = [&](bool forward) {
    return sum(kernels, [&](const Kernel& kernel) {
      return kernel.routine == Routine::permutation && (kernel.pass == KernelPass::forward) == forward
                 ? kernel.bytes
                 : 0;
    });
  };
  EXPECT_EQ(moved(true), 2 * 2 * 2 * 8 * 2);
  EXPECT_EQ(moved(false), moved(true));
  EXPECT_EQ(forward_bytes(classic(), half_precision(false), {Operation::residual}), 2 * 3 * 2 * 8);
}

// Where ranks share the sequence between the matrices, each has its tokens there; 32 of 64, and 4 of these.
TEST(LayerKernels, MemoryBoundKernelsAreThoseOfTheRank) {
  const ModelShape deepseek = completed(find_model("deepseek-v3")->shape);
  const Job whole = changed(test::plain_job(deepseek, 64), [](Job& s) {
    s.layout.tensor_parallel = 8;
    s.layout.context_parallel = 2;
  });
  const Job shared = changed(whole, [](Job& s) { s.layout.sequence_parallel = true; });
  const auto bytes = [](const Job& job, Operations operations) {
    return forward(kernels_of(job, LayerKind::moe), operations, &Kernel::bytes);
  };
  const double of_a_token = forward_bytes(deepseek, whole.work, whole_operations, 8);
  EXPECT_DOUBLE_EQ(bytes(whole, whole_operations), 32 * of_a_token);
  EXPECT_DOUBLE_EQ(bytes(shared, whole_operations), 4 * of_a_token);
  EXPECT_DOUBLE_EQ(bytes(shared, split_operations), bytes(whole, split_operations));
}

// Every parameter of the layer's matrices, of the experts a share: new gradient read, sum read and written.
TEST(LayerKernels, GradientsAreAddedToTheirSum) {
  const Job job = changed(test::plain_job(completed(find_model("mixtral-8x7b")->shape), 64), [](Job& s) {
    s.layout.data_parallel = 4;
    s.layout.expert_parallel = 4;
    s.work.gradient_bytes_per_element = 4;
  });
  const double attention = 4096.0 * (6144 + 4096), expert = 3 * 4096.0 * 14336;
  EXPECT_DOUBLE_EQ(
      sum(kernels_of(job, LayerKind::moe),
          [](const Kernel& kernel) { return kernel.routine == Routine::accumulation ? kernel.bytes : 0; }),
      (attention + 4096 * 8 + 2 * expert) * (2 + 2 * 4));
}

// arXiv:2412.19437: 7168 (1536 + 576) + 1536 * 24576 + 512 * 32768 multiply-adds a token, 139.3 MFLOP.
TEST(LayerKernels, ProjectLatentsAtLowRank) {
  const Job job = test::plain_job(completed(find_model("deepseek-v3")->shape), 4096);
  const Kernels kernels = kernels_of(job, LayerKind::dense);
  EXPECT_NEAR(forward(kernels, {Operation::query_key_value}, &Kernel::flops) / 4096, 139.3e6, 0.05e6);
  // Each product streams its own three matrices.
  const auto streamed = [](double inputs, double outputs) {
    return 2 * (4096 * inputs + inputs * outputs + 4096 * outputs);
  };
  EXPECT_EQ(forward(kernels, {Operation::query_key_value}, &Kernel::bytes),
            streamed(7168, 1536) + streamed(1536, 24576) + streamed(7168, 576) + streamed(512, 32768));
}

// Without sequence parallelism every tensor rank multiplies all tokens with what it holds whole.
TEST(LayerKernels, RepeatWhatRanksDoNotDivide) {
  const auto router = [](bool shared) {
    const Job job = changed(test::plain_job(completed(find_model("deepseek-v3")->shape), 4096), [&](Job& s) {
      s.layout.tensor_parallel = 8;
      s.layout.sequence_parallel = shared;
    });
    return forward(kernels_of(job, LayerKind::moe), {Operation::router}, &Kernel::flops);
  };
  EXPECT_EQ(router(false), 2 * 4096 * 7168.0 * 256);
  EXPECT_EQ(router(true), 2 * 4096 / 8 * 7168.0 * 256);
}

// One token of Mixtral visits two of eight experts: what is read is theirs, whatever else there is.
TEST(LayerKernels, ReadOnlyExpertsThatTokensMeet) {
  const auto read = [](std::int64_t batch_size) {
    const Job job = test::plain_job(completed(find_model("mixtral-8x7b")->shape), 1, batch_size);
    return forward(kernels_of(job, LayerKind::moe), {Operation::mlp_out}, &Kernel::bytes);
  };
  constexpr double expert = 4096.0 * 14336;
  EXPECT_DOUBLE_EQ(read(1), 2 * (2 * expert + 2 * (4096 + 14336)));
  // Two tokens meet 3.5 on average: the second chooses among those of the first too.
  EXPECT_DOUBLE_EQ(read(2), 2 * (3.5 * expert + 4 * (4096 + 14336)));
  EXPECT_NEAR(read(256) / (2 * (8 * expert + 512 * (4096 + 14336))), 1, 1e-12);
}

// Four ranks with two experts each, one token a rank: together they meet 8 (1 - (3/4)^4) experts.
TEST(LayerKernels, ReadExpertsThatTheirGroupMeets) {
  const Job job = changed(test::plain_job(completed(find_model("mixtral-8x7b")->shape), 1), [](Job& s) {
    s.layout.data_parallel = 4;
    s.layout.expert_parallel = 4;
  });
  const double met = 2 * (1 - 0.75 * 0.75 * 0.75 * 0.75);
  const Kernels kernels = kernels_of(job, LayerKind::moe);
  EXPECT_DOUBLE_EQ(forward(kernels, {Operation::mlp_out}, &Kernel::bytes),
                   2 * (met * 4096.0 * 14336 + 2 * (4096 + 14336)));
  EXPECT_DOUBLE_EQ(forward(kernels, {Operation::mlp_out}, &Kernel::flops), 2 * 2 * 4096.0 * 14336);
}

// The same products of the same experts; of each, every kernel that one expert runs is launched for it alone.
TEST(LayerKernels, LaunchSeparateExpertsOneByOne) {
  for (const Mode mode : {Mode::training, Mode::decode}) {
    Job job = test::plain_job(completed(find_model("mixtral-8x7b")->shape), 64);
    job.work.mode = mode;
    const Kernels together = kernels_of(job, LayerKind::moe);
    job.work.grouped_experts = false;
    const Kernels apart = kernels_of(job, LayerKind::moe);
    ASSERT_EQ(apart.size(), together.size());
    double experts = 0;
    int separate = 0;
    for (const Kernel& kernel : together)
      if (kernel.routine == Routine::grouped_product) experts = kernel.gemm.batch;
    EXPECT_GT(experts, 1.5);
    for (std::size_t at = 0; at < apart.size(); ++at) {
      const Kernel& kernel = apart[at];
      EXPECT_EQ(kernel.flops, together[at].flops);
      EXPECT_EQ(kernel.bytes, together[at].bytes);
      EXPECT_EQ(kernel.routine == Routine::separate_products,
                together[at].routine == Routine::grouped_product);
      const bool runs_for_one = kernel.owner == MatrixOwner::routed_expert &&
                                (kernel.flops > 0 || kernel.operation == Operation::activation);
      EXPECT_DOUBLE_EQ(kernel.launches, together[at].launches * (runs_for_one ? experts : 1));
      separate += kernel.routine == Routine::separate_products ? 1 : 0;
    }
    EXPECT_EQ(separate, mode == Mode::training ? 6 : 2);
  }
}

// Inputs of 8 bits: 64 tokens of 14336 and 4096 x 14336 weights of one byte, 64 x 4096 results of two, in
// each of three products; before, inputs and gradients of results are read in two bytes and written twice in
// one. Where each row has its scale, they are written once, with a copy of two bytes across, which is
// converted for the weights' gradients; the weights go the same way, but are read once more.
TEST(LayerKernels, ConvertWhatTheyMultiplyInFewerBits) {
  Job job = changed(test::plain_job(completed(find_model("llama-3.1-8b")->shape), 64),
                    [](Job& s) { s.work.matmul_precision = MatmulPrecision::fp8; });
  const auto bytes = [&](Routine routine) {
    return sum(kernels_of(job, LayerKind::dense), [&](const Kernel& kernel) {
      return kernel.operation == Operation::mlp_out && kernel.routine == routine ? kernel.bytes : 0;
    });
  };
  EXPECT_EQ(bytes(Routine::product), 3 * (64 * 14336 + 4096.0 * 14336 + 2 * 64 * 4096));
  const double converted = 64 * (14336.0 + 4096);
  EXPECT_EQ(bytes(Routine::conversion), converted * (2 + 1 + 1));
  job.work.fp8_scaling = Fp8Scaling::block;
  EXPECT_EQ(bytes(Routine::conversion), converted * (2 + 1 + 1));
  job.work.matmul_precision = MatmulPrecision::mxfp8;
  job.work.fp8_scaling = Fp8Scaling::row;
  EXPECT_EQ(bytes(Routine::conversion), converted * (2 + 1 + 1));
  job.work.matmul_precision = MatmulPrecision::fp8;
  EXPECT_EQ(bytes(Routine::conversion),
            converted * (2 + 1 + 2 + 2 + 1) + 4096.0 * 14336 * (2 + 1 + 2 + 2 + 2 + 1));
  for (const Kernel& kernel : kernels_of(job, LayerKind::dense)) {
    if (kernel.operation != Operation::attention_core && kernel.flops > 0) {
      EXPECT_EQ(kernel.precision, MatmulPrecision::fp8);
    }
  }
}

// Forward rows x inner times inner x columns; each gradient multiplies that of the results by the other
// factor.
TEST(LayerKernels, GradientsAreProductsOfTheOtherTwoMatrices) {
  const Job job = test::plain_job(completed(find_model("llama-3.1-8b")->shape), 64);
  std::vector<Gemm> products;
  for (const Kernel& kernel : kernels_of(job, LayerKind::dense))
    if (kernel.operation == Operation::mlp_out && kernel.routine == Routine::product)
      products.push_back(kernel.gemm);
  ASSERT_EQ(products.size(), 3U);
  const auto is = [](const Gemm& gemm, double rows, double columns, double inner) {
    return gemm.rows == rows && gemm.columns == columns && gemm.inner == inner;
  };
  EXPECT_TRUE(is(products[0], 64, 4096, 14336));
  EXPECT_TRUE(is(products[1], 64, 14336, 4096));
  EXPECT_TRUE(is(products[2], 14336, 4096, 64));
}

// Heads of 128: scores of 128, values of 128; 2 sequences of 64 tokens, 64 heads, all keys.
TEST(LayerKernels, AStoredCoreReadsAndWritesItsScores) {
  const Job job = changed(test::plain_job(completed(find_model("llama-3.1-70b")->shape), 64, 2),
                          [](Job& s) { s.work.dropout = false; });
  const Operations core = {Operation::attention_core};
  const Kernels kernels = kernels_of(job, LayerKind::dense);
  EXPECT_EQ(forward(kernels, core, &Kernel::flops), 2 * 2 * 64 * 64 * 64 * 256.0);
  EXPECT_EQ(backward(kernels, core, &Kernel::flops), 2 * 2 * 2 * 64 * 64 * 64 * 256.0);
  const double scores = 2 * 64 * 64 * 64, heads = 2 * 64 * 64 * 128;
  // Both products stream two tensors of heads and the scores; softmax reads and writes them.
  const double products = 2 * (2 * 2 * heads + 2 * scores);
  EXPECT_EQ(forward(kernels, core, &Kernel::bytes), products + 4 * scores);
  EXPECT_EQ(backward(kernels, core, &Kernel::bytes), 2 * products + 6 * scores);
  // Dropout reads, writes and keeps a mask; backward it reads gradient and mask and writes.
  const Kernels masked = kernels_of(changed(job, [](Job& s) { s.work.dropout = true; }), LayerKind::dense);
  EXPECT_EQ(forward(masked, core, &Kernel::bytes), products + (4 + 5) * scores);
  EXPECT_EQ(backward(masked, core, &Kernel::bytes), 2 * products + (6 + 5) * scores);
  // Two ranks that share the sequence have half the queries each, of all keys.
  const Kernels shared =
      kernels_of(changed(job, [](Job& s) { s.layout.context_parallel = 2; }), LayerKind::dense);
  EXPECT_EQ(forward(shared, core, &Kernel::flops), 2 * 64 * 64 * 64 * 256.0);
  EXPECT_EQ(forward(shared, core, &Kernel::bytes), 2 * (3 * heads + scores) + 4 * scores / 2);
}

// The masked half of the scores is skipped, whether MFU counts it or not; five products backward for two.
TEST(LayerKernels, AFusedCoreSkipsTheMaskedHalf) {
  for (const bool causal : {false, true}) {
    const Job job =
        changed(test::plain_job(completed(find_model("llama-3.1-70b")->shape), 64, 2), [&](Job& s) {
          s.work.flash_attention = true;
          s.work.causal_attention = causal;
        });
    const Operations core = {Operation::attention_core};
    const Kernels kernels = kernels_of(job, LayerKind::dense);
    const double half = 2 * 2 * 64 * 32 * 64 * 256.0;
    EXPECT_EQ(forward(kernels, core, &Kernel::flops), half);
    EXPECT_EQ(backward(kernels, core, &Kernel::flops), 2.5 * half);
    EXPECT_EQ(forward(kernels, core, &Kernel::model_flops), causal ? half : 2 * half);
    EXPECT_EQ(backward(kernels, core, &Kernel::model_flops), 2 * (causal ? half : 2 * half));
    // Queries and outputs of 8192, keys and values of 1024 elements a token.
    EXPECT_EQ(forward(kernels, core, &Kernel::bytes), 2 * 128 * (2 * 8192 + 2 * 1024));
  }
}

// DeepSeek-V3 in decode: 512 + 64 elements of the cache for each token, in one byte; 128 heads multiply
// these, and 512 of them again.
TEST(LayerKernels, DecodeReadsTheCache) {
  const Job job = changed(test::plain_job(completed(find_model("deepseek-v3")->shape), 4096, 3), [](Job& s) {
    s.work.mode = Mode::decode;
    s.work.weight_bytes_per_element = 0.5;
    s.work.kv_bytes_per_element = 1;
  });
  const Kernels kernels =
      layer_kernels(job.model, LayerKind::dense, job.work, rank_share(job.work, job.layout));
  const Operations core = {Operation::attention_core};
  EXPECT_EQ(forward(kernels, core, &Kernel::bytes), 3 * 4096 * 576.0);
  EXPECT_EQ(forward(kernels, core, &Kernel::held_bytes), 3 * 4096 * 576.0);
  EXPECT_EQ(forward(kernels, core, &Kernel::flops), 2 * 3 * 4096.0 * 128 * (576 + 512));
  EXPECT_EQ(forward(kernels, core, &Kernel::model_flops), 2 * 3 * 4096.0 * 128 * (192 + 128));
  EXPECT_EQ(forward(kernels, {Operation::mlp_out}, &Kernel::held_bytes), 18432 * 7168 / 2);
  EXPECT_EQ(forward(kernels, {Operation::mlp_out}, &Kernel::bytes),
            18432 * 7168 / 2 + 2 * 3 * (18432 + 7168));
  for (const Kernel& kernel : kernels) EXPECT_EQ(kernel.pass, KernelPass::forward);
}

// In training logits of every token, their loss in 52 bytes each; in inference of the last of each sequence.
TEST(HeadKernels, MultiplyWhatIsNeeded) {
  const auto kernels = [](Mode mode) {
    const Job job =
        changed(test::plain_job(completed(find_model("llama-3.1-70b")->shape), 64, 2), [&](Job& s) {
          s.layout.tensor_parallel = 8;
          if (mode != Mode::decode) s.layout.context_parallel = 2;
          s.work.mode = mode;
        });
    return head_kernels(job.model, job.work, rank_share(job.work, job.layout));
  };
  const Operations head = {Operation::lm_head};
  EXPECT_EQ(forward(kernels(Mode::training), head, &Kernel::flops), 2 * 64 * 8192.0 * 16032);
  EXPECT_EQ(backward(kernels(Mode::training), head, &Kernel::flops), 2 * 2 * 64 * 8192.0 * 16032);
  EXPECT_EQ(forward(kernels(Mode::training), {Operation::loss}, &Kernel::bytes), 64 * 16032 * 52.0);
  for (const Mode mode : {Mode::prefill, Mode::decode}) {
    EXPECT_EQ(forward(kernels(mode), head, &Kernel::flops), 2 * 2 * 8192.0 * 16032);
    EXPECT_EQ(forward(kernels(mode), head, &Kernel::held_bytes), 2 * 8192.0 * 16032);
    EXPECT_EQ(forward(kernels(mode), {Operation::norm}, &Kernel::bytes),
              2 * 2 * 8192 * (mode == Mode::prefill ? 64 : 2));
    EXPECT_EQ(kernels(mode).size(), 2U);
  }
}

// The head's gradient in 2 bytes is added to its sum in 4; nothing at the end of a model is recomputed.
TEST(HeadKernels, AddGradientsToTheirSumAndRunOnce) {
  const Job job = changed(test::plain_job(completed(find_model("llama-3.1-70b")->shape), 64), [](Job& s) {
    s.work.gradient_bytes_per_element = 4;
    s.work.recompute = Recompute::full;
    s.layout.tensor_parallel = 8;
  });
  const Kernels kernels = head_kernels(job.model, job.work, rank_share(job.work, job.layout));
  EXPECT_EQ(
      sum(kernels,
          [](const Kernel& kernel) { return kernel.routine == Routine::accumulation ? kernel.bytes : 0; }),
      (2 + 2 * 4) * 8192.0 * 16032);
  for (const Kernel& kernel : kernels) EXPECT_EQ(kernel.recomputed, 0);
}

// Of 64 tokens, in 2 bytes: rows and positions are read and written. Backward a table of zeros is written and
// rows are added to it; then it is added to its sum in 4 bytes.
TEST(EmbeddingKernels, LookUpARowForEachToken) {
  for (const bool learned : {false, true}) {
    const Job job =
        changed(test::plain_job(completed(find_model("llama-3.1-70b")->shape), 64), [learned](Job& s) {
          s.model.num_positions = learned ? 1024 : 0;
          s.work.gradient_bytes_per_element = 4;
          s.layout.tensor_parallel = 8;
        });
    const Operations embedding = {Operation::embedding};
    const double elements = 64 * 8192;
    const double rows = elements * (learned ? 2 : 1);
    const Kernels kernels = embedding_kernels(job.model, job.work, rank_share(job.work, job.layout));
    EXPECT_EQ(forward(kernels, embedding, &Kernel::bytes), 2 * (rows + elements));
    EXPECT_EQ(forward(kernels, embedding, &Kernel::held_bytes), 2 * rows);
    const double table = (16032 + (learned ? 1024 : 0)) * 8192.0;
    EXPECT_EQ(backward(kernels, embedding, &Kernel::bytes),
              2 * elements + 2 * (table + 2 * rows) + table * (2 + 2 * 4));
    const Job served = changed(job, [](Job& s) { s.work.mode = Mode::decode; });
    EXPECT_EQ(embedding_kernels(served.model, served.work, rank_share(served.work, served.layout)).size(),
              1U);
  }
}

// What a stack launches: 20 kernels in a classic block, 28 with gate, as many twice backward; 45 at the ends
// of the model, and the last norm. A serving stack launches each product, and five others; three more for
// experts.
TEST(LayerKernels, AreLaunchedAsStacksDo) {
  const auto launches = [](const Kernels& kernels) {
    return sum(kernels, [](const Kernel& kernel) { return kernel.launches; });
  };
  for (const bool flash : {false, true}) {
    for (const char* model : {"gpt3-175b", "llama-3.1-8b", "mixtral-8x7b", "deepseek-v3"}) {
      const ModelShape shape = completed(find_model(model)->shape);
      const Job job = changed(test::plain_job(shape, 64), [&](Job& s) { s.work.flash_attention = flash; });
      const double once = shape.gated_mlp ? 28 : 20;
      const Kernels kernels = kernels_of(job, usual_layer(shape));
      EXPECT_EQ(launches(kernels), 3 * once) << model;
      EXPECT_EQ(
          sum(kernels,
              [](const Kernel& kernel) { return kernel.pass == KernelPass::forward ? kernel.launches : 0; }),
          once)
          << model;
      const RankShare share = rank_share(job.work, job.layout);
      EXPECT_EQ(launches(head_kernels(shape, job.work, share)) +
                    launches(embedding_kernels(shape, job.work, share)),
                45 + 3 * (shape.gated_mlp ? 4 : 1));
      for (const Mode mode : {Mode::prefill, Mode::decode}) {
        const Job serving = changed(job, [&](Job& s) { s.work.mode = mode; });
        const LayerMatrices matrices = layer_matrices(shape, usual_layer(shape));
        EXPECT_EQ(launches(kernels_of(serving, usual_layer(shape))),
                  static_cast<double>(matrices.size()) + 5 + (has_experts(shape) ? 3 : 0))
            << model;
      }
    }
  }
}

// What each kind of recomputation runs again, of DeepSeek-V3's layer with experts.
TEST(LayerKernels, SayWhatIsRunAgain) {
  const auto again = [](Recompute recompute, const auto& choose) {
    const Job job = changed(test::plain_job(completed(find_model("deepseek-v3")->shape), 64), [&](Job& s) {
      s.work.recompute = recompute;
      s.work.recompute_attention_core = false;
      choose(s.work);
    });
    std::vector<std::pair<RecomputedBy, double>> found;
    for (const Kernel& kernel : kernels_of(job, LayerKind::moe)) {
      EXPECT_EQ(kernel.recomputed > 0, kernel.recomputed_by != RecomputedBy::nothing);
      if (kernel.pass != KernelPass::forward) {
        EXPECT_EQ(kernel.recomputed, 0);
      }
      if (kernel.recomputed > 0) found.emplace_back(kernel.recomputed_by, kernel.recomputed);
    }
    return found;
  };
  using Found = std::vector<std::pair<RecomputedBy, double>>;
  EXPECT_EQ(again(Recompute::none, [](Work& work) { work.recompute_attention_core = true; }), Found{});
  EXPECT_EQ(again(Recompute::selective, [](Work&) {}), Found{});
  EXPECT_EQ(again(Recompute::selective, [](Work& work) { work.recompute_attention_core = true; }),
            Found(4, {RecomputedBy::attention_core, 1}));
  // Three norms, positions, the activation of routed and of shared experts, two sums, tokens put in order and
  // back.
  EXPECT_EQ(again(Recompute::selective, [](Work& work) { work.recompute_elementwise = true; }),
            Found(10, {RecomputedBy::elementwise, 1}));
  EXPECT_EQ(again(Recompute::selective, [](Work& work) { work.recompute_latent_projections = true; }),
            Found(2, {RecomputedBy::products, 1}));
  // These two, routed experts' projection in, and half of the shared one's.
  EXPECT_EQ(again(Recompute::selective, [](Work& work) { work.recompute_products = true; }),
            (Found{{RecomputedBy::products, 1},
                   {RecomputedBy::products, 1},
                   {RecomputedBy::products, 1},
                   {RecomputedBy::products, 0.5}}));
  // Ten products, four kernels of the core, and the ten.
  EXPECT_EQ(again(Recompute::full, [](Work&) {}), Found(24, {RecomputedBy::full, 1}));
}

// FLOPs of a token in one layer and in the LM head, written out from the shape alone.
struct ClosedForm {
  double products = 0;
  double a_key = 0;  ///< of the core, for each key
};

ClosedForm closed_form(const ModelShape& shape, LayerKind kind) {
  const auto number = [](std::int64_t value) { return static_cast<double>(value); };
  const double h = number(shape.hidden_size), a = number(shape.num_heads), d = number(shape.head_size);
  const double v = shape.value_head_size > 0 ? number(shape.value_head_size) : d;
  const double q = number(shape.query_rank), kv = number(shape.kv_rank), rope = number(shape.rope_head_size);
  ClosedForm form;
  if (kv > 0) {
    const double queries = q > 0 ? h * q + q * a * (d + rope) : h * a * (d + rope);
    form.products = 2 * (queries + h * (kv + rope) + kv * a * (d + v) + a * v * h);
    form.a_key = 2 * a * (d + rope + v);
  } else {
    form.products = 2 * h * d * (2 * a + 2 * number(shape.num_kv_heads));
    form.a_key = 2 * a * 2 * d;
  }
  const double matrices = shape.gated_mlp ? 3 : 2;
  if (kind == LayerKind::moe) {
    form.products += 2 * h * number(shape.num_experts);
    form.products += 2 * h * matrices * number(shape.ffn_hidden_size) *
                     number(shape.experts_per_token + shape.num_shared_experts);
  } else {
    form.products +=
        2 * h * matrices * number(has_experts(shape) ? shape.dense_ffn_hidden_size : shape.ffn_hidden_size);
  }
  return form;
}

// Backward twice, and again by what is recomputed; in inference once.
TEST(LayerKernels, TakeTheFlopsOfTheClosedForm) {
  test::Random random(11);
  for (int trial = 0; trial < 2000; ++trial) {
    const Job job = test::random_job(random);
    const auto& [shape, work, layout, stack, machine] = job;
    const double all = tokens(work);
    const double keys = static_cast<double>(work.sequence_length) *
                        (work.causal_attention && work.mode != Mode::decode ? 0.5 : 1);
    const double passes = work.mode == Mode::training ? 3 : 1;
    RankShare unsplit;
    unsplit.tokens = all;
    for (const LayerKind kind : {LayerKind::dense, LayerKind::moe}) {
      if (kind == LayerKind::moe && !has_experts(shape)) continue;
      const ClosedForm form = closed_form(shape, kind);
      const StepFlops flops = step_flops(layer_kernels(shape, kind, work, unsplit));
      const double once = all * (form.products + keys * form.a_key);
      ASSERT_NEAR(flops.forward / once, 1, 1e-12);
      ASSERT_NEAR(flops.model / (passes * once), 1, 1e-12);
      if (work.recompute == Recompute::full && work.mode == Mode::training) {
        ASSERT_NEAR(flops.hardware / (4 * once), 1, 1e-12);
      }
      // Products compute what MFU counts, but that the busiest experts' rank has more.
      const double routed = 1 + work.expert_imbalance_percent / 100;
      const double room = work.expert_capacity_factor;
      const double busiest = room == 0 ? routed : work.pad_expert_inputs ? room : std::min(routed, room);
      for (const Kernel& kernel : layer_kernels(shape, kind, work, unsplit)) {
        if (kernel.gemm.rows == 0) continue;
        ASSERT_DOUBLE_EQ(kernel.flops, kernel.gemm.flops());
        if (kernel.operation == Operation::attention_core) continue;
        const double more = kernel.owner == MatrixOwner::routed_expert ? busiest : 1;
        ASSERT_NEAR(kernel.flops / (more * kernel.model_flops), 1, 1e-12);
      }
    }
    const double logits = work.mode == Mode::training ? all : static_cast<double>(work.batch_size);
    ASSERT_NEAR(step_flops(head_kernels(shape, work, unsplit)).model,
                passes * 2 * logits * static_cast<double>(shape.hidden_size * shape.vocab_size),
                1e-12 * passes * 2 * all * static_cast<double>(shape.hidden_size * shape.vocab_size));
  }
}

class KernelsOfModel : public testing::TestWithParam<ModelRow> {};

// On all ranks together the layer computes what it does on one, but for keys and values that ranks have
// copies of.
TEST_P(KernelsOfModel, AreSharedByRanks) {
  const Job one = test::plain_job(completed(GetParam().shape), 128, 64);
  const Job shared = changed(one, [](Job& s) {
    s.layout.tensor_parallel = 2;
    s.layout.sequence_parallel = true;
    s.layout.context_parallel = 2;
    s.layout.data_parallel = 2;
    s.layout.expert_parallel = has_experts(s.model) ? 4 : 1;
  });
  if (!can_exist(shared)) return;
  const Operations products = {Operation::query_key_value, Operation::attention_output, Operation::router,
                               Operation::mlp_in, Operation::mlp_out};
  const double copied_keys =
      one.model.num_kv_heads == 1 && one.model.kv_rank == 0
          ? 2.0 * 128 * 64 * static_cast<double>(2 * one.model.head_size * one.model.hidden_size)
          : 0;
  for (const LayerKind kind : {LayerKind::dense, LayerKind::moe}) {
    if (kind == LayerKind::moe && !has_experts(one.model)) continue;
    const Kernels alone = kernels_of(one, kind);
    const Kernels share = kernels_of(shared, kind);
    EXPECT_NEAR(4 * forward(share, products, &Kernel::flops) /
                    (forward(alone, products, &Kernel::flops) + copied_keys),
                1, 1e-12);
    EXPECT_NEAR(4 * forward(share, {Operation::attention_core}, &Kernel::flops) /
                    forward(alone, {Operation::attention_core}, &Kernel::flops),
                1, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(All, KernelsOfModel, testing::ValuesIn(all_models().begin(), all_models().end()),
                         test::name_of_model);

}  // namespace
}  // namespace commcost
