#pragma once

#include "core/base/field.h"
#include "core/collective/reduce_kernel.h"
#include "core/model/work.h"

// Inputs that appear in several structs: one table for each name, over the member that receives it.
namespace commcost {

/// Greatest values that steps count with; the exercise, exact in 128 bits, allows more.
inline constexpr double most_hidden = 1073741824;
inline constexpr double most_tokens = 1099511627776;
inline constexpr double most_batch = 1048576;
inline constexpr double most_bytes = 8;
inline constexpr double most_gpus = 1048576;

template <auto Member>
constexpr InputField hidden_size_field(double greatest) {
  return whole<Member>(1, greatest, "Hidden size of the model: the width of the residual stream")
      .of_group("model")
      .shown();
}

template <auto Member>
constexpr InputField num_layers_field() {
  return whole<Member>(1, 1048576, "Transformer layers").labelled("Layers").of_group("model").shown();
}

template <auto Member>
constexpr InputField sequence_length_field(double greatest) {
  return whole<Member>(1, greatest, "Tokens in a sequence").in("tokens").of_group("work").shown();
}

template <auto Member>
constexpr InputField batch_size_field(double greatest) {
  return whole<Member>(1, greatest, "Micro-batch: sequences that a replica works on at once")
      .in("sequences")
      .labelled("Micro-batch")
      .of_group("work")
      .shown();
}

template <auto Member>
constexpr InputField global_batch_size_field() {
  return whole<Member>(0, 1073741824, "Sequences per step; 0: one micro-batch per replica")
      .in("sequences")
      .labelled("Global batch")
      .or_default(0)
      .of_group("work")
      .shown();
}

template <auto Member>
constexpr InputField bytes_per_element_field(double greatest) {
  return whole<Member>(1, greatest, "Bytes of a weight or activation: 2 for FP16 and BF16")
      .or_default(2)
      .of_group("work");
}

template <auto Member>
constexpr InputField optimizer_bytes_field() {
  return whole<Member>(
             0, 64, "Optimizer state per parameter: 12 with an fp32 copy and two moments, 8 without the copy")
      .or_default(12)
      .of_group("work");
}

template <auto Member>
constexpr InputField matmul_precision_field() {
  return choice<Member>(matmul_precision_names,
                        "Precision of the layers' matrix products (attention core and LM head stay in 16 "
                        "bits); stored: as the weights")
      .labelled("GEMM precision")
      .or_default(0)
      .of_group("work");
}

template <auto Member>
constexpr InputField activation_bytes_field() {
  return real<Member>(0, 8,
                      "Bytes per activation kept for the backward pass of GEMMs and of the MLP's activation "
                      "function: 1 for FP8; 0: as multiplied")
      .labelled("Stored activation bytes")
      .or_default(0)
      .of_group("work");
}

template <auto Member>
constexpr InputField causal_attention_field() {
  return flag<Member>("Whether the masked half of the scores is left out of the FLOPs")
      .labelled("Skip masked attention FLOPs")
      .or_default(0)
      .of_group("work");
}

template <auto Member>
constexpr InputField expert_imbalance_field() {
  return real<Member>(0, 6553500, "Extra routed tokens of the busiest expert rank, over the mean")
      .labelled("Expert load imbalance")
      .or_default(0)
      .of_group("work");
}

template <auto Member>
constexpr InputField expert_capacity_field() {
  return real<Member>(0, 64,
                      "Capacity factor: tokens that an expert takes at most, over its even share; the rest "
                      "are dropped; 0: no limit")
      .labelled("Expert capacity factor")
      .or_default(0)
      .of_group("work");
}

template <auto Member>
constexpr InputField expert_padding_field() {
  return flag<Member>("Whether experts with fewer tokens than their capacity are padded to it")
      .labelled("Pad experts to capacity")
      .or_default(0)
      .of_group("work");
}

/// The GPUs of a step and of a plan.
template <auto Member>
constexpr InputField cluster_gpus_field() {
  return whole<Member>(0, most_gpus, "GPUs of the cluster, all of them used; 0: the product of the degrees")
      .formerly("num_gpus")
      .labelled("GPUs")
      .of_group("layout")
      .shown()
      .or_default(0);
}

/// The GPUs of a collective and of the exercise.
template <auto Member>
constexpr InputField group_gpus_field() {
  return whole<Member>(1, most_gpus, "GPUs in the group that runs the collective").labelled("GPUs");
}

/// bandwidth_gb_per_sec of a model link, as in the exercise and in Hockney's model; a machine's is in
/// machine_fields.h.
template <auto Member>
constexpr InputField rank_bandwidth_field() {
  return real<Member>(1e-6, 1e9, "Bandwidth per GPU, one way; 1 GB/s is 1e9 B/s")
      .labelled("Link bandwidth")
      .of_group("machine")
      .shown();
}

/// Latency of a link between two GPUs where a calculation needs none to be given.
inline constexpr double usual_latency_us = 5;

template <auto Member>
constexpr InputField latency_field() {
  return real<Member>(0, 1e9, "Latency of one message (alpha)");
}

template <auto Member>
constexpr InputField latency_scale_field() {
  return real<Member>(1e-3, 1e3, "Factor on the latency of every collective, from a calibration or a what-if")
      .labelled("Latency calibration")
      .or_default(1)
      .of_group("machine");
}

template <auto Member>
constexpr InputField bandwidth_scale_field() {
  return real<Member>(1e-3, 1e3, "Calibration: factor on the plateau's bandwidth, up to the line rate")
      .labelled("Bandwidth calibration")
      .or_default(1)
      .of_group("machine");
}

template <auto Member>
constexpr InputField link_bandwidth_scale_field() {
  return real<Member>(1e-3, 1e3, "Calibration of collectives within a node: factor on their bandwidth")
      .labelled("Bandwidth calibration, in the node")
      .or_default(1)
      .of_group("machine");
}

template <auto Member>
constexpr InputField network_bandwidth_scale_field() {
  return real<Member>(1e-3, 1e3, "Calibration of collectives between nodes: factor on their bandwidth")
      .labelled("Bandwidth calibration, between nodes")
      .or_default(1)
      .of_group("machine");
}

template <auto Member>
constexpr InputField allreduce_kernel_field() {
  return choice<Member>(reduce_kernel_names,
                        "All-reduce kernel: NCCL, a serving stack's kernel within one scale-up domain, or "
                        "the fastest of them")
      .labelled("All-reduce kernel");
}

template <auto Member>
constexpr InputField collective_choice_field(std::span<const std::string_view> names) {
  return choice<Member>(names, "The collective; the root is rank 0");
}

template <auto Member>
constexpr InputField message_size_field() {
  return whole<Member>(0, 9007199254740991,
                       "Message as nccl-tests counts it: all ranks' blocks together for all-gather, "
                       "reduce-scatter, gather and scatter, otherwise one rank's buffer");
}

/// Lists a field as one that must be given, where 0 cannot stand for something else.
constexpr InputField needed(InputField field) {
  field.field.required = true;
  field.field.least = 1;
  field.field.help = field.field.help.substr(0, field.field.help.find("; 0:"));
  return field;
}

}  // namespace commcost
