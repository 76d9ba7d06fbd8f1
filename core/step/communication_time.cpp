#include "core/step/communication_time.h"

namespace commcost {

CommunicationTime operator+(const CommunicationTime& one, const CommunicationTime& other) {
  return {one.forward_us + other.forward_us,
          one.backward_us + other.backward_us,
          one.recompute_us + other.recompute_us,
          one.conversion_us + other.conversion_us,
          one.hidden_us + other.hidden_us,
          one.slow_down_us + other.slow_down_us,
          one.hidden_forward_us + other.hidden_forward_us,
          one.hidden_by_weight_gradient_us + other.hidden_by_weight_gradient_us};
}

void CommunicationSum::add(const Communication& message, const MessageTime& time, double count,
                           double window_us, const OverlapShares& shares) {
  const double wire_us = count * time.wire_us;
  sum_.conversion_us += count * time.conversion_us;
  (message.phase == StepPhase::backward    ? sum_.backward_us
   : message.phase == StepPhase::recompute ? sum_.recompute_us
                                           : sum_.forward_us) += wire_us;
  if (message.overlaps_with == OverlapsWith::nothing) return;
  for (std::size_t at = 0; at < size_; ++at) {
    Window& window = windows_[at];
    if (window.phase == message.phase && window.part == message.part &&
        window.overlaps_with == message.overlaps_with) {
      window.communication_us += wire_us;
      return;
    }
  }
  assert(size_ < most_windows);
  windows_[size_++] = {message.phase, message.part, message.overlaps_with, window_us, shares, wire_us};
}

CommunicationTime CommunicationSum::total() const {
  CommunicationTime sum = sum_;
  for (std::size_t at = 0; at < size_; ++at) {
    const Window& window = windows_[at];
    const Hiding beside = hide(window.communication_us, window.window_us, window.shares, overlap_scale_);
    sum.hidden_us += beside.hidden_us;
    sum.slow_down_us += beside.slow_down_us;
    if (window.phase != StepPhase::backward && window.phase != StepPhase::recompute)
      sum.hidden_forward_us += beside.hidden_us;
    if (window.overlaps_with == OverlapsWith::weight_gradient)
      sum.hidden_by_weight_gradient_us += beside.hidden_us;
  }
  return sum;
}

}  // namespace commcost
