#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/model/catalog.h"
#include "core/model/flops.h"
#include "core/parallel/job_kernels.h"
#include "core/textbook/layer_timeline.h"
#include "core/training/constants.h"
#include "core/training/layer_roofline.h"
#include "core/training/layer_time.h"
#include "core/training/update_time.h"
#include "support/jobs.h"
#include "support/random_jobs.h"

namespace commcost {
namespace {

using test::changed;

Machine b200() {
  Machine machine;
  machine.accelerator = place_of_accelerator("b200");
  return completed(machine);
}

Kernels kernels_of(const Job& job, LayerKind kind) {
  return layer_kernels(job.model, kind, job.work, rank_share(job.work, job.layout));
}

Kernels without(const Kernels& kernels, std::size_t left_out) {
  Kernels rest;
  for (std::size_t at = 0; at < kernels.size(); ++at)
    if (at != left_out) rest.add(kernels[at]);
  return rest;
}

struct Case {
  std::string name;
  Job job;
};

// Dense, gated, with experts, with latents; the core stored and fused; each recomputation; in fewer bits; in
// inference.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* model : {"gpt3-175b", "llama-3.1-70b", "mixtral-8x7b", "deepseek-v3"}) {
    const Job plain = changed(test::plain_job(completed(find_model(model)->shape), 2048), [](Job& s) {
      s.layout.tensor_parallel = 4;
      s.layout.sequence_parallel = true;
    });
    const auto add = [&](const char* name, const auto& change) {
      all.push_back({std::string(model) + ", " + name, changed(plain, change)});
    };
    const auto selective = [&](const char* name, bool Work::*part) {
      add(name, [part](Job& s) {
        s.work.recompute = Recompute::selective;
        s.work.recompute_attention_core = false;
        s.work.*part = true;
      });
    };
    add("stored scores", [](Job&) {});
    add("fused core", [](Job& s) { s.work.flash_attention = true; });
    add("full recomputation", [](Job& s) { s.work.recompute = Recompute::full; });
    selective("core again", &Work::recompute_attention_core);
    selective("elementwise again", &Work::recompute_elementwise);
    selective("latents again", &Work::recompute_latent_projections);
    selective("products again", &Work::recompute_products);
    add("8 bits", [](Job& s) { s.work.matmul_precision = MatmulPrecision::fp8; });
    add("prefill", [](Job& s) { s.work.mode = Mode::prefill; });
    add("decode", [](Job& s) { s.work.mode = Mode::decode; });
  }
  return all;
}

double bytes_of(const Kernels& kernels) {
  double bytes = 0;
  for (const KernelPoint& point : roofline_points(kernels, KernelPricer::at_line_rates(1, 1)))
    bytes += point.hbm_bytes;
  return bytes;
}

double flops_of(const Kernels& kernels) {
  double flops = 0;
  for (const KernelPoint& point : roofline_points(kernels, KernelPricer::at_line_rates(1, 1)))
    flops += point.flops;
  return flops;
}

// Whichever kernel is left out, every sum that it belongs to is less: FLOPs by MFU and HFU, the roofline's
// FLOPs and memory traffic, a step's time in the passes in which it runs, and a serving step's.
void expect_missed(const Kernels& whole, const KernelPricer& rates, const std::string& name) {
  const StepFlops flops = step_flops(whole);
  const ComputeTime time = compute_time(whole, rates);
  const InferenceTime served = inference_time(whole, rates);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    const Kernel& kernel = whole[at];
    const Kernels rest = without(whole, at);
    const std::string what = name + ", kernel " + std::to_string(at);
    const bool forward = kernel.pass == KernelPass::forward;
    const bool counts = kernel.model_flops > 0;

    const StepFlops fewer = step_flops(rest);
    EXPECT_EQ(fewer.forward < flops.forward, forward && counts) << what;
    EXPECT_EQ(fewer.backward < flops.backward, !forward && counts) << what;
    EXPECT_EQ(fewer.recompute<flops.recompute, kernel.recomputed> 0 && counts) << what;
    EXPECT_EQ(fewer.hardware < flops.hardware, counts) << what;
    EXPECT_EQ(layer_flops(rest).total() < layer_flops(whole).total(), forward && counts) << what;

    EXPECT_EQ(flops_of(rest) < flops_of(whole), forward && kernel.flops > 0) << what;
    EXPECT_EQ(bytes_of(rest) < bytes_of(whole), forward) << what;
    EXPECT_GT(kernel.bytes, 0) << what;

    const ComputeTime less = compute_time(rest, rates);
    EXPECT_EQ(less.forward_us() < time.forward_us(), forward) << what;
    EXPECT_EQ(less.backward_us() < time.backward_us(), !forward) << what;
    EXPECT_EQ(less.weight_gradient_us < time.weight_gradient_us, kernel.pass == KernelPass::weight_gradient)
        << what;
    EXPECT_EQ(less.recompute_us<time.recompute_us, kernel.recomputed> 0) << what;
    EXPECT_EQ(less.launches<time.launches, kernel.launches> 0) << what;

    const InferenceTime sooner = inference_time(rest, rates);
    EXPECT_LT(sooner.weights_us + sooner.cache_us + sooner.compute_us + sooner.start_us,
              served.weights_us + served.cache_us + served.compute_us + served.start_us)
        << what;
  }
}

// Of a layer, of which a bar of the timeline is shorter too, of both ends of the model, and of the update.
TEST(KernelSums, MissEveryKernelThatIsLeftOut) {
  for (const auto& [name, job] : cases()) {
    const KernelPricer rates = kernel_pricer(test::on(job, b200()));
    TimelineRates timeline;
    timeline.compute = rates;
    const Kernels layer = kernels_of(job, usual_layer(job.model));
    expect_missed(layer, rates, name + ", layer");
    const double drawn_us = layer_timeline(job, layer, timeline).compute_us;
    for (std::size_t at = 0; at < layer.size(); ++at)
      EXPECT_LT(layer_timeline(job, without(layer, at), timeline).compute_us, drawn_us) << name << at;
    expect_missed(embedding_kernels(job), rates, name + ", embedding");
    expect_missed(head_kernels(job), rates, name + ", head");
    if (job.work.mode != Mode::training) continue;
    const StageShare share = stage_share(job);
    expect_missed(update_kernels(job, holdings_of(job, share, distinct_stages(job, share)[0])), rates,
                  name + ", update");
  }
}

double time_of(const Kernels& kernels, const KernelPricer& rates) {
  double us = 0;
  for (const Kernel& kernel : kernels) us += rates.time_us(kernel);
  return us;
}

// A step pays for every kernel of its ends and of its update, beyond what is fixed.
TEST(KernelSums, OfEndsAndUpdateAreTheStepsTimes) {
  test::Random random(14);
  for (int trial = 0; trial < 300; ++trial) {
    Job job = test::on(test::random_training(random), b200());
    job.work.offloaded_optimizer_percent = 0;  // what the host updates is no kernel
    const StepModel step(job);
    const StageShare share = stage_share(job);
    const Stage stage = distinct_stages(job, share)[0];
    const Kernels update = update_kernels(job, holdings_of(job, share, stage));
    ASSERT_EQ(update.size(), 1U);
    ASSERT_EQ(update[0].pass, KernelPass::update);
    ASSERT_GT(time_of(update, step.rates()), 0);
    ASSERT_DOUBLE_EQ(update_time(step, share, stage).optimizer_us,
                     constants::optimizer_fixed_us + time_of(update, step.rates()));
    const EndTimes ends = end_times(step);
    ASSERT_DOUBLE_EQ(ends.first.compute_us, time_of(embedding_kernels(job), step.rates()));
    ASSERT_DOUBLE_EQ(ends.last.compute_us, time_of(head_kernels(job), step.rates()));
    ASSERT_EQ(ends.first.compute_us > 0, job.model.vocab_size > 0);
  }
}

// Whatever sits where, at the same rates.
TEST(KernelSums, OfTimelineRooflineAndStepAreTheSame) {
  test::Random random(12);
  const Machine machine = b200();
  for (int trial = 0; trial < 300; ++trial) {
    const Job job = test::on(test::random_training(random), machine);
    const StepModel model(job);
    const LayerTimes layers = layer_times(model);
    const LayerKind kind = usual_layer(job.model);
    if (kind == LayerKind::moe && expert_layers(job.model) == 0) continue;
    const LayerTime& layer = kind == LayerKind::moe ? layers.moe : layers.dense;
    TimelineRates rates;
    rates.compute = model.rates();
    double forward_us = 0;
    double recompute_us = 0;
    double weight_gradient_us = 0;
    const LayerTimeline timeline = layer_timeline(job, rates);
    for (const Bar& bar : timeline.bars) {
      if (bar.lane != Lane::compute) continue;
      if (bar.pass == Pass::forward) forward_us += bar.duration_us;
      if (bar.pass == Pass::recompute) recompute_us += bar.duration_us;
      if (bar.pass == Pass::weight_gradient) weight_gradient_us += bar.duration_us;
    }
    ASSERT_NEAR(forward_us / layer.forward_us, 1, 1e-9);
    ASSERT_NEAR(recompute_us, layer.recompute_us, 1e-9 * layer.compute_us());
    ASSERT_NEAR(weight_gradient_us / layer.weight_gradient_us, 1, 1e-9);
    ASSERT_NEAR(timeline.compute_us / layer.compute_us(), 1, 1e-9);
    ASSERT_NEAR(layer_roofline(job).forward_us / layer.forward_us, 1, 1e-9);
  }
}

}  // namespace
}  // namespace commcost
