#include "core/step/step_model.h"

namespace commcost {

StepModel StepModel::hiding_nothing() const {
  StepModel model = *this;
  model.scales_.overlap = 0;
  return model;
}

StepModel StepModel::hiding_all() const {
  StepModel model = *this;
  model.takes_time_ = false;
  return model;
}

MessageTime StepModel::time_of(const Communication& message, const Setting& setting) const {
  if (!takes_time_) return {};
  const MessageBytes bytes = bytes_of(message, setting);
  const bool waited_for =
      message.dimension != Dimension::data && message.collective != Collective::send_receive;
  return {collectives_.time_us(message.collective, message.ranks, bytes.message) +
              (waited_for ? setting.pace.collective_start_us : 0),
          bytes.converted / rates_.hbm_bytes_per_us};
}

}  // namespace commcost
