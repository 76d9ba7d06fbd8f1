#include "core/hardware/accelerators.h"

#include <utility>
#include <vector>

#include "core/hardware/accelerator_rows.h"

namespace commcost {
namespace {

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t at = 0; at < parts.size(); ++at)
    text += (at == 0 ? "" : at + 1 == parts.size() ? " and " : ", ") + parts[at];
  return text;
}

}  // namespace

std::string hardware_of(Vendors vendors) {
  std::vector<std::string> gpus;
  for (const Vendor vendor : {Vendor::nvidia, Vendor::amd})
    if (vendors.has(vendor)) gpus.emplace_back(name_of(vendor));
  std::vector<std::string> all;
  if (!gpus.empty()) all.push_back(joined(gpus) + " GPUs");
  for (const auto& [vendor, name] :
       {std::pair{Vendor::intel, "Gaudi"}, {Vendor::aws, "Trainium"}, {Vendor::google, "TPUs"}})
    if (vendors.has(vendor)) all.emplace_back(name);
  return joined(all);
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
