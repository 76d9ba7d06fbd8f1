// What a step computes again of some layers only, and what it keeps in host memory: what that saves and what
// it costs, by hand.

#include <gtest/gtest.h>

#include "core/base/units.h"
#include "core/hardware/host_copy.h"
#include "core/model/catalog.h"
#include "core/parallel/ledger.h"
#include "core/parallel/recipes.h"
#include "core/training/constants.h"
#include "core/training/training_step.h"
#include "support/random_jobs.h"

namespace commcost {
namespace {

// Llama 3.1 8B on two nodes, TP 2 and PP 4: eight layers a stage.
Job llama() {
  Job job;
  job.model = find_model("llama-3.1-8b")->shape;
  fill(job, *find_recipe("megatron-core"));
  job.work.sequence_length = 8192;
  job.work.batch_size = 1;
  job.work.global_batch_size = 16;
  job.layout.tensor_parallel = 2;
  job.layout.sequence_parallel = true;
  job.layout.pipeline_parallel = 4;
  job.layout.data_parallel = 2;
  job.layout.zero_stage = 1;
  job.layout.balanced_stages = false;
  job.machine.accelerator = place_of_accelerator("h100-sxm");
  return job;
}

Job repeating(std::int64_t layers) {
  Job job = llama();
  job.work.recompute = Recompute::full;
  job.work.recomputed_layers = layers;
  return job;
}

TrainingStep step_of(const Job& job) {
  const Outcome<TrainingStep> step = training_step({job});
  EXPECT_TRUE(step);
  return step ? *step : TrainingStep{};
}

// Layers of round figures: 10 forward, 20 backward; computed again in 12 with a message of 2; 8 to launch, 5
// without.
LayerTimes layers_kept_apart() {
  LayerTimes layers;
  layers.apart = true;
  layers.dense.forward_us = layers.whole_dense.forward_us = 10;
  layers.dense.backward_us = layers.whole_dense.backward_us = 20;
  layers.dense.recompute_us = 12;
  layers.dense.tensor.recompute_us = 2;
  layers.dense.launch_us = 8;
  layers.whole_dense.launch_us = 5;
  layers.dense.copy_us = 3;
  layers.whole_dense.copy_us = 40;
  return layers;
}

Stage of_eight(double repeated, double offloaded) {
  Stage stage{8, 0};
  stage.repeated_share = repeated / 8;
  stage.offloaded_share = offloaded / 8;
  return stage;
}

TEST(RecomputedLayers, AreTheOnlyOnesToTakeTimeTwice) {
  const StageTime some = stage_time(layers_kept_apart(), {}, of_eight(3, 0));
  EXPECT_DOUBLE_EQ(some.compute_us, 8 * 30);
  EXPECT_DOUBLE_EQ(some.recompute_us, 3 * 12);
  EXPECT_DOUBLE_EQ(some.tensor_us, 3 * 2);
  EXPECT_DOUBLE_EQ(some.launch_us, 3 * 8 + 5 * 5);
  EXPECT_EQ(some.offload_us, 0);
}

TEST(RecomputedLayers, KeepTheirInputsAndTheOthersEverything) {
  LayerMemory layer;
  layer.kept = 2;
  layer.whole = 34;
  layer.apart = true;
  EXPECT_DOUBLE_EQ(layer.kept_by(of_eight(3, 0)), 3 * 2 + 5 * 34);
  EXPECT_DOUBLE_EQ(layer.kept_on_gpu(of_eight(3, 0)).of(4), 4 * (3 * 2 + 5 * 34));
  // Half of them are on the host, and one layer's is on its way.
  EXPECT_DOUBLE_EQ(layer.kept_on_gpu(of_eight(3, 4)).of(4), 4 * (3 * 2 + 5 * 34) / 2 + 34);
}

TEST(RecomputedLayers, TurnNoneIntoAllOneByOne) {
  const TrainingStep none = step_of(llama());
  const TrainingStep all = step_of(repeating(0));
  TrainingStep before = none;
  for (std::int64_t layers = 1; layers <= 8; ++layers) {
    const TrainingStep now = step_of(repeating(layers));
    EXPECT_LT(now.memory.activations, before.memory.activations) << layers;
    EXPECT_GT(now.step_time_ms, before.step_time_ms) << layers;
    EXPECT_NEAR(now.parts.recompute_us, all.parts.recompute_us * static_cast<double>(layers) / 8,
                1e-9 * all.parts.recompute_us);
    // MFU counts what the model needs, HFU what is computed.
    EXPECT_NEAR(now.hfu_percent / now.mfu_percent - 1,
                (all.hfu_percent / all.mfu_percent - 1) * static_cast<double>(layers) / 8, 1e-9);
    before = now;
  }
  EXPECT_EQ(before.step_time_ms, all.step_time_ms);
  EXPECT_EQ(before.memory_gib, all.memory_gib);
  EXPECT_EQ(step_of(repeating(1000)).step_time_ms, all.step_time_ms);
}

// Messages of the forward pass are sent again by as many layers as are computed again.
TEST(RecomputedLayers, SendAgainWhatTheySend) {
  const auto again = [](const Job& given) {
    const Job job = completed(given);
    double bytes = 0;
    for (const SentMessage& message : ledger_of(job, stage_at(job, stage_share(job), 1), 8))
      if (message.phase == StepPhase::recompute) bytes += message.sent_bytes_per_gpu;
    return bytes;
  };
  EXPECT_GT(again(repeating(0)), 0);
  EXPECT_DOUBLE_EQ(again(repeating(2)), again(repeating(0)) / 4);
  EXPECT_EQ(again(llama()), 0);
}

TEST(RecomputedLayers, SayNothingOfOtherRecomputation) {
  Job job = llama();
  job.work.recompute = Recompute::selective;
  job.work.recompute_elementwise = true;
  const TrainingStep plain = step_of(job);
  job.work.recomputed_layers = 3;
  EXPECT_EQ(step_of(job).step_time_ms, plain.step_time_ms);
  EXPECT_EQ(step_of(job).memory_gib, plain.memory_gib);
}

// Four layers' copies of 3 us go out beside 80 us of forward pass and back beside 160 us and what is computed
// again: both hidden, but for what compute loses meanwhile.
TEST(OffloadedLayers, HideTheirCopiesBesideCompute) {
  constexpr double lost = constants::overlap_slow_down - 1;
  EXPECT_NEAR(stage_time(layers_kept_apart(), {}, of_eight(8, 4)).offload_us, 2 * 4 * 3 * lost, 1e-12);
  // 160 us out during 80, and back during 160.
  const StageTime slow = stage_time(layers_kept_apart(), {}, of_eight(0, 4));
  EXPECT_NEAR(slow.offload_us, 80 + 80 * lost + 160 * lost, 1e-12);
  EXPECT_NEAR(slow.device_us, 240 + slow.offload_us, 1e-12);
  // With nothing hidden both take all their time.
  EXPECT_NEAR(stage_time(layers_kept_apart(), {}, of_eight(0, 4), 0).offload_us, 2 * 160, 1e-12);
}

TEST(OffloadedLayers, LieInHostMemoryInstead) {
  const TrainingStep here = step_of(llama());
  Job job = llama();
  job.work.offloaded_layers = 2;
  const TrainingStep there = step_of(job);
  // The first stage holds four micro-batches of its eight layers.
  const double layer = here.memory.activations / 4 / 8;
  EXPECT_NEAR(there.host_bytes, 4 * 2 * layer, 1e-6 * layer);
  EXPECT_NEAR(there.memory.activations, (4 * 6 + 1) * layer, 1e-6 * layer);
  EXPECT_EQ(here.host_bytes, 0);
  EXPECT_EQ(there.basis, Basis::estimated);
  EXPECT_NE(there.beyond_runs.find("offloaded_layers"), std::string::npos);
  EXPECT_EQ(here.beyond_runs.find("offloaded"), std::string::npos);
}

TEST(OffloadedLayers, TakeLongerOverASlowerLink) {
  Job job = llama();
  job.work.offloaded_layers = 8;
  double before = 0;
  for (const double rate : {400.0, 52.0, 26.0, 12.0, 3.0}) {
    job.machine.host_gb_per_sec = rate;
    const TrainingStep step = step_of(job);
    EXPECT_GE(step.parts.offload_us, before) << rate;
    before = step.parts.offload_us;
  }
  EXPECT_GT(before, step_of(llama()).step_time_ms);
}

TEST(HostMemory, SlowerCopiesNeverMakeADrawnStepQuicker) {
  test::Random random{32};
  int priced = 0;
  int slower = 0;
  for (int draw = 0; draw < 2000; ++draw) {
    Job job = test::runnable(test::random_training(random), llama().machine);
    // Of two kinds of offload one or both.
    const auto kind = random.below(3);
    if (kind != 0) job.work.offloaded_optimizer_percent = static_cast<double>(1 + random.below(100));
    if (kind != 1) job.work.offloaded_layers = static_cast<std::int64_t>(1 + random.below(8));
    job.machine.host_gb_per_sec = 1 + 400 * random.unit();
    const Outcome<TrainingStep> quick = training_step({job});
    if (!quick) continue;
    ++priced;
    job.machine.host_gb_per_sec /= 1.1 + 10 * random.unit();
    const Outcome<TrainingStep> slow = training_step({job});
    ASSERT_TRUE(slow) << draw;
    EXPECT_GE(slow->step_time_ms, quick->step_time_ms * (1 - 1e-12)) << draw;
    slower += slow->step_time_ms > quick->step_time_ms ? 1 : 0;
  }
  EXPECT_GT(priced, 500);
  EXPECT_GT(slower, 250) << "and some get slower";
}

// Gradients of three quarters of what a GPU updates go to the host and weights come back at 40 GB/s; its node
// updates 3.9 parameters a nanosecond for eight GPUs.
TEST(OffloadedOptimizer, IsUpdatedByTheHost) {
  const TrainingStep here = step_of(llama());
  Job job = llama();
  job.work.offloaded_optimizer_percent = 75;
  job.machine.host_gb_per_sec = 40;
  const TrainingStep there = step_of(job);
  EXPECT_NEAR(there.memory.optimizer, here.memory.optimizer / 4, 1);
  EXPECT_NEAR(there.host_bytes, here.memory.optimizer * 0.75, 1);
  EXPECT_EQ(there.memory.weights, here.memory.weights);
  EXPECT_EQ(there.memory.gradients, here.memory.gradients);
  // The stage that decides keeps 12 bytes of each parameter that it updates.
  const Job complete = completed(job);
  const StageShare share = stage_share(complete);
  double most_us = 0;
  for (const Stage& stage : distinct_stages(complete, share)) {
    const double updated =
        0.75 * parameters_kept(holdings_of(complete, share, stage), complete.layout, StateKind::optimizer);
    const double gradients = static_cast<double>(complete.work.gradient_bytes_per_element);
    const double us = updated * (gradients + 2) / 40e3 + updated * 8 / 3900;
    most_us = std::max(most_us, us);
  }
  EXPECT_LT(there.parts.optimizer_us - here.parts.optimizer_us, most_us);
  EXPECT_GT(there.parts.optimizer_us - here.parts.optimizer_us, 0.8 * most_us);
  EXPECT_EQ(there.basis, Basis::estimated);
}

// LLaMA-7B on 8 A800 under DeepSpeed, sequences of 4096 a second with the optimizer on the GPUs and on the
// host (gist.github.com/chenyaofo/d4cd6a20ab4b95cb3a49491747e2139a): each lies in the range of its step.
TEST(OffloadedOptimizer, HasARangeThatHoldsPublishedRuns) {
  struct Run {
    int zero_stage;
    std::int64_t batch_size;
    double there;
    double elsewhere;
  };
  for (const Run& run : {Run{2, 1, 4.19, 1.81}, Run{3, 2, 4.45, 2.05}}) {
    Job job;
    job.model = find_model("llama-2-7b")->shape;
    fill(job, *find_recipe("deepspeed"));
    job.work.sequence_length = 4096;
    job.work.batch_size = run.batch_size;
    job.work.global_batch_size = 64;
    job.work.recompute = Recompute::full;
    job.layout.data_parallel = 8;
    job.layout.zero_stage = run.zero_stage;
    job.machine.accelerator = place_of_accelerator("a800-sxm-80gb");
    for (const double per_second : {run.there, run.elsewhere}) {
      job.work.offloaded_optimizer_percent = per_second == run.there ? 0 : 100;
      const TrainingStep step = step_of(job);
      EXPECT_LT(step.step_time_low_ms, 64e3 / per_second) << run.zero_stage << " " << per_second;
      EXPECT_GT(step.step_time_high_ms, 64e3 / per_second) << run.zero_stage << " " << per_second;
    }
  }
}

// An unknown link rate is asked for, if anything crosses the link.
TEST(Offloading, AsksForALinkThatIsNotKnown) {
  Job job = llama();
  job.machine.accelerator = place_of_accelerator("tpu-v7x");
  ASSERT_EQ(accelerator_of(job.machine).host_link, "");
  EXPECT_TRUE(training_step({job}));
  job.work.offloaded_layers = 1;
  const Outcome<TrainingStep> refused = training_step({job});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.problems().front().field, "host_gb_per_sec");
  job.machine.host_gb_per_sec = 10;
  EXPECT_TRUE(training_step({job}));
}

TEST(Offloading, CopiesAtTheRateOfPinnedMemory) {
  const double rate = host_copy_rate(*find_accelerator("h100-sxm"), nullptr, HostMemory::pinned).gb_per_sec;
  Machine machine = llama().machine;
  EXPECT_DOUBLE_EQ(completed(machine).host_gb_per_sec, rate);
  machine.host_gb_per_sec = 7;
  EXPECT_EQ(completed(machine).host_gb_per_sec, 7);
}

}  // namespace
}  // namespace commcost
