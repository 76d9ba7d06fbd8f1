#pragma once

#include <memory>

#include "core/network/collective_timer.h"
#include "core/parallel/job_pricer.h"
#include "core/training/communication_time.h"

namespace commcost {

/// What the steps of one job are timed by: its stack on its machine, as it is or otherwise (MachineScales).
/// Refers to the job, which has to outlive it.
class StepModel {
 public:
  explicit StepModel(const Job& job, const MachineScales& scales = {});
  explicit StepModel(Job&&, const MachineScales& = {}) = delete;

  /// The same stack on the same machine in the same precision, for a job that differs in how it is spread:
  /// what is known of rates and collectives is shared.
  StepModel bound_to(const Job& job) const;
  StepModel bound_to(Job&&) const = delete;
  /// What of a model holds for another job on another machine as well.
  struct Shared {
    bool rates = false;
    bool collectives = false;
    bool in_domains = false;  ///< of collectives, those within domains: nodes are joined at another rate
  };
  /// The model of that job, with what they share.
  StepModel bound_to(const Job& job, const MachineScales& scales, Shared shared) const;
  StepModel bound_to(Job&&, const MachineScales&, Shared) const = delete;
  /// The same, which keeps what it priced for those that are bound to it: up to so many products and
  /// attentions of one model.
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

  /// Bytes a microsecond between a GPU and host memory, one way.
  double host_bytes_per_us() const { return job_->machine.host_gb_per_sec * 1e3 / time_scale(*job_); }

  /// One message, us. Those that compute waits for pay for starting too; what replicas and neighbours send
  /// does not: it runs on streams of its own.
  MessageTime time_of(const Communication& message) const;

  /// A time of the stack's own, us, as calibrated.
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
