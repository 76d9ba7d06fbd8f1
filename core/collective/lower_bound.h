#pragma once

#include "core/collective/counts.h"
#include "core/collective/hockney.h"
#include "core/collective/method.h"

namespace commcost {

/// The least that any schedule of the method's kind needs, as counts with one part per rank: latency ⌈lg p⌉
/// rounds (⌈log p to the base m+1⌉ where a rank may send m messages a round), bytes and additions (Chan et
/// al., CCPE 19(13), 2007, Table I; all-reduce 2(p-1)/p·n: Patarasuk & Yuan, JPDC 69(2), 2009). A switch that
/// adds needs two rounds and takes the message once: n where the ranks' bound is more.
Counts lower_bound(const Method& method, int ranks);

/// That bound in time, µs; if groups have their own links, as if all links were as fast as the fastest.
double lower_bound_us(const Method& method, int ranks, double message_size_bytes,
                      const HockneyMachine& machine);

}  // namespace commcost
