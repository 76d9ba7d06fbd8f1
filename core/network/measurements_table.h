#pragma once

#include <span>
#include <string_view>

#include "core/collective/kind.h"
#include "core/hardware/launch.h"
#include "core/hardware/machine.h"
#include "core/hardware/network_kinds.h"

namespace commcost {

/// A measured curve as packed by tests/data/make_measurements_table.py.
struct PackedSeries {
  std::string_view id;                   ///< source_id in tests/data/measured_sources.csv
  std::string_view name;                 ///< the system, in words
  std::string_view accelerator;          ///< id in the hardware catalog
  Collective collective;                 ///< what was run
  double num_gpus;                       ///< ranks
  double gpus_per_node;                  ///< ranks of a node
  double nic_gb_per_sec;                 ///< one way, per GPU; 0: one node, or not stated
  NetworkKind network;                   ///< what joins its nodes; infiniband where there is one node
  bool healthy;                          ///< no known anomaly
  Launch launch;                         ///< how it was started
  SwitchReduction in_network_reduction;  ///< usual, or off
  std::string_view source;               ///< where it was published
  std::string_view sizes;                ///< runs of sizes: first, *factor or +difference, x count
  std::string_view times;                ///< two letters a size: 1/128 octave steps, each from the one before
};

/// Every measured curve, in the order of the tables.
std::span<const PackedSeries> packed_series();

}  // namespace commcost
