#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/outcome.h"
#include "core/logs/log_lines.h"

namespace commcost {

/// What nvidia-smi reported about one GPU over some time; 0 if it reported nothing.
struct SampledGpu {
  double gpu = 0;  ///< its index
  double samples = 0;
  double sm_clock_mhz = 0;      ///< median
  double max_sm_clock_mhz = 0;  ///< the highest it may run at
  double power_w = 0;           ///< median
  double power_limit_w = 0;
  double temperature_c = 0;  ///< greatest
  double thermal_share = 0;  ///< share of samples in which heat or the power supply held it down, 0 to 1
  double power_share = 0;    ///< by the power limit
  double fixed_share = 0;    ///< by clocks that were set by hand
};

struct GpuSampleLog {
  std::vector<SampledGpu> gpus;  ///< by index
  double idle_samples = 0;       ///< samples left out because the GPU was idle
  std::vector<LogProblem> problems;
};

/// Reads `nvidia-smi --query-gpu=... --format=csv`, with or without units, and `nvidia-smi dmon`, in pieces.
class GpuSampleReader {
 public:
  /// Takes the next piece, which may end anywhere.
  void read(std::string_view piece);
  /// The result of all pieces; a problem if there is no table with a GPU's clock.
  Outcome<GpuSampleLog> finished() &&;

 private:
  static constexpr std::size_t column_count = 8;
  using Row = std::array<std::optional<double>, column_count>;

  void read_line(std::string_view line, double number);
  bool read_header(std::string_view line);
  void take(const Row& row);

  // The samples of one GPU, as they arrive.
  struct Taken {
    std::vector<double> clocks;
    std::vector<double> powers;
    SampledGpu sums;
  };

  LineCutter lines_;
  std::vector<std::size_t> columns_;  // the meaning of each cell; column_count: irrelevant
  bool commas_ = true;
  std::map<double, Taken> gpus_;
  GpuSampleLog log_;
};

}  // namespace commcost
