#include "core/training/communication_time.h"

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

void CommunicationSum::sum_up(const Communication& message, const MessageTime& time, double count) {
  sum_.conversion_us += count * time.conversion_us;
  (message.phase == StepPhase::backward    ? sum_.backward_us
   : message.phase == StepPhase::recompute ? sum_.recompute_us
                                           : sum_.forward_us) += count * time.wire_us;
}

void CommunicationSum::open(const Window& window) {
  for (std::size_t at = 0; at < size_; ++at) {
    Window& same = windows_[at];
    if (same.phase == window.phase && same.part == window.part &&
        same.overlaps_with == window.overlaps_with) {
      same.communication_us += window.communication_us;
      return;
    }
  }
  assert(size_ < most_windows);
  windows_[size_++] = window;
}

void CommunicationSum::add(const Communication& message, const MessageTime& time, double count,
                           double window_us, const OverlapShares& shares) {
  sum_up(message, time, count);
  if (message.overlaps_with == OverlapsWith::nothing) return;
  const bool backward = message.phase == StepPhase::backward || message.phase == StepPhase::recompute;
  open({message.phase, message.part, message.overlaps_with, window_us, shares, count * time.wire_us,
        backward ? 0.0 : 1.0});
}

void CommunicationSum::add_beside_both(const Communication& message, const MessageTime& time, double count,
                                       double forward_us, double backward_us) {
  sum_up(message, time, count);
  const double window_us = forward_us + backward_us;
  if (window_us <= 0) return;
  // All phases share one window: the forward pass of one micro-batch runs alongside the backward pass of
  // another.
  open({StepPhase::forward,
        message.part,
        message.overlaps_with,
        window_us,
        {},
        count * time.wire_us,
        forward_us / window_us});
}

CommunicationTime CommunicationSum::total() const {
  CommunicationTime sum = sum_;
  for (std::size_t at = 0; at < size_; ++at) {
    const Window& window = windows_[at];
    const Hiding beside = hide(window.communication_us, window.window_us, window.shares, overlap_scale_);
    sum.hidden_us += beside.hidden_us;
    sum.slow_down_us += beside.slow_down_us;
    sum.hidden_forward_us += beside.hidden_us * window.forward_share;
    if (window.overlaps_with == OverlapsWith::weight_gradient)
      sum.hidden_by_weight_gradient_us += beside.hidden_us;
  }
  return sum;
}

}  // namespace commcost
