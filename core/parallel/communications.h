#pragma once

#include "core/parallel/holdings.h"

namespace commcost {

/// Every message of an iteration of a completed job without problems, on a stage with `stage`'s layers; it
/// includes those that only stages at other places send.
Communications communications_of(const Job& job, const StageShare& share, const Stage& stage);

/// The parts of that list, in its order. What layers send depends on the layout by tensor, sequence, context
/// and expert parallelism alone; what the ends send by tensor, sequence and context parallelism.
void add_layer_messages(const Job& job, Communications& list);
void add_vocabulary_messages(const Job& job, Communications& list);
void add_update_messages(const Job& job, const StageShare& share, const Holdings& holdings,
                         Communications& list);
void add_boundary_messages(const Job& job, Communications& list);

}  // namespace commcost
