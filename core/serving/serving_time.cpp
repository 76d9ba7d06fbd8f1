#include "core/serving/serving_time.h"

#include <algorithm>
#include <cmath>

#include "core/network/collective_timer.h"
#include "core/parallel/communications.h"
#include "core/parallel/job_kernels.h"
#include "core/parallel/job_pricer.h"

namespace commcost {
namespace {

// One call of a message.
struct Call {
  ReduceKernel kernel = ReduceKernel::nccl;
  SentBytes sent;
  double time_us = 0;
};

// Messages, each as what runs it takes.
class MessageTimer {
 public:
  explicit MessageTimer(const Job& job)
      : job_(job), fabric_(fabric_of(job.machine)), collectives_(job.machine) {}

  void add(const Communication& message, double count, ServingTime& time) const {
    const double calls = count * message.count;
    if (calls <= 0) return;
    const double bytes = bytes_of(message, job_).message;
    Call call = call_of(message, bytes);
    const auto stages = static_cast<double>(job_.layout.pipeline_parallel);
    call.sent.scale_up /= stages;
    call.sent.network /= stages;
    time.messages.push_back(
        {{sent_message(message, {bytes, 0}, call.sent, calls), calls * call.time_us}, call.kernel});
    part_of(message, time.parts) += calls * call.time_us;
    if (message.collective != Collective::all_reduce || message.per != Per::layer) return;
    time.all_reduce.by = reduced(message, bytes);
    time.all_reduce.message_size_bytes = bytes;
    time.all_reduce.calls += calls;
  }

 private:
  static double& part_of(const Communication& message, ServingParts& parts) {
    if (message.exchange) return parts.expert_us;
    return message.collective == Collective::send_receive ? parts.pipeline_us : parts.tensor_us;
  }

  Call call_of(const Communication& message, double bytes) const {
    const double domain = scale_up_domain(job_.machine);
    Call call{ReduceKernel::nccl, sent_bytes(message, bytes, domain), 0};
    if (message.exchange) {
      call.time_us = collectives_.time_us(message.ranks, *message.exchange);
    } else if (message.collective == Collective::all_reduce) {
      const ReducedBy by = reduced(message, bytes);
      const double sent = bytes * sent_messages(by.kernel, message.ranks.size);
      const double network = sent * network_share(message, domain);
      call = {by.kernel, {sent - network, network}, by.time_us() + job_.stack.serving.allreduce_start_us};
    } else {
      call.time_us = collectives_.time_us(message.collective, message.ranks, bytes);
    }
    return call;
  }

  // Ranks that stand apart share fewer domains' links than neighbours.
  GpuGroup group_that_calls(const Communication& message) const {
    GpuGroup group = group_of(job_.machine, fabric_, message.ranks.size);
    group.nodes = std::ceil(domains_of(message.ranks, job_.machine));
    group.gpus_in_node = group.num_gpus / group.nodes;
    return group;
  }

  ReducedBy reduced(const Communication& message, double bytes) const {
    const GpuGroup group = group_that_calls(message);
    const ReduceKernel wanted = job_.stack.serving.allreduce_kernel;
    return reduced_by(group, runs(group, wanted) ? wanted : ReduceKernel::nccl, bytes);
  }

  const Job& job_;
  Fabric fabric_;
  CollectiveTimer collectives_;
};

void add_messages(const Job& job, ServingTime& time) {
  const MessageTimer timer(job);
  Communications messages;
  add_layer_messages(job, messages);
  add_vocabulary_messages(job, messages);
  for (const Communication& message : messages) {
    double count = 1;
    if (message.per == Per::layer) {
      count = 0;
      if (sent_in(message, LayerKind::moe)) count += static_cast<double>(expert_layers(job.model));
      if (sent_in(message, LayerKind::dense))
        count += static_cast<double>(job.model.num_layers - expert_layers(job.model));
    }
    timer.add(message, count, time);
  }
  Communications boundaries;
  add_boundary_messages(job, boundaries);
  for (const Communication& message : boundaries)
    timer.add(message, static_cast<double>(job.layout.pipeline_parallel - 1), time);
}

// Few tokens go straight to their experts, those of a prompt are counted first; what the experts multiply in
// fewer bits is sent so.
Job with_exchange(Job job) {
  auto& [shape, work, layout, stack, machine] = job;
  layout.expert_exchange = work.mode == Mode::decode ? ExchangeKernel::low_latency : ExchangeKernel::normal;
  const double operand = operand_bytes(work.matmul_precision);
  if (operand > 0)
    layout.dispatch_wire_bytes_per_element = std::min(operand, layout.dispatch_wire_bytes_per_element);
  return job;
}

// A graph is replayed at no host time; prompts differ in length and are launched.
double launches_us(const Job& job, double kernels, double device_us) {
  if (job.stack.cuda_graphs && job.work.mode == Mode::decode) return 0;
  return std::max(0.0, kernels * job.stack.host_us_per_kernel - device_us);
}

}  // namespace

ServingTime serving_time(const Job& given) {
  const Job job = with_exchange(given);
  const ServingPace& pace = job.stack.serving;
  const KernelPricer pricer = kernel_pricer(job);
  ServingTime time;
  double launches = 0;
  const auto add = [&](const Kernels& kernels, double count) {
    const InferenceTime one = inference_time(kernels, pricer);
    time.parts.weights_us += count * one.weights_us;
    time.parts.cache_us += count * one.cache_us;
    time.parts.compute_us += count * one.compute_us;
    time.parts.kernels_us += count * one.start_us;
    launches += count * one.launches;
  };
  add(embedding_kernels(job), 1);
  add(head_kernels(job), 1);
  const auto moe = static_cast<double>(expert_layers(job.model));
  const double dense = static_cast<double>(job.model.num_layers) - moe;
  if (dense > 0) add(layer_kernels(job, LayerKind::dense), dense);
  if (moe > 0) add(layer_kernels(job, LayerKind::moe), moe);
  time.parts.kernels_us += launches * pace.kernel_start_us;
  add_messages(job, time);
  time.parts.launch_us = launches_us(job, launches, time.parts.total_us()) +
                         static_cast<double>(job.work.batch_size) * pace.sequence_host_us;
  return time;
}

}  // namespace commcost
