#pragma once

#include "core/collective/kind.h"
#include "core/hardware/basis.h"
#include "core/network/gpu_group.h"

namespace commcost {

/// Groups whose predictions have similar errors.
enum class AccuracyClass {
  one_node,       ///< within one node
  several_nodes,  ///< over a network that moves messages of all sizes alike
  slingshot,      ///< over Slingshot, whose protocol changes with the size
  racks,          ///< in and between scale-up domains of racks (NVL72)
};

/// The classes' names as the accuracy report prints them.
inline constexpr std::string_view accuracy_class_names[] = {"one node", "several nodes", "slingshot",
                                                            "racks"};

/// The class of a group.
AccuracyClass accuracy_class_of(const GpuGroup& group);

/// Measured over predicted time: 80 % of held-out points lie between.
struct Band {
  double low;   ///< <= 1
  double high;  ///< >= 1
};

/// Whether curves of that collective went into the constants, within a node or across nodes.
bool is_fitted(Collective collective, bool spans_nodes);

/// The basis of predictions for a collective on a group: measured if at least three curves of this very
/// accelerator were, similar if curves of a similar link were.
Basis basis_of(const GpuGroup& group, Collective collective);

/// Median error of predictions on sites whose rows took no part in the fit, %; 0 if nothing like it was
/// measured.
double measured_error_percent(const GpuGroup& group, Basis basis);

/// The band of a message of that many bytes on such a group; wider if nothing of the kind was measured, or if
/// the group is larger than any that was.
Band band_of(const GpuGroup& group, Basis basis, double message_size_bytes);

}  // namespace commcost
