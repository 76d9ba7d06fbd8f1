#include "core/model/model_state.h"

namespace commcost {

ModelState model_state(double parameters, const Work& work, std::int64_t zero_stage, double shards) {
  ModelState state;
  state.weights = parameters * static_cast<double>(work.bytes_per_element) / (zero_stage >= 3 ? shards : 1);
  if (work.mode != Mode::training) return state;
  state.gradients =
      parameters * static_cast<double>(work.gradient_bytes_per_element) / (zero_stage >= 2 ? shards : 1);
  state.optimizer =
      parameters * static_cast<double>(work.optimizer_bytes_per_parameter) / (zero_stage >= 1 ? shards : 1);
  return state;
}

}  // namespace commcost
