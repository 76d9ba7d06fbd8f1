#include "core/collective/round.h"

#include <algorithm>
#include <utility>

namespace commcost {

void Round::clear() {
  messages_.clear();
  runs_.clear();
}

Round& Round::reduce(int from, int to) {
  messages_.push_back({from, to, true, static_cast<int>(runs_.size()), 0});
  return *this;
}

Round& Round::copy(int from, int to) {
  messages_.push_back({from, to, false, static_cast<int>(runs_.size()), 0});
  return *this;
}

Round& Round::chunks(int first, int count) {
  runs_.push_back({first, count});
  ++messages_.back().num_runs;
  return *this;
}

Round& Round::wrapped(int first, int count, int modulo) {
  if (first < 0) first += modulo;
  if (first >= modulo) first -= modulo;
  if (first + count <= modulo) return chunks(first, count);
  chunks(first, modulo - first);
  return chunks(0, first + count - modulo);
}

void Round::reverse(bool reduce) {
  std::reverse(messages_.begin(), messages_.end());
  for (Message& message : messages_) {
    std::swap(message.from, message.to);
    message.reduce = reduce;
  }
}

std::span<const ChunkRun> Round::chunks_of(const Message& message) const {
  return std::span(runs_).subspan(static_cast<std::size_t>(message.first_run),
                                  static_cast<std::size_t>(message.num_runs));
}

}  // namespace commcost
