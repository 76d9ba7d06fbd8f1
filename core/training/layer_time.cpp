#include "core/training/layer_time.h"

#include "core/compute/kernel_pricer.h"
#include "core/model/recomputation.h"
#include "core/parallel/job_kernels.h"
#include "core/training/constants.h"

namespace commcost {
namespace {

// The shared experts' part of an MLP of experts: only they have messages during their products.
double shared_expert_share(const Job& job) {
  const auto shared = static_cast<double>(job.model.num_shared_experts);
  return shared / (shared + static_cast<double>(job.model.experts_per_token));
}

// Compute of one pass during which a layer's message is sent.
double window_us(const Communication& message, const Job& job, const ComputeTime& compute) {
  if (message.overlaps_with == OverlapsWith::attention)
    return message.phase == StepPhase::backward ? compute.backward_us(Operation::attention_core)
                                                : compute.forward_us(Operation::attention_core);
  if (message.overlaps_with == OverlapsWith::product) {
    // In the backward pass, the gathered gradients feed only the row-parallel matrix.
    const bool both = message.phase != StepPhase::backward;
    const auto of = [&](Operation in, Operation out) {
      return compute.forward_us(out) + (both ? compute.forward_us(in) : 0);
    };
    const double attention = of(Operation::query_key_value, Operation::attention_output);
    const double mlp = of(Operation::mlp_in, Operation::mlp_out) *
                       (message.part == Part::shared_experts ? shared_expert_share(job) : 1);
    return message.part == Part::attention ? attention : message.part == Part::layer ? attention + mlp : mlp;
  }
  // Gradients of inputs and of weights each take as long as the forward pass of their matrix.
  switch (message.part) {
    case Part::attention:
      return compute.forward_us(Operation::query_key_value);
    case Part::layer:
      return compute.forward_us(Operation::query_key_value) + compute.forward_us(Operation::mlp_in);
    case Part::shared_experts:
      return compute.forward_us(Operation::mlp_in) * shared_expert_share(job);
    default:
      return compute.forward_us(Operation::mlp_in);
  }
}

OverlapShares shares_of(const Communication& message) {
  if (message.overlaps_with != OverlapsWith::attention && message.overlaps_with != OverlapsWith::product)
    return {};
  // A single block of keys, or piece of a product, has no compute to hide behind.
  const double share = (message.ranks.size - 1) / message.ranks.size;
  return {share, share};
}

// Host time of a kernel; a graph that is replayed takes none.
double layer_launch_us(const StepModel& step) {
  return step.job().stack.cuda_graphs ? 0 : step.launch_us();
}

// A stack's Python time for each layer and micro-batch once there are several stages.
double staged_host_us(const StepModel& step) {
  const Job& job = step.job();
  if (job.layout.pipeline_parallel == 1) return 0;
  return step.calibrated_us(job.stack.staged_layer_host_us) * static_cast<double>(job.layout.tensor_parallel);
}

// Whether a layer of that kind sends a message, for a repeated layer and for one that is not.
bool sent_by(const Communication& message, LayerKind kind, bool repeated) {
  return sent_in(message, kind) && (repeated || message.phase != StepPhase::recompute);
}

// Tokens of another micro-batch travel during the compute that tensor and context ranks leave free.
CommunicationTime expert_time(const Communications& messages, const StepModel& step, LayerKind kind,
                              bool repeated, const LayerTime& time) {
  CommunicationSum expert(step.overlap_scale());
  const double forward_us = time.free_forward_us();
  const double backward_us = time.free_backward_us();
  for (const Communication& message : messages) {
    if (!message.exchange || !sent_by(message, kind, repeated)) continue;
    const MessageTime one = step.time_of(message);
    if (message.overlaps_with == OverlapsWith::nothing) {
      expert.add(message, one, message.count, 0, {});
    } else {
      expert.add_beside_both(message, one, message.count, forward_us, backward_us);
    }
  }
  return expert.total();
}

// Time to copy everything that a layer keeps to host memory, or back.
double copy_us(const PassHoldings& holdings, const StepModel& step, LayerKind kind, PassState state) {
  const AmongLayers layers = kind == LayerKind::moe ? AmongLayers::moe : AmongLayers::dense;
  double bytes = 0;
  for (const PassHolding& holding : holdings)
    if (holding.kind == state && holding.layers == layers) bytes += holding.bytes;
  return bytes / step.host_bytes_per_us();
}

void add_communication(const Communications& messages, const StepModel& step, LayerKind kind, bool repeated,
                       const ComputeTime& compute, LayerTime& time) {
  CommunicationSum tensor(step.overlap_scale());
  CommunicationSum context(step.overlap_scale());
  double calls = 0;
  for (const Communication& message : messages) {
    if (!sent_by(message, kind, repeated)) continue;
    calls += message.count;
    if (message.exchange) continue;  // sent during what these leave free
    (message.dimension == Dimension::context ? context : tensor)
        .add(message, step.time_of(message), message.count, window_us(message, step.job(), compute),
             shares_of(message));
  }
  time.tensor = tensor.total();
  time.context = context.total();
  time.expert = expert_time(messages, step, kind, repeated, time);
  time.launch_us += layer_launch_us(step) * constants::launches_per_collective * calls;
}

}  // namespace

LayerCompute layer_compute(const StepModel& step) {
  const Job& job = step.job();
  const std::int64_t moe = expert_layers(job.model);
  const auto of = [&](LayerKind kind) { return compute_time(layer_kernels(job, kind), step.rates()); };
  return {moe < job.model.num_layers ? of(LayerKind::dense) : ComputeTime{},
          moe > 0 ? of(LayerKind::moe) : ComputeTime{}};
}

EndCompute end_compute(const StepModel& step) {
  return {compute_time(embedding_kernels(step.job()), step.rates()),
          compute_time(head_kernels(step.job()), step.rates())};
}

LayerTimes layer_times(const StepModel& step, const LayerCompute& priced, const Communications& messages) {
  const Job& job = step.job();
  const PassHoldings holdings = job.work.offloaded_layers > 0 ? pass_holdings(job) : PassHoldings{};
  const std::int64_t moe = expert_layers(job.model);
  const auto times = [&](bool repeated, LayerTime& dense_time, LayerTime& moe_time) {
    const auto of = [&](LayerKind kind, const ComputeTime& compute) {
      LayerTime time;
      time.forward_us = compute.forward_us();
      time.backward_us = compute.backward_us();
      time.weight_gradient_us = compute.weight_gradient_us;
      time.recompute_us = repeated ? compute.recompute_us : 0;
      const double launches = compute.launches - (repeated ? 0 : compute.repeated_launches);
      time.launch_us = layer_launch_us(step) * launches + staged_host_us(step);
      if (job.work.offloaded_layers > 0)
        time.copy_us = copy_us(holdings, step, kind, repeated ? PassState::activations : PassState::whole);
      add_communication(messages, step, kind, repeated, compute, time);
      return time;
    };
    if (moe < job.model.num_layers) dense_time = of(LayerKind::dense, priced.dense);
    if (moe > 0) moe_time = of(LayerKind::moe, priced.moe);
  };
  LayerTimes layers;
  times(true, layers.dense, layers.moe);
  layers.apart = repeats_some_layers(job.work);
  if (layers.apart) times(false, layers.whole_dense, layers.whole_moe);
  return layers;
}

EndTimes end_times(const StepModel& step, const EndCompute& priced, const Communications& messages) {
  const auto end_of = [&step](const ComputeTime& compute) {
    return EndTime{compute.forward_us() + compute.backward_us(), step.launch_us() * compute.launches, {}};
  };
  const ComputeTime& head = priced.head;
  EndTimes times{end_of(priced.embedding), end_of(head)};

  CommunicationSum first(step.overlap_scale());
  CommunicationSum last(step.overlap_scale());
  for (const Communication& message : messages) {
    (message.stages == Stages::first ? first : last)
        .add(message, step.time_of(message), message.count, head.forward_us(Operation::lm_head), {});
  }
  times.first.tensor = first.total();
  times.last.tensor = last.total();
  return times;
}

LayerTimes layer_times(const StepModel& step) {
  Communications messages;
  add_layer_messages(step.job(), messages);
  return layer_times(step, layer_compute(step), messages);
}

EndTimes end_times(const StepModel& step) {
  Communications messages;
  add_vocabulary_messages(step.job(), messages);
  return end_times(step, end_compute(step), messages);
}

}  // namespace commcost
