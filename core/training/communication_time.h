#pragma once

#include "core/parallel/communication.h"
#include "core/training/overlap_rule.h"

namespace commcost {

/// Communication of one dimension in one micro-batch, us.
struct CommunicationTime {
  double forward_us = 0;         ///< on the wire in the forward pass
  double backward_us = 0;        ///< on the wire in the backward pass
  double recompute_us = 0;       ///< on the wire in the forward pass once more
  double conversion_us = 0;      ///< changing data types for the wire and back, which nothing hides
  double hidden_us = 0;          ///< of what is on the wire, during compute
  double slow_down_us = 0;       ///< compute lost by hiding it
  double hidden_forward_us = 0;  ///< of hidden_us, in the forward pass
  double hidden_by_weight_gradient_us = 0;  ///< of hidden_us, during weight gradients

  double total_us() const { return forward_us + backward_us + recompute_us + conversion_us; }
  double exposed_us() const { return total_us() - hidden_us + slow_down_us; }
  double hidden_backward_us() const { return hidden_us - hidden_forward_us; }
  /// The same if nothing of it were hidden.
  CommunicationTime all_exposed() const { return {forward_us, backward_us, recompute_us, conversion_us}; }
};

CommunicationTime operator+(const CommunicationTime& one, const CommunicationTime& other);

/// One message, us.
struct MessageTime {
  double wire_us = 0;
  double conversion_us = 0;

  double total_us() const { return wire_us + conversion_us; }
};

/// The messages of one micro-batch summed up, each during its window of compute; messages with the same
/// window share it.
class CommunicationSum {
 public:
  explicit CommunicationSum(double overlap_scale) : overlap_scale_(overlap_scale) {}

  /// Adds `count` messages during `window_us` of compute.
  void add(const Communication& message, const MessageTime& time, double count, double window_us,
           const OverlapShares& shares);

  /// Adds `count` messages during what is left of both passes of another micro-batch.
  void add_beside_both(const Communication& message, const MessageTime& time, double count, double forward_us,
                       double backward_us);

  /// The sum of all added messages.
  CommunicationTime total() const;

 private:
  struct Window {
    StepPhase phase;
    Part part;
    OverlapsWith overlaps_with;
    double window_us;
    OverlapShares shares;
    double communication_us;
    double forward_share;  // of what is hidden, in the forward pass
  };
  static constexpr std::size_t most_windows = 16;

  void sum_up(const Communication& message, const MessageTime& time, double count);
  void open(const Window& window);

  double overlap_scale_;
  CommunicationTime sum_;
  std::array<Window, most_windows> windows_;
  std::size_t size_ = 0;
};

}  // namespace commcost
