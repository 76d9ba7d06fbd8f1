#include "core/hardware/accelerators.h"

#include "core/hardware/accelerator_rows.h"

namespace commcost {
namespace {

struct Generations {
  std::string_view prefix;
  Generation generation;
};

constexpr Generations generations[] = {
    {"v100", Generation::volta},   {"a100", Generation::ampere},  {"a800", Generation::ampere},
    {"h", Generation::hopper},     {"gh200", Generation::hopper}, {"b", Generation::blackwell},
    {"gb", Generation::blackwell}, {"tpu", Generation::tpu},      {"mi", Generation::amd},
};

}  // namespace

Generation Accelerator::generation() const {
  for (const Generations& row : generations) {
    if (id.starts_with(row.prefix)) return row.generation;
  }
  return Generation::other;
}

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
