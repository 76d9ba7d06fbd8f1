#include "core/diagnosis/run_diagnosis.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/number_text.h"
#include "core/base/statistics.h"
#include "core/compute/kernel_price.h"
#include "core/diagnosis/expected_rank.h"

namespace commcost {
namespace {

// A configuration measured twice differs by 3.5 % in the median, and so does a kind of kernel on one machine
// from its time elsewhere: three times that is not chance.
constexpr double noise = 0.035;
constexpr double clearly_slower = 1 + 3 * noise;
constexpr double least_share = noise;  // of the expected step: smaller losses are not reported

constexpr auto matmul_at = static_cast<std::size_t>(KernelSort::matmul);
constexpr auto attention_at = static_cast<std::size_t>(KernelSort::attention);
constexpr auto elementwise_at = static_cast<std::size_t>(KernelSort::elementwise);

// One dimension's messages on a GPU, ms a step.
struct SentTimes {
  double wire_ms = 0;
  double exposed_ms = 0;
  double calls = 0;
  std::string largest;  // the kernel that takes most
  double largest_ms = 0;
};

// A GPU's step according to its profile, ms.
struct RankTimes {
  double rank = 0;
  std::int64_t stage = 0;
  double total_ms = 0;
  double idle_ms = 0;
  double launch_pauses_ms = 0;
  double longest_pause_ms = 0;
  std::array<double, num_compute_sorts> compute_ms{};
  std::array<SentTimes, num_dimensions> sent{};
  double shaped_ms = 0;      // of products whose shapes are given
  double priced_ms = 0;      // the predicted time of these products
  double forward_calls = 0;  // of attention
  double forward_ms = 0;     // of these
  double backward_calls = 0;
  std::array<std::string, num_compute_sorts> largest;  // kernels that take most
  std::array<double, num_compute_sorts> largest_ms{};

  double computed_ms() const { return compute_ms[0] + compute_ms[1] + compute_ms[2]; }
};

bool has_word(const std::string& text, std::string_view word) {
  return text.find(word) != std::string::npos;
}

double priced_us(const ProfiledKernels& kernel, const Job& job) {
  const Accelerator& accelerator = accelerator_of(job.machine);
  const bool narrow = job.work.matmul_precision == MatmulPrecision::fp8 && accelerator.fp8_tflops > 0;
  KernelQuestion question;
  question.format = narrow ? KernelFormat::fp8 : KernelFormat::bf16;
  const double bytes = narrow ? 1 : 2;
  question.call =
      GemmCall{.m = kernel.m, .n = kernel.n, .k = kernel.k, .input_bytes = bytes, .weight_bytes = bytes};
  question.run = {.load = Load::sustained, .backward = false, .warm_cache = false};
  // Predicted at the pace of the stack's own products.
  return price_of(question, accelerator).time_us * job.stack.gemm_time_scale * time_scale(job);
}

std::string short_name(const std::string& name) {
  constexpr std::size_t longest = 80;
  std::string plain = name.substr(0, 5) == "void " ? name.substr(5) : name;
  const std::string hidden = "(anonymous namespace)::";
  if (const auto at = plain.find(hidden); at != std::string::npos) plain.erase(at, hidden.size());
  const auto cut = plain.find_first_of("<(");
  if (cut != std::string::npos && cut > 0) plain.resize(cut);
  if (plain.size() > longest) plain.resize(longest);
  return plain;
}

// A group without a named dimension is recognised by its size, if only one dimension has that size.
Dimension dimension_by_size(double size, const Layout& layout) {
  struct Degree {
    Dimension dimension;
    std::int64_t size;
  };
  const Degree degrees[] = {{Dimension::tensor, layout.tensor_parallel},
                            {Dimension::context, layout.context_parallel},
                            {Dimension::pipeline, layout.pipeline_parallel},
                            {Dimension::expert, layout.expert_parallel},
                            {Dimension::data, layout.data_parallel}};
  Dimension found = Dimension::data;
  int fitting = 0;
  for (const Degree& one : degrees) {
    if (one.size <= 1 || static_cast<double>(one.size) != size) continue;
    found = one.dimension;
    ++fitting;
  }
  return fitting == 1 ? found : Dimension::data;
}

std::int64_t stage_of(double rank, const Layout& layout) {
  const double world = static_cast<double>(gpus_needed(layout));
  const auto stages = static_cast<double>(layout.pipeline_parallel);
  const double stage = std::floor(rank / std::max(1.0, world / stages));
  return static_cast<std::int64_t>(std::clamp(stage, 0.0, stages - 1));
}

class Profile {
 public:
  Profile(const Job& job, const MeasuredRun& run) {
    for (const ProfiledRank& one : run.ranks) {
      RankTimes times;
      times.rank = one.rank;
      times.stage = stage_of(one.rank, job.layout);
      const double steps = std::max(1.0, one.steps) * 1e3;
      times.total_ms = one.total_us / steps;
      times.idle_ms = one.idle_us / steps;
      times.launch_pauses_ms = one.launch_pauses_us / steps;
      times.longest_pause_ms = one.longest_pause_us * 1e-3;
      for (const ProfiledKernels& kernel : run.kernels)
        if (kernel.rank == one.rank) take(kernel, job, steps, times);
      share_exposed(one.communication_only_us / steps, times);
      ranks_.push_back(std::move(times));
    }
  }

  const std::vector<RankTimes>& ranks() const { return ranks_; }

  // The most typical GPU: the first of those that compute no longer than the median one.
  const RankTimes* watched() const {
    if (ranks_.empty()) return nullptr;
    std::vector<double> computed;
    for (const RankTimes& one : ranks_) computed.push_back(one.computed_ms());
    std::sort(computed.begin(), computed.end());
    const double middle = computed[(computed.size() - 1) / 2] * (1 + noise / 2);
    for (const RankTimes& one : ranks_)
      if (one.computed_ms() <= middle) return &one;
    return ranks_.data();
  }

 private:
  // A moment in which messages of several groups are waited for counts once.
  static void share_exposed(double most_ms, RankTimes& times) {
    double sum = 0;
    for (const SentTimes& sent : times.sent) sum += sent.exposed_ms;
    if (most_ms <= 0 || sum <= most_ms) return;
    for (SentTimes& sent : times.sent) sent.exposed_ms *= most_ms / sum;
  }

  static void take(const ProfiledKernels& kernel, const Job& job, double steps, RankTimes& times) {
    const double ms = kernel.time_us / steps;
    const KernelSort sort = sort_of(kernel.name);
    if (sort == KernelSort::communication) {
      const Dimension dimension =
          dimension_of(kernel.process_group).value_or(dimension_by_size(kernel.group_size, job.layout));
      SentTimes& sent = times.sent[static_cast<std::size_t>(counted_as(dimension))];
      sent.wire_ms += ms;
      sent.exposed_ms += kernel.exposed_us / steps;
      sent.calls += kernel.calls * 1e3 / steps;
      if (ms > sent.largest_ms) {
        sent.largest_ms = ms;
        sent.largest = kernel.process_group.empty() ? short_name(kernel.name)
                                                    : kernel.process_group + ": " + short_name(kernel.name);
      }
      return;
    }
    const auto at = static_cast<std::size_t>(sort);
    times.compute_ms[at] += ms;
    if (ms > times.largest_ms[at]) {
      times.largest_ms[at] = ms;
      times.largest[at] = short_name(kernel.name);
      if (kernel.m > 0)
        times.largest[at] += " " + text_of(kernel.m) + " x " + text_of(kernel.n) + " x " + text_of(kernel.k);
    }
    if (sort == KernelSort::attention) {
      const bool backward = has_word(kernel.name, "bwd") || has_word(kernel.name, "backward");
      (backward ? times.backward_calls : times.forward_calls) += kernel.calls;
      if (!backward) times.forward_ms += ms;
    }
    if (sort == KernelSort::matmul && kernel.m > 0 && kernel.n > 0 && kernel.k > 0) {
      times.shaped_ms += ms;
      times.priced_ms += kernel.calls * priced_us(kernel, job) / steps;
    }
  }

  std::vector<RankTimes> ranks_;
};

// What the files say of the network and of the links.
struct Spans {
  bool judged = false;
  bool slow = false;
};

class Diagnosing {
 public:
  Diagnosing(const TrainingStepInputs& inputs, const MeasuredRun& run)
      : inputs_(inputs), job_(inputs_.job), run_(run), profile_(job_, run) {}

  RunDiagnosis done() {
    const TrainingStep step = *training_step({.job = job_, .scales = inputs_.scales});
    found_.expected_ms = step.step_time_ms;
    found_.expected_low_ms = step.step_time_low_ms;
    found_.expected_high_ms = step.step_time_high_ms;
    found_.memory_gib = step.memory_gib;
    found_.fits = step.fits;
    found_.series = step_series(run_.step_times_ms);
    for (const NetworkLog& log : run_.networks) {
      if (log.points.empty() || log.num_gpus < 2) continue;
      found_.networks.push_back(judge(log, job_.machine));
      const NetworkFinding& judged = found_.networks.back();
      Spans& span = judged.nodes > 1 ? network_ : links_;
      span.judged = true;
      span.slow = span.slow || judged.verdict == NetworkVerdict::slower;
      for (const std::optional<CalibratedPart>& part : {judged.bandwidth, judged.latency}) {
        if (!part) continue;
        found_.parts.push_back(*part);
        found_.parts.back().log = static_cast<double>(found_.networks.size());
      }
    }
    measure();
    if (found_.measured_ms > 0) {
      found_.mfu_percent = step.mfu_percent * step.step_time_ms / found_.measured_ms;
      losses_of_log();
      if (profile_.watched() != nullptr) {
        losses_of_profile(*profile_.watched());
      } else {
        losses_of_other_files();
      }
    }
    sum_up();
    return std::move(found_);
  }

 private:
  void measure() {
    if (found_.series.steps > 0) {
      found_.measured_ms = found_.series.mean_ms;
      found_.measured_by = "training_log";
    } else if (const RankTimes* watched = profile_.watched()) {
      found_.measured_ms = watched->total_ms;
      found_.measured_by = "profile";
    }
  }

  bool matters(double loss_ms) const { return loss_ms > least_share * found_.expected_ms; }

  NamedLoss* name(LossCause cause, double loss_ms, LossConfidence confidence, LossEvidence evidence,
                  std::string where, double measured, double expected) {
    if (!matters(loss_ms)) return nullptr;
    NamedLoss loss;
    loss.cause = cause;
    loss.loss_ms = loss_ms;
    loss.confidence = confidence;
    loss.title = row_of(cause).title;
    loss.command = row_of(cause).command;
    loss.evidence = evidence;
    loss.where = std::move(where);
    loss.measured = measured;
    loss.expected = expected;
    // A multiple of almost nothing means nothing.
    constexpr double next_to_nothing = 0.01;
    loss.ratio = expected > next_to_nothing * measured ? measured / expected : 0;
    found_.losses.push_back(std::move(loss));
    return &found_.losses.back();
  }

  static void not_separated(NamedLoss* loss, LossCause from) {
    if (loss != nullptr) loss->rival = loss_cause_names[static_cast<std::size_t>(from)];
  }

  void losses_of_log() {
    const StepSeries& series = found_.series;
    using enum LossCause;
    const auto confidence = series.stalled_steps > 1 ? LossConfidence::high : LossConfidence::medium;
    name(stalls, series.stalls_ms, confidence, LossEvidence::steps, "step " + text_of(series.longest_stall),
         series.longest_stall_ms, series.usual_ms);
    NamedLoss* slower = name(drift, series.drift_ms, LossConfidence::medium, LossEvidence::steps, "",
                             series.usual_ms * (1 + series.drift_percent / 100), series.usual_ms);
    if (run_.samples.empty()) not_separated(slower, throttled_clocks);
    name(warm_up, series.warm_up_ms, LossConfidence::high, LossEvidence::steps,
         "steps 2 to " + text_of(series.warm_up_steps + 1),
         series.warm_up_steps > 0 ? series.usual_ms + series.warm_up_ms * series.steps / series.warm_up_steps
                                  : 0,
         series.usual_ms);
  }

  // The GPU whose clocks apply to a profile's rank, or if there is none, one in the middle.
  const SampledGpu* sample_of(double rank) const {
    if (run_.samples.empty()) return nullptr;
    const double gpu = std::fmod(rank, static_cast<double>(job_.machine.gpus_per_node));
    for (const SampledGpu& one : run_.samples)
      if (one.gpu == gpu) return &one;
    return &run_.samples[run_.samples.size() / 2];
  }

  bool is_held_down(const SampledGpu& sample) const {
    constexpr double mostly = 0.5;
    constexpr double full = 0.95;
    if (sample.thermal_share > mostly) return true;
    if (sample.max_sm_clock_mhz <= 0) return false;
    const double usual_limit = accelerator_of(job_.machine).power_watts;
    const bool capped = usual_limit > 0 && sample.power_limit_w > 0 &&
                        sample.power_limit_w < 0.9 * usual_limit &&
                        (sample.power_share > mostly || sample.power_w > full * sample.power_limit_w);
    const bool fixed = sample.fixed_share > mostly && sample.sm_clock_mhz < 0.8 * sample.max_sm_clock_mhz;
    return capped || fixed;
  }

  void losses_of_kernels(const RankTimes& rank, ExpectedRank& expected) {
    using enum LossCause;
    std::array<double, num_compute_sorts> over{};
    std::array<double, num_compute_sorts> ratio{};
    for (std::size_t at = 0; at < num_compute_sorts; ++at) {
      over[at] = rank.compute_ms[at] - expected.compute_ms[at];
      ratio[at] = expected.compute_ms[at] > 0 ? rank.compute_ms[at] / expected.compute_ms[at] : 0;
    }
    if (take_more_work(rank, expected, over)) return;
    net(over);
    const SampledGpu* sample = sample_of(rank.rank);
    const bool held = sample != nullptr && is_held_down(*sample);
    const double multiplied = over[matmul_at] + std::max(0.0, over[attention_at]);
    if (held && ratio[matmul_at] > clearly_slower) {
      name(throttled_clocks, multiplied, LossConfidence::high, LossEvidence::clocks,
           "GPU " + text_of(sample->gpu), sample->sm_clock_mhz, sample->max_sm_clock_mhz);
      over[matmul_at] = over[attention_at] = 0;
    }
    const bool alike = ratio[matmul_at] > clearly_slower && ratio[attention_at] > clearly_slower &&
                       std::abs(ratio[matmul_at] / ratio[attention_at] - 1) < 4 * noise;
    constexpr LossCause causes[] = {slow_matmuls, slow_attention, slow_elementwise};
    for (std::size_t at = 0; at < num_compute_sorts; ++at) {
      if (ratio[at] <= clearly_slower) continue;
      const bool shaped = at == matmul_at && rank.shaped_ms > 0.5 * rank.compute_ms[at];
      // Products whose shapes are given, priced by these, confirm the loss.
      const bool confirmed = shaped && rank.shaped_ms / rank.priced_ms > clearly_slower;
      // Small kernels are many, and stacks fuse them differently: the verdict on them is never sure.
      const bool far = at != elementwise_at && ratio[at] > 1.5;
      const auto confidence = confirmed || far ? LossConfidence::high : LossConfidence::medium;
      NamedLoss* loss = name(causes[at], over[at], confidence, LossEvidence::kernels, rank.largest[at],
                             rank.compute_ms[at], expected.compute_ms[at]);
      if (sample == nullptr && alike && at != elementwise_at) not_separated(loss, throttled_clocks);
    }
  }

  // A fused kernel's name may put it in one kind and its work in another: what one kind takes less than
  // expected is deducted from what others take more, starting with the small kernels.
  static void net(std::array<double, num_compute_sorts>& over) {
    double less = 0;
    for (double& one : over) {
      less += std::max(0.0, -one);
      one = std::max(0.0, one);
    }
    for (const std::size_t at : {elementwise_at, attention_at, matmul_at}) {
      const double taken = std::min(less, over[at]);
      over[at] -= taken;
      less -= taken;
    }
  }

  // Whether there are more products, rather than slower ones: by their shapes they should take that long.
  bool take_more_work(const RankTimes& rank, ExpectedRank& expected,
                      const std::array<double, num_compute_sorts>& over) {
    constexpr double clearly_more = 1.15;
    const double matmul_ms = expected.compute_ms[matmul_at];
    if (rank.shaped_ms < 0.8 * rank.compute_ms[matmul_at] || matmul_ms <= 0) return false;
    const double work = rank.priced_ms / matmul_ms;
    const double pace = rank.shaped_ms / rank.priced_ms;
    if (work < clearly_more || pace > clearly_slower) return false;
    const bool again = rank.backward_calls > 0 && rank.forward_calls > 1.5 * rank.backward_calls;
    // This cause charges for the number of kernels, not for how slow they are.
    double loss_ms = rank.compute_ms[matmul_at] * (1 - 1 / work);
    if (again) {
      constexpr double forward_share = 1.0 / 3;  // of small kernels, once forward passes run twice
      loss_ms += rank.forward_ms * (1 - rank.backward_calls / rank.forward_calls);
      loss_ms += std::clamp(over[elementwise_at], 0.0, rank.compute_ms[elementwise_at] * forward_share);
      loss_ms += take_messages_again(rank, expected);
    }
    name(LossCause::more_work, loss_ms, again ? LossConfidence::high : LossConfidence::medium,
         LossEvidence::kernels, rank.largest[matmul_at], rank.compute_ms[matmul_at], matmul_ms);
    return true;
  }

  // A repeated forward pass sends its messages again, half as many more. Returns their cost.
  static double take_messages_again(const RankTimes& rank, ExpectedRank& expected) {
    double cost_ms = 0;
    for (const Dimension dimension : {Dimension::tensor, Dimension::context, Dimension::expert}) {
      MessageTimes& wanted = expected.messages[static_cast<std::size_t>(dimension)];
      const double over = rank.sent[static_cast<std::size_t>(dimension)].exposed_ms - wanted.exposed_ms;
      const double again = std::clamp(over, 0.0, wanted.wire_ms / 2);
      wanted.wire_ms *= 1.5;
      wanted.exposed_ms += again;
      cost_ms += again;
    }
    return cost_ms;
  }

  // How much longer another GPU computes than the watched one, beyond chance: a straggler of its own stage,
  // or a stage with more work than it should have. Returns how long the watched one waits for it.
  double losses_of_ranks(const RankTimes& watched, const ExpectedRank& expected) {
    double waits_ms = 0;
    const RankTimes* slow = nullptr;
    double slow_ms = 0;
    LossCause cause = LossCause::straggler;
    for (const RankTimes& one : profile_.ranks()) {
      if (&one == &watched) continue;
      const ExpectedRank own =
          one.stage == watched.stage ? expected : expected_rank(job_, inputs_.scales, one.stage);
      const double beyond =
          one.computed_ms() - own.computed_ms() - (watched.computed_ms() - expected.computed_ms());
      if (beyond <= slow_ms || beyond < 2 * noise * watched.computed_ms()) continue;
      slow_ms = beyond;
      slow = &one;
    }
    if (slow == nullptr) return 0;
    if (slow->stage != watched.stage && is_of_whole_stage(*slow)) cause = LossCause::stage_imbalance;
    const SampledGpu* sample = sample_of(slow->rank);
    const bool held = cause == LossCause::straggler && sample != nullptr && is_held_down(*sample);
    NamedLoss* loss = name(cause, slow_ms, LossConfidence::high, LossEvidence::ranks,
                           held ? "rank " + text_of(slow->rank) + ", GPU " + text_of(sample->gpu) + " at " +
                                      text_of(sample->sm_clock_mhz) + " MHz"
                                : "rank " + text_of(slow->rank),
                           slow->computed_ms(), watched.computed_ms());
    if (loss == nullptr) return 0;
    waits_ms = slow_ms;
    const bool told =
        cause == LossCause::stage_imbalance || slow->stage == watched.stage || ranks_of(slow->stage) > 1;
    if (!told) not_separated(loss, LossCause::stage_imbalance);
    return waits_ms;
  }

  std::size_t ranks_of(std::int64_t stage) const {
    std::size_t count = 0;
    for (const RankTimes& one : profile_.ranks()) count += one.stage == stage ? 1 : 0;
    return count;
  }

  // Whether all profiled ranks of its stage compute for as long.
  bool is_of_whole_stage(const RankTimes& slow) const {
    if (ranks_of(slow.stage) < 2) return true;
    for (const RankTimes& one : profile_.ranks())
      if (one.stage == slow.stage && one.computed_ms() < slow.computed_ms() * (1 - 2 * noise)) return false;
    return true;
  }

  // The shortest time that any profiled rank has for a dimension: the rank that comes last does not wait.
  double least_wire_ms(std::size_t dimension, const RankTimes& watched) const {
    double least = watched.sent[dimension].wire_ms;
    for (const RankTimes& one : profile_.ranks())
      if (one.stage == watched.stage && one.sent[dimension].wire_ms > 0)
        least = std::min(least, one.sent[dimension].wire_ms);
    return least;
  }

  // What remains of each dimension's waiting after waiting for a slower GPU is taken off.
  void losses_of_messages(const RankTimes& watched, const ExpectedRank& expected, double waits_ms) {
    using enum LossCause;
    std::array<double, num_dimensions> over{};
    std::vector<std::size_t> order;
    for (std::size_t at = 0; at < num_dimensions; ++at) {
      if (at == static_cast<std::size_t>(Dimension::pipeline)) continue;
      over[at] = watched.sent[at].exposed_ms - expected.messages[at].exposed_ms;
      if (watched.sent[at].wire_ms > 0) order.push_back(at);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return over[a] > over[b]; });
    for (const std::size_t at : order) {
      const SentTimes& sent = watched.sent[at];
      const MessageTimes& wanted = expected.messages[at];
      const double waited = std::clamp(waits_ms, 0.0, std::max(0.0, over[at]));
      waits_ms -= waited;
      const double left = over[at] - waited;
      if (!matters(left)) continue;
      const double wire_ms = std::min(sent.wire_ms - waited, least_wire_ms(at, watched) + left);
      const double slow_ms = wire_ms > 2 * noise * wanted.wire_ms + wanted.wire_ms
                                 ? std::min(left, wire_ms - wanted.wire_ms)
                                 : 0;
      if (matters(slow_ms)) name_slow_wire(at, sent, wanted, wire_ms, slow_ms, watched);
      const double shown_ms = left - slow_ms;
      if (wanted.wire_ms > 0 && shown_ms > 0.1 * sent.wire_ms)
        name(not_overlapped, shown_ms, slow_ms > 0 ? LossConfidence::medium : LossConfidence::high,
             LossEvidence::messages, sent.largest, sent.exposed_ms, wanted.exposed_ms);
    }
  }

  void name_slow_wire(std::size_t at, const SentTimes& sent, const MessageTimes& wanted, double wire_ms,
                      double slow_ms, const RankTimes& watched) {
    using enum LossCause;
    const Spans& span = wanted.leaves_node ? network_ : links_;
    const LossCause wire = wanted.leaves_node ? slow_network : slow_links;
    const bool compared =
        least_wire_ms(at, watched) > (1 + 2 * noise) * wanted.wire_ms && profile_.ranks().size() > 1;
    if (span.judged && !span.slow) {
      // The log of collectives shows that the links are fine, so some rank comes late.
      NamedLoss* loss = name(straggler, slow_ms, LossConfidence::medium, LossEvidence::messages, sent.largest,
                             wire_ms, wanted.wire_ms);
      if (compared) not_separated(loss, wire);
      return;
    }
    const auto confidence = span.slow  ? LossConfidence::high
                            : compared ? LossConfidence::medium
                                       : LossConfidence::low;
    NamedLoss* loss =
        name(wire, slow_ms, confidence, LossEvidence::messages, sent.largest, wire_ms, wanted.wire_ms);
    if (!span.slow && !compared) not_separated(loss, straggler);
  }

  // Pauses, and what a stage waits for others.
  void losses_of_pauses(const RankTimes& watched, const ExpectedRank& expected, double waits_ms) {
    using enum LossCause;
    constexpr auto pipeline = static_cast<std::size_t>(Dimension::pipeline);
    const bool staged = job_.layout.pipeline_parallel > 1;
    const double waiting = watched.idle_ms + watched.sent[pipeline].exposed_ms;
    const double wanted = expected.idle_ms + expected.messages[pipeline].exposed_ms;
    double over = waiting - wanted - waits_ms;
    if (!matters(over)) return;
    constexpr double most = 0.6;
    const double pauses = std::min(over, watched.launch_pauses_ms);
    if (pauses > most * over || (!staged && matters(pauses) && watched.longest_pause_ms < 1)) {
      name(host, pauses, LossConfidence::high, LossEvidence::pauses, "pauses shorter than 1 ms",
           watched.launch_pauses_ms, expected.idle_ms);
      over -= pauses;
    }
    const double long_ms = std::min(over, watched.idle_ms - watched.launch_pauses_ms);
    if (matters(long_ms) && (!staged || watched.longest_pause_ms > 0.5 * long_ms)) {
      name(input, long_ms, LossConfidence::medium, LossEvidence::pauses, "the longest pause",
           watched.longest_pause_ms, 0);
      over -= long_ms;
    }
    if (!staged || !matters(over)) return;
    const bool slow_wire = watched.sent[pipeline].calls > 0 && network_.judged && network_.slow &&
                           expected.messages[pipeline].leaves_node;
    NamedLoss* loss = name(slow_wire ? slow_network : pipeline_bubble, over, LossConfidence::low,
                           LossEvidence::pauses, watched.sent[pipeline].largest, waiting, wanted);
    not_separated(loss, slow_wire ? pipeline_bubble : stage_imbalance);
  }

  void losses_of_profile(const RankTimes& watched) {
    ExpectedRank expected = expected_rank(job_, inputs_.scales, watched.stage);
    losses_of_kernels(watched, expected);
    const double waits_ms = losses_of_ranks(watched, expected);
    double in_messages = 0;
    for (std::size_t at = 0; at < num_dimensions; ++at)
      if (at != static_cast<std::size_t>(Dimension::pipeline))
        in_messages += std::max(0.0, watched.sent[at].exposed_ms - expected.messages[at].exposed_ms);
    losses_of_messages(watched, expected, waits_ms);
    losses_of_pauses(watched, expected, std::max(0.0, waits_ms - in_messages));
    calibrate(watched);
  }

  // Without a profile, other files determine what the step would take on such a machine.
  void losses_of_other_files() {
    using enum LossCause;
    for (const NetworkFinding& judged : found_.networks) {
      if (judged.verdict != NetworkVerdict::slower || !judged.bandwidth) continue;
      Job job = job_;
      double& scale =
          judged.nodes > 1 ? job.machine.network_bandwidth_scale : job.machine.link_bandwidth_scale;
      // What an active calibration adds to the prediction is no loss.
      constexpr double same = 0.95;
      if (judged.bandwidth->value >= same * scale * job.machine.bandwidth_scale) continue;
      scale = judged.bandwidth->value / job.machine.bandwidth_scale;
      what_if(judged.nodes > 1 ? slow_network : slow_links, {.job = job, .scales = inputs_.scales},
              "nccl-tests", judged.large_ratio);
    }
    const SampledGpu* slowest = nullptr;
    for (const SampledGpu& one : run_.samples)
      if (is_held_down(one) && (slowest == nullptr || one.sm_clock_mhz < slowest->sm_clock_mhz))
        slowest = &one;
    if (slowest == nullptr) return;
    MachineScales scales = inputs_.scales;
    scales.matmul *= slowest->sm_clock_mhz / (usual_clock_share * slowest->max_sm_clock_mhz);
    if (scales.matmul < inputs_.scales.matmul)
      what_if(throttled_clocks, {.job = job_, .scales = scales}, "GPU " + text_of(slowest->gpu), 0, slowest);
  }

  void what_if(LossCause cause, const TrainingStepInputs& otherwise, std::string where, double ratio,
               const SampledGpu* sample = nullptr) {
    const double with_ms = training_step(otherwise)->step_time_ms;
    const double room = std::max(0.0, found_.measured_ms - found_.expected_ms - named_ms());
    NamedLoss* loss = name(cause, std::min(room, with_ms - found_.expected_ms), LossConfidence::medium,
                           sample != nullptr ? LossEvidence::clocks : LossEvidence::what_if, std::move(where),
                           sample != nullptr ? sample->sm_clock_mhz : with_ms,
                           sample != nullptr ? sample->max_sm_clock_mhz : found_.expected_ms);
    if (loss != nullptr && ratio > 0) loss->ratio = ratio;
  }

  double named_ms() const {
    double sum = 0;
    for (const NamedLoss& one : found_.losses) sum += one.loss_ms;
    return sum;
  }

  // Measured over predicted time of a kind of kernel, from every second shape; judged on the others.
  void calibrate(const RankTimes& watched) {
    std::vector<double> ratios;
    for (const ProfiledKernels& kernel : run_.kernels) {
      if (kernel.rank != watched.rank || kernel.m <= 0 || sort_of(kernel.name) != KernelSort::matmul)
        continue;
      if (kernel.calls > 0) ratios.push_back(kernel.time_us / kernel.calls / priced_us(kernel, job_));
    }
    constexpr std::size_t fewest = 4;
    if (ratios.size() < fewest) return;
    std::vector<double> used;
    for (std::size_t at = 0; at < ratios.size(); at += 2) used.push_back(ratios[at]);
    const double factor = median(used);
    std::vector<double> before;
    std::vector<double> after;
    for (std::size_t at = 1; at < ratios.size(); at += 2) {
      before.push_back(1 / ratios[at]);
      after.push_back(factor / ratios[at]);
    }
    CalibratedPart part;
    part.field = "gemm_time_scale";
    part.value = job_.stack.gemm_time_scale * factor;
    part.error_before_percent = mean_error_percent(before);
    part.error_after_percent = mean_error_percent(after);
    part.used = static_cast<double>(used.size());
    part.unused = static_cast<double>(before.size());
    part.verdict = verdict_on(part, factor);
    found_.parts.push_back(part);
  }

  void sum_up() {
    std::stable_sort(
        found_.losses.begin(), found_.losses.end(),
        [](const NamedLoss& one, const NamedLoss& other) { return one.loss_ms > other.loss_ms; });
    if (found_.measured_ms > 0) {
      for (NamedLoss& loss : found_.losses) loss.share_percent = 100 * loss.loss_ms / found_.measured_ms;
      found_.unexplained_ms = found_.measured_ms - found_.expected_ms - named_ms();
      found_.verdict = verdict();
    }
    ask_for_more();
  }

  RunVerdict verdict() const {
    constexpr double small = 0.05;
    const double named = named_ms();
    const double left = found_.measured_ms - named;
    const bool in_band = left <= std::max(found_.expected_high_ms, found_.expected_ms * (1 + small));
    if (named > 0)
      return std::abs(found_.unexplained_ms) <= small * found_.measured_ms ? RunVerdict::explained
                                                                           : RunVerdict::partly_explained;
    if (left < std::min(found_.expected_low_ms, found_.expected_ms * (1 - small))) return RunVerdict::faster;
    return in_band ? RunVerdict::as_expected : RunVerdict::unexplained;
  }

  void ask_for_more() {
    using enum MissingFile;
    const bool profiled = !profile_.ranks().empty();
    const bool slow =
        found_.verdict == RunVerdict::unexplained || found_.verdict == RunVerdict::partly_explained;
    if (run_.step_times_ms.empty()) found_.missing.push_back(training_log);
    if (!profiled) found_.missing.push_back(profile);
    const auto rivals = [&](LossCause cause) {
      for (const NamedLoss& loss : found_.losses)
        if (loss.rival == loss_cause_names[static_cast<std::size_t>(cause)]) return true;
      return false;
    };
    if (profiled && rivals(LossCause::straggler)) found_.missing.push_back(profiles_of_ranks);
    if (profiled && rivals(LossCause::stage_imbalance)) found_.missing.push_back(profiles_of_stages);
    if (run_.networks.empty() && (slow || rivals(LossCause::straggler)) && gpus_needed(job_.layout) > 1)
      found_.missing.push_back(network_log);
    if (run_.samples.empty() && (slow || rivals(LossCause::throttled_clocks)))
      found_.missing.push_back(gpu_samples);
    if (profiled || !slow) return;
    consistent();
  }

  // Causes that would slow every step down equally and that no file rules out.
  void consistent() {
    using enum LossCause;
    std::vector<LossCause>& with = found_.consistent_with;
    with.push_back(slow_matmuls);
    if (run_.samples.empty()) with.push_back(throttled_clocks);
    const bool many = gpus_needed(job_.layout) > job_.machine.gpus_per_node;
    if (many && !network_.judged) with.push_back(slow_network);
    if (gpus_needed(job_.layout) > 1) with.push_back(not_overlapped);
    with.push_back(host);
    if (gpus_needed(job_.layout) > 1) with.push_back(straggler);
    with.push_back(more_work);
  }

  // A healthy GPU runs products under load at about this share of its greatest clock.
  static constexpr double usual_clock_share = 0.8;

  TrainingStepInputs inputs_;
  const Job& job_;
  const MeasuredRun& run_;
  Profile profile_;
  Spans network_;
  Spans links_;
  RunDiagnosis found_;
};

}  // namespace

RunDiagnosis diagnosis_of(const TrainingStepInputs& inputs, const MeasuredRun& run) {
  return Diagnosing(inputs, run).done();
}

}  // namespace commcost
