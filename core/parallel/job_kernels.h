#pragma once

#include "core/parallel/holdings.h"
#include "core/parallel/job.h"
#include "core/parallel/rank_groups.h"

namespace commcost {

/// The kernels of a GPU in one layer for one micro-batch of a completed job.
inline Kernels layer_kernels(const Job& job, LayerKind kind) {
  return layer_kernels(job.model, kind, job.work, rank_share(job.work, job.layout));
}

/// Its kernels at the beginning of the model.
inline Kernels embedding_kernels(const Job& job) {
  return embedding_kernels(job.model, job.work, rank_share(job.work, job.layout));
}

/// Its kernels at the end of the model.
inline Kernels head_kernels(const Job& job) {
  return head_kernels(job.model, job.work, rank_share(job.work, job.layout));
}

/// Its kernels once an iteration, given what it keeps of the model.
inline Kernels update_kernels(const Job& job, const Holdings& holdings) {
  Kernels kernels;
  const double on_gpu = 1 - offloaded_optimizer_share(job.work);
  kernels.add(optimizer_kernel(on_gpu * parameters_kept(holdings, job.layout, StateKind::optimizer)));
  return kernels;
}

}  // namespace commcost
