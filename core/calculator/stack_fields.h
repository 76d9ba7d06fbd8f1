#pragma once

#include "core/calculator/filled_fields.h"
#include "core/parallel/stack.h"

namespace commcost {

/// How fast a stack drives its GPUs: inputs of every priced step, all filled by a recipe. Kinds of kernels
/// used to be given as percentages; 90, 60 and 75 were the usual ones.
inline constexpr auto stack_fields = of_group(
    "recipe",
    filled_by(
        "recipe",
        {real<&Stack::gemm_time_scale>(1e-2, 1e2, "Factor on the time of GEMMs, relative to measured kernels")
             .labelled("GEMM time factor")
             .formerly_over("compute_efficiency_percent", 90)
             .optional(),
         real<&Stack::grouped_gemm_time_scale>(
             1e-2, 1e2, "Factor on the time of routed experts' GEMMs, relative to measured kernels")
             .labelled("Grouped GEMM time factor")
             .formerly_over("expert_efficiency_percent", 75)
             .optional(),
         real<&Stack::attention_time_scale>(
             1e-2, 1e2, "Factor on the time of fused attention, relative to measured kernels")
             .labelled("Attention time factor")
             .formerly_over("attention_efficiency_percent", 60)
             .optional(),
         flag<&Stack::flash_attention_2>(
             "Whether fused attention is FlashAttention-2, which uses no instructions newer than Ampere's")
             .labelled("FlashAttention-2")
             .optional(),
         real<&Stack::elementwise_time_scale>(
             1e-2, 1e2, "Factor on the time of all other kernels, relative to measured ones")
             .labelled("Element-wise time factor")
             .optional(),
         real<&Stack::host_us_per_kernel>(0, 1e6, "Host time to launch a kernel")
             .labelled("Host time per kernel")
             .optional(),
         flag<&Stack::cuda_graphs>("Whether layers run as CUDA graphs, without host time")
             .labelled("CUDA graphs")
             .optional(),
         real<&Stack::collective_start_us>(
             0, 1e6,
             "Extra start-up time of a collective that compute waits for, beyond what benchmarks show")
             .labelled("Collective start-up")
             .optional(),
         real<&Stack::pipeline_sync_us>(0, 1e6,
                                        "Synchronization of host and GPU at a stage boundary, each way")
             .optional(),
         real<&Stack::staged_layer_host_us>(
             0, 1e6, "Host time per layer, micro-batch and TP rank where there are several stages")
             .labelled("Host time per layer (PP)")
             .optional(),
         real<&Stack::straggler_percent>(0, 100, "Spread of the replicas' step times: one standard deviation")
             .labelled("Stragglers")
             .optional(),
         real<&Stack::overlap_percent>(
             0, 200, "Communication that compute hides, as a share of what the recipe takes it to hide")
             .labelled("Hidden communication")
             .optional(),
         real<&Stack::time_scale>(1e-2, 1e2, "Factor on every time of a step, calibrated on your own runs")
             .optional(),
         choice<&Stack::release>(
             stack_release_names,
             "Release of NVIDIA's NeMo that trains experts on Blackwell: 25.09 was slower "
             "than most, 26.08 is faster; any: all of them together")
             .labelled("NeMo release")
             .optional(),
         real<&Stack::held_bytes_per_logit>(
             0, 64, "Memory for each logit: 16 bits, fp32 copy, exponential, gradient")
             .labelled("Bytes held per logit")
             .optional()}));

}  // namespace commcost
