#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/collective/kind.h"

namespace commcost {

/// A row of a log's table.
struct LogPoint {
  double message_size_bytes = 0;        ///< as the log counts it
  double time_us = 0;                   ///< out of place; where the log has none, in place
  double in_place_us = 0;               ///< in place; 0 where the log has none
  double bus_bandwidth_gb_per_sec = 0;  ///< as printed beside time_us
  double line = 0;                      ///< where it stands, from 1
};

/// Lines that were not understood, or that contradict others: nothing of a log is dropped in silence.
struct LogProblem {
  double line = 0;      ///< the first such line, from 1
  double lines = 1;     ///< how many, one after the other
  std::string message;  ///< what is wrong with them
  std::string text;     ///< the first one, cut short, control characters shown as ?
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
