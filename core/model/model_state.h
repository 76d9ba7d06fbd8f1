#pragma once

#include <cstdint>

#include "core/model/work.h"

namespace commcost {

/// Bytes of weights, gradients and optimizer state on one GPU.
struct ModelState {
  double weights = 0;
  double gradients = 0;
  double optimizer = 0;

  double total() const { return weights + gradients + optimizer; }
};

/// What `parameters` parameters take on a GPU when `shards` GPUs share by ZeRO stage 0 to 3: stage 1 shards
/// the optimizer's state, 2 the gradients too, 3 the weights too (arXiv:1910.02054, figure 1). With one
/// parameter and one shard: bytes per parameter.
ModelState model_state(double parameters, const Work& work, std::int64_t zero_stage, double shards);

}  // namespace commcost
