// The breakdown of a profile on drawn kernels, compared with a check of every moment.

#include "core/logs/trace_breakdown.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "fuzz/require.h"

namespace commcost::fuzz {
namespace {

// Kernels of four bytes each, on few moments and streams, so that they touch and cover each other.
std::vector<KernelInterval> kernels_of(std::span<const std::uint8_t> bytes) {
  std::vector<KernelInterval> kernels;
  for (; bytes.size() >= 4; bytes = bytes.subspan(4)) {
    kernels.push_back({bytes[0] * 1.0, bytes[1] % 32 * 1.0, bytes[2] % 16 - 8.0,
                       bytes[3] % 2 == 0 ? KernelKind::compute : KernelKind::communication});
  }
  return kernels;
}

bool same(double one, double other) {
  return std::abs(one - other) < 1e-6;
}

void compare(std::vector<KernelInterval> kernels) {
  const std::vector<KernelInterval> as_given = kernels;
  const TraceBreakdown found = trace_breakdown(kernels);
  double both = 0;
  double compute_alone = 0;
  double communication_alone = 0;
  double first = 1e9;
  double last = 0;
  std::map<double, double> counts;
  for (const KernelInterval& kernel : as_given) {
    first = std::min(first, kernel.start_us);
    last = std::max(last, kernel.start_us + kernel.duration_us);
    ++counts[kernel.stream];
  }
  for (int moment = 0; moment < 300; ++moment) {
    bool computes = false;
    bool communicates = false;
    for (const KernelInterval& kernel : as_given) {
      if (moment < kernel.start_us || moment >= kernel.start_us + kernel.duration_us) continue;
      (kernel.kind == KernelKind::compute ? computes : communicates) = true;
    }
    both += computes && communicates ? 1 : 0;
    compute_alone += computes && !communicates ? 1 : 0;
    communication_alone += communicates && !computes ? 1 : 0;
  }
  if (as_given.empty()) {
    require(found.total_us == 0 && found.streams.empty());
    return;
  }
  require(same(found.total_us, last - first));
  require(same(found.overlapped_us, both) && same(found.compute_only_us, compute_alone));
  require(same(found.communication_only_us, communication_alone));
  require(same(found.idle_us, found.total_us - both - compute_alone - communication_alone));
  require(found.streams.size() == counts.size());
  auto expected = counts.begin();
  for (const StreamTime& stream : found.streams) {
    require(stream.stream == expected->first && stream.kernels == expected->second);
    require(stream.compute_us <= found.total_us && stream.communication_us <= found.total_us);
    ++expected;
  }
}

}  // namespace
}  // namespace commcost::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t most = 1024;
  commcost::fuzz::compare(commcost::fuzz::kernels_of({data, std::min(size, most)}));
  return 0;
}
