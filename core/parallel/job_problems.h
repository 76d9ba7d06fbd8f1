#pragma once

#include "core/parallel/layout_problems.h"

namespace commcost {

/// Whether a completed job can exist, and its machine can do what it says; allocates nothing.
bool can_run(const Job& job);

/// Whether its accelerator has the precision that the job multiplies in, and a known link to the host where
/// anything is kept there.
bool has_hardware(const Job& job);

/// Every reason why not.
Problems problems_of(const Job& job);

/// Every reason why no server has the tensor and expert degrees of a job, of which it is laid out
/// (server_layout()): in the name of these, as its groups follow from them. Empty: one may have them.
Problems server_problems(const Job& job);

}  // namespace commcost
