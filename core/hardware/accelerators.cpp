#include "core/hardware/accelerators.h"

#include "core/hardware/accelerator_rows.h"

namespace commcost {
std::span<const Accelerator> all_accelerators() {
  return accelerator_rows;
}

const Accelerator* find_accelerator(std::string_view id) {
  for (const Accelerator& accelerator : accelerator_rows) {
    if (accelerator.id == id) return &accelerator;
  }
  return nullptr;
}

const Fabric* find_fabric(std::string_view accelerator) {
  const Accelerator* found = find_accelerator(accelerator);
  return found == nullptr ? nullptr : &found->fabric;
}

}  // namespace commcost
