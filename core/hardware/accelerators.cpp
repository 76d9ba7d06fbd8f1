#include "core/hardware/accelerators.h"

#include <utility>
#include <vector>

#include "core/base/name_list.h"
#include "core/hardware/accelerator_rows.h"

namespace commcost {
std::string hardware_of(Vendors vendors) {
  std::vector<std::string_view> makers;
  for (const Vendor vendor : {Vendor::nvidia, Vendor::amd})
    if (vendors.has(vendor)) makers.push_back(name_of(vendor));
  const std::string gpus = in_words(makers, " and ") + " GPUs";
  std::vector<std::string_view> all;
  if (!makers.empty()) all.push_back(gpus);
  for (const auto& [vendor, name] :
       {std::pair{Vendor::intel, "Gaudi"}, {Vendor::aws, "Trainium"}, {Vendor::google, "TPUs"}})
    if (vendors.has(vendor)) all.emplace_back(name);
  return in_words(all, " and ");
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

int place_of_accelerator(std::string_view id) {
  return static_cast<int>(find_accelerator(id) - all_accelerators().data());
}

const Fabric* find_fabric(std::string_view accelerator) {
  const Accelerator* found = find_accelerator(accelerator);
  return found == nullptr ? nullptr : &found->fabric;
}

}  // namespace commcost
