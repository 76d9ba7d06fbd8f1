#include "core/diagnosis/network_verdict.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/base/natural_log.h"
#include "core/base/statistics.h"
#include "core/network/collective_timer.h"
#include "core/network/predict.h"

namespace commcost {
namespace {

constexpr double small_bytes = 65536;
constexpr double large_bytes = 67108864;
// In a quarter of cases, two measurements of one configuration differ by this or more.
constexpr double close = 0.12;

// The predictor refers to `fabric`, which must outlive it.
Predictor predictor_for(const NetworkLog& log, const Machine& machine, const Fabric& fabric) {
  return predictor_of(group_of(machine, fabric, log.num_gpus), log.collective);
}

// Median of |log(predicted / measured)|.
double misfit(const NetworkLog& log, const Machine& machine) {
  const Fabric fabric = fabric_of(machine);
  const Predictor predictor = predictor_for(log, machine, fabric);
  std::vector<double> errors;
  for (const TimedMessage& point : log.points)
    errors.push_back(std::abs(natural_log(predictor.at(point.message_size_bytes).time_us / point.time_us)));
  return median(std::move(errors));
}

void expect(const NetworkLog& log, const Predictor& predictor, NetworkFinding& found) {
  std::set<double> sizes;
  for (const TimedMessage& point : log.points) sizes.insert(point.message_size_bytes);
  for (const double size : sizes) {
    const Prediction expected = predictor.at(size);
    found.message_sizes_bytes.push_back(size);
    found.expected_us.push_back(expected.time_us);
    found.low_us.push_back(expected.low_us);
    found.high_us.push_back(expected.high_us);
  }
}

// The place of a log's size among the predicted sizes.
std::size_t place_of(const NetworkFinding& expected, double size) {
  const std::vector<double>& sizes = expected.message_sizes_bytes;
  return static_cast<std::size_t>(std::lower_bound(sizes.begin(), sizes.end(), size) - sizes.begin());
}

double ratio_within(const NetworkLog& log, const NetworkFinding& expected, double from, double to) {
  std::vector<double> ratios;
  for (const TimedMessage& point : log.points) {
    if (point.message_size_bytes < from || point.message_size_bytes > to) continue;
    ratios.push_back(point.time_us / expected.expected_us[place_of(expected, point.message_size_bytes)]);
  }
  return ratios.empty() ? 0 : median(std::move(ratios));
}

double in_band_percent(const NetworkLog& log, const NetworkFinding& expected) {
  const auto within = std::count_if(log.points.begin(), log.points.end(), [&](const TimedMessage& point) {
    const std::size_t at = place_of(expected, point.message_size_bytes);
    return point.time_us >= expected.low_us[at] && point.time_us <= expected.high_us[at];
  });
  return 100 * static_cast<double>(within) / static_cast<double>(log.points.size());
}

bool spans_nodes(const NetworkFinding& found) {
  return found.nodes > 1;
}

bool explains(const NetworkLog& log, const Machine& other, double before) {
  const double after = misfit(log, other);
  return after < close && after < before / 2;
}

// Each of these tries one changed input and returns whether that explains the log.
bool has_other_unit(const NetworkLog& log, const Machine& machine, double before) {
  constexpr double bits = 8;
  Machine slower = machine;
  slower.nic_gb_per_sec /= bits;
  Machine faster = machine;
  faster.nic_gb_per_sec *= bits;
  return explains(log, slower, before) || explains(log, faster, before);
}

bool has_no_switch_sums(const NetworkLog& log, const Machine& machine, double before) {
  if (machine.in_network_reduction == SwitchReduction::off) return false;
  Machine other = machine;
  other.in_network_reduction = SwitchReduction::off;
  return explains(log, other, before);
}

bool has_other_launch(const NetworkLog& log, const Machine& machine, double before) {
  for (const Launch launch : {Launch::process_per_gpu, Launch::thread_per_gpu, Launch::one_thread}) {
    Machine other = machine;
    other.launch = launch;
    if (launch != machine.launch && explains(log, other, before)) return true;
  }
  return false;
}

// LL moves half of what it could in large messages; Simple starts late in small ones.
bool has_forced_protocol(const NetworkFinding& found) {
  constexpr double much = 1.6;
  constexpr double little = 1.2;
  const bool small_late = found.small_ratio > much && found.large_ratio < little;
  const bool large_late = !spans_nodes(found) && found.large_ratio > much && found.small_ratio < little;
  return small_late || large_late;
}

std::string_view command_for(NetworkSuspect suspect) {
  switch (suspect) {
    case NetworkSuspect::none:
      return "";
    case NetworkSuspect::unit:
      return "ibstat | grep Rate";
    case NetworkSuspect::no_nvls:
      return "NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NVLS all_reduce_perf -b 1G -e 1G -g 8 | grep -i nvls";
    case NetworkSuspect::launch_mode:
      return "mpirun -np 8 all_reduce_perf -b 8 -e 1M -f 2 -g 1";
    case NetworkSuspect::protocol:
      return "env | grep -E \"NCCL_(PROTO|ALGO)\"; grep -E \"NCCL_(PROTO|ALGO)\" /etc/nccl.conf ~/.nccl.conf";
    case NetworkSuspect::one_slow_node:
      return "for each pair of nodes: mpirun -np 16 -N 8 -H A,B all_reduce_perf -b 1G -e 1G -g 1";
    case NetworkSuspect::no_gpudirect:
      return "NCCL_DEBUG=INFO mpirun -np 16 -N 8 all_reduce_perf -b 1G -e 1G -g 1 | grep -E \"GDRDMA|NET/\"";
  }
  return "";
}

void suspect(const NetworkLog& log, const Machine& machine, double before, NetworkFinding& found) {
  const bool nodes = spans_nodes(found);
  const auto name = [&](NetworkSuspect one) {
    if (found.suspect == NetworkSuspect::none) {
      found.suspect = one;
    } else if (found.other_suspect == NetworkSuspect::none) {
      found.other_suspect = one;
    }
  };
  if (nodes && has_other_unit(log, machine, before)) name(NetworkSuspect::unit);
  if (has_no_switch_sums(log, machine, before)) name(NetworkSuspect::no_nvls);
  if (has_other_launch(log, machine, before)) name(NetworkSuspect::launch_mode);
  // Copies through the host's memory can be eight times slower, too.
  if (found.suspect == NetworkSuspect::unit && found.verdict == NetworkVerdict::slower)
    name(NetworkSuspect::no_gpudirect);
  if (found.suspect != NetworkSuspect::none) return;
  if (has_forced_protocol(found)) name(NetworkSuspect::protocol);
  if (!nodes || found.verdict != NetworkVerdict::slower || found.suspect != NetworkSuspect::none) return;
  // The host's memory is a third of a network card and less; what a node or a rail takes is mostly less.
  constexpr double by_the_host = 2.5;
  if (found.large_ratio > by_the_host) name(NetworkSuspect::no_gpudirect);
  name(NetworkSuspect::one_slow_node);
  if (found.large_ratio <= by_the_host) name(NetworkSuspect::no_gpudirect);
}

// Scales of the expected curve fitted to every second size and judged on the others: the bandwidth on sizes
// dominated by transfer, the latency on those dominated by waiting. Separately, since each can be used on its
// own.
void calibrate(const NetworkLog& log, const Curve& expected, NetworkFinding& found) {
  constexpr std::size_t fewest = 6;
  constexpr std::size_t fewest_unused = 2;
  constexpr double mostly = 0.75;
  if (log.points.size() < fewest) return;
  std::vector<TimedMessage> sorted = log.points;
  std::stable_sort(sorted.begin(), sorted.end(), [](const TimedMessage& a, const TimedMessage& b) {
    return a.message_size_bytes < b.message_size_bytes;
  });
  std::vector<TimedMessage> used;
  std::vector<TimedMessage> unused;
  for (std::size_t at = 0; at < sorted.size(); ++at) (at % 2 == 0 ? used : unused).push_back(sorted[at]);
  const FittedScales scales = fit_scales(expected, used);
  const Curve fitted = expected.calibrated({scales.latency_scale, scales.bandwidth_scale});
  const auto part = [&](std::string_view field, double factor, bool travels) {
    CalibratedPart one;
    one.field = field;
    one.value = factor;
    const Curve scaled = expected.calibrated(travels ? Calibration{1, factor} : Calibration{factor, 1});
    const auto counts = [&](const TimedMessage& point) {
      const double share = fitted.parts(point.message_size_bytes).transfer_us / point.time_us;
      return travels ? share > mostly : share < 1 - mostly;
    };
    std::vector<double> before;
    std::vector<double> after;
    for (const TimedMessage& point : unused) {
      if (!counts(point)) continue;
      before.push_back(expected.time_us(point.message_size_bytes) / point.time_us);
      after.push_back(scaled.time_us(point.message_size_bytes) / point.time_us);
    }
    one.error_before_percent = mean_error_percent(before);
    one.error_after_percent = mean_error_percent(after);
    one.used = static_cast<double>(std::count_if(used.begin(), used.end(), counts));
    one.unused = static_cast<double>(before.size());
    one.verdict = verdict_on(one, factor);
    return before.size() < fewest_unused ? std::nullopt : std::optional(one);
  };
  found.bandwidth = part(spans_nodes(found) ? "network_bandwidth_scale" : "link_bandwidth_scale",
                         scales.bandwidth_scale, true);
  found.latency = part("latency_scale", scales.latency_scale, false);
}

}  // namespace

NetworkFinding judge(const NetworkLog& log, const Machine& calibrated) {
  Machine machine = calibrated;
  machine.latency_scale = machine.bandwidth_scale = 1;
  machine.link_bandwidth_scale = machine.network_bandwidth_scale = 1;
  const Fabric fabric = fabric_of(machine);
  const Predictor predictor = predictor_for(log, machine, fabric);
  NetworkFinding found;
  expect(log, predictor, found);
  found.collective = log.collective;
  found.num_gpus = log.num_gpus;
  found.nodes = predictor.group.nodes;
  found.bus_factor = predictor.factor;
  found.basis = predictor.basis;
  const double largest = found.message_sizes_bytes.back();
  found.large_ratio = ratio_within(log, found, std::min(large_bytes, largest), largest);
  found.small_ratio = ratio_within(log, found, 0, small_bytes);
  if (found.small_ratio == 0) found.small_ratio = found.large_ratio;
  found.in_band_percent = in_band_percent(log, found);

  // A band holds 80 % of measurements; a user's machine counts as unusual only when it is well outside.
  const double high = std::max(1 + close, found.high_us.back() / found.expected_us.back());
  const double low = std::min(1 - close, found.low_us.back() / found.expected_us.back());
  constexpr double late = 1.6;
  if (found.large_ratio > high) {
    found.verdict = NetworkVerdict::slower;
  } else if (found.large_ratio < low) {
    found.verdict = NetworkVerdict::faster;
  } else if (found.small_ratio > late) {
    found.verdict = NetworkVerdict::small_slower;
  }
  if (found.verdict != NetworkVerdict::as_expected) suspect(log, machine, misfit(log, machine), found);
  found.command = command_for(found.suspect);
  calibrate(log, predictor.curve, found);
  return found;
}

}  // namespace commcost
