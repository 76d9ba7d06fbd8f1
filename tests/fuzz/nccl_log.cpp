// The log parser and the fit on arbitrary bytes.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/logs/nccl_log.h"
#include "core/network/fit.h"
#include "fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace commcost;
  using fuzz::require;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const NcclLog log = parse_nccl_log(text);
  double lines = 1;
  for (const char c : text) lines += c == '\n' ? 1 : 0;
  double before = 0;
  std::vector<TimedMessage> timed;
  for (const LogPoint& point : log.points) {
    require(point.line >= before && point.line <= lines);
    require(point.message_size_bytes > 0 && point.time_us > 0 && std::isfinite(point.time_us));
    require(point.in_place_us >= 0);
    before = point.line;
    timed.push_back({point.message_size_bytes, point.time_us});
  }
  before = 0;
  for (const LogProblem& problem : log.problems) {
    require(problem.line >= before && problem.line + problem.lines - 1 <= lines);
    before = problem.line;
  }
  require(log.ranks >= 0);
  const Outcome<LogFit> fit = fit_curve(timed);
  if (fit) {
    for (const TimedMessage& point : timed) require(fit->time_us(point.message_size_bytes) > 0);
    require(fit->curve.latency_us >= 0 && fit->curve.knee > 0);
  }
  return 0;
}
