#include "core/model/activations.h"

#include <gtest/gtest.h>

#include "core/base/units.h"
#include "core/model/catalog.h"
#include "support/jobs.h"

namespace commcost {
namespace {

using test::classic_shape;

Work work_of(std::int64_t sequence_length, std::int64_t batch_size, Recompute recompute) {
  Work work;
  work.sequence_length = sequence_length;
  work.batch_size = batch_size;
  work.recompute = recompute;
  return completed(work);
}

TEST(Activations, MatchThePlaybooksPlots) {
  for (const test::CsvRow& row : test::read_csv(test::data_file("playbook_activations.csv"))) {
    const ModelShape shape = classic_shape(test::whole(row, "num_layers"), test::whole(row, "hidden_size"),
                                           test::whole(row, "num_heads"));
    const auto recompute = static_cast<Recompute>(test::place_of(row.at("recompute"), recompute_names));
    const ActivationSplit split{row.number("tensor_parallel"), row.number("sequence_parallel") != 0,
                                row.number("context_parallel")};
    const double layer =
        layer_activations(shape, work_of(1024, 1, recompute), split, LayerKind::dense).total();
    EXPECT_NEAR(layer * row.number("num_layers") / gib / row.number("gib"), 1, 5e-4) << row.line();
  }
}

// arXiv:2205.05198, table 2, term by term.
TEST(Activations, FollowKorthikantisTable) {
  const double s = 2048, b = 4, h = 6144, a = 64, t = 8;
  const ModelShape shape = classic_shape(48, 6144, 64);
  const auto bytes = [&](Recompute recompute, double ranks, bool sequence) {
    return layer_activations(shape, work_of(2048, 4, recompute), {ranks, sequence, 1}, LayerKind::dense)
        .total();
  };
  EXPECT_DOUBLE_EQ(bytes(Recompute::none, 1, false), s * b * h * (34 + 5 * a * s / h));
  EXPECT_DOUBLE_EQ(bytes(Recompute::none, t, false), s * b * h * (10 + 24 / t + 5 * a * s / (h * t)));
  EXPECT_DOUBLE_EQ(bytes(Recompute::none, t, true), s * b * h * (34 / t + 5 * a * s / (h * t)));
  EXPECT_DOUBLE_EQ(bytes(Recompute::selective, t, false), s * b * h * (10 + 24 / t));
  EXPECT_DOUBLE_EQ(bytes(Recompute::selective, t, true), s * b * h * (34 / t));
  EXPECT_DOUBLE_EQ(bytes(Recompute::full, t, false), 2 * s * b * h);

  const LayerActivations parts =
      layer_activations(shape, work_of(2048, 4, Recompute::none), {}, LayerKind::dense);
  // With two bytes an element for the input of each half's norm.
  EXPECT_EQ(parts.of(Sublayer::attention), (11 + 2) * s * b * h + 5 * a * s * s * b);
  EXPECT_EQ(parts.of(Sublayer::mlp), (19 + 2) * s * b * h);
}

// The figure was read from bars that also hold what lies outside the layers: 0.15 points.
TEST(Activations, SaveWhatKorthikantiPrints) {
  for (const test::CsvRow& row : test::read_csv(test::data_file("korthikanti.csv"))) {
    const ModelShape shape = classic_shape(test::whole(row, "num_layers"), test::whole(row, "hidden_size"),
                                           test::whole(row, "num_heads"));
    const auto bytes = [&](Recompute recompute, bool sequence) {
      return layer_activations(shape, work_of(2048, test::whole(row, "batch_size"), recompute),
                               {8, sequence, 1}, LayerKind::dense)
          .total();
    };
    const double baseline = bytes(Recompute::none, false);
    EXPECT_NEAR(100 * bytes(Recompute::none, true) / baseline, row.number("sequence_memory"), 0.15)
        << row.line();
    EXPECT_NEAR(100 * bytes(Recompute::selective, false) / baseline, row.number("selective_memory"), 0.15)
        << row.line();
    EXPECT_NEAR(100 * bytes(Recompute::selective, true) / baseline, row.number("both_memory"), 0.15)
        << row.line();
    EXPECT_NEAR(100 * bytes(Recompute::full, false) / baseline, row.number("full_memory"), 0.15)
        << row.line();
  }
}

TEST(Activations, RuleOfThumbIsExactForTheClassicShape) {
  const ModelShape shape = classic_shape(80, 8192, 64);
  for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
    const Work work = work_of(1024, 2, recompute);
    EXPECT_EQ(rule_of_thumb_activations(shape, work, {4, true, 2}),
              80 * layer_activations(shape, work, {4, true, 2}, LayerKind::dense).total());
  }
}

TEST(Activations, FlashAttentionNeverStoresTheCore) {
  Work work = work_of(2048, 1, Recompute::none);
  work.flash_attention = true;
  const ModelShape shape = classic_shape(1, 1024, 16);
  EXPECT_EQ(layer_activations(shape, work, {}, LayerKind::dense).total(),
            layer_activations(shape, work_of(2048, 1, Recompute::selective), {}, LayerKind::dense).total());
}

TEST(Activations, FewerKeyHeadsAndAGateKeepWhatTheirMatricesNeed) {
  ModelShape shape = classic_shape(1, 1024, 16);
  Work work = work_of(128, 1, Recompute::selective);
  work.dropout = false;
  const double classic = layer_activations(shape, work, {}, LayerKind::dense).total();
  shape.num_kv_heads = 4;
  EXPECT_EQ(classic - layer_activations(shape, work, {}, LayerKind::dense).total(), 2 * 128.0 * 2 * 12 * 64);
  shape.gated_mlp = true;
  EXPECT_EQ(layer_activations(shape, work, {}, LayerKind::dense).of(Sublayer::mlp),
            2 * 128.0 * (3 * 4096 + 2 * 1024));
}

// Llama 3.1 8B: 4096 wide, keys and values of 1024, an inner width of 14336. Elements of a token that a layer
// keeps: two norms' inputs; the products' inputs; queries, keys and values; gate and projection in.
TEST(Activations, SelectiveRecomputationKeepsNeitherWhatItRepeatsNorWhatOnlyThatNeeds) {
  const ModelShape llama = completed(find_model("llama-3.1-8b")->shape);
  Work work = work_of(8192, 1, Recompute::selective);
  work.dropout = false;
  work.flash_attention = true;
  const auto elements = [&] {
    return layer_activations(llama, work, {}, LayerKind::dense).total() / 2 / 8192;
  };
  const double norms = 2 * 4096;
  const double attention = 4096 + 6144 + 4096;
  const double mlp = 4096 + 3 * 14336;
  EXPECT_EQ(elements(), norms + attention + mlp);
  // What norms and the activation function wrote: inputs of three products.
  work.recompute_elementwise = true;
  EXPECT_EQ(elements(), norms + attention - 4096 + mlp - 4096 - 14336);
  // Every other product: keys, and of gate and projection in the second.
  work.recompute_products = true;
  EXPECT_EQ(elements(), norms + attention - 4096 - 1024 + mlp - 4096 - 2 * 14336);
}

// DeepSeek-V3 repeats norms, the activation function and the projections up (arXiv:2412.19437,
// section 3.2.3): of attention the latents and what the core wrote stay, of its 128 heads' queries, keys and
// values nothing; the norm's input apart.
TEST(Activations, LatentsStandForQueriesKeysAndValues) {
  const ModelShape deepseek = completed(find_model("deepseek-v3")->shape);
  Work work = work_of(4096, 1, Recompute::selective);
  work.dropout = false;
  work.flash_attention = true;
  work.recompute_attention_core = false;
  const auto attention = [&] {
    return layer_activations(deepseek, work, {}, LayerKind::moe).of(Sublayer::attention) / 2 / 4096 - 7168;
  };
  const double latents = 1536 + 512;
  const double core_output = 128 * 128;
  EXPECT_EQ(attention(), 7168 + latents + latents + 128 * (192 + 192 + 128) + core_output);
  work.recompute_latent_projections = true;
  EXPECT_EQ(attention(), 7168 + latents + latents + core_output);
  work.recompute_elementwise = true;
  EXPECT_EQ(attention(), latents + core_output);
}

// arXiv:2412.19437, section 3.3.3: what products and SwiGLU read is kept in 8 bits. Of a layer of DeepSeek-V3
// with experts that is, a token: the normed input of attention and of router, latents behind their norms, the
// core's output, dispatched tokens, what 9 experts' SwiGLU reads and writes.
TEST(Activations, AreKeptInAsManyBytesAsGiven) {
  Work work = work_of(4096, 1, Recompute::none);
  work.flash_attention = true;
  work.dropout = false;
  const auto bytes = [](const Work& kept) {
    return layer_activations(find_model("deepseek-v3")->shape, kept, {}, LayerKind::moe).total() /
           tokens(kept);
  };
  const double in_two = bytes(work);
  const double written = 9 * 2 * 2048;
  const double read = 7168 + 1536 + 512 + 128 * 128 + 7168 + 8 * 7168 + 9 * 2048;
  work.activation_bytes_per_element = 1;
  EXPECT_DOUBLE_EQ(in_two - bytes(work), read + written);
  // As multiplied in 8 bits: all but what SwiGLU reads.
  work.activation_bytes_per_element = 0;
  work.matmul_precision = MatmulPrecision::fp8;
  EXPECT_DOUBLE_EQ(in_two - bytes(work), read);
  work.activation_bytes_per_element = 2;
  EXPECT_DOUBLE_EQ(bytes(work), in_two);
}

}  // namespace
}  // namespace commcost
