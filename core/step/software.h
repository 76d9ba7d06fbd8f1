#pragma once

#include <string_view>

#include "core/hardware/accelerators.h"
#include "core/model/work.h"
#include "core/parallel/layout.h"

namespace commcost {

/// What the training software does, as far as it changes times and memory.
enum class Software {
  usual,    ///< that of the accelerator's time: classic on V100 and A100 where something is recomputed
  classic,  ///< 2020 to 2022: attention core stored, 16-bit gradients, reduced after the backward pass
  current,  ///< flash attention, no dropout, 32-bit gradients, reduced during the backward pass
  given,    ///< as the inputs for work and layout say
};
inline constexpr std::string_view software_names[] = {"usual", "classic", "current", "given"};

/// Which of classic and current is usual there.
Software usual_software(const Accelerator& accelerator, const Work& work);

/// Sets what the software decides, in work and layout; nothing for `given`.
void apply(Software software, const Accelerator& accelerator, Work& work, Layout& layout);

}  // namespace commcost
