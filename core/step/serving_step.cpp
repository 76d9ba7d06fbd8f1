#include "core/step/serving_step.h"

#include <algorithm>
#include <cmath>

#include "core/base/units.h"
#include "core/model/flops.h"
#include "core/parallel/memory.h"
#include "core/parallel/recipes.h"
#include "core/step/collective_timer.h"
#include "core/step/training_step.h"

namespace commcost {
namespace {

PlacedServing completed(const ServingStepInputs& inputs) {
  return {completed(static_cast<const Setting&>(inputs)), inputs.serving, completed(inputs.machine)};
}

double head_bytes(const PlacedServing& placed) {
  return static_cast<double>(placed.setting.work.bytes_per_element);
}

// Layers in the types of the layers, embedding and LM head in 16 bits, on the fullest stage of a pipeline.
double held_weight_bytes(const PlacedServing& placed, const StageShare& share) {
  double most = 0;
  for (const Stage& stage : distinct_stages(placed.setting, share)) {
    double bytes = 0;
    for (const Holding& holding : holdings_of(placed.setting, share, stage)) {
      const bool end = holding.layers == AmongLayers::all;
      bytes += holding.parameters * (end ? head_bytes(placed) : weight_bytes(placed));
    }
    most = std::max(most, bytes);
  }
  return most;
}

LayerMatrices rank_layer(const Setting& setting, LayerKind kind) {
  return layer_matrices(setting.shape, kind, matrix_ranks(setting.layout));
}

double cache_bytes_per_token(const PlacedServing& placed, const StageShare& share) {
  return share.layers * rank_layer(placed.setting, usual_layer(placed.setting.shape)).attention.cache *
         kv_bytes(placed);
}

double weight_bytes_read(const Kernels& kernels) {
  double read = 0;
  for (const Kernel& kernel : kernels)
    if (kernel.routine != Routine::cached_attention) read += kernel.held_bytes;
  return read;
}

// What a GPU of the fullest stage reads of the layers and of the LM head.
double weight_bytes_read(const PlacedServing& placed, const StageShare& share) {
  double read = weight_bytes_read(head_kernels(placed));
  const double dense = share.layers - share.expert_layers;
  if (dense > 0) read += dense * weight_bytes_read(layer_kernels(placed, LayerKind::dense));
  if (share.expert_layers > 0)
    read += share.expert_layers * weight_bytes_read(layer_kernels(placed, LayerKind::moe));
  return read;
}

double experts_read(const PlacedServing& placed) {
  if (!has_experts(placed.setting.shape)) return 0;
  for (const Kernel& kernel : layer_kernels(placed, LayerKind::moe))
    if (kernel.routine == Routine::grouped_product) return kernel.gemm.batch;
  return 0;
}

void set_memory(ServingStep& step, const PlacedServing& placed) {
  const Setting& setting = placed.setting;
  const Work& work = setting.work;
  const StageShare share = stage_share(setting);
  const double sequence = cache_bytes_per_token(placed, share) * static_cast<double>(work.sequence_length);
  const double available = available_bytes(accelerator_of(placed.machine));
  step.cache_bytes_per_token = cache_bytes_per_token(placed, share);
  step.memory.weights = held_weight_bytes(placed, share);
  step.memory.cache = sequence * static_cast<double>(work.batch_size);
  step.memory.working = layer_memory(setting).working;
  step.memory_gib = step.memory.total() / gib;
  step.memory_available_gib = available / gib;
  step.fits = step.memory.total() <= available;
  const double beside = available - step.memory.weights - step.memory.working;
  step.most_sequences = sequence > 0 ? std::max(0.0, std::floor(beside / sequence)) : 0;
  step.weight_bytes_read = weight_bytes_read(placed, share);
  if (work.mode == Mode::decode) step.cache_bytes_read = step.memory.cache;
  step.experts_read = experts_read(placed);
}

void set_times(ServingStep& step, const PlacedServing& placed, const ServingParts& parts) {
  const auto& [shape, work, layout, pace] = placed.setting;
  const StepBand band = serving_band(placed);
  step.parts = parts;
  step.step_time_ms = parts.total_us() * 1e-3;
  step.step_time_low_ms = step.step_time_ms * band.low;
  step.step_time_high_ms = step.step_time_ms * band.high;
  step.basis = band.basis;
  step.measured_runs = band.measured_runs;
  step.measured_error_percent = band.measured_error_percent;
  step.cluster_gpus = static_cast<double>(gpus_needed(layout));
  const double replicas = static_cast<double>(layout.data_parallel);
  const double per_sec = 1e3 / step.step_time_ms;
  step.tokens_per_sec_per_gpu = tokens(work) * replicas * per_sec / step.cluster_gpus;
  if (work.mode == Mode::decode) step.tokens_per_sec_per_user = per_sec;
  const StepFlops flops = step_flops(shape, work, static_cast<double>(work.batch_size) * replicas);
  step.mfu_percent = utilization_percent(flops.model, step.step_time_ms, step.cluster_gpus,
                                         matrix_peak_tflops(placed.machine, work));
}

void set_first_token(ServingStep& step, const PlacedServing& placed, const ServingTime& prompt) {
  const StepBand band = serving_band(placed);
  step.first_token_ms = prompt.parts.total_us() * 1e-3;
  step.first_token_low_ms = step.first_token_ms * band.low;
  step.first_token_high_ms = step.first_token_ms * band.high;
}

ServingSent sent_in(const ServingTime& time) {
  ServingSent sum;
  for (const ServingMessage& row : time.messages) {
    sum.calls += row.calls;
    sum.sent_bytes_per_gpu += row.sent_bytes_per_gpu;
    sum.network_bytes_per_gpu += row.network_bytes_per_gpu;
    sum.time_us += row.time_us;
  }
  return sum;
}

// A sequence waits for all of a step's messages, of whose bytes its share is its own.
void set_sent(ServingStep& step, const ServingStepInputs& inputs, const ServingTime& decode,
              const ServingTime& prompt) {
  const auto batch = static_cast<double>(inputs.work.batch_size);
  const double steps = static_cast<double>(inputs.output_tokens) - 1;
  step.token = sent_in(decode);
  step.token.sent_bytes_per_gpu /= batch;
  step.token.network_bytes_per_gpu /= batch;
  step.request = sent_in(prompt);
  for (double ServingSent::*part : {&ServingSent::calls, &ServingSent::sent_bytes_per_gpu,
                                    &ServingSent::network_bytes_per_gpu, &ServingSent::time_us})
    step.request.*part += steps * step.token.*part;
}

PlacedServing in_mode(PlacedServing placed, Mode mode) {
  placed.setting.work.mode = mode;
  return placed;
}

PlacedServing one_prompt(const PlacedServing& placed) {
  PlacedServing prompt = in_mode(placed, Mode::prefill);
  prompt.setting.work.batch_size = 1;
  return prompt;
}

void set_all_reduce(ServingStep& step, const PlacedServing& placed, const LayerAllReduce& sum) {
  step.allreduce_kernel = sum.by.kernel;
  step.allreduce_bytes = sum.message_size_bytes;
  step.allreduce_calls = sum.calls;
  step.allreduce_us = sum.by.time_us();
  if (sum.calls <= 0) return;
  const Fabric fabric = fabric_of(placed.machine);
  const GpuGroup group =
      group_of(placed.machine, fabric, static_cast<double>(placed.setting.layout.tensor_parallel));
  for (const ReduceKernel kernel :
       {ReduceKernel::nccl, ReduceKernel::one_shot, ReduceKernel::two_shot, ReduceKernel::nvls}) {
    if (runs(group, kernel))
      step.allreduce_kernels.push_back(reduced_by(group, kernel, sum.message_size_bytes));
  }
}

}  // namespace

ServingStepInputs::ServingStepInputs() {
  const Recipe& usual = all_recipes()[usual_serving_recipe];
  fill(static_cast<Setting&>(*this), usual);
  serving.pace = usual.serving;
  work.mode = Mode::decode;
}

Outcome<ServingStep> serving_step(const ServingStepInputs& inputs) {
  const PlacedServing placed = completed(inputs);
  if (!can_exist(placed.setting, placed.machine)) return problems_of(placed.setting, placed.machine);
  const bool decodes = placed.setting.work.mode == Mode::decode;
  const ServingTime time = serving_time(placed);
  const ServingTime prompt = serving_time(one_prompt(placed));
  ServingStep step;
  set_times(step, placed, time.parts);
  set_first_token(step, placed, prompt);
  set_memory(step, placed);
  set_all_reduce(step, placed, time.all_reduce);
  set_sent(step, inputs, decodes ? time : serving_time(in_mode(placed, Mode::decode)), prompt);
  step.messages = time.messages;
  if (decodes) step.messages.insert(step.messages.end(), prompt.messages.begin(), prompt.messages.end());
  if (step.cluster_gpus > scale_up_domain(placed.machine)) step.assumed = assumptions_of(inputs.machine);
  return step;
}

}  // namespace commcost
