#pragma once

#include <string_view>

#include "core/collective/kind.h"
#include "core/network/gpu_group.h"

namespace commcost {

/// What a prediction rests on.
enum class Basis {
  calibrated,    ///< rules whose constants were fitted on public measurements of this class of machine
  not_measured,  ///< the same rules where nothing of the kind was measured
  textbook,      ///< bandwidth alone
};

/// The bases' names as they cross the boundary.
inline constexpr std::string_view basis_names[] = {"calibrated", "not_measured", "textbook"};

/// Groups whose predictions err alike.
enum class AccuracyClass {
  one_node,       ///< within one node
  several_nodes,  ///< over a network that moves messages alike whatever their size
  slingshot,      ///< over Slingshot, whose protocol changes with the size
  racks,          ///< in and between scale-up domains of racks (NVL72)
};

/// The classes' names as the accuracy report prints them.
inline constexpr std::string_view accuracy_class_names[] = {"one node", "several nodes", "slingshot",
                                                            "racks"};

/// The class of a group.
AccuracyClass accuracy_class_of(const GpuGroup& group);

/// Measured over predicted time: four of five unseen points lie between.
struct Band {
  double low;   ///< <= 1
  double high;  ///< >= 1
};

/// The basis of predictions for a collective on a group.
Basis basis_of(const GpuGroup& group, Collective collective);

/// Median error of calibrated predictions on sites whose rows took no part in the fit, %; 0 where nothing was
/// measured.
double measured_error_percent(const GpuGroup& group, Basis basis);

/// The band of a message of that many bytes on such a group; wider where nothing of the kind was measured,
/// and where the group is larger than any that was.
Band band_of(const GpuGroup& group, Basis basis, double message_size_bytes);

}  // namespace commcost
