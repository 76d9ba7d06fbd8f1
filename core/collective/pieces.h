#pragma once

#include "core/collective/hockney.h"
#include "core/collective/method.h"

namespace commcost {

/// The most pieces that a pipeline may cut a message into.
inline constexpr int most_pieces = 1 << 20;

/// The fastest number of pieces for that message in a pipelined method, at most one per byte: more pieces
/// fill the pipeline sooner but pay the latency more often.
int best_pieces(const Method& method, Group group, double message_size_bytes, const HockneyMachine& machine);

/// The group with its pieces chosen if they are 0, and 1 if the method is no pipeline.
Group with_pieces(const Method& method, Group group, double message_size_bytes,
                  const HockneyMachine& machine);

}  // namespace commcost
