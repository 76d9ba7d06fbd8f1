#pragma once

#include "core/parallel/job.h"

namespace commcost::detail {

/// Puts the usual values in place of the zeros in a calculation's inputs that stand for them, as the
/// calculation itself does.
template <class Inputs>
void complete(Inputs& inputs) {
  if constexpr (requires { inputs.job; }) inputs.job = completed(inputs.job);
  if constexpr (requires { inputs.shape; }) inputs.shape = completed(inputs.shape);
  if constexpr (requires { inputs.work; }) inputs.work = completed(inputs.work);
  if constexpr (requires { inputs.machine; }) {
    if (inputs.machine.accelerator >= 0) inputs.machine = completed(inputs.machine);
  }
}

}  // namespace commcost::detail
