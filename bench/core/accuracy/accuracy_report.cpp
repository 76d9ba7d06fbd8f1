// How wrong predictions are on public measurements, each site predicted by constants fitted without its rows.
//   accuracy_report [--fit] [data folder]     --fit: print the constants fitted on all rows, for
//   constants.cpp
// Exits with 1 where a target of DESIGN.md is missed.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "bench/core/accuracy/measured.h"
#include "bench/core/accuracy/refit.h"
#include "core/network/band.h"
#include "core/network/fit.h"
#include "core/network/hockney.h"
#include "core/network/nccl_model.h"
#include "core/network/predict.h"

namespace commcost::accuracy {
namespace {

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return std::nan("");
  std::sort(values.begin(), values.end());
  const double at = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  if (below + 1 >= values.size()) return values.back();
  return values[below] + (at - static_cast<double>(below)) * (values[below + 1] - values[below]);
}

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
  Errors textbook, hockney, nccl, ours, stated, halves, half_curves;
  double inside = 0;  // points within the band
  double points = 0;

  void add(const Tally& more) {
    textbook.add(more.textbook);
    hockney.add(more.hockney);
    nccl.add(more.nccl);
    ours.add(more.ours);
    stated.add(more.stated);
    halves.add(more.halves);
    half_curves.add(more.half_curves);
    inside += more.inside;
    points += more.points;
  }
};

Tally tally_of(const Series& series, const Constants& without, std::vector<double> (&ratios)[3]) {
  Tally tally;
  const GpuGroup& usual = series.usual;
  const Curve ours = ruled_curve(usual, series.collective, without).curve;
  const Curve stated = ruled_curve(series.stated, series.collective, without).curve;
  const NcclModel nccl = nccl_model(usual, series.collective);
  const Basis basis = basis_of(usual, series.collective);
  std::vector<TimedMessage> half;
  for (const Point& point : series.points) {
    const double size = point.message_size_bytes;
    const double time = point.time_us;
    tally.textbook.add(textbook_us(usual, series.collective, size), time);
    tally.hockney.add(hockney_us(usual, series.collective, size), time);
    if (nccl.known) tally.nccl.add(nccl.choice(size).time_us, time);
    const double predicted = ours.time_us(size);
    tally.ours.add(predicted, time);
    tally.stated.add(stated.time_us(size), time);
    const Band band = band_of(usual, basis, size);
    if (time >= predicted * band.low && time <= predicted * band.high) ++tally.inside;
    ++tally.points;
    ratios[size <= 131072 ? 0 : size <= 33554432 ? 1 : 2].push_back(time / predicted);
  }
  for (std::size_t i = 0; i < series.points.size(); i += 2) {
    half.push_back({series.points[i].message_size_bytes, series.points[i].time_us});
  }
  if (const Outcome<LogFit> fit = fit_curve(half); fit && series.healthy) {
    for (std::size_t i = 1; i < series.points.size(); i += 2) {
      tally.half_curves.add(fit->curve.time_us(series.points[i].message_size_bytes),
                            series.points[i].time_us);
      tally.halves.add(fit->time_us(series.points[i].message_size_bytes), series.points[i].time_us);
    }
  }
  return tally;
}

void print(const std::string& name, const Tally& tally) {
  std::printf("%-34s %5.0f", name.c_str(), tally.points);
  for (const Errors* errors : {&tally.textbook, &tally.hockney, &tally.nccl, &tally.ours, &tally.stated}) {
    std::printf(" %6.1f %6.1f", errors->median(), errors->ninth_decile());
  }
  std::printf(" %6.1f %6.1f %6.1f", 100 * tally.inside / tally.points, tally.half_curves.median(),
              tally.halves.median());
  std::printf("\n");
}

void print_constants(const Constants& constants) {
  for (const ConstantRow& row : constant_rows()) {
    std::printf("%-26s %.4g (prior %g)\n", std::string(row.name).c_str(), constants[row.constant], row.prior);
  }
}

struct Target {
  const char* name;
  double most_percent;
  double least_percent;
  double reached;
};

int report(const std::string& folder, bool fit_only) {
  const std::vector<Series> all = measured_series(folder);
  if (fit_only) {
    print_constants(refit(all, ""));
    return 0;
  }
  std::map<std::string, Constants> without;
  for (const Series& series : all) {
    if (!without.contains(series.site)) without[series.site] = refit(all, series.site);
  }
  Tally classes[2];
  std::vector<double> medians[2];
  std::vector<double> ratios[2][3];
  for (const bool several : {false, true}) {
    std::printf(
        "\n%s: median and 90th percentile of absolute error of time, %%; each site left out of its own fit\n",
        several ? "Several nodes" : "One node");
    std::printf("%-34s %5s %13s %13s %13s %13s %13s %6s %6s %6s\n", "source", "sizes", "textbook", "Hockney",
                "NCCL model", "ours", "ours, stated*", "band", "curve", "halves");
    for (const Series& series : all) {
      if (series.several_nodes != several) continue;
      const Tally tally = tally_of(series, without[series.site], ratios[several ? 1 : 0]);
      classes[several ? 1 : 0].add(tally);
      medians[several ? 1 : 0].push_back(tally.ours.median());
      const double ranks = series.usual.num_gpus;
      print(series.source + " " + std::to_string(static_cast<int>(ranks)), tally);
    }
    print("ALL", classes[several ? 1 : 0]);
    std::printf("  median over the sources of their medians: %.1f %%\n",
                quantile(medians[several ? 1 : 0], 0.5));
    for (std::size_t zone = 0; zone < 3; ++zone) {
      const std::vector<double>& zone_ratios = ratios[several ? 1 : 0][zone];
      std::printf("  measured/predicted %-17s 8 %% %.2f  50 %% %.2f  92 %% %.2f\n",
                  zone == 0   ? "to 128 KiB"
                  : zone == 1 ? "to 32 MiB"
                              : "beyond",
                  quantile(zone_ratios, 0.08), quantile(zone_ratios, 0.5), quantile(zone_ratios, 0.92));
    }
  }
  std::printf(
      "\n* ours from the six inputs alone; stated: with network and launch mode as the source states them.\n"
      "band: points within low and high, %%. halves: fitted on every other size, judged on the rest, "
      "%%.\n\n");
  const Target targets[] = {
      {"one node, median", 10, 0, classes[0].ours.median()},
      {"several nodes, median", 20, 0, classes[1].ours.median()},
      {"one node, calibrated on half", 4, 0, classes[0].halves.median()},
      {"several nodes, calibrated on half", 8, 0, classes[1].halves.median()},
      {"one node, within the band", 100, 80, 100 * classes[0].inside / classes[0].points},
      {"several nodes, within the band", 100, 80, 100 * classes[1].inside / classes[1].points},
  };
  int missed = 0;
  for (const Target& target : targets) {
    const bool held = target.reached <= target.most_percent && target.reached >= target.least_percent;
    std::printf("%-36s %5.1f %%  target %g to %g: %s\n", target.name, target.reached, target.least_percent,
                target.most_percent, held ? "held" : "MISSED");
    missed += held ? 0 : 1;
  }
  return missed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace commcost::accuracy

int main(int count, char** arguments) {
  std::string folder = COMMCOST_TEST_DATA;
  bool fit_only = false;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument == "--fit") {
      fit_only = true;
    } else {
      folder = argument;
    }
  }
  return commcost::accuracy::report(folder, fit_only);
}
