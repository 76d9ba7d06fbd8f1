#pragma once

#include "core/collective/kind.h"
#include "core/network/gpu_group.h"

namespace commcost {

/// The share of a card's rate that a border of the network leaves to a group that straddles it, while all
/// other groups of its kind send too: 1 if the group is on one side, or if nothing is oversubscribed.
///
/// A ring or tree leaves each pod once for every card of a node that it runs over, so a pod's uplinks,
/// 1/ratio of its cards, carry its cards / (ranks in pod) times that: (nodes of the group in a pod) / ratio
/// is left. If every rank sends to every other, only the share of their traffic that leaves the pod is
/// oversubscribed. Never below 1/ratio.
double border_share(const GpuGroup& group, std::size_t border, Collective collective);

/// The share left by all borders: the narrowest decides.
double spine_share(const GpuGroup& group, Collective collective);

/// The same for ranks on a line, each of which sends to the next: below a border, only the last one of each
/// line sends out of it.
double line_share(double ranks_below, double oversubscription);

/// The same cards with the rate that the spine leaves them.
GpuGroup through_spine(const GpuGroup& group, Collective collective);

}  // namespace commcost
