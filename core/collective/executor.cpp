#include "core/collective/executor.h"

#include <algorithm>
#include <limits>

namespace commcost {
namespace {

// A whole number below 2^20 that no other element of any rank is likely to have, so that a missing, a second
// or a misplaced addend shows; sums of them are exact.
double sample(int rank, int chunk, int element) {
  unsigned mixed = static_cast<unsigned>(rank) * 0x9e3779b1u ^ static_cast<unsigned>(chunk) * 0x85ebca77u ^
                   static_cast<unsigned>(element) * 0xc2b2ae3du;
  mixed ^= mixed >> 15;
  mixed *= 0x2c1b3c6du;
  mixed ^= mixed >> 12;
  return static_cast<double>(1 + mixed % 1048575u);
}

double expected(const Schedule& schedule, int chunk, int element) {
  const Holders holders = schedule.holders_at_start(chunk);
  double sum = 0;
  for (int rank = holders.first; rank < holders.first + holders.count; ++rank)
    sum += sample(rank, chunk, element);
  return sum;
}

}  // namespace

Executor::Executor(const Schedule& schedule, int length) : schedule_(schedule) {
  const int slots = schedule.chunks_per_message();
  const bool weightless = schedule.method().collective == Collective::barrier;
  for (int slot = 0; slot <= slots; ++slot)
    begins_.push_back(weightless ? slot : static_cast<int>(static_cast<long long>(slot) * length / slots));
  const int nodes = schedule.group().ranks + (schedule.has_switch() ? 1 : 0);
  const auto room = static_cast<std::size_t>(begins_.back());
  room_.assign(room * static_cast<std::size_t>(nodes), std::numeric_limits<double>::quiet_NaN());
  // A switch that adds starts from zero.
  if (schedule.has_switch() && reduces(schedule.method().collective)) {
    std::fill(room_.end() - static_cast<std::ptrdiff_t>(room), room_.end(), 0.0);
  }
  totals_.resize(static_cast<std::size_t>(nodes));
}

double* Executor::at(int rank, int chunk) {
  return room_.data() + static_cast<std::ptrdiff_t>(rank) * begins_.back() +
         begins_[static_cast<std::size_t>(schedule_.slot_of(chunk))];
}

template <class Visit>
void Executor::for_each_chunk(const Round& round, Visit visit) {
  for (const Message& message : round.messages()) {
    for (const ChunkRun& run : round.chunks_of(message)) {
      for (int chunk = run.first; chunk < run.first + run.count; ++chunk) visit(message, chunk);
    }
  }
}

void Executor::move(const Round& round) {
  in_flight_.clear();
  for_each_chunk(round, [&](const Message& message, int chunk) {
    const double* from = at(message.from, chunk);
    in_flight_.insert(in_flight_.end(), from, from + length_of(chunk));
  });
  const double* arriving = in_flight_.data();
  for_each_chunk(round, [&](const Message& message, int chunk) {
    double* to = at(message.to, chunk);
    double* const end = to + length_of(chunk);
    for (; to != end; ++to, ++arriving) *to = message.reduce ? *to + *arriving : *arriving;
  });
}

void Executor::count(const Round& round, Tally& tally) {
  struct Now {
    Load load;
    int sends = 0;
    int gets = 0;
  };
  std::vector<Now> now(totals_.size());
  const bool weightless = schedule_.method().collective == Collective::barrier;
  for (const Message& message : round.messages()) {
    double elements = 0;
    if (!weightless) {
      for (const ChunkRun& run : round.chunks_of(message)) {
        for (int chunk = run.first; chunk < run.first + run.count; ++chunk) elements += length_of(chunk);
      }
    }
    Now& from = now[static_cast<std::size_t>(message.from)];
    Now& to = now[static_cast<std::size_t>(message.to)];
    from.load.sent += elements;
    to.load.received += elements;
    if (message.reduce) to.load.reduced += elements;
    ++from.sends;
    ++to.gets;
    if (message.from == message.to) ++tally.to_itself;
  }
  double port = 0;
  double adder = 0;
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(schedule_.group().ranks); ++rank) {
    const auto& [load, sends, gets] = now[rank];
    Load& total = totals_[rank];
    total.sent += load.sent;
    total.received += load.received;
    total.reduced += load.reduced;
    port = std::max({port, load.sent, load.received});
    adder = std::max(adder, load.reduced);
    tally.sent = std::max(tally.sent, total.sent);
    tally.received = std::max(tally.received, total.received);
    tally.reduced = std::max(tally.reduced, total.reduced);
    tally.most_messages_sent = std::max(tally.most_messages_sent, sends);
    tally.most_messages_got = std::max(tally.most_messages_got, gets);
  }
  tally.rounds += round.messages().empty() ? 0 : 1;
  tally.path_elements += port;
  tally.path_reduced += adder;
}

Tally Executor::run() {
  Tally tally;
  Round round;
  for (int index = 0; index < schedule_.rounds(); ++index) {
    schedule_.write(index, round);
    move(round);
    count(round, tally);
  }
  return tally;
}

bool executes_correctly(const Schedule& schedule, int length) {
  Executor executor(schedule, length);
  const int chunks = schedule.group().chunks;
  for (int chunk = 0; chunk < chunks; ++chunk) {
    const Holders holders = schedule.holders_at_start(chunk);
    for (int rank = holders.first; rank < holders.first + holders.count; ++rank) {
      for (int element = 0; element < executor.length_of(chunk); ++element)
        executor.at(rank, chunk)[element] = sample(rank, chunk, element);
    }
  }
  if (executor.run().to_itself > 0) return false;
  for (int chunk = 0; chunk < chunks; ++chunk) {
    const Holders holders = schedule.holders_at_end(chunk);
    for (int element = 0; element < executor.length_of(chunk); ++element) {
      const double right = expected(schedule, chunk, element);
      for (int rank = holders.first; rank < holders.first + holders.count; ++rank) {
        if (executor.at(rank, chunk)[element] != right) return false;
      }
    }
  }
  return true;
}

}  // namespace commcost
