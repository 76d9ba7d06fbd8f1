#include "core/logs/trace_breakdown.h"

#include <algorithm>
#include <map>

namespace commcost {
namespace {

bool by_start(const KernelInterval& one, const KernelInterval& other) {
  return one.start_us < other.start_us;
}

// Grows a union of intervals that arrive by their start.
class Union {
 public:
  // The part of the interval that was not covered before.
  void add(double start, double end) {
    if (end <= end_) return;
    length_ += end - std::max(start, end_);
    end_ = end;
  }
  double length() const { return length_; }

 private:
  double end_ = -1e300;
  double length_ = 0;
};

struct Busy {
  StreamTime time;
  Union compute;
  Union communication;
};

// Moments when some kernel computes, to be asked how much of an interval they cover.
class ComputeMoments {
 public:
  void add(double start, double end) {
    if (!ends_.empty() && start <= ends_.back()) {
      if (end <= ends_.back()) return;
      covered_.back() += end - ends_.back();
      ends_.back() = end;
      return;
    }
    starts_.push_back(start);
    ends_.push_back(end);
    covered_.push_back((covered_.empty() ? 0 : covered_.back()) + end - start);
  }
  double within(double start, double end) const { return before(end) - before(start); }

 private:
  double before(double moment) const {
    const auto next = std::upper_bound(starts_.begin(), starts_.end(), moment);
    if (next == starts_.begin()) return 0;
    const auto at = static_cast<std::size_t>(next - starts_.begin() - 1);
    return covered_[at] - std::max(0.0, ends_[at] - moment);
  }

  std::vector<double> starts_;
  std::vector<double> ends_;
  std::vector<double> covered_;  // up to each end
};

// Kernels by start.
std::vector<MessageGroupTime> group_times(std::span<const KernelInterval> kernels) {
  std::map<double, MessageGroupTime> groups;
  ComputeMoments moments;
  for (const KernelInterval& kernel : kernels) {
    if (kernel.kind == KernelKind::compute)
      moments.add(kernel.start_us, kernel.start_us + kernel.duration_us);
  }
  for (const KernelInterval& kernel : kernels) {
    if (kernel.kind == KernelKind::compute) continue;
    MessageGroupTime& group = groups[kernel.group];
    group.group = kernel.group;
    ++group.kernels;
    group.communication_us += kernel.duration_us;
    group.exposed_us += std::max(
        0.0, kernel.duration_us - moments.within(kernel.start_us, kernel.start_us + kernel.duration_us));
  }
  std::vector<MessageGroupTime> times;
  for (const auto& [number, time] : groups) times.push_back(time);
  return times;
}

// One for each stream, by id. Sorted once: inserting each in its place would take quadratic time.
std::vector<Busy> idle_streams(std::span<const KernelInterval> kernels) {
  std::vector<double> ids;
  for (const KernelInterval& kernel : kernels) {
    if (ids.empty() || ids.back() != kernel.stream) ids.push_back(kernel.stream);
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  std::vector<Busy> streams(ids.size());
  for (std::size_t place = 0; place < ids.size(); ++place) streams[place].time.stream = ids[place];
  return streams;
}

}  // namespace

TraceBreakdown trace_breakdown(std::span<KernelInterval> kernels) {
  TraceBreakdown result;
  if (kernels.empty()) return result;
  if (!std::is_sorted(kernels.begin(), kernels.end(), by_start))
    std::sort(kernels.begin(), kernels.end(), by_start);

  // |both| = |compute| + |communication| - |either|: three unions in one pass, without a list of ends.
  Union compute;
  Union communication;
  Union either;
  double last_end = kernels.front().start_us;
  std::vector<Busy> streams = idle_streams(kernels);
  std::size_t place = 0;
  for (const KernelInterval& kernel : kernels) {
    const double end = kernel.start_us + kernel.duration_us;
    if (const double pause = kernel.start_us - last_end; pause > 0) {
      result.longest_pause_us = std::max(result.longest_pause_us, pause);
      if (pause < longest_launch_pause_us) result.launch_pauses_us += pause;
    }
    last_end = std::max(last_end, end);
    either.add(kernel.start_us, end);
    const bool computes = kernel.kind == KernelKind::compute;
    (computes ? compute : communication).add(kernel.start_us, end);
    // Neighbours mostly share a stream.
    if (streams[place].time.stream != kernel.stream) {
      const auto found = std::lower_bound(streams.begin(), streams.end(), kernel.stream,
                                          [](const Busy& busy, double id) { return busy.time.stream < id; });
      place = static_cast<std::size_t>(found - streams.begin());
    }
    Busy& busy = streams[place];
    ++busy.time.kernels;
    (computes ? busy.compute : busy.communication).add(kernel.start_us, end);
  }

  result.total_us = last_end - kernels.front().start_us;
  result.overlapped_us = std::max(0.0, compute.length() + communication.length() - either.length());
  result.compute_only_us = std::max(0.0, either.length() - communication.length());
  result.communication_only_us = std::max(0.0, either.length() - compute.length());
  result.idle_us = std::max(0.0, result.total_us - either.length());
  result.kernels = static_cast<double>(kernels.size());
  if (result.total_us > 0) {
    result.compute_only_share = result.compute_only_us / result.total_us;
    result.overlapped_share = result.overlapped_us / result.total_us;
    result.communication_only_share = result.communication_only_us / result.total_us;
    result.idle_share = result.idle_us / result.total_us;
  }
  for (const Busy& busy : streams) {
    result.streams.push_back(busy.time);
    result.streams.back().compute_us = busy.compute.length();
    result.streams.back().communication_us = busy.communication.length();
  }
  result.groups = group_times(kernels);
  return result;
}

}  // namespace commcost
