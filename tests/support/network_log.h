#pragma once

#include "core/diagnosis/measured_run.h"
#include "core/network/collective_timer.h"
#include "core/network/predict.h"

namespace commcost::test {

/// A log of nccl-tests on that many GPUs of that machine, each time off by a little from others'
/// measurements, and by `late` for the size.
template <class Late>
NetworkLog network_log(const Machine& machine, double gpus, Late late,
                       Collective collective = Collective::all_reduce) {
  NetworkLog log{collective, gpus, {}};
  const Fabric fabric = fabric_of(machine);
  const Predictor predictor = predictor_of(group_of(machine, fabric, gpus), collective);
  double sign = 1.02;
  for (double size = 8192; size <= 8589934592.0; size *= 2) {
    sign = 1 / sign;
    log.points.push_back({size, predictor.at(size).time_us * sign * late(size)});
  }
  return log;
}

}  // namespace commcost::test
