#pragma once

#include "core/network/gpu_group.h"

namespace commcost {

/// Stands for an unlimited rate, GB/s.
inline constexpr double unlimited_gb_per_sec = 1e9;

/// Directed rings, one over each 25 GB/s brick, that fit into the first `gpus` of a DGX-1V.
double cube_mesh_rings(double gpus);

/// One way, per GPU: what `gpus` of a node can send each other at most, GB/s.
double line_rate(const GpuGroup& group, double gpus);

/// The rate of the links between two GPUs of a node, as a single send uses them, GB/s.
double peer_rate(const GpuGroup& group);

}  // namespace commcost
