#pragma once

#include <type_traits>

#include "core/parallel/setting.h"
#include "core/step/machine.h"

namespace commcost::detail {

/// Puts the usual values in place of the zeros in a calculation's inputs that stand for them, as the
/// calculation itself does.
template <class Inputs>
void complete(Inputs& inputs) {
  if constexpr (std::is_base_of_v<Setting, Inputs>) {
    static_cast<Setting&>(inputs) = completed(static_cast<const Setting&>(inputs));
  } else {
    if constexpr (requires { inputs.shape; }) inputs.shape = completed(inputs.shape);
    if constexpr (requires { inputs.work; }) inputs.work = completed(inputs.work);
  }
  if constexpr (requires { inputs.machine; }) {
    if (inputs.machine.accelerator >= 0) inputs.machine = completed(inputs.machine);
  }
}

}  // namespace commcost::detail
