#pragma once

#include "core/parallel/memory.h"
#include "core/training/step_time.h"

namespace commcost {

/// Time of a layer, or of an end of the model, on a stage, us.
struct DeviceTime {
  double device_us = 0;  ///< compute and exposed messages
  double launch_us = 0;  ///< host time to launch it
};

/// The times of everything that stages are made of.
struct DeviceTimes {
  DeviceTime dense;
  DeviceTime moe;
  DeviceTime first;
  DeviceTime last;
  DeviceTime whole_dense;  ///< as LayerTimes has them
  DeviceTime whole_moe;
  bool apart = false;
};
DeviceTimes device_times(const LayerTimes& layers, const EndTimes& ends);

/// A lower bound on the time of every layout whose layers take this for each sequence, with this many stages
/// and micro-batches of `sequences`: the micro-batches in turn on the first stage as its schedule deals
/// layers out, in one chunk evenly (`fewest`), or on the mean stage; without bubble, transfers between
/// stages, exchange between replicas, optimizer, stragglers. Neither more chunks a stage nor dealing by work
/// gives that stage fewer layers.
double least_time_us(const DeviceTimes& times, double sequences, const Stage& whole, double stages,
                     const Stage& fewest, double micro_batches);

/// A lower bound on the memory of the first stage of every layout whose layers keep this for each sequence
/// and that keeps `state_bytes` of the model: 1F1B holds the fewest micro-batches of all schedules that deal
/// layers out in a line.
double least_memory(const LayerMemory& layer, double sequences, double state_bytes, const Stage& fewest,
                    double stages, double micro_batches);

}  // namespace commcost
