#pragma once

#include "core/parallel/job.h"

namespace commcost {

/// What sends tokens to experts in a pass of a server whose layout asks for `expert_exchange`: what its stack
/// runs instead if those kernels do not reach far enough, or have nothing to do.
ExchangeKernel served_exchange(const Job& job);

/// Whether the GPUs that share a layer's experts all have every token and each a term of its result, as the
/// ranks that share a matrix do: what servers run on NCCL, none of which has an all-to-all of copies.
bool gathers_tokens(const Job& job);

}  // namespace commcost
