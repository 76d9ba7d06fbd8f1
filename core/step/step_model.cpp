#include "core/step/step_model.h"

namespace commcost {

MessageTime StepModel::time_of(const Communication& message, const Setting& setting) const {
  if (messages_ == Messages::free) return {};
  const MessageBytes bytes = bytes_of(message, setting);
  const bool waited_for =
      message.dimension != Dimension::data && message.collective != Collective::send_receive;
  return {collectives_.time_us(message.collective, message.ranks, bytes.message) +
              (waited_for ? setting.pace.collective_start_us : 0),
          bytes.converted / rates_.hbm_bytes_per_us};
}

}  // namespace commcost
