#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <vector>

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

/// Prices of layers, each computed on first use and kept for all layouts that share it. They depend
/// on the layout by few of its degrees, so that searches over numbers of GPUs may share them.
class LayerPrices {
 public:
  /// Of searches that differ from `inputs` in numbers of GPUs and in what is allowed, at most.
  explicit LayerPrices(const PlanInputs& inputs);
  LayerPrices(const LayerPrices&) = delete;
  LayerPrices& operator=(const LayerPrices&) = delete;

  /// A number for the degrees that a layer sees.
  std::uint32_t degrees_of(const Layout& layout);

  /// Where the price of a completed job with those degrees is kept: a number, so that it is found once.
  std::uint32_t place_of(const Job& job, std::uint32_t degrees);
  /// The price that is kept there, of a job with that place.
  const LayerPrice& at(std::uint32_t place, const Job& job, std::uint32_t degrees);

  /// What no micro-batch of such a job goes below, for each sequence of it: time and memory of a sequence in
  /// a micro-batch without end, where kernels start once, tiles are full, weights are read once and messages
  /// reach their greatest rate; launches as they are.
  const LayerPrice& least(const Job& job, std::uint32_t degrees);

  /// Prices the steps of the jobs that share these layers.
  const StepModel& model() const { return model_; }

 private:
  LayerPrice price_of(const Job& job, std::uint32_t degrees);

  const Job base_;         // on one GPU
  const StepModel model_;  // of base_; bound to each job in turn
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>, std::uint32_t> degrees_;
  std::unordered_map<std::uint64_t, std::uint32_t> places_;
  std::vector<std::unique_ptr<LayerPrice>> known_;  // by place; null until one is asked for
  std::unordered_map<std::uint64_t, LayerPrice> least_;
  std::unordered_map<std::uint64_t, EndTimes> ends_;  // of all of these
};

}  // namespace commcost
