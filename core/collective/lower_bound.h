#pragma once

#include "core/collective/counts.h"
#include "core/collective/hockney.h"
#include "core/collective/method.h"

namespace commcost {

/// What no schedule of the method's kind can do without, as counts whose parts are the ranks: latency
/// ⌈lg p⌉ rounds (⌈log p to the base m+1⌉ where a rank may send m messages a round), bytes and additions
/// (Chan et al., CCPE 19(13), 2007, Table I; all-reduce 2(p-1)/p·n: Patarasuk & Yuan, JPDC 69(2), 2009). A
/// switch that adds needs two rounds and takes the message once: n where the ranks' bound is more.
Counts lower_bound(const Method& method, int ranks);

/// That bound in time, µs; where groups have links of their own, as if all were as quick as the quickest.
double lower_bound_us(const Method& method, int ranks, double message_size_bytes,
                      const HockneyMachine& machine);

}  // namespace commcost
