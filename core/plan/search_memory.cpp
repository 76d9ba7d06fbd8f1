#include "core/plan/search_memory.h"

#include <utility>

namespace commcost {
namespace {

// A search doesn't depend on the cost of running its layouts.
PlanInputs sought(PlanInputs inputs) {
  inputs.token_budget = 0;
  inputs.price_per_gpu_hour = 0;
  return inputs;
}

// The jobs that are priced: no layer sees how large the cluster is.
std::vector<Job> priced_jobs(const PlanInputs& inputs) {
  std::vector<Job> jobs;
  for (const Combination& one : all_combinations(inputs)) {
    jobs.push_back(one.job);
    jobs.back().layout.cluster_gpus = 0;
  }
  return jobs;
}

}  // namespace

const SharedPrices& SearchMemory::prices(const PlanInputs& inputs) {
  std::vector<Job> jobs = priced_jobs(inputs);
  if (prices_.empty() || jobs != priced_) {
    priced_ = std::move(jobs);
    prices_ = shared_prices(inputs);
  }
  return prices_;
}

std::size_t SearchMemory::times_priced() const {
  std::size_t times = 0;
  for (const std::shared_ptr<LayerPrices>& prices : prices_) times += prices->times_priced();
  return times;
}

LayoutSearch& SearchMemory::searched(const PlanInputs& given, std::int64_t evaluations) {
  PlanInputs inputs = sought(given);
  const std::int64_t until = evaluations > 0 ? evaluations : std::numeric_limits<std::int64_t>::max();
  // A search that went further would report more than was asked for.
  if (search_ == nullptr || !(inputs == inputs_) || until < asked_) {
    search_ = std::make_unique<LayoutSearch>(inputs, prices(inputs));
    inputs_ = std::move(inputs);
  }
  asked_ = until;
  if (evaluations > 0) {
    search_->advance(evaluations - static_cast<std::int64_t>(search_->counts().evaluated));
  } else {
    search_->finish();
  }
  return *search_;
}

}  // namespace commcost
