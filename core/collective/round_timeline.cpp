#include "core/collective/round_timeline.h"

#include <algorithm>

#include "core/base/units.h"

namespace commcost {
namespace {

// A rank, or the switch, on the clock.
struct Node {
  double ready_us = 0;  // when it is done with the rounds before
  double open_us = 0;   // when it has taken and added what they brought
  double sent_us = 0;   // when its port has sent what it sends so far in this round
  double taken_us = 0;  // when its port is free for the next message of this round, a latency before it comes
  double done_us = 0;   // when what it sends in this round has arrived
  double got_us = 0;    // when what it gets in this round has arrived
  double added_us = 0;  // how long adding that takes
};

class Clock {
 public:
  Clock(const Schedule& schedule, double message_size_bytes, const HockneyMachine& machine,
        std::span<const double> delays_us)
      : schedule_(schedule),
        machine_(machine),
        nodes_(static_cast<std::size_t>(schedule.group().ranks + (schedule.has_switch() ? 1 : 0))) {
    const bool weightless = schedule.method().collective == Collective::barrier;
    chunk_bytes_ = weightless ? 0 : message_size_bytes / schedule.chunks_per_message();
    for (std::size_t rank = 0; rank < delays_us.size() && rank < ranks(); ++rank) {
      nodes_[rank].ready_us = delays_us[rank];
    }
  }

  std::vector<double> ready_us() const {
    std::vector<double> ready(ranks());
    for (std::size_t rank = 0; rank < ready.size(); ++rank) ready[rank] = nodes_[rank].ready_us;
    return ready;
  }

  // Plays one round and returns when its messages were under way.
  std::vector<Delivery> play(const Round& round) {
    for (Node& node : nodes_) {
      node.sent_us = node.done_us = node.ready_us;
      node.taken_us = node.got_us = node.open_us;
      node.added_us = 0;
    }
    std::vector<Delivery> timed;
    for (const Message& message : round.messages()) timed.push_back(deliver(message, round));
    for (Node& node : nodes_) {
      node.open_us = node.got_us + node.added_us;
      node.ready_us = std::max(node.done_us, node.open_us);
    }
    return timed;
  }

 private:
  std::size_t ranks() const { return static_cast<std::size_t>(schedule_.group().ranks); }
  bool is_switch(int node) const { return node == schedule_.group().ranks; }

  const HockneyLink& link_between(int from, int to) const {
    const Group& group = schedule_.group();
    const bool inside = schedule_.method().grouped && from / group.group_size == to / group.group_size;
    return inside ? machine_.inside : machine_.link;
  }

  Delivery deliver(const Message& message, const Round& round) {
    double bytes = 0;
    for (const ChunkRun& run : round.chunks_of(message)) bytes += chunk_bytes_ * run.count;
    const HockneyLink& link = link_between(message.from, message.to);
    const double carried_us = transfer_us(bytes, link.bandwidth_gb_per_sec);
    Node& from = nodes_[static_cast<std::size_t>(message.from)];
    Node& to = nodes_[static_cast<std::size_t>(message.to)];
    // The switch has a port for each rank: nothing queues at it.
    const double free_us = is_switch(message.from) ? from.ready_us : from.sent_us;
    const double begun_us = is_switch(message.to) ? free_us : std::max(free_us, to.taken_us);
    const double left_us = begun_us + carried_us;
    const double ended_us = left_us + link.latency_us;
    from.sent_us = to.taken_us = left_us;
    from.done_us = std::max(from.done_us, ended_us);
    to.got_us = std::max(to.got_us, ended_us);
    if (message.reduce && machine_.reduce_gb_per_sec > 0 && !is_switch(message.to)) {
      to.added_us += transfer_us(bytes, machine_.reduce_gb_per_sec);
    }
    return {message.from, message.to, begun_us, ended_us};
  }

  const Schedule& schedule_;
  const HockneyMachine& machine_;
  std::vector<Node> nodes_;
  double chunk_bytes_ = 0;
};

}  // namespace

CollectiveTimeline timeline_of(const Schedule& schedule, double message_size_bytes,
                               const HockneyMachine& machine, std::span<const double> delays_us) {
  Clock clock(schedule, message_size_bytes, machine, delays_us);
  CollectiveTimeline timeline;
  timeline.ready_us.push_back(clock.ready_us());
  Round round;
  for (int index = 0; index < schedule.rounds(); ++index) {
    schedule.write(index, round);
    timeline.messages.push_back(clock.play(round));
    timeline.ready_us.push_back(clock.ready_us());
  }
  return timeline;
}

}  // namespace commcost
