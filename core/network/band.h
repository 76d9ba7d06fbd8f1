#pragma once

#include "core/network/gpu_group.h"

namespace commcost {

/// What a prediction rests on.
enum class Basis {
  calibrated,  ///< rules whose constants were fitted on public measurements of this class of machine
  model,       ///< the same rules where nothing of the kind was measured
  textbook,    ///< bandwidth alone
};

/// The bases' names as they cross the boundary.
inline constexpr std::string_view basis_names[] = {"calibrated", "model", "textbook"};

/// Measured over predicted time: four of five unseen points lie between.
struct Band {
  double low;   ///< <= 1
  double high;  ///< >= 1
};

/// Median error of calibrated predictions on sites whose rows took no part in the fit, %; 0 where nothing was
/// measured.
double measured_error_percent(const GpuGroup& group, Basis basis);

/// The band of a message of that many bytes on such a group; wider where the basis is a model alone.
Band band_of(const GpuGroup& group, Basis basis, double message_size_bytes);

}  // namespace commcost
