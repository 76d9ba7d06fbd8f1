#pragma once

#include <string_view>

namespace commcost {

/// Which processes launch the kernels of a collective: this sets the floor for small messages.
enum class Launch {
  process_per_gpu,  ///< a process a GPU, as training runs and MPI launches do
  thread_per_gpu,   ///< one process with a thread a GPU, as nccl-tests -t 8 does
  one_thread,       ///< one thread that launches for each GPU in turn, as nccl-tests -g 8 does
};

/// The launch modes' names as they cross the boundary.
inline constexpr std::string_view launch_names[] = {"process_per_gpu", "thread_per_gpu", "one_thread"};

}  // namespace commcost
