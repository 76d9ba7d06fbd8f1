#include "core/diagnosis/expected_rank.h"

#include <algorithm>
#include <numeric>

#include "core/parallel/job_kernels.h"
#include "core/parallel/ledger.h"
#include "core/training/step_time.h"

namespace commcost {
namespace {

using SortTimes = std::array<double, num_compute_sorts>;

std::size_t place_of(const Kernel& kernel) {
  switch (kernel.routine) {
    case Routine::product:
    case Routine::grouped_product:
    case Routine::separate_products:
      return static_cast<std::size_t>(KernelSort::matmul);
    case Routine::fused_attention:
    case Routine::cached_attention:
      return static_cast<std::size_t>(KernelSort::attention);
    default:
      return static_cast<std::size_t>(KernelSort::elementwise);
  }
}

void add(SortTimes& times, const Kernels& kernels, const StepModel& step, double count) {
  if (count <= 0) return;
  for (const Kernel& kernel : kernels)
    times[place_of(kernel)] += count * step.rates().time_us(kernel) * (1 + kernel.recomputed);
}

double exposed_us(const StepParts& parts, Dimension dimension) {
  switch (dimension) {
    case Dimension::tensor:
      return parts.tensor_us;
    case Dimension::context:
      return parts.context_us;
    case Dimension::expert:
      return parts.expert_us;
    case Dimension::pipeline:
      return parts.pipeline_us;
    case Dimension::data:
      return parts.data_us;
    default:
      return 0;
  }
}

}  // namespace

Dimension counted_as(Dimension dimension) {
  return dimension == Dimension::sequence || dimension == Dimension::vocabulary ? Dimension::tensor
                                                                                : dimension;
}

double ExpectedRank::computed_ms() const {
  return std::accumulate(compute_ms.begin(), compute_ms.end(), 0.0);
}

ExpectedRank expected_rank(const Job& job, const MachineScales& scales, std::int64_t stage) {
  const StepModel model(job, scales);
  const StepTimes times = step_times(model);
  const StepResult slowest = step_result(times);
  const PipelineTimes pipeline = pipeline_times(times.passes, times.boundary, times.plan);
  const Stage own = stage_at(job, stage_share(job), stage);
  // An inner stage that is not listed has as many layers as the first.
  std::size_t at = 0;
  for (std::size_t i = 0; i < times.passes.stages.size(); ++i)
    if (times.passes.stages[i].place == own.place) at = i;
  const Stage& like = times.passes.stages[at];
  const StepParts parts = step_parts(times.passes.by_stage[at], times.updates[at], pipeline[at], times.plan);

  ExpectedRank expected;
  expected.step_ms = slowest.parts.total_us() * 1e-3;
  const double count = times.plan.micro_batches;
  SortTimes us{};
  add(us, layer_kernels(job, LayerKind::dense), model, count * like.dense_layers);
  add(us, layer_kernels(job, LayerKind::moe), model, count * like.moe_layers);
  if (like.is_first) add(us, embedding_kernels(job), model, count / like.copies);
  if (like.is_last) add(us, head_kernels(job), model, count / like.copies);
  // Only the parts of a step include the stack's paces and what kernels lose while messages run.
  const double listed = std::accumulate(us.begin(), us.end(), 0.0);
  const double scale = listed > 0 ? (parts.compute_us + parts.recompute_us) / listed : 0;
  for (std::size_t sort = 0; sort < num_compute_sorts; ++sort)
    expected.compute_ms[sort] = us[sort] * scale * 1e-3;
  expected.compute_ms[static_cast<std::size_t>(KernelSort::elementwise)] += parts.optimizer_us * 1e-3;

  for (const SentMessage& message : ledger_of(job, like, scale_up_domain(job.machine))) {
    if (!takes_part(message, like)) continue;
    MessageTimes& message_times = expected.messages[static_cast<std::size_t>(counted_as(message.dimension))];
    message_times.wire_ms += model.time_of(message).wire_us * message.calls * 1e-3;
    message_times.leaves_node = message_times.leaves_node || message.network_bytes_per_gpu > 0;
  }
  double waited_us = 0;
  for (std::size_t dimension = 0; dimension < num_dimensions; ++dimension) {
    const double us_of = exposed_us(parts, static_cast<Dimension>(dimension));
    expected.messages[dimension].exposed_ms = us_of * 1e-3;
    waited_us += us_of;
  }
  const double busy_us = parts.compute_us + parts.recompute_us + parts.optimizer_us + waited_us;
  expected.idle_ms = std::max(0.0, expected.step_ms - busy_us * 1e-3);
  return expected;
}

}  // namespace commcost
