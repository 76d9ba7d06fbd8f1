#pragma once

#include "core/calculator/setting_fields.h"
#include "core/step/serving_step.h"

// What a server does beyond a training step: inputs of serving_step alone, and those of a setting that it
// takes.
namespace commcost {

/// What a step of a server does: the two of mode_names that answer.
inline constexpr std::string_view serving_mode_names[] = {"prefill", "decode"};

/// Those that a recipe fills.
inline constexpr auto serving_pace_fields = filled_by(
    "recipe",
    {allreduce_kernel_field<&ServingPace::allreduce_kernel>().optional(),
     real<&ServingPace::memory_efficiency_percent>(
         "memory_efficiency_percent", "%", 1, 200,
         "Rate at which few tokens' products read weights and cache, of what streaming kernels reach")
         .optional(),
     real<&ServingPace::kernel_start_us>(
         "kernel_start_us", "us", 0, 1e6,
         "Time of each kernel on the GPU beyond its work: it waits for the one before")
         .optional(),
     real<&ServingPace::allreduce_start_us>(
         "allreduce_start_us", "us", 0, 1e6,
         "Start of a sum over tensor ranks that compute waits for, beyond what its kernel takes alone")
         .optional(),
     real<&ServingPace::sequence_host_us>("sequence_host_us", "us", 0, 1e6,
                                          "Host time of a step for each sequence, while the GPU waits")
         .optional()});

inline constexpr InputField serving_type_fields[] = {
    real<&Serving::weight_bytes_per_element>("weight_bytes_per_element", "bytes", 0, 8,
                                             "Bytes of a weight in the layers; 0: bytes_per_element")
        .or_default(0),
    real<&Serving::kv_bytes_per_element>(
        "kv_bytes_per_element", "bytes", 0, 8,
        "Bytes of an element of the cached keys and values; 0: bytes_per_element")
        .or_default(0),
};

}  // namespace commcost
