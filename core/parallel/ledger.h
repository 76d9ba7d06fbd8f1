#pragma once

#include "core/parallel/setting.h"
#include "core/parallel/transfer.h"

namespace commcost {

/// What every parallelism of a completed setting without problems sends in one step.
Ledger ledger_of(const Setting& setting);

/// Bytes of `transfer` that cross nodes, mean over the group's GPUs, when rings run within nodes first: the
/// rest, at `gpus_per_node` GPUs each, stays on the links within. Both together are what a flat ring sends.
double network_bytes_per_gpu(const Transfer& transfer, double gpus_per_node);

}  // namespace commcost
