#include "core/serving/serving_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/units.h"
#include "core/compute/matrix_peak.h"
#include "core/model/flops.h"
#include "core/network/collective_timer.h"
#include "core/parallel/job_kernels.h"
#include "core/parallel/job_problems.h"
#include "core/parallel/recipes.h"
#include "core/parallel/stacks.h"

namespace commcost {
namespace {

double weight_bytes_read(const Kernels& kernels) {
  double read = 0;
  for (const Kernel& kernel : kernels)
    if (kernel.routine != Routine::cached_attention) read += kernel.held_bytes;
  return read;
}

// What a GPU of the fullest stage reads, including both ends of the model.
double weight_bytes_read(const Job& job, const StageShare& share) {
  double read = weight_bytes_read(embedding_kernels(job)) + weight_bytes_read(head_kernels(job));
  const double dense = share.layers - share.expert_layers;
  if (dense > 0) read += dense * weight_bytes_read(layer_kernels(job, LayerKind::dense));
  if (share.expert_layers > 0)
    read += share.expert_layers * weight_bytes_read(layer_kernels(job, LayerKind::moe));
  return read;
}

double experts_read(const Job& job) {
  if (!has_experts(job.model)) return 0;
  for (const Kernel& kernel : layer_kernels(job, LayerKind::moe))
    if (kernel.owner == MatrixOwner::routed_expert && kernel.flops > 0) return kernel.gemm.batch;
  return 0;
}

void set_memory(ServingStep& step, const Job& job) {
  const Work& work = job.work;
  const auto sequences = static_cast<double>(work.batch_size);
  const double available = available_bytes(accelerator_of(job.machine));
  const StageMemories stages = stage_memories(job);
  step.memory = fullest(stages).memory;
  step.memory_gib = step.memory.total() / gib;
  step.memory_available_gib = available / gib;
  step.fits = step.memory.total() <= available;
  step.most_sequences = std::numeric_limits<double>::infinity();
  for (const auto& [stage, memory] : stages) {
    const double most = (available - memory.total() + memory.cache) / (memory.cache / sequences);
    step.most_sequences = std::min(step.most_sequences, std::max(0.0, std::floor(most)));
  }
  step.cache_bytes_per_token = step.memory.cache / (sequences * static_cast<double>(work.sequence_length));
  step.weight_bytes_read = weight_bytes_read(job, stage_share(job));
  if (work.mode == Mode::decode) step.cache_bytes_read = step.memory.cache;
  step.experts_read = experts_read(job);
}

void set_times(ServingStep& step, const Job& job, const ServingParts& parts) {
  const auto& [shape, work, layout, stack, machine] = job;
  const StepBand band = serving_band(job);
  step.parts = parts;
  step.step_time_ms = parts.total_us() * 1e-3;
  step.step_time_low_ms = step.step_time_ms * band.low;
  step.step_time_high_ms = step.step_time_ms * band.high;
  step.basis = band.basis;
  step.measured_series = band.measured_series;
  step.measured_runs = band.measured_runs;
  step.stack_runs = band.stack_runs;
  step.own_runs = band.own_runs;
  step.measured_error_percent = band.measured_error_percent;
  step.cluster_gpus = static_cast<double>(gpus_needed(layout));
  const double replicas = static_cast<double>(layout.data_parallel);
  const double per_sec = 1e3 / step.step_time_ms;
  step.tokens_per_sec_per_gpu = tokens(work) * replicas * per_sec / step.cluster_gpus;
  if (work.mode == Mode::decode) step.tokens_per_sec_per_user = per_sec;
  const StepFlops flops = step_flops(shape, work, static_cast<double>(work.batch_size) * replicas);
  step.mfu_percent = utilization_percent(flops.model, step.step_time_ms, step.cluster_gpus,
                                         matrix_peak_tflops(job.machine, work));
}

void set_first_token(ServingStep& step, const Job& job, const ServingTime& prompt) {
  const StepBand band = serving_band(job);
  step.first_token_ms = prompt.parts.total_us() * 1e-3;
  step.first_token_low_ms = step.first_token_ms * band.low;
  step.first_token_high_ms = step.first_token_ms * band.high;
}

MessageSum sent_in(const ServingTime& time) {
  MessageSum sum;
  for (const ServingMessage& row : time.messages) sum.add(row);
  return sum;
}

// A sequence waits for all of a step's messages but accounts only for its share of their bytes.
void set_sent(ServingStep& step, const ServingStepInputs& inputs, const ServingTime& decode,
              const ServingTime& prompt) {
  const auto batch = static_cast<double>(inputs.job.work.batch_size);
  const double steps = static_cast<double>(inputs.output_tokens) - 1;
  step.token = sent_in(decode);
  step.token.sent_bytes_per_gpu /= batch;
  step.token.network_bytes_per_gpu /= batch;
  step.request = sent_in(prompt);
  for (double MessageSum::*part : {&MessageSum::calls, &MessageSum::sent_bytes_per_gpu,
                                   &MessageSum::network_bytes_per_gpu, &MessageSum::time_us})
    step.request.*part += steps * step.token.*part;
}

Job in_mode(Job job, Mode mode) {
  job.work.mode = mode;
  return job;
}

Job one_prompt(const Job& job) {
  Job prompt = in_mode(job, Mode::prefill);
  prompt.work.batch_size = 1;
  return prompt;
}

void set_all_reduce(ServingStep& step, const Job& job, const LayerAllReduce& sum) {
  step.allreduce_kernel = sum.by.kernel;
  step.allreduce_bytes = sum.message_size_bytes;
  step.allreduce_calls = sum.calls;
  step.allreduce_us = sum.by.time_us();
  if (sum.calls <= 0) return;
  step.allreduce_wait_us = sum.time_us / sum.calls;
  const Fabric fabric = fabric_of(job.machine);
  const GpuGroup group = group_of(job.machine, fabric, static_cast<double>(job.layout.tensor_parallel));
  for (const ReduceKernel kernel :
       {ReduceKernel::nccl, ReduceKernel::one_shot, ReduceKernel::two_shot, ReduceKernel::nvls}) {
    if (runs(group, kernel))
      step.allreduce_kernels.push_back(reduced_by(group, kernel, sum.message_size_bytes));
  }
}

}  // namespace

ServingStepInputs::ServingStepInputs() {
  const Recipe& usual = all_recipes()[usual_serving_recipe];
  fill(job, usual);
  job.work.mode = Mode::decode;
  job.work.step_tokens = 8192;
}

Outcome<ServingStep> serving_step(const ServingStepInputs& inputs) {
  const Job job = completed(inputs.job);
  if (!can_run(job)) return problems_of(job);
  const bool decodes = job.work.mode == Mode::decode;
  const ServingTime time = serving_time(job);
  const ServingTime prompt = serving_time(one_prompt(job));
  ServingStep step;
  set_times(step, job, time.parts);
  set_first_token(step, job, prompt);
  set_memory(step, job);
  set_all_reduce(step, job, time.all_reduce);
  set_sent(step, inputs, decodes ? time : serving_time(in_mode(job, Mode::decode)), prompt);
  step.stack_checked = is_checked(job);
  step.stack_rule = broken_rule(job);
  step.messages = time.messages;
  if (decodes) step.messages.insert(step.messages.end(), prompt.messages.begin(), prompt.messages.end());
  if (step.cluster_gpus > scale_up_domain(job.machine)) step.assumed = assumptions_of(inputs.job.machine);
  return step;
}

}  // namespace commcost
