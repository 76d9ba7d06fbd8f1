#pragma once

#include "core/collective/kind.h"
#include "core/network/gpu_group.h"

namespace commcost {

/// The textbook's time of a collective: what each rank sends by ring over the bandwidth of the narrower level
/// (the links of a GPU, or all NICs of a node), no latency, us. In an all-to-all and a send every rank
/// reaches its receivers itself: across nodes over its own NIC alone, so that line rates allow no less.
double textbook_us(const GpuGroup& group, Collective collective, double message_size_bytes);

/// Hockney's alpha-beta time of a ring: the textbook's plus a latency for each step, longer where a step
/// crosses nodes (NCCL's hardware latencies of the Simple protocol), us.
double hockney_us(const GpuGroup& group, Collective collective, double message_size_bytes);

/// Two levels, one after the other: within nodes over links, and across nodes with a node's share of the
/// message on each NIC; Hockney at each level. What ranks send to their receivers themselves passes both
/// levels at once. A group in one node has one level, us.
double two_level_us(const GpuGroup& group, Collective collective, double message_size_bytes);

}  // namespace commcost
