#include "core/hardware/measured_band.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/base/natural_log.h"

namespace commcost {
namespace {

static_assert(std::size(reach_fields) == std::tuple_size_v<Reach>);

/// Series from which on a class stands alone; with fewer it gets that share of the band.
constexpr double full_series = 8;
/// Spread of what was not measured, over the spread of what was.
constexpr double unmeasured_width = 1.5;
/// Weight of a pool's spread if it has too few series.
constexpr double few_tell = 0.01;
/// Extra width for each doubling beyond the largest run.
constexpr double wider_per_doubling = 0.2;
/// ln 10: a step unlike any run gets at most a factor of ten, unless runs themselves were further off.
constexpr double tenfold = 2.302585092994046;

/// How near a class is to a step.
enum class Nearness { accelerator, generation, vendor, kind, count };

Nearness nearness(const MeasuredClass& row, const JudgedStep& step) {
  if (row.recipe != step.recipe) return row.kind == step.kind ? Nearness::kind : Nearness::count;
  const bool stalls_differ = (row.kind == RunKind::staged) != (step.kind == RunKind::staged);
  if (stalls_differ || row_of(row.generation).vendor != row_of(step.accelerator.generation).vendor)
    return row.kind == step.kind ? Nearness::kind : Nearness::count;
  if (row.kind != step.kind || row.generation != step.accelerator.generation) return Nearness::vendor;
  return row.accelerator == step.accelerator.id ? Nearness::accelerator : Nearness::generation;
}

/// Classes that are equally near, each by its series.
struct Pool {
  double series = 0;
  double runs = 0;
  double median = 0;
  double middle = 0;
  double below = 0;
  double above = 0;
  ClassSet classes = 0;

  void add(std::size_t place, const SeriesErrors& errors) {
    const double weight = errors.series;
    series += weight;
    runs += errors.runs;
    median += weight * errors.median_percent;
    middle += weight * errors.middle;
    below += weight * (errors.middle - errors.tenth);
    above += weight * (errors.nine_tenths - errors.middle);
    classes |= ClassSet{1} << place;
  }
};

/// Pools blended, the nearest first, each for what the earlier ones leave.
struct Blend {
  double left = 1;
  double spread = 0;  // weight of those whose spread counts
  double median = 0;
  double middle = 0;
  double below = 0;
  double above = 0;

  void add(const Pool& pool, double share) {
    const double weight = left * share;
    left -= weight;
    median += weight * pool.median / pool.series;
    middle += weight * pool.middle / pool.series;
    // One or two series show where the middle is, but little of how far others are from it.
    const double telling = pool.series < enough_series ? weight * few_tell : weight;
    spread += telling;
    below += telling * pool.below / pool.series;
    above += telling * pool.above / pool.series;
  }
};

double doublings_beyond(const Reach& most, const Reach& at, unsigned& beyond) {
  double sum = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (at[i] <= most[i]) continue;
    beyond |= 1u << i;
    sum += natural_log(at[i] / std::max(1.0, most[i])) / natural_log(2);
  }
  return sum;
}

double widened(double spread, double width) {
  return std::max(spread, std::min(width * spread, tenfold));
}

// Counts the band's runs that are of the stack itself.
void count_own(StepBand& band, std::span<const MeasuredClass> table, const JudgedStep& step) {
  for (std::size_t place = 0; place < table.size(); ++place) {
    const MeasuredClass& row = table[place];
    if ((band.classes >> place & 1) == 0 || row.recipe != step.recipe) continue;
    band.stack_runs += row.errors.runs;
    if (row.accelerator == step.accelerator.id) band.own_runs += row.errors.runs;
  }
}

// By the errors, ln(predicted / measured), between which runs lie.
void set_limits(StepBand& band, double least_spread, double greatest_error, double least_error) {
  band.low = natural_exp(-std::max(least_spread, greatest_error));
  band.high = natural_exp(-std::min(-least_spread, least_error));
}

}  // namespace

StepBand nearest_band(std::span<const MeasuredClass> table, const JudgedStep& step, double least_spread,
                      const SeriesErrors* unmeasured) {
  constexpr auto levels = static_cast<std::size_t>(Nearness::count);
  Pool pools[levels];
  Reach of_stack{};
  Reach of_kind{};
  for (std::size_t place = 0; place < table.size(); ++place) {
    const MeasuredClass& row = table[place];
    const Nearness near = nearness(row, step);
    if (near == Nearness::count) continue;
    pools[static_cast<std::size_t>(near)].add(place, row.errors);
    for (std::size_t i = 0; i < row.most.size(); ++i) {
      of_kind[i] = std::max(of_kind[i], row.most[i]);
      if (near != Nearness::kind) of_stack[i] = std::max(of_stack[i], row.most[i]);
    }
  }
  const double own = pools[0].series;
  // One run on another generation says nothing about this one.
  const bool told = own + pools[1].series > 0 || pools[2].series >= enough_series;

  StepBand band;
  if (!told && unmeasured != nullptr) {
    const double width = 1 + wider_per_doubling * doublings_beyond(of_kind, step.at, band.beyond);
    for (std::size_t place = 0; place < table.size(); ++place) band.classes |= ClassSet{1} << place;
    band.measured_series = unmeasured->series;
    band.measured_runs = unmeasured->runs;
    band.measured_error_percent = unmeasured->median_percent;
    count_own(band, table, step);
    const double middle = unmeasured->middle;
    set_limits(band, least_spread, middle + widened(unmeasured->nine_tenths - middle, width),
               middle - widened(middle - unmeasured->tenth, width));
    return band;
  }
  Blend blend;
  for (std::size_t level = 0; level < levels && blend.left > 0; ++level) {
    const Pool& pool = pools[level];
    if (pool.series == 0) continue;
    const bool last = std::all_of(pools + level + 1, pools + levels,
                                  [](const Pool& further) { return further.series == 0; });
    blend.add(pool, last ? 1 : std::min(1.0, pool.series / full_series));
    band.classes |= pool.classes;
    band.measured_series += pool.series;
    band.measured_runs += pool.runs;
  }
  if (band.measured_series == 0) return band;
  count_own(band, table, step);
  double width = 1 + wider_per_doubling * doublings_beyond(told ? of_stack : of_kind, step.at, band.beyond);
  if (own >= enough_series && band.beyond == 0) {
    band.basis = Basis::measured;
  } else {
    band.basis = told ? Basis::similar : Basis::estimated;
    width *= unmeasured_width;
  }
  band.measured_error_percent = blend.median;
  set_limits(band, least_spread, blend.middle + widened(blend.above / blend.spread, width),
             blend.middle - widened(blend.below / blend.spread, width));
  return band;
}

std::string beyond_names(const StepBand& band) {
  std::string names;
  for (std::size_t i = 0; i < std::size(reach_fields); ++i) {
    if ((band.beyond >> i & 1) == 0) continue;
    if (!names.empty()) names += ", ";
    names += reach_fields[i];
  }
  return names;
}

}  // namespace commcost
