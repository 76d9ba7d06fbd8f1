#pragma once

#include "core/parallel/layout_problems.h"

namespace commcost {

/// Whether a completed job can exist and its machine supports it; allocates nothing.
bool can_run(const Job& job);

/// Whether its accelerator supports the precision that the job multiplies in, and has a known link to the
/// host if anything is kept there.
bool has_hardware(const Job& job);

/// Every reason why not.
Problems problems_of(const Job& job);

/// Every reason why no server can have the tensor and expert degrees from which a job was laid out
/// (server_layout()), phrased in these degrees, as its groups follow from them. Empty: one can.
Problems server_problems(const Job& job);

}  // namespace commcost
