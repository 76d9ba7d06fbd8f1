#include "core/network/elasticity.h"

#include <cmath>

namespace commcost {
namespace {

constexpr double nudge = 1e-3;       // relative
constexpr double negligible = 5e-4;  // an elasticity below is not worth a bar

double slope(double above, double below) {
  return std::log(above / below) / std::log((1 + nudge) / (1 - nudge));
}

}  // namespace

std::vector<Elasticity> elasticities(const GpuGroup& group, Collective collective,
                                     double message_size_bytes) {
  std::vector<Elasticity> all;
  if (group.num_gpus <= 1) return all;
  const auto time = [&](const GpuGroup& with, const Constants& constants, double size) {
    return predicted_curve(with, collective, constants).curve.time_us(size);
  };
  const Constants& fitted = fitted_constants();
  const auto keep = [&](std::string_view name, double value, std::string_view help) {
    if (std::abs(value) <= negligible) return;
    auto place = all.begin();
    while (place != all.end() && std::abs(place->elasticity) >= std::abs(value)) ++place;
    all.insert(place, {name, value, help});
  };
  if (message_size_bytes > 0) {
    keep("message_size_bytes",
         slope(time(group, fitted, message_size_bytes * (1 + nudge)),
               time(group, fitted, message_size_bytes * (1 - nudge))),
         "Size of the message");
  }
  if (group.spans_nodes()) {
    GpuGroup above = group;
    GpuGroup below = group;
    above.nic_gb_per_sec *= 1 + nudge;
    below.nic_gb_per_sec *= 1 - nudge;
    keep("nic_gb_per_sec",
         slope(time(above, fitted, message_size_bytes), time(below, fitted, message_size_bytes)),
         "Line rate between nodes");
  }
  Fabric faster = *group.fabric;
  Fabric slower = *group.fabric;
  faster.link_gb_per_sec *= 1 + nudge;
  slower.link_gb_per_sec *= 1 - nudge;
  GpuGroup above = group;
  GpuGroup below = group;
  above.fabric = &faster;
  below.fabric = &slower;
  keep("link_gb_per_sec",
       slope(time(above, fitted, message_size_bytes), time(below, fitted, message_size_bytes)),
       "Line rate within a node");
  for (const ConstantRow& row : constant_rows()) {
    Constants more = fitted;
    Constants less = fitted;
    more.values[static_cast<std::size_t>(row.constant)] *= 1 + nudge;
    less.values[static_cast<std::size_t>(row.constant)] *= 1 - nudge;
    keep(row.name, slope(time(group, more, message_size_bytes), time(group, less, message_size_bytes)),
         row.help);
  }
  return all;
}

}  // namespace commcost
