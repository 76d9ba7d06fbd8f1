#pragma once

#include <array>

#include "core/collective/ranks.h"
#include "core/hardware/machine.h"
#include "core/network/expert_exchange.h"
#include "core/network/predict.h"

namespace commcost {

/// Scale-up domains that ranks are spread over when they fill domains in order.
double domains_of(const Ranks& ranks, const Machine& machine);

/// The first `num_gpus` GPUs of a completed machine with that fabric, which must outlive the group.
GpuGroup group_of(const Machine& machine, const Fabric& fabric, double num_gpus);
GpuGroup group_of(const Machine& machine, const Fabric&& fabric, double num_gpus) = delete;

/// The same for ranks that are `ranks.stride` GPUs apart; the groups in between send at the same time.
GpuGroup group_of(const Machine& machine, const Fabric& fabric, const Ranks& ranks);
GpuGroup group_of(const Machine& machine, const Fabric&& fabric, const Ranks& ranks) = delete;

/// The calibration of a machine's collectives by its own logs.
Calibration calibration_of(const Machine& machine);

/// How long collectives take on one machine: core/network's prediction, with the machine's factors.
class CollectiveTimer {
 public:
  explicit CollectiveTimer(const Machine& machine, const MachineScales& scales = {});

  /// For a machine that differs only in `nic_gb_per_sec`: keeps what is known about ranks within a domain.
  CollectiveTimer with_network(const Machine& machine) const;

  /// Time of `collective` over `ranks`, us; `bytes` is the whole vector, as nccl-tests counts size. Ranks
  /// that send to a neighbour wait for the slowest pair, which is within a domain only if the whole line or
  /// ring fits into one.
  double time_us(Collective collective, const Ranks& ranks, double bytes) const;

  /// Time of an exchange of tokens over `ranks`, us, by NCCL's all-to-all or by the kernel that it names.
  double time_us(const Ranks& ranks, const TokenExchange& exchange) const;

 private:
  // A collective over ranks, its curve, and the last size asked for.
  struct Curved {
    Collective collective;
    Ranks ranks;
    double bandwidth = 0;  // times that of the machine as it is; 0: nothing is kept here
    bool across = false;   // domains
    Curve curve;
    double bytes = 0;
    double time_us = 0;
  };

  // Where the curve of a collective is kept until another replaces it.
  static std::size_t place_of(Collective collective, const Ranks& ranks);
  Curved curved(Collective collective, const Ranks& ranks) const;
  GpuGroup placed(const Fabric& fabric, const Ranks& ranks, double within) const;

  Fabric fabric_;         ///< of the machine
  Fabric scaled_fabric_;  ///< with links as the scales have them
  GpuGroup machine_;      ///< what every group of the machine has in common, but for the fabric
  double domain_ = 1;
  Calibration calibration_;  ///< as in predict_collective
  MachineScales scales_;
  // A step asks for the same few collectives again and again, in each pass and on each stage.
  mutable std::array<Curved, 16> curved_{};
};

}  // namespace commcost
