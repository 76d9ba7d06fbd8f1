#pragma once

#include <string>
#include <vector>

#include "core/collective/kind.h"
#include "core/network/gpu_group.h"

namespace commcost::validation::collectives {

/// A size and the time measured for it: the geometric mean of the rows of that size (in and out of place).
struct Point {
  double message_size_bytes;
  double time_us;
};

/// One measured curve: a collective on a group, from one source.
struct Series {
  std::string source;  ///< source_id of the tables
  std::string site;    ///< who measured: sources of one site are left out together
  Collective collective = Collective::all_reduce;
  GpuGroup group;        ///< with the network and launch mode that the source states
  bool healthy = false;  ///< the table calls the source healthy
  std::vector<Point> points;
};

/// The series of tests/data that take part in fitting and judging, in the order of the tables.
std::vector<Series> measured_series(const std::string& data_folder);

}  // namespace commcost::validation::collectives
