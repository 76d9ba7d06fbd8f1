#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/plan/serving_plan.h"

namespace commcost {

/// Each stack that serves a deployment, in words of its own: vLLM 0.9, SGLang 0.4, TensorRT-LLM 0.20.
std::vector<ServerArguments> server_arguments(const ServingPlanInputs& inputs,
                                              const ServingDeployment& deployment);

}  // namespace commcost
