#include "core/plan/bounds.h"

#include <algorithm>

namespace commcost {
namespace {

// One micro-batch on one stage.
DeviceTime on_stage(const DeviceTimes& times, double sequences, const Stage& stage) {
  const double again = times.apart ? stage.repeated_share : 1;
  const auto sum = [&](double DeviceTime::*part) {
    return stage.dense_layers * (again * times.dense.*part + (1 - again) * times.whole_dense.*part) +
           stage.moe_layers * (again * times.moe.*part + (1 - again) * times.whole_moe.*part) +
           ((stage.is_first ? times.first.*part : 0) + (stage.is_last ? times.last.*part : 0)) / stage.copies;
  };
  return {sequences * sum(&DeviceTime::device_us), sum(&DeviceTime::launch_us)};
}

}  // namespace

DeviceTimes device_times(const LayerTimes& layers, const EndTimes& ends) {
  const auto of_layer = [](const LayerTime& time) { return DeviceTime{time.device_us(), time.launch_us}; };
  const auto of_end = [](const EndTime& time) {
    return DeviceTime{time.compute_us + time.tensor.exposed_us(), time.launch_us};
  };
  return {of_layer(layers.dense),       of_layer(layers.moe),       of_end(ends.first), of_end(ends.last),
          of_layer(layers.whole_dense), of_layer(layers.whole_moe), layers.apart};
}

double least_time_us(const DeviceTimes& times, double sequences, const Stage& whole, double stages,
                     const Stage& fewest, double micro_batches) {
  const double mean_us = on_stage(times, sequences, whole).device_us / stages;
  const DeviceTime first = on_stage(times, sequences, fewest);
  return micro_batches * std::max(mean_us, joint_us(first.device_us, first.launch_us));
}

double least_memory(const LayerMemory& layer, double sequences, double state_bytes, const Stage& fewest,
                    double stages, double micro_batches) {
  const double held = std::min(stages, micro_batches);
  return state_bytes + sequences * (layer.kept_on_gpu(fewest).of(held) +
                                    std::max(layer.working, stages <= 1 ? layer.logits : 0));
}

}  // namespace commcost
