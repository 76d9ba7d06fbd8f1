#include "core/serving/serving_time.h"

#include <algorithm>
#include <cmath>

#include "core/network/collective_timer.h"
#include "core/parallel/communications.h"
#include "core/parallel/job_kernels.h"
#include "core/parallel/job_pricer.h"
#include "core/parallel/served_exchange.h"

namespace commcost {
namespace {

// One call of a message.
struct Call {
  ReduceKernel kernel = ReduceKernel::nccl;
  SentBytes sent;
  double time_us = 0;
};

// Messages, each with the time of what runs it.
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
    time.all_reduce.time_us += calls * call.time_us;
  }

 private:
  static double& part_of(const Communication& message, ServingParts& parts) {
    if (message.dimension == Dimension::expert) return parts.expert_us;
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

  // Ranks spaced apart share the links of fewer domains than neighbours.
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

// What the experts multiply in fewer bits is sent in these by kernels made for it.
Job with_exchange(Job job) {
  auto& [shape, work, layout, stack, machine] = job;
  layout.expert_exchange = served_exchange(job);
  const double operand = operand_bytes(work.matmul_precision);
  if (operand > 0)
    layout.dispatch_wire_bytes_per_element = std::min(operand, layout.dispatch_wire_bytes_per_element);
  return job;
}

// A replayed graph takes no host time; prompts differ in length and are launched.
double launches_us(const Job& job, double kernels, double device_us) {
  if (job.stack.cuda_graphs && job.work.mode == Mode::decode) return 0;
  return std::max(0.0, kernels * job.stack.host_us_per_kernel - device_us);
}

// Sequences of a micro-batch: the stages' share if that is whole, halved while it has too many tokens.
std::int64_t micro_batch(const Job& job) {
  std::int64_t sequences = job.work.batch_size;
  const std::int64_t most = job.stack.serving.micro_batch_tokens;
  const std::int64_t stages = job.layout.pipeline_parallel;
  if (most == 0 || stages == 1) return sequences;
  if (sequences % stages == 0) sequences /= stages;
  const double each = job.work.mode == Mode::decode ? 1 : static_cast<double>(job.work.sequence_length);
  while (static_cast<double>(sequences) * each > static_cast<double>(most) && sequences % 2 == 0)
    sequences /= 2;
  return sequences;
}

// A batch that passes all stages whole.
ServingTime time_of_whole(const Job& job) {
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
  time.parts.launch_us = launches_us(job, launches, time.parts.total_us());
  return time;
}

// Micro-batches follow each other through the stages: each takes its own time, of which those behind it wait
// for one stage's.
void repeat(ServingTime& time, double micro_batches, double stages) {
  const double waits = (micro_batches + stages - 1) / stages;
  for (const ServingPart& part : all_serving_parts) time.parts.*part.us *= waits;
  time.all_reduce.calls *= micro_batches;
  time.all_reduce.time_us *= waits;
  for (ServingMessage& message : time.messages) {
    message.calls *= micro_batches;
    message.sent_bytes_per_gpu *= micro_batches;
    message.network_bytes_per_gpu *= micro_batches;
    message.quantized_bytes_per_gpu *= micro_batches;
    message.time_us *= waits;
  }
}

}  // namespace

Job served_micro_batch(const Job& job) {
  Job one = with_exchange(job);
  one.work.batch_size = micro_batch(job);
  return one;
}

ServingTime serving_time(const Job& job) {
  const Job one = served_micro_batch(job);
  ServingTime time = time_of_whole(one);
  if (one.work.batch_size < job.work.batch_size)
    repeat(time, static_cast<double>(job.work.batch_size / one.work.batch_size),
           static_cast<double>(job.layout.pipeline_parallel));
  time.parts.launch_us += static_cast<double>(job.work.batch_size) * job.stack.serving.sequence_host_us;
  return time;
}

}  // namespace commcost
