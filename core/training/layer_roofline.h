#pragma once

#include "core/compute/memory_levels.h"
#include "core/compute/roofline.h"
#include "core/parallel/job.h"

namespace commcost {

/// A layer's forward pass of one micro-batch, and its longest product on every memory level.
struct LayerRoofline : Roofline {
  RooflineKernel longest = RooflineKernel::query_key_value;  ///< whose product takes longest
  ProductTraffic traffic;                                    ///< of that product
};

/// For a completed job: the layer with experts if the model has any.
LayerRoofline layer_roofline(const Job& job);

}  // namespace commcost
