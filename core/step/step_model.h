#pragma once

#include "core/step/communication_time.h"
#include "core/step/machine.h"

namespace commcost {

/// Whether messages take their time, or none, as if compute hid all of them.
enum class Messages { timed, free };

/// What a step is timed by: one machine, as it is or otherwise (MachineScales), for one
/// precision and pace of a stack.
class StepModel {
 public:
  StepModel(const Machine& machine, const Setting& setting, const MachineScales& scales = {},
            Messages messages = Messages::timed)
      : machine_(machine),
        scales_(scales),
        rates_(compute_rates(machine, setting, scales)),
        collectives_(machine, scales),
        messages_(messages) {}

  const Machine& machine() const { return machine_; }
  const MachineScales& scales() const { return scales_; }
  const ComputeRates& rates() const { return rates_; }
  const CollectiveTimer& collectives() const { return collectives_; }

  /// One message, us. Those that compute waits for pay for starting too; what replicas and neighbours send
  /// does not: it runs on streams of its own.
  MessageTime time_of(const Communication& message, const Setting& setting) const;

 private:
  Machine machine_;
  MachineScales scales_;
  ComputeRates rates_;
  CollectiveTimer collectives_;
  Messages messages_;
};

}  // namespace commcost
