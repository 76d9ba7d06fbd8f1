#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/plan/search.h"

namespace commcost {

/// What searches leave for later ones: the last one continues where it stopped, and one that asks for the
/// same job with other pins, bounds or numbers of GPUs prices no layer again.
class SearchMemory {
 public:
  /// The search of `inputs`, which must have passed plan_problems(), after about that many evaluated layouts
  /// in all; 0: after all.
  LayoutSearch& searched(const PlanInputs& inputs, std::int64_t evaluations);
  /// The prices for searches over the job of `inputs`.
  const SharedPrices& prices(const PlanInputs& inputs);
  /// How often times were priced for the current job.
  std::size_t times_priced() const;

 private:
  PlanInputs inputs_;  // of the search
  std::int64_t asked_ = 0;
  std::unique_ptr<LayoutSearch> search_;
  std::vector<Job> priced_;  // one of each combination of settings
  SharedPrices prices_;
};

}  // namespace commcost
