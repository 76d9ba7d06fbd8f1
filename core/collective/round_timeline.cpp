#include "core/collective/round_timeline.h"

#include <algorithm>
#include <limits>

#include "core/base/units.h"

namespace commcost {
namespace {

// What a node's port does during one round.
struct Port {
  double begun_us = 0;                                        // when the node entered the round
  double sent_us = 0;                                         // how long its messages so far take
  double first_us = std::numeric_limits<double>::infinity();  // when the first message for it set out
  double received_us = 0;                                     // how long what it gets takes
  double reduced_us = 0;                                      // how long adding that takes
  double done_us = 0;                                         // when all of it is over
};

class Run {
 public:
  Run(const Schedule& schedule, double message_size_bytes, const HockneyMachine& machine)
      : schedule_(schedule), machine_(machine) {
    const bool weightless = schedule.method().collective == Collective::barrier;
    chunk_bytes_ = weightless ? 0 : message_size_bytes / schedule.chunks_per_message();
  }

  // One round: moves the nodes' clocks on and tells when its messages were under way.
  std::vector<Delivery> advance(const Round& round, std::vector<double>& clocks) const {
    std::vector<Port> ports(clocks.size());
    for (std::size_t node = 0; node < ports.size(); ++node) {
      ports[node].begun_us = ports[node].done_us = clocks[node];
    }
    std::vector<Delivery> timed;
    for (const Message& message : round.messages()) {
      double bytes = 0;
      for (const ChunkRun& run : round.chunks_of(message)) bytes += chunk_bytes_ * run.count;
      timed.push_back(carry(message, bytes, ports));
    }
    for (std::size_t node = 0; node < ports.size(); ++node) {
      clocks[node] = ports[node].done_us + ports[node].reduced_us;
    }
    return timed;
  }

 private:
  bool is_switch(int node) const { return node == schedule_.group().ranks; }

  const HockneyLink& link_between(int from, int to) const {
    const Group& group = schedule_.group();
    const bool inside = schedule_.method().grouped && from / group.group_size == to / group.group_size;
    return inside ? machine_.inside : machine_.link;
  }

  Delivery carry(const Message& message, double bytes, std::vector<Port>& ports) const {
    const HockneyLink& link = link_between(message.from, message.to);
    const double carried_us = transfer_us(bytes, link.bandwidth_gb_per_sec);
    Port& from = ports[static_cast<std::size_t>(message.from)];
    Port& to = ports[static_cast<std::size_t>(message.to)];
    from.sent_us = is_switch(message.from) ? carried_us : from.sent_us + carried_us;
    to.first_us = std::min(to.first_us, from.begun_us);
    to.received_us = is_switch(message.to) ? carried_us : to.received_us + carried_us;
    const double arrived_us = from.begun_us + link.latency_us + from.sent_us;
    const double received_us = to.first_us + link.latency_us + to.received_us;
    from.done_us = std::max(from.done_us, arrived_us);
    to.done_us = std::max({to.done_us, arrived_us, received_us});
    if (message.reduce && machine_.reduce_gb_per_sec > 0 && !is_switch(message.to)) {
      to.reduced_us += transfer_us(bytes, machine_.reduce_gb_per_sec);
    }
    // Messages of one rank queue for its port; what goes through a switch does not.
    const double queued_us = from.sent_us - carried_us;
    return {message.from, message.to, from.begun_us + std::max(0.0, queued_us), arrived_us};
  }

  const Schedule& schedule_;
  const HockneyMachine& machine_;
  double chunk_bytes_ = 0;
};

}  // namespace

CollectiveTimeline timeline_of(const Schedule& schedule, double message_size_bytes,
                               const HockneyMachine& machine, std::span<const double> delays_us) {
  const auto ranks = static_cast<std::size_t>(schedule.group().ranks);
  const Run run(schedule, message_size_bytes, machine);
  std::vector<double> clocks(ranks + (schedule.has_switch() ? 1 : 0), 0.0);
  std::copy_n(delays_us.begin(), std::min(delays_us.size(), ranks), clocks.begin());
  CollectiveTimeline timeline;
  const auto note = [&] {
    timeline.ready_us.emplace_back(clocks.begin(), clocks.begin() + static_cast<std::ptrdiff_t>(ranks));
  };
  note();
  Round round;
  for (int index = 0; index < schedule.rounds(); ++index) {
    schedule.write(index, round);
    timeline.messages.push_back(run.advance(round, clocks));
    note();
  }
  return timeline;
}

}  // namespace commcost
