#include "core/compute/kernel_table.h"

#include <algorithm>

namespace commcost {

const KernelTableRow* find_constants(const KernelTable& table, KernelFamily family, Generation generation,
                                     KernelFormat format, KernelLibrary library) {
  const KernelTableRow* best = nullptr;
  int most = -1;
  const auto first =
      std::lower_bound(table.constants.begin(), table.constants.end(), family,
                       [](const KernelTableRow& row, KernelFamily wanted) { return row.family < wanted; });
  for (auto at = first; at != table.constants.end() && at->family == family; ++at) {
    const KernelTableRow& row = *at;
    const bool every_generation = row.generation == Generation::none;
    const bool every_format = row.format == KernelFormat::any;
    const bool every_library = row.library == KernelLibrary::any;
    if ((!every_generation && row.generation != generation) || (!every_format && row.format != format) ||
        (!every_library && row.library != library))
      continue;
    const int particular = (every_generation ? 0 : 4) + (every_format ? 0 : 2) + (every_library ? 0 : 1);
    if (particular <= most) continue;
    most = particular;
    best = &row;
  }
  return best;
}

}  // namespace commcost
