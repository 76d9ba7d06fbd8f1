#pragma once

#include "core/hardware/accelerators.h"
#include "core/hardware/launch.h"
#include "core/hardware/network_kinds.h"

namespace commcost {

/// The network that machines with this accelerator, node size and rate usually have; infiniband where none is
/// known.
NetworkKind usual_network(const Fabric& fabric, double gpus_per_node, double nic_gb_per_sec);

/// How public measurements of such a group were usually launched.
Launch usual_launch(const Fabric& fabric, double gpus_per_node, double nodes);

}  // namespace commcost
