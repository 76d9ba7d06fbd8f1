#pragma once

#include <cstdint>
#include <string_view>

#include "core/collective/reduce_kernel.h"
#include "core/compute/kernel_table.h"

namespace commcost {

/// Releases of Megatron-Core in NVIDIA's NeMo whose steps with experts on Blackwell take a different time
/// from those of all releases.
enum class StackRelease { any, nemo_25_09, nemo_26_08 };
inline constexpr std::string_view stack_release_names[] = {"any", "25.09", "26.08"};

/// How fast a serving stack drives its GPUs, beyond the constants common to all stacks. The defaults fit all
/// measured stacks together (`validation serving --fit`).
struct ServingPace {
  double kernel_start_us = 2;    ///< of each kernel on the GPU, beyond its time when it runs alone in a graph
  double sequence_host_us = 30;  ///< host time of a step for each sequence, during which the GPU idles
  double allreduce_start_us =
      8;  ///< of a sum that compute waits for, beyond its kernel's time when it runs alone
  ReduceKernel allreduce_kernel = ReduceKernel::best;  ///< what sums a layer's results
  KernelLibrary kernel_library = KernelLibrary::any;   ///< whose kernels run
  std::int64_t micro_batch_tokens =
      0;  ///< larger batches are halved for the pipeline's stages; 0: batches pass them whole
  bool exchange_by_pass =
      false;  ///< whether few tokens go straight to their experts and those of a prompt are counted first

  bool operator==(const ServingPace&) const = default;
};

/// How fast a training or serving stack drives its GPUs, whichever they are: what a recipe fills.
struct Stack {
  double gemm_time_scale = 1;          ///< factor on the time of products, over that of measured kernels
  double grouped_gemm_time_scale = 1;  ///< the same of routed experts' products
  double attention_time_scale = 1;     ///< the same of the fused attention core
  double elementwise_time_scale = 1;   ///< the same of all other kernels
  bool flash_attention_2 = false;      ///< whether it attends by FlashAttention-2
  double host_us_per_kernel = 8;       ///< host time to launch a kernel
  bool cuda_graphs = false;            ///< whether layers are replayed, at no host time
  double collective_start_us = 20;     ///< of a collective that compute waits for, not visible in benchmarks
  double pipeline_sync_us = 100;       ///< host and device wait for each other at a stage boundary, each way
  double staged_layer_host_us = 0;     ///< host time of a layer's micro-batch where there are several stages,
                                       ///< for each tensor rank
  double straggler_percent = 2;        ///< spread of the replicas' times: one standard deviation
  double overlap_percent = 100;        ///< share of the communication assumed hideable that compute does hide
  double time_scale = 1;               ///< factor on every time of a step, from the user's own runs
  double held_bytes_per_logit = 8;     ///< logits, their fp32 copy, exponential and gradient
  StackRelease release = StackRelease::any;  ///< as far as it is known and matters
  ServingPace serving = {};                  ///< of a step that answers
  int recipe = -1;                           ///< place in all_recipes() of the one that filled this; -1: none

  bool operator==(const Stack&) const = default;
};

}  // namespace commcost
