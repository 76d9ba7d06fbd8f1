#pragma once

#include "core/collective/kind.h"
#include "core/network/gpu_group.h"

namespace commcost {

/// How long a GPU's links and its network card would be busy with what they send at line rate.
struct LinkUse {
  double link_us = 0;     ///< scale-up links; 0 where the group has one GPU a node
  double network_us = 0;  ///< the GPU's share of the network; 0 within a node
};

/// What a collective of two ranks and more sends over both: by ring, or where switches reduce, the message
/// and its reduced share once (S (1 + 1/g)); where every rank sends to every other, each block over what
/// joins the two.
LinkUse link_use(const GpuGroup& group, Collective collective, Algorithm algorithm,
                 double message_size_bytes);

}  // namespace commcost
