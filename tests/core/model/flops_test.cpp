#include "core/model/flops.h"

#include <gtest/gtest.h>

#include "core/model/catalog.h"
#include "support/jobs.h"

namespace commcost {
namespace {

using test::classic_shape;

Work work_of(std::int64_t sequence_length, Recompute recompute) {
  Work work;
  work.sequence_length = sequence_length;
  work.batch_size = 1;
  work.recompute = recompute;
  return completed(work);
}

// arXiv:2205.05198: GPT-3 at batch 64, sequence 2048, vocabulary 51200: 1.41092e17 FLOP, 51.4 % MFU and 52.8
// % HFU at 13.75 s on 64 A100.
TEST(StepFlops, OfGpt3GiveItsPublishedUtilization) {
  const StepFlops flops =
      step_flops(classic_shape(96, 12288, 96, 51200), work_of(2048, Recompute::selective), 64);
  EXPECT_NEAR(flops.model, 1.41092e17, 0.00001e17);
  EXPECT_NEAR(utilization_percent(flops.model, 13750, 64, 312), 51.4, 0.05);
  EXPECT_NEAR(utilization_percent(flops.hardware, 13750, 64, 312), 52.8, 0.05);
}

TEST(StepFlops, GiveKorthikantisUtilizations) {
  for (const test::CsvRow& row : test::read_csv(test::data_file("korthikanti.csv"))) {
    const ModelShape shape = classic_shape(test::whole(row, "num_layers"), test::whole(row, "hidden_size"),
                                           test::whole(row, "num_heads"), 51200);
    const StepFlops flops =
        step_flops(shape, work_of(2048, Recompute::selective), row.number("global_batch_size"));
    const double ms = row.number("step_s") * 1e3;
    const double gpus = row.number("num_gpus");
    // The printed time has three digits: half a unit of its last.
    const double tolerance = 0.005 / row.number("step_s") + 0.001;
    EXPECT_NEAR(utilization_percent(flops.model, ms, gpus, 312) / row.number("mfu_percent"), 1, tolerance)
        << row.line();
    EXPECT_NEAR(utilization_percent(flops.hardware, ms, gpus, 312) / row.number("hfu_percent"), 1, tolerance)
        << row.line();
  }
}

// Llama 3.1 8B, by operation: keys of 1024, the attention's output, and of gate and projection in one.
TEST(StepFlops, CountWhatSelectiveRecomputationMultipliesAgain) {
  const ModelShape llama = completed(find_model("llama-3.1-8b")->shape);
  Work work = work_of(8192, Recompute::selective);
  work.recompute_attention_core = false;
  EXPECT_EQ(step_flops(llama, work, 1).recompute, 0);
  work.recompute_products = true;
  const StepFlops flops = step_flops(llama, work, 1);
  EXPECT_EQ(flops.recompute, 32 * 2.0 * 8192 * 4096 * (1024 + 4096 + 14336));
  EXPECT_EQ(flops.hardware, flops.model + flops.recompute);
}

TEST(StepFlops, FollowNarayanansFormulaAndTable) {
  for (const test::CsvRow& row : test::read_csv(test::data_file("narayanan_table1.csv"))) {
    const double l = row.number("num_layers"), h = row.number("hidden_size"),
                 b = row.number("global_batch_size");
    const double s = 2048, v = 51200;
    const ModelShape shape = classic_shape(test::whole(row, "num_layers"), test::whole(row, "hidden_size"),
                                           test::whole(row, "num_heads"), 51200);
    const StepFlops flops = step_flops(shape, work_of(2048, Recompute::full), b);
    const double formula = 96 * b * s * l * h * h * (1 + s / (6 * h) + v / (16 * l * h));
    EXPECT_NEAR(flops.hardware / formula, 1, 1e-12) << row.line();
    const double rate = flops.hardware / row.number("step_s") / row.number("num_gpus") / 1e12;
    EXPECT_NEAR(rate / row.number("tflops_per_gpu"), 1, 0.002) << row.line();
  }
}

// arXiv:2205.05198: 72 B L s h^2 (1 + s/6h + V/12hL) without recomputation, s/3h with selective.
TEST(StepFlops, FollowKorthikantisFormulas) {
  const double b = 8, l = 24, s = 1024, h = 2048, v = 32000;
  const ModelShape shape = classic_shape(24, 2048, 16, 32000);
  const StepFlops flops = step_flops(shape, work_of(1024, Recompute::selective), b);
  EXPECT_NEAR(flops.model / (72 * b * l * s * h * h * (1 + s / (6 * h) + v / (12 * h * l))), 1, 1e-12);
  EXPECT_NEAR(flops.hardware / (72 * b * l * s * h * h * (1 + s / (3 * h) + v / (12 * h * l))), 1, 1e-12);
  // What is computed again is the core's forward pass alone.
  EXPECT_NEAR(flops.recompute / (4 * b * l * s * s * h), 1, 1e-12);
}

TEST(StepFlops, CreditTheCausalMaskWithHalfTheCore) {
  const ModelShape shape = classic_shape(2, 256, 4);
  Work work = work_of(512, Recompute::none);
  const double full = step_flops(shape, work, 1).forward;
  work.causal_attention = true;
  EXPECT_EQ(full - step_flops(shape, work, 1).forward, 2 * 2 * 512.0 * 512 * 256);
}

TEST(StepFlops, OfInferenceAreOneForwardPass) {
  const ModelShape shape = classic_shape(2, 256, 4, 1000);
  Work work = work_of(512, Recompute::none);
  work.mode = Mode::decode;
  work.causal_attention = true;
  const StepFlops decode = step_flops(shape, work, 3);
  EXPECT_EQ(decode.forward, 3 * (2 * (24 * 256.0 * 256 + 4 * 512.0 * 256) + 2 * 256 * 1000.0));
  EXPECT_EQ(decode.backward, 0);
  work.mode = Mode::prefill;
  work.causal_attention = false;
  const StepFlops prefill = step_flops(shape, work, 3);
  EXPECT_EQ(prefill.forward, 3 * (2 * 512 * (24 * 256.0 * 256 + 4 * 512.0 * 256) + 2 * 256 * 1000.0));
}

TEST(LayerFlops, OfExpertsCountThoseVisitedAndTheRouter) {
  ModelShape shape = classic_shape(1, 64, 4);
  shape.num_experts = 8;
  shape.experts_per_token = 2;
  shape.num_shared_experts = 1;
  const Work work = work_of(10, Recompute::none);
  const double dense = layer_flops(shape, work, LayerKind::dense).mlp;
  EXPECT_EQ(layer_flops(shape, work, LayerKind::moe).mlp, 3 * dense + 2 * 10 * 64 * 8);
}

}  // namespace
}  // namespace commcost
