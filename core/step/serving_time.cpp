#include "core/step/serving_time.h"

#include <algorithm>
#include <cmath>

#include "core/parallel/communications.h"
#include "core/parallel/ledger.h"
#include "core/step/collective_timer.h"
#include "core/step/constants.h"
#include "core/step/layer_kernels.h"
#include "core/step/products.h"
#include "core/step/step_model.h"

namespace commcost {
namespace {

constexpr double percent = 0.01;

// What one layer or one end takes on a rank, us.
struct RankWork {
  ServingParts parts;
  double kernels = 0;
};

struct Rates {
  ComputeRates compute;
  double read_bytes_per_us = 1;  // what products with few rows reach
};

Rates rates_of(const PlacedServing& placed) {
  Rates rates;
  rates.compute = compute_rates(placed.machine, placed.setting, {});
  rates.read_bytes_per_us =
      rates.compute.hbm_bytes_per_us * placed.serving.pace.memory_efficiency_percent * percent;
  return rates;
}

// Reading and multiplying run beside each other, but not to the end: the root of the sum of squares.
double beside(double one_us, double other_us) {
  return std::sqrt(one_us * one_us + other_us * other_us);
}

void add_product(const Product& product, double weight, double activation, double flops_per_us,
                 const Rates& rates, RankWork& work) {
  const double read_us = product.batch * product.inner * product.columns * weight / rates.read_bytes_per_us;
  const double moved_us = product.batch * product.rows * (product.inner + product.columns) * activation /
                          rates.compute.hbm_bytes_per_us;
  const double whole_us = beside(read_us, flops(product) / flops_per_us);
  work.parts.weights_us += read_us;
  work.parts.compute_us += whole_us - read_us + moved_us;
  work.kernels += 1;
}

// One query of each sequence attends to the whole cache, which is read once.
void add_cache(const PlacedServing& placed, const AttentionWidths& attention, const Rates& rates,
               RankWork& work) {
  const Work& w = placed.setting.work;
  const double cached = static_cast<double>(w.batch_size) * static_cast<double>(w.sequence_length);
  const double read_us = cached * attention.cache * kv_bytes(placed) / rates.read_bytes_per_us;
  const double flops = 2 * cached * attention.heads * attention.cached_head_width;
  work.parts.cache_us += read_us;
  work.parts.compute_us += beside(read_us, flops / rates.compute.flash_flops_per_us) - read_us;
}

// Norms, rotary positions and the cache's new entries, the attention core, the activation function.
constexpr double kernels_between_products = 5;
// Sorting tokens by expert, adding up what they bring back.
constexpr double kernels_of_routing = 3;

RankWork layer_work(const PlacedServing& placed, const Rates& rates, LayerKind kind) {
  const Setting& setting = placed.setting;
  const LayerMatrices layer = layer_matrices(setting.shape, kind, matrix_ranks(setting.layout));
  const RankShare rank = rank_share(setting.work, setting.layout);
  const auto element = static_cast<double>(setting.work.bytes_per_element);
  const double experts = setting.pace.expert_efficiency_percent * percent;
  RankWork work;
  for (const Matrix& matrix : layer) {
    const double rate =
        rates.compute.flops_per_us * (matrix.owner == MatrixOwner::routed_expert ? experts : 1);
    add_product(product_of(matrix, rank), weight_bytes(placed), element, rate, rates, work);
  }
  const LayerKernels others = layer_kernels(setting, rates.compute, kind);
  work.parts.compute_us += others.bound_forward_us;
  if (setting.work.mode == Mode::decode) {
    add_cache(placed, layer.attention, rates, work);
  } else {
    work.parts.compute_us += others.core_forward_us;
  }
  work.kernels += kernels_between_products + (kind == LayerKind::moe ? kernels_of_routing : 0);
  return work;
}

// The LM head stays in 16 bits; a prompt needs the logits of its last token alone.
RankWork end_work(const PlacedServing& placed, const Rates& rates) {
  const Setting& setting = placed.setting;
  RankWork work;
  if (setting.shape.vocab_size == 0) return work;
  const Matrix head = head_matrix(setting.shape, static_cast<double>(setting.layout.tensor_parallel));
  const auto element = static_cast<double>(setting.work.bytes_per_element);
  add_product({static_cast<double>(setting.work.batch_size), head.outputs, head.inputs}, element, element,
              rates.compute.wide_flops_per_us, rates, work);
  return work;
}

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

ServingTime serving_time(const PlacedServing& given) {
  const PlacedServing placed = with_exchange(given);
  const Setting& setting = placed.setting;
  const ServingPace& pace = placed.serving.pace;
  const Rates rates = rates_of(placed);
  ServingTime time;
  const auto add = [&](const RankWork& work, double count) {
    for (const ServingPart& part : all_serving_parts) time.parts.*part.us += count * (work.parts.*part.us);
    return count * work.kernels;
  };
  double kernels = add(end_work(placed, rates), 1);
  const auto moe = static_cast<double>(expert_layers(setting.shape));
  const double dense = static_cast<double>(setting.shape.num_layers) - moe;
  if (dense > 0) kernels += add(layer_work(placed, rates, LayerKind::dense), dense);
  if (moe > 0) kernels += add(layer_work(placed, rates, LayerKind::moe), moe);
  time.parts.kernels_us += kernels * pace.kernel_start_us;
  add_messages(placed, time);
  time.parts.launch_us = launches_us(placed, kernels, time.parts.total_us()) +
                         static_cast<double>(setting.work.batch_size) * pace.sequence_host_us;
  return time;
}

}  // namespace commcost
