#pragma once

#include "core/base/problem.h"
#include "core/plan/space.h"

namespace commcost {

/// Why a search finds no layout at all, whether it fits or not: pins that are impossible, that contradict
/// each other, the lists or the cluster, or a stack that runs no such layout. Empty if there is one.
Problems space_problems(const PlanInputs& inputs);

}  // namespace commcost
