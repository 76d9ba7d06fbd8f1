#pragma once

#include <string_view>
#include <vector>

#include "core/network/predict.h"

namespace commcost {

/// How strongly the predicted time responds to one input or constant.
struct Elasticity {
  std::string_view name;  ///< an input of predict_collective, or a constant
  double elasticity;      ///< percent of time for a percent of it
  std::string_view help;  ///< what it is, one line
};

/// The elasticities that are not zero, greatest first, by central differences on the logarithms.
std::vector<Elasticity> elasticities(const GpuGroup& group, Collective collective, double message_size_bytes);

}  // namespace commcost
