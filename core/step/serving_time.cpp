#include "core/step/serving_time.h"

#include <algorithm>
#include <cmath>

#include "core/compute/kernel_time.h"
#include "core/parallel/communications.h"
#include "core/parallel/ledger.h"
#include "core/parallel/ranks.h"
#include "core/step/collective_timer.h"
#include "core/step/constants.h"
#include "core/step/step_model.h"

namespace commcost {
namespace {

constexpr double percent = 0.01;

// What one call of a message sends, and takes.
struct Call {
  ReduceKernel kernel = ReduceKernel::nccl;
  double sent_bytes = 0;
  double network_bytes = 0;
  double time_us = 0;
};

// Messages, each as what runs it takes.
class MessageTimer {
 public:
  explicit MessageTimer(const PlacedServing& placed)
      : placed_(placed), fabric_(fabric_of(placed.machine)), collectives_(placed.machine) {}

  void add(const Communication& message, double count, ServingTime& time) const {
    const double calls = count * message.count;
    if (calls <= 0) return;
    const double bytes = bytes_of(message, placed_.setting).message;
    const Call call = call_of(message, bytes);
    const double of_each_stage = calls / static_cast<double>(placed_.setting.layout.pipeline_parallel);
    time.messages.push_back({message.dimension, message.phase, message.part, message.payload,
                             message.collective, message.ranks.size, call.kernel, bytes, calls,
                             of_each_stage * call.sent_bytes, of_each_stage * call.network_bytes,
                             calls * call.time_us});
    part_of(message, time.parts) += calls * call.time_us;
    if (message.collective != Collective::all_reduce || message.per != Per::layer) return;
    time.all_reduce.by = reduced(message, bytes);
    time.all_reduce.message_size_bytes = bytes;
    time.all_reduce.calls += calls;
  }

 private:
  static double& part_of(const Communication& message, ServingParts& parts) {
    if (message.dimension == Dimension::expert) return parts.expert_us;
    return message.collective == Collective::send_receive ? parts.pipeline_us : parts.tensor_us;
  }

  Call call_of(const Communication& message, double bytes) const {
    const SentBytes sent = sent_bytes(message, placed_.setting, bytes, scale_up_domain(placed_.machine));
    Call call{ReduceKernel::nccl, sent.total(), sent.network, 0};
    if (message.dimension == Dimension::expert) {
      call.time_us = collectives_.time_us(message.ranks, exchange_of(message, placed_.setting, bytes));
    } else if (message.collective == Collective::all_reduce) {
      const ReducedBy by = reduced(message, bytes);
      call.kernel = by.kernel;
      call.sent_bytes = bytes * sent_messages(by.kernel, message.ranks.size);
      call.network_bytes = call.sent_bytes * network_share(message, scale_up_domain(placed_.machine));
      call.time_us = by.time_us() + placed_.serving.pace.allreduce_start_us;
    } else {
      call.time_us = collectives_.time_us(message.collective, message.ranks, bytes);
    }
    return call;
  }

  // Ranks that stand apart share fewer domains' links than neighbours.
  GpuGroup group_that_calls(const Communication& message) const {
    GpuGroup group = group_of(placed_.machine, fabric_, message.ranks.size);
    group.nodes = std::ceil(domains_of(message.ranks, placed_.machine));
    group.gpus_in_node = group.num_gpus / group.nodes;
    return group;
  }

  ReducedBy reduced(const Communication& message, double bytes) const {
    const GpuGroup group = group_that_calls(message);
    const ReduceKernel wanted = placed_.serving.pace.allreduce_kernel;
    return reduced_by(group, runs(group, wanted) ? wanted : ReduceKernel::nccl, bytes);
  }

  const PlacedServing& placed_;
  Fabric fabric_;
  CollectiveTimer collectives_;
};

void add_messages(const PlacedServing& placed, ServingTime& time) {
  const Setting& setting = placed.setting;
  const MessageTimer timer(placed);
  Communications messages;
  add_layer_messages(setting, messages);
  add_vocabulary_messages(setting, messages);
  for (const Communication& message : messages) {
    double count = 1;
    if (message.per == Per::layer) {
      count = 0;
      if (sent_in(message, LayerKind::moe)) count += static_cast<double>(expert_layers(setting.shape));
      if (sent_in(message, LayerKind::dense))
        count += static_cast<double>(setting.shape.num_layers - expert_layers(setting.shape));
    }
    timer.add(message, count, time);
  }
  Communications boundaries;
  add_boundary_messages(setting, boundaries);
  for (const Communication& message : boundaries)
    timer.add(message, static_cast<double>(setting.layout.pipeline_parallel - 1), time);
}

// Few tokens go straight to their experts, those of a prompt are counted first; what the experts multiply in
// fewer bits is sent so.
PlacedServing with_exchange(PlacedServing placed) {
  auto& [shape, work, layout, pace] = placed.setting;
  layout.expert_exchange = work.mode == Mode::decode ? ExchangeKernel::low_latency : ExchangeKernel::normal;
  const double operand = operand_bytes(work.matmul_precision);
  if (operand > 0)
    layout.dispatch_wire_bytes_per_element = std::min(operand, layout.dispatch_wire_bytes_per_element);
  return placed;
}

// A graph is replayed at no host time; prompts differ in length and are launched.
double launches_us(const PlacedServing& placed, double kernels, double device_us) {
  const Setting& setting = placed.setting;
  if (setting.pace.cuda_graphs && setting.work.mode == Mode::decode) return 0;
  return std::max(0.0, kernels * setting.pace.host_us_per_kernel - device_us);
}

}  // namespace

double weight_bytes(const PlacedServing& placed) {
  const double given = placed.serving.weight_bytes_per_element;
  return given > 0 ? given : static_cast<double>(placed.setting.work.bytes_per_element);
}

double kv_bytes(const PlacedServing& placed) {
  const double given = placed.serving.kv_bytes_per_element;
  return given > 0 ? given : static_cast<double>(placed.setting.work.bytes_per_element);
}

Kernels layer_kernels(const PlacedServing& placed, LayerKind kind) {
  const Setting& setting = placed.setting;
  return layer_kernels(setting.shape, kind, setting.work, rank_share(setting.work, setting.layout),
                       {placed.serving.weight_bytes_per_element, placed.serving.kv_bytes_per_element});
}

Kernels head_kernels(const PlacedServing& placed) {
  const Setting& setting = placed.setting;
  return head_kernels(setting.shape, setting.work, rank_share(setting.work, setting.layout));
}

ServingTime serving_time(const PlacedServing& given) {
  const PlacedServing placed = with_exchange(given);
  const Setting& setting = placed.setting;
  const ServingPace& pace = placed.serving.pace;
  const ComputeRates rates = compute_rates(placed.machine, setting, {});
  ServingTime time;
  double launches = 0;
  const auto add = [&](const Kernels& kernels, double count) {
    // What products with few rows reach.
    const InferenceTime one =
        inference_time(kernels, rates, rates.hbm_bytes_per_us * pace.memory_efficiency_percent * percent);
    time.parts.weights_us += count * one.weights_us;
    time.parts.cache_us += count * one.cache_us;
    time.parts.compute_us += count * one.compute_us;
    launches += count * one.launches;
  };
  add(head_kernels(placed), 1);
  const auto moe = static_cast<double>(expert_layers(setting.shape));
  const double dense = static_cast<double>(setting.shape.num_layers) - moe;
  if (dense > 0) add(layer_kernels(placed, LayerKind::dense), dense);
  if (moe > 0) add(layer_kernels(placed, LayerKind::moe), moe);
  time.parts.kernels_us += launches * pace.kernel_start_us;
  add_messages(placed, time);
  time.parts.launch_us = launches_us(placed, launches, time.parts.total_us()) +
                         static_cast<double>(setting.work.batch_size) * pace.sequence_host_us;
  return time;
}

}  // namespace commcost
