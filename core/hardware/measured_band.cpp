#include "core/hardware/measured_band.h"

#include <algorithm>
#include <cmath>

namespace commcost {
namespace {

// A tenth of fewer is less than one run.
constexpr double least_runs = 10;
constexpr double similar_width = 1.5;
constexpr double unmeasured_width = 2;

// Classes taken together, each by its runs.
class ErrorSum {
 public:
  void add(std::size_t place, const ClassErrors& errors) {
    const auto weight = static_cast<double>(errors.runs);
    runs_ += weight;
    median_ += weight * errors.median_percent;
    tenth_ += weight * errors.tenth;
    nine_tenths_ += weight * errors.nine_tenths;
    classes_ |= ClassSet{1} << place;
  }
  bool enough() const { return runs_ >= least_runs; }
  // The band of these errors, `width` times as wide.
  StepBand band(StepBasis basis, double width, double least_spread) const {
    const double tenth = std::min(-least_spread, tenth_ / runs_ * width);
    const double nine_tenths = std::max(least_spread, nine_tenths_ / runs_ * width);
    return {basis, runs_, median_ / runs_, std::exp(-nine_tenths), std::exp(-tenth), classes_};
  }

 private:
  double runs_ = 0;
  double median_ = 0;
  double tenth_ = 0;
  double nine_tenths_ = 0;
  ClassSet classes_ = 0;
};

bool ran(const MeasuredClass& row, const Accelerator& accelerator) {
  const auto& ids = row.accelerators;
  return !accelerator.id.empty() && std::find(ids.begin(), ids.end(), accelerator.id) != ids.end();
}

}  // namespace

StepBand nearest_band(std::span<const MeasuredClass> table, const JudgedStep& step, double least_spread) {
  ErrorSum same;
  ErrorSum of_its_recipe;
  ErrorSum of_its_kind;
  bool itself = false;
  bool vendor_known = false;
  const std::string_view vendor = row_of(step.accelerator.generation).vendor;
  for (std::size_t place = 0; place < table.size(); ++place) {
    const MeasuredClass& row = table[place];
    if (row.kind == step.kind) of_its_kind.add(place, row.errors);
    if (row.recipe != step.recipe) continue;
    of_its_recipe.add(place, row.errors);
    vendor_known |= row_of(row.generation).vendor == vendor;
    if (row.generation != step.accelerator.generation || row.kind != step.kind || step.gpus > row.most_gpus)
      continue;
    same.add(place, row.errors);
    itself |= ran(row, step.accelerator);
  }
  if (same.enough()) {
    return itself ? same.band(StepBasis::measured, 1, least_spread)
                  : same.band(StepBasis::similar, similar_width, least_spread);
  }
  if (of_its_recipe.enough() && vendor_known)
    return of_its_recipe.band(StepBasis::similar, similar_width, least_spread);
  return of_its_kind.band(StepBasis::not_measured, unmeasured_width, least_spread);
}

}  // namespace commcost
