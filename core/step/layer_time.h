#pragma once

#include "core/parallel/setting.h"
#include "core/step/gemm.h"
#include "core/step/pricing.h"

namespace commcost {

/// Communication of one dimension in one micro-batch, us.
struct Traffic {
  double forward_us = 0;    ///< forward pass
  double backward_us = 0;   ///< backward pass
  double recompute_us = 0;  ///< forward pass once more
  double hidden_us = 0;     ///< of it, beside compute
  double slow_down_us = 0;  ///< compute lost by that

  double total_us() const { return forward_us + backward_us + recompute_us; }
  double exposed_us() const { return total_us() - hidden_us + slow_down_us; }
};

/// One micro-batch in one layer, on one of the ranks that share it, us. A model that mixes layers with and
/// without experts has the mean of the two.
struct LayerTime {
  double forward_us = 0;          ///< compute of the forward pass
  double backward_us = 0;         ///< compute of the backward pass, weight gradients included
  double weight_gradient_us = 0;  ///< weight gradients alone
  double recompute_us = 0;        ///< compute done again in the backward pass
  double attention_us = 0;        ///< of all three, the attention core
  double memory_bound_us = 0;     ///< of all three, kernels other than GEMMs and the attention core
  Traffic tensor;                 ///< over ranks that share the matrices
  Traffic context;                ///< over ranks that share the sequence
  Traffic expert;                 ///< to the experts and back
  double launch_us = 0;           ///< host time to launch it all

  double compute_us() const { return forward_us + backward_us + recompute_us; }
  double exposed_us() const { return tensor.exposed_us() + context.exposed_us() + expert.exposed_us(); }
  /// What a stage pays on the device.
  double device_us() const { return compute_us() + exposed_us(); }
};

/// Embedding, logits and loss of one micro-batch, us.
struct HeadTime {
  double compute_us = 0;
  double tensor_us = 0;  ///< exposed communication
  double launch_us = 0;
};

/// Times for a completed setting. Depends on the layout only by tensor, sequence, context and
/// expert parallelism and overlap_tensor, so that a search computes it once for many layouts.
LayerTime layer_time(const Setting& setting, const Machine& machine, const ComputeRates& rates,
                     const Pricing& pricing, const MachineScales& scales);
HeadTime head_time(const Setting& setting, const Machine& machine, const ComputeRates& rates,
                   const Pricing& pricing);

}  // namespace commcost
