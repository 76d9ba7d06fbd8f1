// The errors of predicted collectives, each site predicted by constants fitted without its rows. Fails if a
// figure is worse than its published value. With the constants come the bands of core/network/band.cpp.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "bench/validation/collectives/measured.h"
#include "bench/validation/collectives/refit.h"
#include "bench/validation/collectives/scoreboard_rows.h"
#include "bench/validation/reports.h"
#include "bench/validation/statistics.h"
#include "bench/validation/targets.h"
#include "core/network/band.h"
#include "core/network/fit.h"
#include "core/network/nccl_model.h"
#include "core/network/predict.h"
#include "core/network/textbook.h"

namespace commcost::validation::collectives {
namespace {

constexpr std::size_t class_count = std::size(accuracy_class_names);
constexpr double small_message_bytes = 65536;
/// Up to the first, up to the second, beyond: the zones of band.cpp's three sizes.
constexpr double zone_ends[] = {131072, 33554432};
constexpr std::size_t zone_count = std::size(zone_ends) + 1;

/// Relative errors of one way to predict.
struct Errors {
  std::vector<double> all;

  void add(double predicted_us, double measured_us) {
    all.push_back(100 * std::abs(predicted_us / measured_us - 1));
  }
  void add(const Errors& more) { all.insert(all.end(), more.all.begin(), more.all.end()); }
  double median() const { return quantile(all, 0.5); }
  double ninth_decile() const { return quantile(all, 0.9); }
};

/// What is tallied of a series, and of a class of series.
struct Tally {
  Errors textbook, hockney, nccl, ours, small, halves, half_curves;
  std::vector<double> ratios[zone_count];  // measured over predicted
  double inside = 0;                       // points within the band
  double points = 0;
  double most_gpus = 0;

  void add(const Tally& more) {
    textbook.add(more.textbook);
    hockney.add(more.hockney);
    nccl.add(more.nccl);
    ours.add(more.ours);
    small.add(more.small);
    halves.add(more.halves);
    half_curves.add(more.half_curves);
    for (std::size_t zone = 0; zone < zone_count; ++zone) {
      ratios[zone].insert(ratios[zone].end(), more.ratios[zone].begin(), more.ratios[zone].end());
    }
    inside += more.inside;
    points += more.points;
    most_gpus = std::max(most_gpus, more.most_gpus);
  }
  double inside_percent() const { return 100 * inside / points; }
};

std::size_t zone_of(double message_size_bytes) {
  std::size_t zone = 0;
  while (zone < std::size(zone_ends) && message_size_bytes > zone_ends[zone]) ++zone;
  return zone;
}

void add_calibrated_on_half(const Series& series, Tally& tally) {
  std::vector<TimedMessage> half;
  for (std::size_t i = 0; i < series.points.size(); i += 2) {
    half.push_back({series.points[i].message_size_bytes, series.points[i].time_us});
  }
  const Outcome<LogFit> fit = fit_curve(half);
  if (!fit) return;
  for (std::size_t i = 1; i < series.points.size(); i += 2) {
    const Point& point = series.points[i];
    tally.half_curves.add(fit->curve.time_us(point.message_size_bytes), point.time_us);
    tally.halves.add(fit->time_us(point.message_size_bytes), point.time_us);
  }
}

Tally tally_of(const Series& series, const Constants& without) {
  Tally tally;
  const GpuGroup& group = series.group;
  const Curve ours = predicted_curve(group, series.collective, without).curve;
  const NcclModel nccl = nccl_model(group, series.collective);
  const Basis basis = basis_of(group, series.collective);
  for (const Point& point : series.points) {
    const double size = point.message_size_bytes;
    const double time = point.time_us;
    tally.textbook.add(textbook_us(group, series.collective, size), time);
    tally.hockney.add(hockney_us(group, series.collective, size), time);
    if (nccl.known) tally.nccl.add(nccl.choice(size).time_us, time);
    const double predicted = ours.time_us(size);
    tally.ours.add(predicted, time);
    if (size < small_message_bytes) tally.small.add(predicted, time);
    const Band band = band_of(group, basis, size);
    if (time >= predicted * band.low && time <= predicted * band.high) ++tally.inside;
    ++tally.points;
    tally.ratios[zone_of(size)].push_back(time / predicted);
  }
  tally.most_gpus = group.num_gpus;
  add_calibrated_on_half(series, tally);
  return tally;
}

void print(const std::string& name, const Tally& tally) {
  std::printf("%-36s %5.0f", name.c_str(), tally.points);
  for (const Errors* errors : {&tally.textbook, &tally.hockney, &tally.nccl, &tally.ours}) {
    std::printf(" %6.1f %6.1f", errors->median(), errors->ninth_decile());
  }
  std::printf(" %6.1f %6.1f %6.1f", tally.inside_percent(), tally.half_curves.median(),
              tally.halves.median());
  for (const std::vector<double>& ratios : tally.ratios) {
    std::printf(" %+6.0f", 100 * (1 / quantile(ratios, 0.5) - 1));
  }
  std::printf("\n");
}

/// The series of a class, each predicted without its site; and their combined result.
struct ClassReport {
  Tally tally;
  std::vector<double> source_medians;
};

ClassReport print_class(AccuracyClass accuracy_class, const std::vector<Series>& all,
                        const std::map<std::string, Constants>& without) {
  ClassReport report;
  std::printf(
      "\n%s: median and 90th percentile of absolute error of time, %%; each site left out of its own fit\n",
      std::string(accuracy_class_names[static_cast<std::size_t>(accuracy_class)]).c_str());
  std::printf("%-36s %5s %13s %13s %13s %13s %6s %6s %6s %20s\n", "source", "sizes", "textbook", "Hockney",
              "NCCL model", "ours", "band", "curve", "halves", "bias by zone");
  for (const Series& series : all) {
    if (accuracy_class_of(series.group) != accuracy_class) continue;
    const Tally tally = tally_of(series, without.at(series.site));
    const std::string name = series.source + " " + std::to_string(static_cast<int>(series.group.num_gpus));
    print(name + (series.healthy ? "" : " ?"), tally);
    if (!series.healthy) continue;
    report.tally.add(tally);
    report.source_medians.push_back(tally.ours.median());
  }
  print("ALL", report.tally);
  std::printf("  median over the series of their medians: %.1f %%; below 64 KiB: %.1f %%\n",
              quantile(report.source_medians, 0.5), report.tally.small.median());
  return report;
}

void print_constants(const std::vector<Series>& all) {
  const Constants constants = refit(all, "");
  const std::vector<double> rows = rows_that_answer(all, constants);
  std::size_t i = 0;
  for (const ConstantRow& row : constant_rows()) {
    std::printf("%-28s %10.4g  prior %-8g rows %5.0f%s\n", std::string(row.name).c_str(),
                constants[row.constant], row.prior, rows[i++], row.prior_spread > 0 ? "" : "  not fitted");
  }
}

void print_bands(const ClassReport (&reports)[class_count]) {
  std::printf("\nBands: median error, most GPUs, 10th and 90th percentile by zone\n");
  constexpr double sizes[] = {65536, 4194304, 268435456};
  for (const ClassReport& report : reports) {
    std::printf("    {%.1f, %.0f, {", report.tally.ours.median(), report.tally.most_gpus);
    for (std::size_t zone = 0; zone < zone_count; ++zone) {
      const std::vector<double>& ratios = report.tally.ratios[zone];
      std::printf("%s{%.0f, {%.2f, %.2f}}", zone > 0 ? ", " : "", sizes[zone],
                  std::min(1.0, quantile(ratios, 0.1)), std::max(1.0, quantile(ratios, 0.9)));
    }
    std::printf("}},\n");
  }
}

// Curves of an accelerator that the constants were fitted on, for core/network/band.cpp.
void print_measured_curves(const std::vector<Series>& all) {
  std::map<std::string_view, std::pair<int, int>> curves;
  for (const Series& series : all) {
    const bool across = series.group.spans_nodes();
    if (!series.healthy || !is_fitted(series.collective, across)) continue;
    auto& [in_node, across_nodes] = curves[series.group.fabric->accelerator];
    ++(across ? across_nodes : in_node);
  }
  std::printf("\nMeasured curves: accelerator, in a node, across nodes\n");
  for (const auto& [accelerator, count] : curves)
    std::printf("    {\"%s\", %d, %d},\n", std::string(accelerator).c_str(), count.first, count.second);
}

bool print_targets(const ClassReport (&reports)[class_count]) {
  const Tally& one = reports[static_cast<std::size_t>(AccuracyClass::one_node)].tally;
  const Tally& racks = reports[static_cast<std::size_t>(AccuracyClass::racks)].tally;
  Tally several = reports[static_cast<std::size_t>(AccuracyClass::several_nodes)].tally;
  several.add(reports[static_cast<std::size_t>(AccuracyClass::slingshot)].tally);
  Errors small = one.small;
  small.add(several.small);
  std::printf(
      "\nNetwork and launch mode as the source states them. ?: not judged, since the source is not known to "
      "be\n"
      "healthy. band: points within low and high, %%.\n"
      "halves: fitted on every other size, judged on the rest, %%.\n");
  return keeps({{"one node, median", 8, one.ours.median()},
                {"several nodes, median", 15, several.ours.median(), 0, 16.7},
                {"racks, median", 7, racks.ours.median(), 0, 11.9},
                {"below 64 KiB, median", 20, small.median()},
                {"one node, calibrated on half", 4, one.halves.median()},
                {"several nodes, calibrated on half", 8, several.halves.median()},
                {"one node, within the band", 92, one.inside_percent(), 70},
                {"several nodes, within the band", 92, several.inside_percent(), 70}});
}

}  // namespace

bool report(const Options& options) {
  const std::vector<Series> all = measured_series(options.data);
  std::map<std::string, Constants> without;
  for (const Series& series : all) {
    if (!without.contains(series.site)) without[series.site] = refit(all, series.site);
  }
  if (options.csv) {
    print_collectives(all, without);
    return true;
  }
  ClassReport reports[class_count];
  for (std::size_t i = 0; i < class_count; ++i) {
    reports[i] = print_class(static_cast<AccuracyClass>(i), all, without);
  }
  if (options.fit) {
    std::printf("\nConstants fitted on all rows\n");
    print_constants(all);
    print_bands(reports);
    print_measured_curves(all);
  }
  return print_targets(reports);
}

}  // namespace commcost::validation::collectives
