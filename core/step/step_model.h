#pragma once

#include "core/step/communication_time.h"
#include "core/step/machine.h"

namespace commcost {

/// A message to experts or back, of `message_bytes`, as what is exchanged.
TokenExchange exchange_of(const Communication& message, const Setting& setting, double message_bytes);

/// What a step is timed by: one machine, as it is or otherwise (MachineScales), for one
/// precision and pace of a stack.
class StepModel {
 public:
  StepModel(const Machine& machine, const Setting& setting, const MachineScales& scales = {});

  /// The same, were no message hidden.
  StepModel hiding_nothing() const;
  /// The same, were all messages hidden: they take no time.
  StepModel hiding_all() const;

  const Machine& machine() const { return machine_; }
  const MachineScales& scales() const { return scales_; }
  const ComputeRates& rates() const { return rates_; }
  const CollectiveTimer& collectives() const { return collectives_; }

  /// One message, us. Those that compute waits for pay for starting too; what replicas and neighbours send
  /// does not: it runs on streams of its own.
  MessageTime time_of(const Communication& message, const Setting& setting) const;

  /// A time of the stack's own, us, as calibrated.
  double calibrated_us(double us) const { return us * time_scale_; }

 private:
  double wire_us(const Communication& message, const Setting& setting, double bytes) const;

  Machine machine_;
  MachineScales scales_;
  ComputeRates rates_;
  CollectiveTimer collectives_;
  double time_scale_;
  bool takes_time_ = true;  // whether messages do
};

}  // namespace commcost
