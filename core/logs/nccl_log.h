#pragma once

#include <string_view>
#include <vector>

#include "core/collective/kind.h"
#include "core/logs/log_lines.h"

namespace commcost {

/// A row of a log's table.
struct LogPoint {
  double message_size_bytes = 0;        ///< as the log counts it
  double time_us = 0;                   ///< out of place; where the log has none, in place
  double in_place_us = 0;               ///< in place; 0 where the log has none
  double bus_bandwidth_gb_per_sec = 0;  ///< as printed beside time_us
  double line = 0;                      ///< where it stands, from 1
};

/// What a log of nccl-tests or rccl-tests says.
struct NcclLog {
  bool collective_known = false;  ///< by the program's name, or by the ratio of its bandwidths
  Collective collective = Collective::all_reduce;  ///< which collective it ran
  double ranks = 0;                                ///< GPUs; 0 where the log does not tell
  std::vector<LogPoint> points;                    ///< of its longest table, in order
  std::vector<LogProblem> problems;                ///< by line
};

/// Reads a log, with whatever stands around its table: prefixes of MPI, times, NCCL's own lines, colours,
/// CRLF. Both column layouts, with and without the column `root`; tables cut off anywhere. Never fails.
NcclLog parse_nccl_log(std::string_view text);

}  // namespace commcost
