// Of each job a run as it is expected is made, kernel by kernel; then one thing of it is changed, so that
// what it costs is known.
#include "core/diagnosis/run_diagnosis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/compute/kernel_price.h"
#include "core/diagnosis/expected_rank.h"
#include "support/jobs.h"
#include "support/network_log.h"

namespace commcost {
namespace {

using enum LossCause;

constexpr std::string_view compute_names[] = {"sm90_gemm_bf16", "flash_fwd_kernel", "add_kernel"};
constexpr auto matmul = static_cast<std::size_t>(KernelSort::matmul);
constexpr auto attention = static_cast<std::size_t>(KernelSort::attention);
constexpr auto elementwise = static_cast<std::size_t>(KernelSort::elementwise);
constexpr auto tensor = static_cast<std::size_t>(Dimension::tensor);
constexpr auto data = static_cast<std::size_t>(Dimension::data);

// 32 H100 in four nodes: tensor ranks in a node, replicas and stages in several.
Job job_of(std::int64_t stages) {
  Job job = test::plain_job(test::classic_shape(40, 5120, 40, 51200), 2048);
  job.machine = test::of_system("dgx-h100");
  job.work.flash_attention = true;
  job.work.global_batch_size = 64;
  job.layout = {};
  job.layout.tensor_parallel = 4;
  job.layout.pipeline_parallel = stages;
  job.layout.data_parallel = 8 / stages;
  return completed(job);
}

/// A run of a job with the profile of one step of some ranks, in which every kernel takes what is expected of
/// it.
class KnownRun {
 public:
  explicit KnownRun(const Job& job, std::vector<double> ranks = {0}) : job_(job) {
    for (const double rank : ranks) {
      const ExpectedRank expected = on(rank);
      profile_.ranks.push_back(
          {.rank = rank, .total_us = 1e3 * expected.step_ms, .idle_us = 1e3 * expected.idle_ms});
      for (std::size_t at = 0; at < num_compute_sorts; ++at)
        add(rank, compute_names[at], "", expected.compute_ms[at], 0);
      for (std::size_t at = 0; at < num_dimensions; ++at) {
        const MessageTimes& sent = expected.messages[at];
        if (sent.wire_ms <= 0) continue;
        add(rank, "ncclDevKernel", group_of(at), sent.wire_ms, sent.exposed_ms);
      }
    }
  }

  ExpectedRank on(double rank) const {
    const auto per_stage = static_cast<std::int64_t>(32 / job_.layout.pipeline_parallel);
    return expected_rank(job_, {}, static_cast<std::int64_t>(rank) / per_stage);
  }
  double step_ms() const { return on(0).step_ms; }

  ProfiledKernels& computing(std::size_t sort, double rank = 0) {
    return *std::find_if(profile_.kernels.begin(), profile_.kernels.end(), [&](const ProfiledKernels& one) {
      return one.rank == rank && one.name == compute_names[sort];
    });
  }
  ProfiledKernels& sending(std::size_t dimension, double rank = 0) {
    return *std::find_if(profile_.kernels.begin(), profile_.kernels.end(), [&](const ProfiledKernels& one) {
      return one.rank == rank && one.process_group == group_of(dimension);
    });
  }
  ProfiledRank& rank(double rank = 0) {
    return *std::find_if(profile_.ranks.begin(), profile_.ranks.end(),
                         [&](const ProfiledRank& one) { return one.rank == rank; });
  }
  MeasuredRun& files() { return profile_; }

  /// All kernels of a sort take so many times as long; returns the ms that this costs.
  double slow(std::size_t sort, double times, double rank = 0) {
    const double more = (times - 1) * computing(sort, rank).time_us;
    computing(sort, rank).time_us += more;
    lengthen(more);
    return more * 1e-3;
  }
  /// A dimension's messages take longer, by so much on the wire and by so much that is waited for.
  void delay(std::size_t dimension, double wire_ms, double exposed_ms, double rank = 0) {
    sending(dimension, rank).time_us += 1e3 * wire_ms;
    sending(dimension, rank).exposed_us += 1e3 * exposed_ms;
    if (rank == 0) lengthen(1e3 * exposed_ms);
  }
  void pause(double ms, double of_launches_ms, double longest_ms) {
    rank().idle_us += 1e3 * ms;
    rank().launch_pauses_us += 1e3 * of_launches_ms;
    rank().longest_pause_us = 1e3 * longest_ms;
    lengthen(1e3 * ms);
  }
  void lengthen(double us) {
    for (ProfiledRank& one : profile_.ranks) one.total_us += us;
  }

  RunDiagnosis diagnosis() const { return diagnosis_of({.job = job_}, profile_); }

 private:
  void add(double rank, std::string_view name, const std::string& group, double ms, double exposed_ms) {
    ProfiledKernels kernels;
    kernels.rank = rank;
    kernels.name = name;
    kernels.process_group = group;
    kernels.calls = 1;
    kernels.time_us = 1e3 * ms;
    kernels.exposed_us = 1e3 * exposed_ms;
    profile_.kernels.push_back(kernels);
  }

  static std::string group_of(std::size_t dimension) {
    return std::string(dimension_names[dimension]) + "_parallel_group";
  }

  Job job_;
  MeasuredRun profile_;
};

std::vector<LossCause> causes_of(const RunDiagnosis& found) {
  std::vector<LossCause> causes;
  for (const NamedLoss& loss : found.losses) causes.push_back(loss.cause);
  return causes;
}

// A GPU's samples at full clocks and with nothing that holds it down.
SampledGpu healthy_gpu(double gpu = 0) {
  return {.gpu = gpu,
          .samples = 10,
          .sm_clock_mhz = 1980,
          .max_sm_clock_mhz = 1980,
          .power_w = 600,
          .power_limit_w = 700};
}

NetworkLog log_of(const Machine& machine, double gpus, double times) {
  return test::network_log(machine, gpus, [times](double) { return times; });
}

TEST(RunDiagnosis, OfARunAsItIsExpectedNamesNothing) {
  for (const std::int64_t stages : {1, 4}) {
    const RunDiagnosis found = KnownRun(job_of(stages), {0, 1, 24}).diagnosis();
    EXPECT_EQ(found.verdict, RunVerdict::as_expected);
    EXPECT_EQ(causes_of(found), std::vector<LossCause>{});
    EXPECT_EQ(found.measured_by, "profile");
    EXPECT_NEAR(found.unexplained_ms, 0, 1e-6);
    EXPECT_EQ(found.missing, std::vector{MissingFile::training_log});
  }
}

TEST(RunDiagnosis, NamesTheKernelsThatAreSlow) {
  constexpr LossCause causes[] = {slow_matmuls, slow_attention, slow_elementwise};
  for (std::size_t sort = 0; sort < num_compute_sorts; ++sort) {
    KnownRun run(job_of(1));
    const double times = sort == matmul ? 1.2 : 3;
    const double cost_ms = run.slow(sort, times);
    const RunDiagnosis found = run.diagnosis();
    ASSERT_EQ(causes_of(found), std::vector{causes[sort]});
    const NamedLoss& loss = found.losses[0];
    EXPECT_NEAR(loss.loss_ms, cost_ms, 1e-6);
    EXPECT_NEAR(loss.share_percent, 100 * cost_ms / found.measured_ms, 1e-9);
    EXPECT_NEAR(loss.ratio, times, 1e-9);
    EXPECT_EQ(loss.where, compute_names[sort]);
    EXPECT_EQ(found.verdict, RunVerdict::explained);
    EXPECT_NEAR(found.unexplained_ms, 0, 1e-6);
    // Small kernels are never sure, products and attention are where they take half as long again.
    EXPECT_EQ(loss.confidence, sort == attention ? LossConfidence::high : LossConfidence::medium);
  }
}

// A kind of kernel differs by 3.5 % from machine to machine: three times that is no chance.
TEST(RunDiagnosis, NamesNoKernelsThatMayBeSlowByChance) {
  KnownRun by_chance(job_of(1));
  by_chance.slow(matmul, 1.10);
  EXPECT_EQ(causes_of(by_chance.diagnosis()), std::vector<LossCause>{});
  KnownRun slower(job_of(1));
  slower.slow(matmul, 1.11);
  EXPECT_EQ(causes_of(slower.diagnosis()), std::vector{slow_matmuls});
}

// Twice as much of all that is computed is another rank.
TEST(RunDiagnosis, NamesNoRankThatMayBeSlowByChance) {
  const auto named = [](double share) {
    KnownRun run(job_of(1), {0, 1});
    run.computing(matmul, 1).time_us += 1e3 * share * run.on(1).computed_ms();
    return causes_of(run.diagnosis());
  };
  EXPECT_EQ(named(0.069), std::vector<LossCause>{});
  EXPECT_EQ(named(0.071), std::vector{straggler});
}

// What one kind takes less than expected, a fused kernel of another took over.
TEST(RunDiagnosis, TakesWhatWasFusedForNoLoss) {
  KnownRun run(job_of(1));
  const double moved = run.slow(elementwise, 2);
  run.computing(matmul).time_us -= 1e3 * moved;
  run.lengthen(-1e3 * moved);
  EXPECT_EQ(causes_of(run.diagnosis()), std::vector<LossCause>{});
}

// Half of what is noise is as good as the middle one; of two the quicker is the middle.
TEST(RunDiagnosis, WatchesTheFirstRankThatComputesAsTheMiddleOne) {
  const auto watched = [](const std::vector<double>& pace) {
    KnownRun run(job_of(1), {0, 1, 2});
    for (std::size_t at = 0; at < 3; ++at) {
      const auto rank = static_cast<double>(at);
      for (std::size_t sort = 0; sort < num_compute_sorts; ++sort)
        run.computing(sort, rank).time_us *= pace[at];
      run.rank(rank).total_us = 1e3 * (rank + 1);
    }
    return run.diagnosis().measured_ms - 1;
  };
  EXPECT_EQ(watched({1.017, 1, 1}), 0);
  EXPECT_EQ(watched({1.018, 1, 1}), 1);
  EXPECT_EQ(watched({1.3, 1.2, 1.1}), 1);
  EXPECT_EQ(watched({1.3, 1.1, 1.3}), 0);
}

// A group that is not named is the dimension that has as many ranks, and the replicas' where several have.
TEST(RunDiagnosis, TellsAGroupByItsSize) {
  const auto cause = [](std::int64_t tensor_ranks, std::int64_t replicas, double group) {
    Job job = job_of(1);
    job.layout.tensor_parallel = tensor_ranks;
    job.layout.data_parallel = replicas;
    job.layout.cluster_gpus = tensor_ranks * replicas;
    job = completed(job);
    KnownRun run(job);
    const double late_ms = 0.2 * run.step_ms();
    run.delay(tensor, late_ms, late_ms);
    ProfiledKernels& sent = run.sending(tensor);
    sent.process_group.clear();
    sent.group_size = group;
    return run.diagnosis().losses.at(0).cause;
  };
  EXPECT_EQ(cause(4, 8, 4), slow_links);
  EXPECT_EQ(cause(2, 16, 2), slow_links);
  EXPECT_EQ(cause(4, 8, 8), slow_network);
  EXPECT_EQ(cause(4, 8, 3), slow_network);
  EXPECT_EQ(cause(4, 8, 1), slow_network);
  EXPECT_EQ(cause(4, 4, 4), slow_network);
}

// A profile of more ranks than the job has GPUs has more replicas of the last stage.
TEST(RunDiagnosis, TakesARankBeyondTheJobForOneOfTheLastStage) {
  KnownRun run(job_of(4), {0, 24});
  run.rank(24).rank = 40;
  for (ProfiledKernels& one : run.files().kernels)
    if (one.rank == 24) one.rank = 40;
  EXPECT_EQ(run.diagnosis().verdict, RunVerdict::as_expected);
}

TEST(RunDiagnosis, TellsClocksFromKernelsBySamplesAlone) {
  const auto rivals = [](double products, double attending, bool sampled) {
    KnownRun run(job_of(1));
    run.slow(matmul, products);
    run.slow(attention, attending);
    if (sampled) run.files().samples = {healthy_gpu()};
    return run.diagnosis().losses.at(0).rival;
  };
  EXPECT_EQ(rivals(1.3, 1.3, false), "throttled_clocks");
  EXPECT_EQ(rivals(1.3, 1.3, true), "");
  // Clocks slow both alike.
  EXPECT_EQ(rivals(1.3, 1.55, false), "");
  EXPECT_EQ(rivals(1.3, 1.05, false), "");
}

TEST(RunDiagnosis, KnowsWhatHoldsClocksDown) {
  const auto held = [](auto change) {
    KnownRun run(job_of(1));
    const double cost_ms = run.slow(matmul, 1.3) + run.slow(attention, 1.3);
    SampledGpu gpu = healthy_gpu();
    gpu.sm_clock_mhz = 1400;
    change(gpu);
    run.files().samples = {gpu};
    const RunDiagnosis found = run.diagnosis();
    if (causes_of(found) != std::vector{throttled_clocks}) return false;
    EXPECT_NEAR(found.losses[0].loss_ms, cost_ms, 1e-6);
    EXPECT_EQ(found.losses[0].where, "GPU 0");
    EXPECT_EQ(found.losses[0].measured, gpu.sm_clock_mhz);
    EXPECT_EQ(found.losses[0].expected, gpu.max_sm_clock_mhz);
    return true;
  };
  // A low clock alone may be what products under load run at.
  EXPECT_FALSE(held([](SampledGpu&) {}));
  EXPECT_FALSE(held([](SampledGpu& gpu) { gpu.thermal_share = 0.5; }));
  EXPECT_TRUE(held([](SampledGpu& gpu) { gpu.thermal_share = 0.51; }));
  // Its usual limit is 700 W.
  EXPECT_FALSE(held([](SampledGpu& gpu) { gpu.power_share = 1; }));
  const auto limit = [&](double watts, double drawn, double share) {
    return held([&](SampledGpu& gpu) {
      gpu.power_limit_w = watts;
      gpu.power_w = drawn;
      gpu.power_share = share;
    });
  };
  EXPECT_FALSE(limit(630, 630, 1));
  EXPECT_TRUE(limit(629, 100, 0.51));
  EXPECT_FALSE(limit(600, 570, 0.5));
  EXPECT_TRUE(limit(600, 571, 0.5));
  EXPECT_FALSE(limit(0, 100, 1));  // not given
  EXPECT_TRUE(held([](SampledGpu& gpu) { gpu.fixed_share = 0.51; }));
  EXPECT_FALSE(held([](SampledGpu& gpu) { gpu.fixed_share = 0.5; }));
  EXPECT_FALSE(held([](SampledGpu& gpu) { gpu.fixed_share = 1, gpu.sm_clock_mhz = 0.8 * 1980; }));
  EXPECT_FALSE(held([](SampledGpu& gpu) { gpu.fixed_share = 1, gpu.max_sm_clock_mhz = 0; }));
}

TEST(RunDiagnosis, LooksAtTheSamplesOfTheRanksOwnGpu) {
  const auto where = [](std::vector<double> gpus, double hot) {
    KnownRun run(job_of(1), {9});
    run.computing(matmul, 9).time_us *= 1.3;
    run.lengthen(1);
    for (const double gpu : gpus) {
      run.files().samples.push_back(healthy_gpu(gpu));
      if (gpu == hot) run.files().samples.back().thermal_share = 1;
    }
    const RunDiagnosis found = run.diagnosis();
    return found.losses.at(0).cause == throttled_clocks ? found.losses[0].where : "";
  };
  EXPECT_EQ(where({0, 1, 2}, 1), "GPU 1");
  EXPECT_EQ(where({0, 1, 2}, 2), "");
  EXPECT_EQ(where({4, 5, 6}, 5), "GPU 5");  // of others the one in the middle
  EXPECT_EQ(where({4, 5, 6, 7}, 6), "GPU 6");
}

// Products with their shapes: so many of them as take a share of what is expected, at so many times their
// price.
void multiply(KnownRun& run, const Job& job, double work, double pace) {
  ProfiledKernels& products = run.computing(matmul);
  products.m = products.n = products.k = 4096;
  const GemmCall call{.m = 4096, .n = 4096, .k = 4096, .input_bytes = 2, .weight_bytes = 2};
  const KernelQuestion question{.call = call,
                                .run = {.load = Load::sustained, .backward = false, .warm_cache = false}};
  const double each_us = price_of(question, accelerator_of(job.machine)).time_us * job.stack.gemm_time_scale;
  const double before_us = products.time_us;
  products.calls = work * before_us / each_us;
  products.time_us = pace * work * before_us;
  run.lengthen(products.time_us - before_us);
}

TEST(RunDiagnosis, TellsMoreWorkFromSlowWorkByShapes) {
  const Job job = job_of(1);
  const double expected_ms = KnownRun(job).on(0).compute_ms[matmul];
  KnownRun more(job);
  multiply(more, job, 1.3, 1.02);
  const RunDiagnosis found = more.diagnosis();
  ASSERT_EQ(causes_of(found), std::vector{more_work});
  EXPECT_NEAR(found.losses[0].loss_ms, 1.02 * 0.3 * expected_ms, 1e-6);
  EXPECT_EQ(found.losses[0].confidence, LossConfidence::medium);
  EXPECT_EQ(found.losses[0].where, "sm90_gemm_bf16 4096 x 4096 x 4096");

  KnownRun slow(job);
  multiply(slow, job, 1, 1.3);
  ASSERT_EQ(causes_of(slow.diagnosis()), std::vector{slow_matmuls});
  EXPECT_EQ(slow.diagnosis().losses[0].confidence, LossConfidence::high);

  // Forward passes that run again bring their attention and messages along.
  KnownRun again(job);
  multiply(again, job, 4.0 / 3, 1);
  again.computing(attention).calls = 200;
  ProfiledKernels backward = again.computing(attention);
  backward.name = "flash_bwd_kernel";
  backward.calls = 100;
  backward.time_us = 0;
  again.files().kernels.push_back(backward);
  again.slow(elementwise, 1.2);
  const double wire_ms = again.on(0).messages[tensor].wire_ms;
  again.delay(tensor, wire_ms / 2, wire_ms / 2);
  const RunDiagnosis twice = again.diagnosis();
  ASSERT_EQ(causes_of(twice), std::vector{more_work});
  EXPECT_EQ(twice.losses[0].confidence, LossConfidence::high);
  const ExpectedRank rank = again.on(0);
  EXPECT_NEAR(
      twice.losses[0].loss_ms,
      expected_ms / 3 + rank.compute_ms[attention] / 2 + 0.2 * rank.compute_ms[elementwise] + wire_ms / 2,
      1e-6);
}

TEST(RunDiagnosis, TellsASlowWireFromMessagesInPlainSight) {
  const Job job = job_of(1);
  const double late_ms = 0.2 * KnownRun(job).step_ms();
  KnownRun links(job);
  links.delay(tensor, late_ms, late_ms);
  RunDiagnosis found = links.diagnosis();
  ASSERT_EQ(causes_of(found), std::vector{slow_links});
  EXPECT_NEAR(found.losses[0].loss_ms, late_ms, 1e-6);
  // One rank can't distinguish a slow wire from a rank that comes late.
  EXPECT_EQ(found.losses[0].confidence, LossConfidence::low);
  EXPECT_EQ(found.losses[0].rival, "straggler");
  EXPECT_EQ(found.missing, (std::vector{MissingFile::training_log, MissingFile::profiles_of_ranks,
                                        MissingFile::network_log}));

  KnownRun network(job);
  network.delay(data, late_ms, late_ms);
  ASSERT_EQ(causes_of(network.diagnosis()), std::vector{slow_network});

  KnownRun shown(job);
  const double hidden_ms = shown.on(0).messages[data].wire_ms - shown.on(0).messages[data].exposed_ms;
  ASSERT_GT(hidden_ms, 0.04 * shown.step_ms());
  shown.delay(data, 0, hidden_ms);
  found = shown.diagnosis();
  ASSERT_EQ(causes_of(found), std::vector{not_overlapped});
  EXPECT_NEAR(found.losses[0].loss_ms, hidden_ms, 1e-6);
  EXPECT_EQ(found.losses[0].confidence, LossConfidence::high);

  // Two ranks that both wait compare: none comes late.
  KnownRun two(job, {0, 1});
  for (const double rank : {0.0, 1.0}) two.delay(tensor, late_ms, late_ms, rank);
  found = two.diagnosis();
  ASSERT_EQ(causes_of(found), std::vector{slow_links});
  EXPECT_EQ(found.losses[0].confidence, LossConfidence::medium);
  EXPECT_EQ(found.losses[0].rival, "");

  // A log of collectives decides: the wire is slow, or it is fine and some rank comes late.
  links.files().networks = {log_of(job.machine, 8, 1.7)};
  found = links.diagnosis();
  ASSERT_EQ(causes_of(found), std::vector{slow_links});
  EXPECT_EQ(found.losses[0].confidence, LossConfidence::high);
  EXPECT_EQ(found.losses[0].rival, "");
  links.files().networks = {log_of(job.machine, 8, 1)};
  EXPECT_EQ(causes_of(links.diagnosis()), std::vector{straggler});
  // Between nodes it says nothing of links within one.
  links.files().networks = {log_of(job.machine, 32, 1)};
  EXPECT_EQ(causes_of(links.diagnosis()), std::vector{slow_links});
}

// Messages of two groups that are waited for at once are waited for once.
TEST(RunDiagnosis, CountsAMomentOnce) {
  KnownRun run(job_of(1));
  const ExpectedRank expected = run.on(0);
  const double waited_ms = expected.messages[tensor].exposed_ms + expected.messages[data].exposed_ms;
  for (const std::size_t at : {tensor, data}) run.sending(at).exposed_us *= 2;
  run.rank().communication_only_us = 1e3 * waited_ms;
  EXPECT_EQ(causes_of(run.diagnosis()), std::vector<LossCause>{});
}

TEST(RunDiagnosis, FindsTheRankThatIsWaitedFor) {
  const Job job = job_of(1);
  KnownRun run(job, {0, 1, 2});
  const double late_ms = run.slow(matmul, 1.3, 1);
  for (const double other : {0.0, 2.0}) run.delay(tensor, late_ms, late_ms, other);
  run.lengthen(-1e3 * late_ms);
  RunDiagnosis found = run.diagnosis();
  ASSERT_EQ(causes_of(found), std::vector{straggler});
  EXPECT_NEAR(found.losses[0].loss_ms, late_ms, 1e-6);
  EXPECT_EQ(found.losses[0].where, "rank 1");
  EXPECT_EQ(found.losses[0].rival, "");
  run.files().samples = {healthy_gpu(0), healthy_gpu(1)};
  run.files().samples[1].thermal_share = 1;
  run.files().samples[1].sm_clock_mhz = 1200;
  EXPECT_EQ(run.diagnosis().losses.at(0).where, "rank 1, GPU 1 at 1200 MHz");
  // Of two as slow the first.
  KnownRun two(job, {0, 1, 2, 3, 4});
  for (const double slow : {1.0, 2.0}) two.computing(matmul, slow).time_us *= 1.3;
  EXPECT_EQ(two.diagnosis().losses.at(0).where, "rank 1");
}

TEST(RunDiagnosis, TellsAStageFromARank) {
  const Job job = job_of(4);
  const auto with_slow = [&](std::vector<double> ranks, std::vector<double> slow) {
    KnownRun run(job, std::move(ranks));
    for (const double one : slow) run.computing(matmul, one).time_us *= 1.4;
    run.pause(0.4 * run.on(8).compute_ms[matmul], 0, 0);
    const RunDiagnosis found = run.diagnosis();
    return std::pair(found.losses.at(0).cause, std::string(found.losses[0].rival));
  };
  EXPECT_EQ(with_slow({0, 1, 8, 9}, {8, 9}), std::pair(stage_imbalance, std::string()));
  EXPECT_EQ(with_slow({0, 1, 8, 9}, {8}), std::pair(straggler, std::string()));
  EXPECT_EQ(with_slow({0, 8, 9}, {8}), std::pair(straggler, std::string()));
  EXPECT_EQ(with_slow({0, 1, 8}, {8}), std::pair(stage_imbalance, std::string()));
  EXPECT_EQ(with_slow({0, 1, 8}, {1}), std::pair(straggler, std::string()));
}

TEST(RunDiagnosis, TellsLaunchesFromLongPauses) {
  const Job job = job_of(1);
  const double late_ms = 0.2 * KnownRun(job).step_ms();
  KnownRun launches(job);
  launches.pause(late_ms, late_ms, 0.5);
  RunDiagnosis found = launches.diagnosis();
  ASSERT_EQ(causes_of(found), std::vector{host});
  EXPECT_NEAR(found.losses[0].loss_ms, late_ms, 1e-6);
  EXPECT_EQ(found.losses[0].confidence, LossConfidence::high);

  // Pauses of a millisecond are no launches, unless most of the waiting is said to be.
  const auto first = [&](double of_launches, double longest_ms) {
    KnownRun paused(job);
    paused.pause(late_ms, of_launches * late_ms, longest_ms);
    return paused.diagnosis().losses.at(0).cause;
  };
  EXPECT_EQ(first(0.4, 1), input);
  EXPECT_EQ(first(0.59, 0.9), host);
  EXPECT_EQ(first(0.59, 1), input);
  EXPECT_EQ(first(0.61, 1), host);

  KnownRun loading(job);
  loading.pause(late_ms, 0, late_ms);
  found = loading.diagnosis();
  ASSERT_EQ(causes_of(found), std::vector{input});
  EXPECT_NEAR(found.losses[0].loss_ms, late_ms, 1e-6);
  EXPECT_NEAR(found.losses[0].measured, late_ms, 1e-9);

  // Of stages pauses are waiting for each other, unless one of them is long.
  const Job staged = job_of(4);
  KnownRun waiting(staged);
  const double more_ms = 0.2 * waiting.step_ms();
  waiting.pause(more_ms, 0, 0.4 * more_ms);
  found = waiting.diagnosis();
  ASSERT_EQ(causes_of(found), std::vector{pipeline_bubble});
  EXPECT_NEAR(found.losses[0].loss_ms, more_ms, 1e-6);
  EXPECT_EQ(found.losses[0].confidence, LossConfidence::low);
  EXPECT_EQ(found.losses[0].rival, "stage_imbalance");
  KnownRun stuck(staged);
  stuck.pause(more_ms, 0, more_ms);
  EXPECT_EQ(causes_of(stuck.diagnosis()), std::vector{input});
}

TEST(RunDiagnosis, CalibratesProductsByEverySecondShape) {
  const Job job = job_of(1);
  const auto part = [&](int shapes, double pace) {
    KnownRun run(job);
    multiply(run, job, 1, 1);
    const ProfiledKernels one = run.computing(matmul);
    run.computing(matmul).time_us = pace * one.time_us / shapes;
    run.computing(matmul).calls = one.calls / shapes;
    const ProfiledKernels each = run.computing(matmul);
    for (int count = 1; count < shapes; ++count) run.files().kernels.push_back(each);
    return run.diagnosis().parts;
  };
  EXPECT_TRUE(part(3, 1.2).empty());
  EXPECT_EQ(part(4, 1.2).size(), 1U);
  const std::vector<CalibratedPart> slow = part(5, 1.2);
  ASSERT_EQ(slow.size(), 1U);
  EXPECT_EQ(slow[0].field, "gemm_time_scale");
  EXPECT_NEAR(slow[0].value, 1.2 * job.stack.gemm_time_scale, 1e-9);
  EXPECT_EQ(slow[0].used, 3);
  EXPECT_EQ(slow[0].unused, 2);
  EXPECT_EQ(slow[0].verdict, PartVerdict::offered);
  EXPECT_NEAR(slow[0].error_before_percent, 20, 1e-6);
  EXPECT_NEAR(slow[0].error_after_percent, 0, 1e-6);
  EXPECT_EQ(part(5, 1.0)[0].verdict, PartVerdict::as_expected);
}

// Of a log alone: what it may be, and what would tell.
TEST(RunDiagnosis, AsksForTheFilesThatWouldTell) {
  const Job job = job_of(1);
  KnownRun run(job, {});
  run.files().step_times_ms.assign(20, 2.5 * run.step_ms());
  RunDiagnosis found = run.diagnosis();
  EXPECT_EQ(found.verdict, RunVerdict::unexplained);
  EXPECT_EQ(found.measured_by, "training_log");
  EXPECT_NEAR(found.unexplained_ms, 1.5 * run.step_ms(), 1e-6);
  EXPECT_EQ(found.missing,
            (std::vector{MissingFile::profile, MissingFile::network_log, MissingFile::gpu_samples}));
  EXPECT_EQ(found.consistent_with, (std::vector{slow_matmuls, throttled_clocks, slow_network, not_overlapped,
                                                host, straggler, more_work}));
  run.files().samples = {healthy_gpu()};
  run.files().networks = {log_of(job.machine, 32, 1)};
  found = run.diagnosis();
  EXPECT_EQ(found.missing, std::vector{MissingFile::profile});
  EXPECT_EQ(found.consistent_with, (std::vector{slow_matmuls, not_overlapped, host, straggler, more_work}));

  run.files().step_times_ms.assign(20, 0.3 * run.step_ms());
  EXPECT_EQ(run.diagnosis().verdict, RunVerdict::faster);
  EXPECT_TRUE(run.diagnosis().consistent_with.empty());
  EXPECT_EQ(diagnosis_of({.job = job}, {}).verdict, RunVerdict::nothing_measured);
}

// Without a profile a file about the machine is asked what the step takes on such a machine.
TEST(RunDiagnosis, TakesWhatOtherFilesSayOfTheMachine) {
  const Job job = job_of(1);
  KnownRun run(job, {});
  run.files().step_times_ms.assign(20, 2 * run.step_ms());
  SampledGpu hot = healthy_gpu(3);
  hot.thermal_share = 1;
  hot.sm_clock_mhz = 0.4 * 1980;
  SampledGpu warm = hot;
  warm.gpu = 2;
  warm.sm_clock_mhz += 100;
  run.files().samples = {warm, hot, healthy_gpu(4)};
  RunDiagnosis found = run.diagnosis();
  ASSERT_EQ(causes_of(found), std::vector{throttled_clocks});
  const TrainingStep half = *training_step({.job = job, .scales = {.matmul = 0.5}});
  EXPECT_NEAR(found.losses[0].loss_ms, half.step_time_ms - found.expected_ms, 1e-6);
  EXPECT_EQ(found.losses[0].where, "GPU 3");
  EXPECT_EQ(found.losses[0].evidence, LossEvidence::clocks);

  run.files().samples.clear();
  run.files().networks = {log_of(job.machine, 8, 2)};
  found = run.diagnosis();
  ASSERT_EQ(causes_of(found), std::vector{slow_links});
  Job slow = job;
  slow.machine.link_bandwidth_scale = found.networks[0].bandwidth->value;
  EXPECT_NEAR(found.losses[0].loss_ms, training_step({.job = slow})->step_time_ms - found.expected_ms, 1e-6);
  EXPECT_EQ(found.losses[0].where, "nccl-tests");
  EXPECT_EQ(found.losses[0].ratio, found.networks[0].large_ratio);
  // Two nodes are joined by the network.
  run.files().networks = {log_of(job.machine, 16, 2)};
  EXPECT_EQ(causes_of(run.diagnosis()), std::vector{slow_network});
  run.files().networks = {log_of(job.machine, 8, 2)};
  // No more than the run takes longer.
  run.files().step_times_ms.assign(20, 1.05 * run.step_ms());
  EXPECT_NEAR(run.diagnosis().losses.at(0).loss_ms, 0.05 * run.step_ms(), 1e-6);
}

// Two GPUs have a network; one, or a log without a row, has none.
TEST(RunDiagnosis, JudgesLogsOfTwoGpusAndMore) {
  const Job job = job_of(1);
  const auto judged = [&job](double gpus) {
    KnownRun run(job, {});
    run.files().networks = {{Collective::all_reduce, 2, {}}, log_of(job.machine, 2, 1)};
    run.files().networks[1].num_gpus = gpus;
    return run.diagnosis().networks.size();
  };
  EXPECT_EQ(judged(1), 0u);
  EXPECT_EQ(judged(2), 1u);
}

// The first step is not counted; one more is enough, however short.
TEST(RunDiagnosis, MeasuresByALogOfTwoShortSteps) {
  KnownRun run(job_of(1));
  run.files().step_times_ms = {9, 0.5};
  const RunDiagnosis found = run.diagnosis();
  EXPECT_EQ(found.measured_by, "training_log");
  EXPECT_EQ(found.measured_ms, 0.5);
  EXPECT_GT(found.mfu_percent, 100);
  EXPECT_EQ(found.verdict, RunVerdict::faster);
}

// 60 counted steps: a warm-up of 20 that take 1.3 times as long costs a tenth of the mean; of three thirds
// at 1, 1.2 and 1.4 times the last is 40 % above the first.
TEST(RunDiagnosis, NamesWarmUpAndDriftByTheirSteps) {
  const Job job = job_of(1);
  const double usual = KnownRun(job).step_ms();
  KnownRun run(job, {});
  std::vector<double>& times = run.files().step_times_ms;
  times.assign(61, usual);
  for (std::size_t at = 1; at <= 20; ++at) times[at] = 1.3 * usual;
  RunDiagnosis found = run.diagnosis();
  ASSERT_EQ(causes_of(found), std::vector{warm_up});
  EXPECT_EQ(found.losses[0].where, "steps 2 to 21");
  EXPECT_NEAR(found.losses[0].loss_ms, 0.1 * usual, 1e-6);
  EXPECT_NEAR(found.losses[0].measured, 1.3 * usual, 1e-6);
  EXPECT_NEAR(found.losses[0].expected, usual, 1e-6);
  for (std::size_t at = 1; at <= 60; ++at) times[at] = (at <= 20 ? 1.0 : at <= 40 ? 1.2 : 1.4) * usual;
  found = run.diagnosis();
  ASSERT_EQ(causes_of(found), std::vector{drift});
  EXPECT_NEAR(found.losses[0].measured / found.losses[0].expected, 1.4, 1e-9);
  EXPECT_EQ(found.losses[0].rival, "throttled_clocks");
  run.files().samples = {healthy_gpu()};
  EXPECT_EQ(run.diagnosis().losses.at(0).rival, "");
  // One stall may be a chance.
  times.assign(61, usual);
  times[29] = 6 * usual;
  found = run.diagnosis();
  ASSERT_EQ(causes_of(found), std::vector{stalls});
  EXPECT_EQ(found.losses[0].where, "step 30");
  EXPECT_EQ(found.losses[0].confidence, LossConfidence::medium);
}

TEST(RunDiagnosis, NamesWhatALogsStepsShow) {
  const Job job = job_of(1);
  const double usual = KnownRun(job).step_ms();
  KnownRun run(job, {});
  std::vector<double>& times = run.files().step_times_ms;
  times.assign(61, usual);
  times[0] = 5 * usual;
  for (std::size_t at = 10; at <= 60; at += 10) times[at] = 3 * usual;
  const RunDiagnosis found = run.diagnosis();
  ASSERT_EQ(causes_of(found), std::vector{stalls});
  EXPECT_NEAR(found.losses[0].loss_ms, 0.2 * usual, 1e-6);
  EXPECT_EQ(found.losses[0].confidence, LossConfidence::high);
  EXPECT_NEAR(found.losses[0].measured, 3 * usual, 1e-9);
  EXPECT_EQ(found.verdict, RunVerdict::explained);
}

}  // namespace
}  // namespace commcost
