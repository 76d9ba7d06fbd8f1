#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>

#include "core/plan/bounds.h"
#include "core/plan/space.h"

namespace commcost {

/// One micro-batch in a layer and at the ends of the model.
struct LayerPrice {
  LayerTimes layers;
  EndTimes ends;
  LayerMemory memory;
  DeviceTimes times;  ///< layers and ends, as bounds take them
};

/// Prices of layers, each computed on first use and kept for all layouts that share it. They depend on few of
/// the layout's degrees, so searches over numbers of GPUs may share them.
class LayerPrices {
 public:
  /// For searches that differ from `inputs` at most in numbers of GPUs and in what is allowed.
  explicit LayerPrices(const PlanInputs& inputs);
  LayerPrices(const LayerPrices&) = delete;
  LayerPrices& operator=(const LayerPrices&) = delete;

  /// A number for the degrees that a layer sees.
  std::uint32_t degrees_of(const Layout& layout);

  /// The price of a completed job with those degrees.
  const LayerPrice& of(const Job& job, std::uint32_t degrees);

  /// A lower bound on the memory of any micro-batch of such a job, per sequence: that of a sequence in an
  /// endless micro-batch. Cheap, so it is asked first.
  const LayerMemory& least_memory(const Job& job, std::uint32_t degrees);
  /// The same for times: there kernels start once, tiles are full, weights are read once and messages reach
  /// their greatest rate; launches as they are.
  const DeviceTimes& least_times(const Job& job, std::uint32_t degrees);

  /// How often times were priced: of layers, and the least of them.
  std::size_t times_priced() const { return known_.size() + least_times_.size(); }

  /// Prices the steps of the jobs that share these layers.
  const StepModel& model() const { return model_; }

 private:
  const EndTimes& ends_of(const StepModel& bound, std::uint32_t degrees);

  const Job base_;         // on one GPU
  const StepModel model_;  // of base_; bound to each job in turn
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>, std::uint32_t> degrees_;
  std::unordered_map<std::uint64_t, LayerPrice> known_;
  std::unordered_map<std::uint64_t, LayerMemory> least_memory_;
  std::unordered_map<std::uint64_t, DeviceTimes> least_times_;
  std::unordered_map<std::uint64_t, EndTimes> ends_;  // of all of these
};

}  // namespace commcost
