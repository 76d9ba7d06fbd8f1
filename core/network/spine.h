#pragma once

#include "core/collective/kind.h"
#include "core/network/gpu_group.h"

namespace commcost {

/// What a border of the network leaves of a card's rate to a group that lies on both sides of it, while all
/// other groups of its kind send too: 1 where it lies on one, or where nothing is oversubscribed.
///
/// A ring or tree leaves each pod once for every card of a node that it runs over, so that a pod's uplinks,
/// 1/ratio of its cards, carry its cards / (ranks in pod) times that: (nodes of the group in a pod) / ratio
/// is left. Where every rank sends to every other, the share of their traffic that leaves the pod is what is
/// oversubscribed. Never below 1/ratio.
double border_share(const GpuGroup& group, std::size_t border, Collective collective);

/// What all borders leave: the narrowest decides.
double spine_share(const GpuGroup& group, Collective collective);

/// The same of ranks on a line, each of which sends to the next: below a border the last one of each line
/// sends out of it.
double line_share(double ranks_below, double oversubscription);

/// The same cards with what the spine leaves of their rate.
GpuGroup through_spine(const GpuGroup& group, Collective collective);

}  // namespace commcost
