#include <gtest/gtest.h>

#include <map>

#include "core/parallel/ledger.h"
#include "core/textbook/sizes_report.h"
#include "core/training/ledger_report.h"
#include "core/training/training_step.h"
#include "support/random_jobs.h"

namespace commcost {
namespace {

constexpr int layouts = 10000;

Machine machine_of(test::Random& random) {
  const char* const ids[] = {"a100-sxm-80gb", "h100-sxm", "b200", "mi300x"};
  Machine machine;
  machine.accelerator = place_of_accelerator(ids[random.below(4)]);
  return completed(machine);
}

Dimension heading_of(Dimension dimension) {
  const bool with_tensor = dimension == Dimension::sequence || dimension == Dimension::vocabulary;
  return with_tensor ? Dimension::tensor : dimension;
}

// What replicas send of `elements` that each micro-batch passes in `passed`, by ZeRO's volumes
// (arXiv:1910.02054, section 7): 2 (n-1)/n of what is all-reduced, (n-1)/n of what is scattered or gathered.
double zero_volume(const Job& job, const DataGroups& groups, double elements, double passed) {
  const Layout& layout = job.layout;
  const double n = groups.all.size, shards = groups.shards.size, copies = groups.copies.size;
  const double gradients = elements * layout.gradient_wire_bytes_per_element;
  const double weights = elements * layout.parameter_wire_bytes_per_element;
  const double share = (shards - 1) / shards;
  const double shards_summed = 2 * (copies - 1) / copies * gradients / shards;
  switch (layout.zero_stage) {
    case 0:
      return 2 * (n - 1) / n * gradients;
    case 3:
      return passed * share * (2 * weights + gradients) + shards_summed;
    default:
      const double times = layout.zero_stage == 2 && !layout.accumulate_whole_gradients ? passed : 1;
      const double reduced = layout.zero_gradients == ZeroGradients::all_reduce
                                 ? times * 2 * (n - 1) / n * gradients
                                 : times * share * gradients + shards_summed;
      return reduced + share * weights;
  }
}

double zero_volume(const Job& job, const Stage& stage) {
  const StageShare share = stage_share(job);
  const auto count = static_cast<double>(micro_batches(job.work, job.layout));
  const auto volume = [&](const DataGroups& groups, double elements) {
    // Each micro-batch passes one of a stage's copies.
    return zero_volume(job, groups, stage.copies * elements, count / stage.copies);
  };
  const double ends = (stage.is_first ? share.embedding : 0) + (stage.is_last ? share.lm_head : 0);
  const double layers = stage.dense_layers * share.layer + stage.moe_layers * share.expert_layer;
  return volume(data_groups(job.layout), layers + ends / stage.copies) +
         volume(expert_data_groups(job.layout), stage.moe_layers * share.experts);
}

TEST(OneTruth, ReplicasSendZerosVolumes) {
  test::Random random(1);
  for (int layout = 0; layout < layouts; ++layout) {
    const Job any = test::random_training(random);
    const Machine machine = machine_of(random);
    const Job job = test::runnable(any, machine);
    const Outcome<TrainingStep> step = training_step({job});
    ASSERT_TRUE(step) << step.problems().front().message;
    const StepTimes times = step_times(StepModel(job));
    const Stage& stage = times.passes.stages[step_result(times).stage];
    double sent = 0;
    for (const DimensionTraffic& row : step->traffic)
      if (row.dimension == Dimension::data) sent += row.scale_up_bytes + row.network_bytes;
    const double wanted = zero_volume(job, stage);
    ASSERT_NEAR(sent, wanted, 1e-9 * wanted) << layout;
  }
}

// At every ZeRO stage the table has the memory of a step with that stage, and what replicas send on the stage
// that sends most.
TEST(OneTruth, SizesAreThoseOfTheStep) {
  test::Random random(6);
  for (int drawn = 0; drawn < layouts / 4; ++drawn) {
    const Job any = test::random_training(random);
    const Machine machine = machine_of(random);
    Job job = test::runnable(any, machine);
    for (const ZeroRow& row : sizes_report(job).zero_stages) {
      job.layout.zero_stage = row.zero_stage;
      const Outcome<TrainingStep> step = training_step({job});
      ASSERT_TRUE(step);
      ASSERT_EQ(row.weights_bytes, step->memory.weights) << drawn;
      ASSERT_EQ(row.gradients_bytes, step->memory.gradients) << drawn;
      ASSERT_EQ(row.optimizer_bytes, step->memory.optimizer) << drawn;
      ASSERT_EQ(row.memory_bytes, step->memory.total()) << drawn;
      // Of all stages, not only of those that a step tells apart: an inner one may send more.
      const double wanted = zero_volume(job, busiest_stage(job, scale_up_domain(machine)));
      ASSERT_NEAR(row.sent_bytes_per_gpu, wanted, 1e-9 * wanted) << drawn;
    }
  }
}

LedgerStage asked_for(StagePlace place) {
  return place == StagePlace::inner  ? LedgerStage::inner
         : place == StagePlace::last ? LedgerStage::last
                                     : LedgerStage::first;
}

// A step's traffic is the ledger of the stage that it is timed on.
TEST(OneTruth, AStepSendsWhatTheLedgerOfItsStageSays) {
  test::Random random(1);
  std::map<StagePlace, int> decided;
  for (int layout = 0; layout < layouts; ++layout) {
    const Job any = test::random_training(random);
    const Machine machine = machine_of(random);
    const Job job = test::runnable(any, machine);
    const Outcome<TrainingStep> step = training_step({job});
    ASSERT_TRUE(step) << step.problems().front().message;
    ++decided[step->stage];
    const LedgerReport ledger = ledger_report(job, asked_for(step->stage));
    ASSERT_EQ(ledger.stage, step->stage);
    std::map<Dimension, DimensionTraffic> wanted;
    for (const auto& sum : ledger.by_dimension) {
      DimensionTraffic& traffic = wanted[heading_of(sum.heading)];
      traffic.network_bytes += sum.network_bytes_per_gpu;
      traffic.scale_up_bytes += sum.sent_bytes_per_gpu - sum.network_bytes_per_gpu;
    }
    ASSERT_EQ(step->traffic.size(), wanted.size());
    for (const DimensionTraffic& row : step->traffic) {
      const DimensionTraffic& sum = wanted[row.dimension];
      const double all = sum.scale_up_bytes + sum.network_bytes;
      ASSERT_NEAR(row.scale_up_bytes, sum.scale_up_bytes, 1e-12 * all) << layout;
      ASSERT_NEAR(row.network_bytes, sum.network_bytes, 1e-12 * all) << layout;
    }
  }
  for (const StagePlace place : {StagePlace::only, StagePlace::first, StagePlace::inner, StagePlace::last})
    EXPECT_GT(decided[place], 0) << stage_place_names[static_cast<std::size_t>(place)];
}

// With nothing hidden a step waits exactly as long as its ledger's messages take, in every dimension but the
// pipeline's, where a stage also waits for its neighbours.
TEST(OneTruth, AStepPaysForEveryMessageOfItsLedger) {
  test::Random random(2);
  for (int layout = 0; layout < layouts; ++layout) {
    const Job any = test::random_training(random);
    const Machine machine = machine_of(random);
    const Job job = test::runnable(any, machine);
    MachineScales apart;
    apart.overlap = 0;
    const StepModel model(job, apart);
    const StepTimes times = step_times(model);
    const StepResult result = step_result(times);
    const Stage& stage = times.passes.stages[result.stage];
    std::map<Dimension, double> wanted;
    for (const SentMessage& entry : ledger_of(job, stage, scale_up_domain(machine))) {
      if (!takes_part(entry, stage)) continue;
      wanted[heading_of(entry.dimension)] += entry.calls * model.time_of(entry).total_us();
    }
    const auto near = [&](double priced, Dimension dimension) {
      ASSERT_NEAR(priced, wanted[dimension], 1e-9 * priced + 1e-9) << layout;
    };
    near(result.parts.tensor_us, Dimension::tensor);
    near(result.parts.context_us, Dimension::context);
    near(result.parts.expert_us, Dimension::expert);
    near(result.parts.data_us, Dimension::data);
    ASSERT_GE(result.parts.pipeline_us, wanted[Dimension::pipeline] * (1 - 1e-9)) << layout;
    ASSERT_EQ(result.parts.pipeline_us > 0, job.layout.pipeline_parallel > 1) << layout;
  }
}

double step_us(const Job& job, const MachineScales& scales = {}) {
  return step_result(step_times(StepModel(job, scales))).parts.total_us();
}

// Weight gradients fill bubbles: where a stage waits for copies to its host all the same, shorter ones fill
// less, by up to half a percent of the step.
bool fills_while_it_copies(const Job& job) {
  using enum PipelineSchedule;
  const PipelineSchedule schedule = job.layout.pipeline_schedule;
  return job.work.offloaded_layers > 0 && job.layout.pipeline_parallel > 1 && schedule != gpipe &&
         schedule != one_f_one_b && schedule != interleaved;
}

TEST(OneTruth, NothingFasterSlowsAStep) {
  test::Random random(3);
  for (int layout = 0; layout < layouts; ++layout) {
    const Job any = test::random_training(random);
    const Machine machine = machine_of(random);
    const Job job = test::runnable(any, machine);
    const double more = fills_while_it_copies(job) ? 5e-3 : 1e-12;
    const double before = step_us(job);
    for (double MachineScales::*property :
         {&MachineScales::link, &MachineScales::network, &MachineScales::matmul, &MachineScales::hbm}) {
      MachineScales faster;
      faster.*property = 1 + random.unit();
      ASSERT_LE(step_us(job, faster), before * (1 + more)) << layout;
    }
  }
}

TEST(OneTruth, NothingHiddenIsSlowestAndAllHiddenQuickest) {
  test::Random random(4);
  for (int layout = 0; layout < layouts / 4; ++layout) {
    const Job any = test::random_training(random);
    const Machine machine = machine_of(random);
    const Job job = test::runnable(any, machine);
    const Outcome<TrainingStep> step = training_step({job});
    ASSERT_TRUE(step);
    ASSERT_LE(step->all_hidden_ms, step->step_time_ms * (1 + 1e-12)) << layout;
    ASSERT_GE(step->none_hidden_ms, step->step_time_ms * (1 - 1e-12)) << layout;
  }
}

// 70B over TP8, sequence parallelism, DP8 on H100 in nodes of eight, sixteen micro-batches: gradients leave
// sixteen times as often (arXiv:1910.02054, section 5.2).
TEST(OneTruth, Zero2CostsMoreThanZero1WhereTheNetworkBinds) {
  test::Random random(5);
  int bound = 0;
  for (int layout = 0; layout < layouts; ++layout) {
    const Job any = test::random_training(random);
    const Machine machine = machine_of(random);
    Job job = test::runnable(any, machine);
    job.layout.zero_stage = 1;
    job.layout.shard_group_size = 0;  // as in that paper
    job.layout.accumulate_whole_gradients = false;
    const double once = step_us(job);
    job.layout.zero_stage = 2;
    const double often = step_us(job);
    ASSERT_GE(often, once * (1 - 1e-12)) << layout;
    const bool several = micro_batches(job.work, job.layout) > 1;
    if (several && data_ranks(job.layout).size > 1) {
      ASSERT_GT(often, once) << layout;
      ++bound;
    }
  }
  EXPECT_GT(bound, layouts / 20);
}

}  // namespace
}  // namespace commcost
