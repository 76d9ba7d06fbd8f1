#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <set>

#include "bench/core/accuracy/measured.h"
#include "bench/core/accuracy/refit.h"
#include "core/network/rules.h"

using namespace commcost;
using namespace commcost::accuracy;

namespace {
double quantile(std::vector<double> v, double q) {
  std::sort(v.begin(), v.end());
  const double at = q * static_cast<double>(v.size() - 1);
  const auto i = static_cast<std::size_t>(at);
  if (i + 1 >= v.size()) return v.back();
  return v[i] + (at - static_cast<double>(i)) * (v[i + 1] - v[i]);
}
}
int main(int argc, char** argv) {
  const std::vector<Series> all = measured_series(argc > 1 ? argv[1] : "tests/data");
  const Constants fitted = refit(all, "");
  for (const ConstantRow& row : constant_rows())
    std::printf("%-26s prior %8.3f was %8.3f fitted %8.4g\n", std::string(row.name).c_str(), row.prior, row.value, fitted[row.constant]);
  std::set<std::string> sites;
  for (const Series& s : all) sites.insert(s.site);
  std::map<std::string, Constants> without;
  for (const std::string& s : sites) without[s] = refit(all, s);
  for (int mode = 0; mode < 3; ++mode) {
    for (bool several : {false, true}) {
      std::vector<double> errors, medians, logs[3];
      for (const Series& s : all) {
        if (s.several_nodes != several) continue;
        const Curve c = ruled_curve(mode == 2 ? s.usual : s.stated, s.collective, mode ? without[s.site] : fitted).curve;
        std::vector<double> own, bias[3];
        for (const Point& p : s.points) {
          const double r = c.time_us(p.message_size_bytes) / p.time_us;
          own.push_back(std::abs(r - 1));
          const int z = p.message_size_bytes < 65536 ? 0 : p.message_size_bytes <= 1 << 25 ? 1 : 2;
          bias[z].push_back(r - 1); logs[z].push_back(-std::log(r));
        }
        errors.insert(errors.end(), own.begin(), own.end());
        medians.push_back(quantile(own, .5));
        if (mode == 2) {
          std::printf("%-34s n=%4.0f A %6.1f L %5.1f R %6.0f B %6.1f bound %6.1f med %5.1f p90 %5.1f | ", s.source.c_str(), s.usual.num_gpus, c.latency_us, c.launch_us, c.ramp_us, c.bytes_per_us / 1e3, c.bound_bytes_per_us/1e3, 100 * quantile(own, .5), 100 * quantile(own, .9));
          for (auto& b : bias) std::printf("%6.1f ", b.empty() ? NAN : 100 * quantile(b, .5));
          std::printf("\n");
        }
      }
      std::printf("%s %s: points %zu median %.1f p90 %.1f, median of medians %.1f\n", mode == 0 ? "fit" : mode == 1 ? "LOSO stated" : "LOSO usual", several ? "several" : "one", errors.size(), 100 * quantile(errors, .5), 100 * quantile(errors, .9), 100 * quantile(medians, .5));
      for (auto& l : logs) std::printf("   log quantiles 5 %.2f 10 %.2f 50 %.2f 90 %.2f 95 %.2f\n", quantile(l, .05), quantile(l, .1), quantile(l, .5), quantile(l, .9), quantile(l, .95));
    }
  }
}
