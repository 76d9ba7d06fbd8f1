#include "core/collective/schedule.h"

namespace commcost {

Schedule::Schedule(const Method& method, Group group) : method_(&method), group_(group) {
  group_.chunks = method.chunks(group);
  if (group.ranks == 1) return;
  for (const Phase* phase : method.phases) {
    if (phase != nullptr) rounds_ += phase->rounds(group_);
  }
}

Schedule::Place Schedule::place_of(int round) const {
  for (const Phase* phase : method_->phases) {
    const int rounds = phase->rounds(group_);
    if (round < rounds) return {phase, round};
    round -= rounds;
  }
  return {};
}

std::string_view Schedule::phase_of(int round) const {
  return place_of(round).phase->name;
}

void Schedule::write(int round, Round& messages) const {
  messages.clear();
  const Place place = place_of(round);
  place.phase->write(group_, place.round, messages);
}

int Schedule::chunks_per_message() const {
  const bool own_messages =
      method_->collective == Collective::all_to_all || method_->collective == Collective::send_receive;
  return own_messages ? group_.chunks / group_.ranks : group_.chunks;
}

int Schedule::slot_of(int chunk) const {
  if (chunks_per_message() == group_.chunks) return chunk;
  return (chunk % group_.ranks - owner_of(chunk) + group_.ranks) % chunks_per_message();
}

Holders Schedule::holders_at_start(int chunk) const {
  switch (method_->collective) {
    case Collective::all_reduce:
    case Collective::reduce_scatter:
    case Collective::reduce:
      return {0, group_.ranks};
    case Collective::broadcast:
    case Collective::scatter:
      return {0};
    case Collective::all_gather:
    case Collective::gather:
    case Collective::all_to_all:
    case Collective::send_receive:
    case Collective::barrier:
      return {owner_of(chunk)};
  }
  return {};
}

Holders Schedule::holders_at_end(int chunk) const {
  switch (method_->collective) {
    case Collective::all_reduce:
    case Collective::broadcast:
    case Collective::all_gather:
    case Collective::barrier:
      return {0, group_.ranks};
    case Collective::reduce:
    case Collective::gather:
      return {0};
    case Collective::reduce_scatter:
    case Collective::scatter:
      return {owner_of(chunk)};
    case Collective::all_to_all:
      return {chunk % group_.ranks};
    case Collective::send_receive:
      return {(owner_of(chunk) + 1) % group_.ranks};
  }
  return {};
}

}  // namespace commcost
