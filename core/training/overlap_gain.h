#pragma once

#include "core/compute/kernel_call.h"
#include "core/network/predict.h"

namespace commcost {

/// A product and a collective that run at the same time on one GPU.
struct OverlapQuestion {
  GemmCall product;
  Collective collective = Collective::all_reduce;
  double message_size_bytes = 0;
  double channels = 0;            ///< multiprocessors that the collective takes from the product
  double channel_gb_per_sec = 0;  ///< that one of them moves at most
};

/// The cost of the two one after the other, and at the same time.
struct OverlapGain {
  double product_us = 0;         ///< alone, on all multiprocessors
  double slowed_product_us = 0;  ///< while the collective runs, if that had no end
  double communication_us = 0;   ///< alone
  double with_channels_us = 0;   ///< with that many channels
  double sequential_us = 0;      ///< the product, then the collective
  double overlapped_us = 0;      ///< both at once
  double gain_percent = 0;  ///< share of the sequential time that is saved; below 0 if overlap does not pay
  double slowdown_percent = 0;   ///< of the product, while the collective runs
  double memory_gb_per_sec = 0;  ///< that the collective takes from the memory's bandwidth
  double multiprocessors = 0;    ///< of the GPU; 0: not known, so none are taken from the product
};

/// The product's tiles are dealt out to the multiprocessors that the channels leave, and it reads and writes
/// at the memory bandwidth that is left; the collective moves what its channels carry, up to its own rate. An
/// estimate: none of its constants is fitted.
OverlapGain overlap_gain(const OverlapQuestion& question, const Accelerator& accelerator,
                         const Predictor& predictor);

}  // namespace commcost
