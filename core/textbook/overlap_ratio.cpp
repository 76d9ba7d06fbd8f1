#include "core/textbook/overlap_ratio.h"

#include <algorithm>

#include "core/base/units.h"
#include "core/collective/bus_bandwidth.h"
#include "core/model/flops.h"
#include "core/model/matrices.h"
#include "core/parallel/message_parts.h"

namespace commcost {
namespace {

// A3 counts only matrices, without norms, embedding and LM head, each in bytes_per_element, and sends
// gradients and weights of a model that is not cut into stages.
struct View {
  Job job;
  Holdings holdings;
};

View view_of(Job job, std::int64_t zero_stage) {
  const ModelShape& shape = job.model;
  Layout& layout = job.layout;
  layout.zero_stage = zero_stage;
  layout.pipeline_parallel = 1;
  const auto element = static_cast<double>(job.work.bytes_per_element);
  layout.gradient_wire_bytes_per_element = layout.parameter_wire_bytes_per_element = element;
  StageShare share;
  const MatrixRanks ranks = matrix_ranks(layout);
  for (const LayerKind kind : {LayerKind::dense, LayerKind::moe}) {
    if (kind == LayerKind::moe && !has_experts(shape)) continue;
    for (const Matrix& matrix : layer_matrices(shape, kind)) {
      const bool routed = matrix.owner == MatrixOwner::routed_expert;
      double& sum = routed ? share.experts : kind == LayerKind::dense ? share.layer : share.expert_layer;
      sum += matrix.count * matrix.inputs * matrix.outputs / (routed ? ranks.expert_tensor : ranks.tensor);
    }
  }
  share.experts /= static_cast<double>(layout.expert_parallel);
  const auto moe = static_cast<double>(expert_layers(shape));
  return {job, holdings_of(job, share, {static_cast<double>(shape.num_layers) - moe, moe, true, true})};
}

// Communication, and the compute that may hide it.
struct Parts {
  Communications messages;
  double compute_flops;
  double printed_ratio;
  double cheat_sheet_ratio;
  double left_out_bytes;  // sent but not counted by A3
  double left_out_flops;
};

double sent_in_all(const Communications& messages, double bytes_per_element) {
  double sent = 0;
  for (const Communication& message : messages) {
    sent += message.count *
            ring_sent_bytes(message.collective, message.ranks.size, message.elements * bytes_per_element);
  }
  return sent;
}

double model_flops(const Job& job) {
  const auto& [shape, work, layout, stack, machine] = job;
  return over_layers(shape, [&shape = shape, &work = work](LayerKind kind) {
    return layer_flops(shape, work, kind).products();
  });
}

Parts data_parallel(const Job& job, double flops_a_byte) {
  const View view = view_of(job, 0);
  Parts parts{};
  add_data_messages(view.job.layout, view.holdings, parts.messages);
  const StageShare share = stage_share(view.job);
  Communications whole;
  add_data_messages(view.job.layout, holdings_of(view.job, share, distinct_stages(view.job, share)[0]),
                    whole);
  const auto element = static_cast<double>(job.work.bytes_per_element);
  parts.left_out_bytes = sent_in_all(whole, element) - sent_in_all(parts.messages, element);
  const double all = tokens(job.work);
  const auto tensor = static_cast<double>(job.layout.tensor_parallel);
  const auto data = static_cast<double>(job.layout.data_parallel);
  parts.compute_flops = 2 * model_flops(job) / tensor;
  RankShare unsplit;
  unsplit.tokens = all;
  parts.left_out_flops = 2 * step_flops(head_kernels(job.model, job.work, unsplit)).forward / tensor;
  double parameters = 0;
  for (const Communication& message : parts.messages) parameters += message.count * message.elements * tensor;
  parts.printed_ratio = parameters / (2 * all) * (data - 1) / data * flops_a_byte;
  parts.cheat_sheet_ratio = parts.printed_ratio;
  return parts;
}

Parts zero_3(const Job& job, double flops_a_byte) {
  const View view = view_of(job, 3);
  const LayerKind kind = usual_layer(job.model);
  Communications all_messages;
  add_data_messages(view.job.layout, view.holdings, all_messages);
  Parts parts{};
  for (const Communication& message : all_messages) {
    if (message.phase == StepPhase::forward && sent_in(message, kind)) parts.messages.add(message);
  }
  const double all = tokens(job.work);
  const auto data = static_cast<double>(job.layout.data_parallel);
  parts.compute_flops =
      layer_flops(job.model, job.work, kind).products() / static_cast<double>(job.layout.tensor_parallel);
  parts.cheat_sheet_ratio = (data - 1) / (2 * all) * flops_a_byte;
  parts.printed_ratio = parts.cheat_sheet_ratio / data;
  return parts;
}

// The gather before the MLP, of tokens that sequence parallelism has spread; before they go to experts.
Parts tensor_parallel(Job job, double compute_flops, double flops_a_byte) {
  job.layout.sequence_parallel = true;
  job.layout.expert_parallel = 1;
  Communications all_messages;
  add_tensor_messages(job, all_messages);
  Parts parts{};
  for (const Communication& message : all_messages) {
    if (message.phase == forward_phase(job.work.mode) && message.collective == Collective::all_gather &&
        (message.part == Part::mlp || message.part == Part::layer) &&
        sent_in(message, usual_layer(job.model))) {
      parts.messages.add(message);
    }
  }
  const auto tensor = static_cast<double>(job.layout.tensor_parallel);
  const auto hidden = static_cast<double>(job.model.hidden_size);
  parts.compute_flops = compute_flops / tensor;
  parts.printed_ratio = (tensor - 1) / (2 * hidden) * flops_a_byte;
  parts.cheat_sheet_ratio = (tensor - 1) / (24 * hidden) * flops_a_byte;
  return parts;
}

Parts pipeline_parallel(Job job, double flops_a_byte) {
  // A3 lets each tensor rank send all.
  job.layout.sequence_parallel = job.layout.scatter_gather = false;
  Communications all_messages;
  add_boundary_messages(job, all_messages);
  Parts parts{};
  for (const Communication& message : all_messages) {
    if (message.phase == forward_phase(job.work.mode) && message.stages == Stages::all_but_last)
      parts.messages.add(message);
  }
  const auto stages = static_cast<double>(job.layout.pipeline_parallel);
  const double layers = static_cast<double>(job.model.num_layers) / stages;
  parts.compute_flops = model_flops(job) / stages;
  parts.printed_ratio = flops_a_byte / (32 * static_cast<double>(job.model.hidden_size) * layers);
  parts.cheat_sheet_ratio = parts.printed_ratio;
  return parts;
}

Parts parts_of(OverlapScheme scheme, const Job& job, std::int64_t next_linear_size, double flops_a_byte) {
  const ModelShape& shape = job.model;
  const double all = tokens(job.work);
  switch (scheme) {
    case OverlapScheme::data_parallel:
      return data_parallel(job, flops_a_byte);
    case OverlapScheme::zero_3:
      return zero_3(job, flops_a_byte);
    case OverlapScheme::tensor_parallel: {
      const std::int64_t width = next_linear_size > 0 ? next_linear_size : shape.hidden_size;
      return tensor_parallel(
          job, 2 * all * static_cast<double>(shape.hidden_size) * static_cast<double>(width), flops_a_byte);
    }
    case OverlapScheme::tensor_parallel_region:
      return tensor_parallel(job, layer_flops(shape, job.work, usual_layer(shape)).mlp, flops_a_byte);
    case OverlapScheme::pipeline_parallel:
      return pipeline_parallel(job, flops_a_byte);
  }
  return {};
}

}  // namespace

Overlap overlap_of(OverlapScheme scheme, const Job& job, const OverlapRates& rates,
                   std::int64_t next_linear_size) {
  const double flops_a_byte = rates.peak_tflops * 1e12 / (rates.bandwidth_gb_per_sec * gb_per_sec);
  const Parts parts = parts_of(scheme, job, next_linear_size, flops_a_byte);
  Overlap overlap;
  overlap.compute_flops = parts.compute_flops;
  overlap.compute_us = parts.compute_flops / (rates.peak_tflops * 1e6);
  if (parts.messages.size() == 0) return overlap;
  overlap.messages = 0;
  for (const Communication& message : parts.messages) {
    const double bytes = message.elements * static_cast<double>(job.work.bytes_per_element);
    const double sent = ring_sent_bytes(message.collective, message.ranks.size, bytes);
    overlap.messages += message.count;
    overlap.message_size_bytes = std::max(overlap.message_size_bytes, bytes);
    overlap.sent_bytes_per_gpu += message.count * sent;
    overlap.last_message_us = transfer_us(sent, rates.bandwidth_gb_per_sec);
  }
  if (overlap.messages == 1) overlap.last_message_us = 0;
  overlap.communication_us = transfer_us(overlap.sent_bytes_per_gpu, rates.bandwidth_gb_per_sec);
  overlap.ratio = overlap.communication_us / overlap.compute_us;
  overlap.hidden = overlap.ratio <= 1;
  overlap.exposed_us = std::max(0.0, overlap.communication_us - overlap.compute_us);
  overlap.hiding_gb_per_sec = rates.bandwidth_gb_per_sec * overlap.ratio;
  overlap.printed_ratio = parts.printed_ratio;
  overlap.cheat_sheet_ratio = parts.cheat_sheet_ratio;
  overlap.model_sent_bytes_per_gpu = overlap.sent_bytes_per_gpu + parts.left_out_bytes;
  overlap.model_ratio = transfer_us(overlap.model_sent_bytes_per_gpu, rates.bandwidth_gb_per_sec) /
                        ((parts.compute_flops + parts.left_out_flops) / (rates.peak_tflops * 1e6));
  return overlap;
}

}  // namespace commcost
