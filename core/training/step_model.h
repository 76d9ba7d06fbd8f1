#pragma once

#include <memory>

#include "core/network/collective_timer.h"
#include "core/parallel/job_pricer.h"
#include "core/training/communication_time.h"

namespace commcost {

/// What prices the steps of one job: its stack on its machine, scaled by MachineScales. Refers to the job,
/// which must outlive it.
class StepModel {
 public:
  explicit StepModel(const Job& job, const MachineScales& scales = {});
  explicit StepModel(Job&&, const MachineScales& = {}) = delete;

  /// The same stack on the same machine in the same precision, for a job that is spread differently: shares
  /// what is known about rates and collectives.
  StepModel bound_to(const Job& job) const;
  StepModel bound_to(Job&&) const = delete;
  /// Which parts of a model also hold for another job on another machine.
  struct Shared {
    bool rates = false;
    bool collectives = false;
    bool in_domains = false;  ///< of collectives, those within domains: nodes are joined at another rate
  };
  /// The model of that job, sharing these parts.
  StepModel bound_to(const Job& job, const MachineScales& scales, Shared shared) const;
  StepModel bound_to(Job&&, const MachineScales&, Shared) const = delete;
  /// The same, which also keeps its prices for the models bound to it: up to `most` products and attentions
  /// of one model.
  StepModel remembering(std::size_t most = 4096) const;

  const Job& job() const { return *job_; }
  const KernelPricer& rates() const { return *rates_; }
  /// Host time to launch a kernel, us.
  double launch_us() const { return job_->stack.host_us_per_kernel / launch_scale_; }
  const CollectiveTimer& collectives() const { return *collectives_; }
  /// Factor on what can be hidden.
  double overlap_scale() const { return overlap_scale_; }
  /// Factor on the share of gradient traffic that can be hidden.
  double data_overlap_scale() const { return data_overlap_scale_; }

  /// Rate between a GPU and host memory, one way, bytes per microsecond.
  double host_bytes_per_us() const { return job_->machine.host_gb_per_sec * 1e3 / time_scale(*job_); }

  /// Time of one message, us. Messages that compute waits for also pay for starting; those of replicas and
  /// neighbours do not, as they run on streams of their own.
  MessageTime time_of(const Communication& message) const;

  /// A constant time of the stack, us, as calibrated.
  double calibrated_us(double us) const { return us * time_scale(*job_); }

 private:
  void take(const MachineScales& calibrated);
  double wire_us(const Communication& message, double bytes) const;

  const Job* job_;
  std::shared_ptr<const KernelPricer> rates_;
  std::shared_ptr<const CollectiveTimer> collectives_;
  double launch_scale_ = 1;
  double data_overlap_scale_ = 1;
  double overlap_scale_ = 1;
};

}  // namespace commcost
