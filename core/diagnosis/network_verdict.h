#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/diagnosis/calibrated_part.h"
#include "core/diagnosis/measured_run.h"
#include "core/hardware/machine.h"
#include "core/network/predict.h"

namespace commcost {

/// How a network log compares with what such machines measured elsewhere.
enum class NetworkVerdict { as_expected, slower, faster, small_slower };
inline constexpr std::string_view network_verdict_names[] = {"as_expected", "slower", "faster",
                                                             "small_slower"};

/// Possible explanations of a log that is not as expected.
enum class NetworkSuspect {
  none,
  unit,           ///< bits and bytes mistaken: off by eight
  no_nvls,        ///< the switches of the node do not reduce
  launch_mode,    ///< launched by threads or by one thread, rather than a process a GPU
  protocol,       ///< a protocol that is forced: LL for large messages, Simple for small ones
  one_slow_node,  ///< one node, rail or cable that slows all others down
  no_gpudirect,   ///< messages go through the host's memory
};
inline constexpr std::string_view network_suspect_names[] = {
    "none", "unit", "no_nvls", "launch_mode", "protocol", "one_slow_node", "no_gpudirect"};

struct NetworkFinding {
  Collective collective = Collective::all_reduce;
  double num_gpus = 0;
  double nodes = 1;
  NetworkVerdict verdict = NetworkVerdict::as_expected;
  NetworkSuspect suspect = NetworkSuspect::none;
  NetworkSuspect other_suspect = NetworkSuspect::none;  ///< which the log cannot distinguish from it
  double small_ratio = 1;                               ///< measured over expected, up to 64 KiB
  double large_ratio = 1;                               ///< from 64 MiB on, or of the largest
  double in_band_percent = 0;                           ///< of the measurements
  std::vector<double> message_sizes_bytes;              ///< of the log, each once, ascending
  std::vector<double> expected_us;                      ///< for these sizes: what the log is judged by
  std::vector<double> low_us;                           ///< lower ends of their bands
  std::vector<double> high_us;                          ///< upper ends
  double bus_factor = 0;                                ///< bus over algorithm bandwidth
  Basis basis = Basis::estimated;                       ///< what the prediction rests on
  std::string_view command;                             ///< to run next; empty: none
  std::optional<CalibratedPart> bandwidth;              ///< of links, or of the network
  std::optional<CalibratedPart> latency;                ///< of collectives
};

/// The verdict on a log of at least one size; of a completed machine, whose own calibration does not count.
NetworkFinding judge(const NetworkLog& log, const Machine& machine);

}  // namespace commcost
