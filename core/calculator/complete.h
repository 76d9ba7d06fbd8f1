#pragma once

#include "core/parallel/job.h"

namespace commcost::detail {

/// Replaces the zeros that stand for usual values in a calculation's inputs, as the calculation itself does.
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
