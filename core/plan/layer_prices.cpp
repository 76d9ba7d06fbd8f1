#include "core/plan/layer_prices.h"

namespace commcost {
namespace {

// Sequences of an endless micro-batch: a power of two, so that it divides without rounding.
constexpr std::int64_t endless = std::int64_t{1} << 22;
// Margin for rounding, and for tiles and launches that even such a micro-batch does not fill.
constexpr double slack = 1 - 1e-4;
// One of its sequences.
constexpr double share_of_endless = slack / static_cast<double>(endless);

Job without_end(Job job) {
  job.work.batch_size = endless;
  return job;
}

constexpr int recompute_bits = 2;

// One number for everything that the price of a layer depends on.
std::uint64_t key_of(const Job& job, std::int64_t micro_batch, std::uint32_t degrees) {
  constexpr int batch_bits = 36;
  const Layout& layout = job.layout;
  std::uint64_t key =
      static_cast<std::uint64_t>(degrees) << batch_bits | static_cast<std::uint64_t>(micro_batch);
  key = key << 1 |
        static_cast<std::uint64_t>(layout.pipeline_parallel > 1 && job.stack.staged_layer_host_us > 0);
  key = key << 1 | static_cast<std::uint64_t>(layout.sequence_parallel);
  return key << recompute_bits | static_cast<std::uint64_t>(job.work.recompute);
}

// The same for what the ends of the model depend on, which recomputation does not affect.
std::uint64_t ends_key_of(std::uint64_t key) {
  return key >> recompute_bits;
}

}  // namespace

LayerPrices::LayerPrices(const PlanInputs& inputs)
    : base_(completed(job_of(inputs, {}))), model_(StepModel(base_).remembering()) {}

const EndTimes& LayerPrices::ends_of(const StepModel& bound, std::uint32_t degrees) {
  const Job& job = bound.job();
  const auto [ends, fresh] = ends_.try_emplace(ends_key_of(key_of(job, job.work.batch_size, degrees)));
  if (fresh) ends->second = end_times(bound);
  return ends->second;
}

std::uint32_t LayerPrices::degrees_of(const Layout& layout) {
  const auto next = static_cast<std::uint32_t>(degrees_.size());
  return degrees_
      .try_emplace({layout.tensor_parallel, layout.context_parallel, layout.expert_parallel,
                    layout.expert_tensor_parallel},
                   next)
      .first->second;
}

const LayerPrice& LayerPrices::of(const Job& job, std::uint32_t degrees) {
  const auto [known, fresh] = known_.try_emplace(key_of(job, job.work.batch_size, degrees));
  LayerPrice& price = known->second;
  if (!fresh) return price;
  const StepModel bound = model_.bound_to(job);
  price = {layer_times(bound), ends_of(bound, degrees), layer_memory(job), {}};
  price.times = device_times(price.layers, price.ends);
  return price;
}

const LayerMemory& LayerPrices::least_memory(const Job& job, std::uint32_t degrees) {
  const auto [known, fresh] = least_memory_.try_emplace(key_of(job, endless, degrees));
  LayerMemory& memory = known->second;
  if (!fresh) return memory;
  memory = layer_memory(without_end(job));
  for (double LayerMemory::*part :
       {&LayerMemory::kept, &LayerMemory::working, &LayerMemory::logits, &LayerMemory::whole})
    memory.*part *= share_of_endless;
  return memory;
}

const DeviceTimes& LayerPrices::least_times(const Job& job, std::uint32_t degrees) {
  const auto [known, fresh] = least_times_.try_emplace(key_of(job, endless, degrees));
  DeviceTimes& times = known->second;
  if (!fresh) return times;
  const Job endless_job = without_end(job);
  const StepModel bound = model_.bound_to(endless_job);
  times = device_times(layer_times(bound), ends_of(bound, degrees));
  for (DeviceTime* time :
       {&times.dense, &times.moe, &times.first, &times.last, &times.whole_dense, &times.whole_moe})
    time->device_us *= share_of_endless;
  return times;
}

}  // namespace commcost
