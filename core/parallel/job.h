#pragma once

#include "core/hardware/machine.h"
#include "core/model/shape.h"
#include "core/model/work.h"
#include "core/parallel/layout.h"
#include "core/parallel/stack.h"

namespace commcost {

/// A model, its work, how that is spread, which stack runs it and on which machine: everything that a ledger,
/// a step or a plan is computed from.
struct Job {
  ModelShape model;
  Work work;
  Layout layout;
  Stack stack;
  Machine machine;

  bool operator==(const Job&) const = default;
};

/// The job with the usual values in place of zeros; every formula expects it so.
Job completed(const Job& job);

/// Factor on every time of a step: the stack's own and, if experts are trained, its release's.
double time_scale(const Job& job);

}  // namespace commcost
