#include "core/collective/hockney.h"

#include "core/base/units.h"

namespace commcost {

HockneyTime hockney(const Counts& counts, double message_size_bytes, const HockneyMachine& machine) {
  const auto bytes = [&](double chunks) { return message_size_bytes * chunks / counts.parts; };
  const PathCounts& path = counts.path;
  const PathCounts& inside = counts.inside;
  HockneyTime time;
  time.latency_us = (path.rounds - inside.rounds) * machine.link.latency_us;
  time.transfer_us = transfer_us(bytes(path.chunks - inside.chunks), machine.link.bandwidth_gb_per_sec);
  if (inside.rounds > 0) {
    time.latency_us += inside.rounds * machine.inside.latency_us;
    time.transfer_us += transfer_us(bytes(inside.chunks), machine.inside.bandwidth_gb_per_sec);
  }
  if (machine.reduce_gb_per_sec > 0) {
    time.reduce_us = transfer_us(bytes(path.reduced), machine.reduce_gb_per_sec);
  }
  return time;
}

}  // namespace commcost
