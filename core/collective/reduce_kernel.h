#pragma once

#include <string_view>

namespace commcost {

/// What runs an all-reduce within one scale-up domain. Serving stacks bring their own kernels, since a decode
/// step sums kilobytes, where a library's rings and trees wait longer than they send.
enum class ReduceKernel {
  nccl,      ///< the library's, whichever algorithm it picks
  one_shot,  ///< every rank reads the message of all others: one barrier, n - 1 messages
  two_shot,  ///< every rank sums its share and then reads the others' sums: two barriers, 2 (n - 1) / n
             ///< messages
  nvls,      ///< switches sum what ranks read, and spread what they write (NVLink SHARP)
  best,      ///< the fastest of those that the machine has
};
inline constexpr std::string_view reduce_kernel_names[] = {"nccl", "one_shot", "two_shot", "nvls", "best"};

}  // namespace commcost
