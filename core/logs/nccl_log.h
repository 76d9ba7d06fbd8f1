#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/collective/kind.h"
#include "core/logs/log_lines.h"

namespace commcost {

/// A row of a log's table.
struct LogPoint {
  double message_size_bytes = 0;        ///< as the log counts it
  double time_us = 0;                   ///< out of place; in place if the log has no other
  double in_place_us = 0;               ///< in place; 0 where the log has none
  double bus_bandwidth_gb_per_sec = 0;  ///< as printed next to time_us
  double in_place_bus_gb_per_sec = 0;   ///< as printed next to in_place_us
  double line = 0;                      ///< its line, from 1
};

/// A run's summary of all its rows in its last lines, and what the rows themselves give.
struct NcclConclusion {
  double printed_average_gb_per_sec = 0;  ///< "Avg bus bandwidth"; 0: not in the log
  double rows_average_gb_per_sec = 0;     ///< the same of its rows, in place and out of place
  bool checked = false;                   ///< whether it says that, or how many values were wrong
  double wrong_values = 0;                ///< "Out of bounds values", or rows whose #wrong is above 0
};

/// What a log of nccl-tests or rccl-tests says.
struct NcclLog {
  bool collective_known = false;  ///< by the program's name, or by the ratio of its bandwidths
  Collective collective = Collective::all_reduce;  ///< which collective it ran
  double ranks = 0;                                ///< GPUs; 0 if the log does not give it
  std::string device;                              ///< the GPU under the log's name for it; empty: not given
  std::vector<LogPoint> points;                    ///< of its longest table, in order
  NcclConclusion conclusion;                       ///< of the run that printed it
  std::vector<LogProblem> problems;                ///< by line
};

/// A table of a log.
struct NcclTable {
  double line = 0;  ///< of its first row, from 1
  std::vector<LogPoint> points;
  double ratio = 0;  ///< bus over algorithm bandwidth, of the row with the greatest bandwidth
  double best = 0;   ///< algorithm bandwidth of that row
  std::string reduction;
  std::optional<Collective> program;
  std::size_t run = 0;  ///< which run printed it
};

/// What a run printed, as it is read.
struct NcclRun {
  NcclConclusion conclusion;
  double wrong_rows = 0;
  double bus_sum = 0;  ///< of all printed bus bandwidths, GB/s
  double bus_count = 0;
};

/// Reads a log that arrives in pieces, with anything around its table: prefixes of MPI, times, NCCL's own
/// lines, colours, CRLF. Both column layouts, with and without the column `root`; tables cut off anywhere.
class NcclLogReader {
 public:
  /// Takes the next piece, which may end anywhere.
  void read(std::string_view piece);
  /// The result of all pieces; never fails.
  NcclLog finished() &&;

 private:
  void read_line(std::string_view raw, double number);
  void take(const LogPoint& point, double algorithm_gb_per_sec, std::string_view reduction);
  void take_last_line(std::string_view line);

  LineCutter lines_;
  NcclLog log_;
  std::vector<NcclTable> tables_;
  std::vector<NcclRun> runs_;
  std::optional<Collective> program_;
  double most_rank_ = -1;
  bool fresh_ = true;  // the next row begins a table
  bool ended_ = true;  // the next row is of another run
  std::string buffer_;
};

/// Reads a whole log at once.
NcclLog parse_nccl_log(std::string_view text);

}  // namespace commcost
