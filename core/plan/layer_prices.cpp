#include "core/plan/layer_prices.h"

namespace commcost {
namespace {

// Sequences of a micro-batch without end: a power of two, so that it divides without rounding.
constexpr std::int64_t endless = std::int64_t{1} << 22;
// What is left of rounding, and of tiles and launches that even such a micro-batch does not fill.
constexpr double slack = 1 - 1e-4;

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

// The same for what the ends of the model depend on, which no recomputation touches.
std::uint64_t ends_key_of(std::uint64_t key) {
  return key >> recompute_bits;
}

}  // namespace

LayerPrices::LayerPrices(const PlanInputs& inputs)
    : base_(completed(job_of(inputs, {}))), model_(StepModel(base_).remembering()) {}

LayerPrice LayerPrices::price_of(const Job& job, std::uint32_t degrees) {
  const StepModel bound = model_.bound_to(job);
  const auto [ends, fresh] = ends_.try_emplace(ends_key_of(key_of(job, job.work.batch_size, degrees)));
  if (fresh) ends->second = end_times(bound);
  LayerPrice price{layer_times(bound), ends->second, layer_memory(job), {}};
  price.times = device_times(price.layers, price.ends);
  return price;
}

std::uint32_t LayerPrices::degrees_of(const Layout& layout) {
  const auto next = static_cast<std::uint32_t>(degrees_.size());
  return degrees_
      .try_emplace({layout.tensor_parallel, layout.context_parallel, layout.expert_parallel,
                    layout.expert_tensor_parallel},
                   next)
      .first->second;
}

std::uint32_t LayerPrices::place_of(const Job& job, std::uint32_t degrees) {
  const auto next = static_cast<std::uint32_t>(known_.size());
  const auto [place, fresh] = places_.try_emplace(key_of(job, job.work.batch_size, degrees), next);
  if (fresh) known_.emplace_back();
  return place->second;
}

const LayerPrice& LayerPrices::at(std::uint32_t place, const Job& job, std::uint32_t degrees) {
  std::unique_ptr<LayerPrice>& price = known_[place];
  if (price == nullptr) price = std::make_unique<LayerPrice>(price_of(job, degrees));
  return *price;
}

const LayerPrice& LayerPrices::least(const Job& job, std::uint32_t degrees) {
  const auto [place, fresh] = least_.try_emplace(key_of(job, endless, degrees));
  LayerPrice& price = place->second;
  if (!fresh) return price;
  Job without_end = job;
  without_end.work.batch_size = endless;
  price = price_of(without_end, degrees);
  constexpr double share = slack / static_cast<double>(endless);
  for (DeviceTime* time : {&price.times.dense, &price.times.moe, &price.times.first, &price.times.last,
                           &price.times.whole_dense, &price.times.whole_moe})
    time->device_us *= share;
  for (double LayerMemory::*part :
       {&LayerMemory::kept, &LayerMemory::working, &LayerMemory::logits, &LayerMemory::whole})
    price.memory.*part *= share;
  return price;
}

}  // namespace commcost
