#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/compute/kernel_pricer.h"
#include "core/parallel/stage_share.h"

namespace commcost {

/// What occupies a GPU's streams in one layer: an Operation of the layer's kernels, or a collective.
enum class Activity : std::uint8_t {
  norm,
  query_key_value,
  positions,
  attention_core,
  attention_output,
  router,
  mlp_in,
  activation,
  mlp_out,
  residual,
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  send_receive,
};
inline constexpr std::string_view activity_names[] = {
    "norm",       "query_key_value", "positions",      "attention_core", "attention_output",
    "router",     "mlp_in",          "activation",     "mlp_out",        "residual",
    "all_reduce", "all_gather",      "reduce_scatter", "all_to_all",     "send_receive"};

/// The stream that a bar is on.
enum class Lane : std::uint8_t { compute, communication };
inline constexpr std::string_view lane_names[] = {"compute", "communication"};

/// The purpose of a bar; recomputation happens within the backward pass.
enum class Pass : std::uint8_t { forward, recompute, input_gradient, weight_gradient };
inline constexpr std::string_view pass_names[] = {"forward", "recompute", "input_gradient",
                                                  "weight_gradient"};

/// One operation on one stream.
struct Bar {
  Lane lane;
  Pass pass;
  Activity operation;
  double start_us;
  double duration_us;
  double exposed_us;  ///< for a transfer, while compute waits; for compute, 0
  double message_size_bytes =
      0;  ///< of each call of a transfer, as nccl-tests counts it; 0 for compute, as are the next two
  double calls = 0;       ///< one after the other
  double group_size = 0;  ///< GPUs that call
};

/// The rates and habits by which one layer is timed.
struct TimelineRates {
  KernelPricer compute = KernelPricer::at_line_rates(312, 2039);
  double bandwidth_gb_per_sec = 300;  ///< of the links, one way, per GPU
  double latency_us = 0;              ///< of a step of a ring
  std::int64_t chunks = 1;  ///< pieces of matrix products and transfers that overlap each other; 1: whole
};

/// One layer of a tensor rank, forward and backward, one micro-batch.
struct LayerTimeline {
  std::vector<Bar> bars;        ///< in order of start on each lane
  double forward_us = 0;        ///< from the first bar to the end of the forward pass
  double backward_us = 0;       ///< the rest, with recomputation
  double compute_us = 0;        ///< of all compute bars
  double communication_us = 0;  ///< of all transfers
  double exposed_us = 0;        ///< of those, while compute waits
};

/// The layer of a completed job: all-reduces, or all-gathers and reduce-scatters with sequence parallelism;
/// the backward pass's sum during the weight gradients if the layout overlaps them (arXiv:2205.05198, section
/// 4.2.2).
LayerTimeline layer_timeline(const Job& job, const TimelineRates& rates);
/// The same, given the layer's kernels.
LayerTimeline layer_timeline(const Job& job, const Kernels& kernels, const TimelineRates& rates);

}  // namespace commcost
