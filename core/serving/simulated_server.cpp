#include "core/serving/simulated_server.h"

#include <algorithm>
#include <cmath>

namespace commcost {
namespace {

// Sums up durations by parts of the time: if there are too many parts, two become one.
class Moments {
 public:
  explicit Moments(std::size_t least) : most_(2 * least) {}

  void add(double from_us, double to_us, double waiting, double running, double cache) {
    if (!(to_us > from_us)) return;
    if (!(width_us_ > 0)) width_us_ = to_us - from_us;
    while (to_us > width_us_ * static_cast<double>(most_)) halve();
    while (true) {
      const auto place = std::min(static_cast<std::size_t>(from_us / width_us_), most_ - 1);
      if (place >= sums_.size()) sums_.resize(place + 1);
      const double end_us = width_us_ * static_cast<double>(place + 1);
      const double until_us = place + 1 < most_ && end_us > from_us ? std::min(to_us, end_us) : to_us;
      ServedMoment& sum = sums_[place];
      const double lasts = until_us - from_us;
      sum.waiting += lasts * waiting;
      sum.running += lasts * running;
      sum.cache_tokens += lasts * cache;
      if (until_us >= to_us) return;
      from_us = until_us;
    }
  }

  std::vector<ServedMoment> told(double end_us) {
    for (std::size_t place = 0; place < sums_.size(); ++place) {
      ServedMoment& sum = sums_[place];
      sum.end_us = std::min(end_us, width_us_ * static_cast<double>(place + 1));
      sum.width_us = sum.end_us - width_us_ * static_cast<double>(place);
      const double lasts = sum.width_us > 0 ? sum.width_us : 1;
      sum.waiting /= lasts;
      sum.running /= lasts;
      sum.cache_tokens /= lasts;
    }
    return std::move(sums_);
  }

 private:
  void halve() {
    sums_.resize(sums_.size() + sums_.size() % 2);
    for (std::size_t place = 0; place < sums_.size() / 2; ++place) {
      const ServedMoment& one = sums_[2 * place];
      const ServedMoment& other = sums_[2 * place + 1];
      sums_[place] = {0, 0, one.waiting + other.waiting, one.running + other.running,
                      one.cache_tokens + other.cache_tokens};
    }
    sums_.resize(sums_.size() / 2);
    width_us_ *= 2;
  }

  std::size_t most_;
  double width_us_ = 0;
  std::vector<ServedMoment> sums_;
};

/// Limit on what is played; a server whose cache holds little more than one request preempts others all the
/// time.
constexpr std::size_t most_events = 2000000;

class SimulatedServer {
 public:
  SimulatedServer(std::span<const ServedRequest> requests, const ServerLimits& limits, const ServerPace& pace,
                  std::size_t moments)
      : requests_(requests), limits_(limits), pace_(pace), states_(requests.size()), moments_(moments) {
    load_.times.resize(requests.size());
  }

  ServedLoad played() {
    for (finish(); ended_ < requests_.size() && events_ < most_events; finish()) {
      ++events_;
      arrive();
      const bool prompts = schedule();
      if (!prompts && decoding_ == 0) {
        // Nothing is left to do until the next request.
        const double next_us = std::max(now_us_, requests_[arrived_].arrival_us);
        moments_.add(now_us_, next_us, 0, 0, 0);
        now_us_ = next_us;
        continue;
      }
      if (prompts)
        read_prompts();
      else
        decode();
    }
    load_.finished = ended_ == requests_.size();
    load_.end_us = now_us_;
    load_.steps = steps_;
    load_.moments = moments_.told(now_us_);
    return std::move(load_);
  }

 private:
  // A request in progress.
  struct State {
    double produced = 0;     // tokens of its answer
    double read = 0;         // tokens in the cache: of its prompt, and of its answer if it was preempted
    double joined = 0;       // the step from which it receives tokens
    double later_us = 0;     // how long its tokens still travel after a step
    std::uint32_t turn = 0;  // how often it was admitted: events noted for an earlier turn no longer apply
    bool decodes = false;
  };
  struct Chunk {
    std::uint32_t request;
    double tokens;
  };
  // When a sequence that receives tokens gets its last one.
  struct Ending {
    double step;
    std::uint32_t request;
    std::uint32_t turn;
    bool operator<(const Ending& other) const { return step > other.step; }
  };
  struct Admitted {
    std::uint32_t request;
    std::uint32_t turn;
  };

  double to_read(std::uint32_t request) const {
    return requests_[request].prompt + states_[request].produced - states_[request].read;
  }

  // The tokens of a request that still have to be read into the cache.
  double fresh_tokens(std::uint32_t request) const {
    return requests_[request].prompt + states_[request].produced - requests_[request].cached;
  }

  bool is_full() const {
    return limits_.in_flight > 0 && static_cast<double>(arrived_ - ended_) >= limits_.in_flight;
  }
  bool may_send() const { return arrived_ < requests_.size() && !is_full(); }

  void arrive() {
    while (may_send() && requests_[arrived_].arrival_us <= now_us_) {
      load_.times[arrived_].sent_us = std::max(requests_[arrived_].arrival_us, full_until_us_);
      ++arrived_;
      if (arrived_ == requests_.size()) load_.left_waiting = waiting() - 1;
    }
  }

  double waiting() const {
    return static_cast<double>(arrived_ - taken_) + static_cast<double>(put_back_.size());
  }
  bool somebody_waits() const { return taken_ < arrived_ || !put_back_.empty(); }
  std::uint32_t first_waiting() const {
    return put_back_.empty() ? static_cast<std::uint32_t>(taken_) : put_back_.back();
  }

  bool holds(const Admitted& one) const { return states_[one.request].turn == one.turn; }

  // Updates what a sequence keeps of its own to the tokens decoded so far.
  double kept(std::uint32_t request) const {
    const State& state = states_[request];
    return state.read - requests_[request].cached + (state.decodes ? decoded_ - state.joined : 0);
  }

  void leave(std::uint32_t request) {
    State& state = states_[request];
    held_ -= kept(request);
    if (state.decodes) {
      --decoding_;
      context_ -= state.read + decoded_ - state.joined;
    }
    state.decodes = false;
    ++state.turn;
  }

  void end(std::uint32_t request, double at_us) {
    leave(request);
    if (is_full()) full_until_us_ = at_us;
    load_.times[request].end_us = at_us + states_[request].later_us;
    ++ended_;
  }

  void finish() {
    while (!endings_.empty()) {
      const Ending next = endings_.front();
      const bool stale = states_[next.request].turn != next.turn;
      if (!stale && next.step > decoded_) return;
      std::pop_heap(endings_.begin(), endings_.end());
      endings_.pop_back();
      if (!stale) end(next.request, now_us_);
    }
  }

  // The youngest sequence returns to the head of the queue; its tokens have to be read again.
  void put_back() {
    while (!holds(admitted_.back())) admitted_.pop_back();
    const std::uint32_t request = admitted_.back().request;
    admitted_.pop_back();
    State& state = states_[request];
    if (state.decodes)
      state.produced += decoded_ - state.joined;
    else
      reserved_ -= to_read(request);
    if (!reading_.empty() && reading_.back() == request) reading_.pop_back();
    leave(request);
    state.read = requests_[request].cached;
    put_back_.push_back(request);
    ++load_.preemptions;
  }

  // Makes room for a token of each sequence that receives one.
  void make_room() {
    while (running() > 1 && held_ + reserved_ + decoding_ > limits_.cache_tokens) put_back();
  }

  double running() const { return decoding_ + static_cast<double>(reading_.size()); }

  bool admits() const {
    if (!somebody_waits() || running() >= limits_.sequences) return false;
    const std::uint32_t request = first_waiting();
    const double needs = fresh_tokens(request);
    // A request that would leave no room for the others' next token would only be preempted.
    return running() == 0 || held_ + reserved_ + needs + decoding_ + 1 <= limits_.cache_tokens;
  }

  void admit() {
    const std::uint32_t request = first_waiting();
    if (put_back_.empty())
      ++taken_;
    else
      put_back_.pop_back();
    State& state = states_[request];
    state.read = requests_[request].cached;
    ++state.turn;
    reserved_ += to_read(request);
    reading_.push_back(request);
    admitted_.push_back({request, state.turn});
  }

  // The chunks of prompts that the next step reads; none if it only decodes.
  bool schedule() {
    chunks_.clear();
    if (decoding_ > 0) make_room();
    double left = limits_.step_tokens - (limits_.chunked ? decoding_ : 0);
    std::size_t next = 0;
    while (left > 0) {
      if (next == reading_.size()) {
        if (!admits()) break;
        // A prompt that is not chunked waits for a step with room for all of it, or gets one to itself.
        if (!limits_.chunked && !chunks_.empty() && fresh_tokens(first_waiting()) > left) break;
        admit();
      }
      const std::uint32_t request = reading_[next++];
      const double tokens = limits_.chunked ? std::min(left, to_read(request)) : to_read(request);
      chunks_.push_back({request, tokens});
      left -= tokens;
    }
    return !chunks_.empty();
  }

  void pass(double step_us, double count) {
    moments_.add(now_us_, now_us_ + count * step_us, waiting(), running(), held_);
    now_us_ += count * step_us;
    steps_ += count;
  }

  // `count` tokens for each sequence.
  void decoded(double count) {
    decoded_ += count;
    held_ += count * decoding_;
    context_ += count * decoding_;
  }

  void read_prompts() {
    ServedStep step;
    if (limits_.chunked) {
      step.sequences = decoding_;
      step.context = context_;
    }
    for (const Chunk& chunk : chunks_) {
      ++step.prompts;
      step.tokens += chunk.tokens;
      step.attended += pace_.attention_us(states_[chunk.request].read, chunk.tokens);
    }
    pass(pace_.step_us(step), 1);
    if (limits_.chunked) decoded(1);
    const double later_us = pace_.later_us(step);
    std::size_t done = 0;
    for (const Chunk& chunk : chunks_) {
      states_[chunk.request].read += chunk.tokens;
      held_ += chunk.tokens;
      reserved_ -= chunk.tokens;
      if (to_read(chunk.request) > 0) continue;
      ++done;
      start(chunk.request, later_us);
    }
    reading_.erase(reading_.begin(), reading_.begin() + static_cast<std::ptrdiff_t>(done));
  }

  // Its prompt has been read, and its first token is out.
  void start(std::uint32_t request, double later_us) {
    State& state = states_[request];
    state.later_us = later_us;
    if (state.produced == 0) load_.times[request].first_us = now_us_ + later_us;
    ++state.produced;
    state.decodes = true;
    state.joined = decoded_;
    ++decoding_;
    context_ += state.read;
    const double left = requests_[request].output - state.produced;
    if (left <= 0) return end(request, now_us_);
    endings_.push_back({decoded_ + left, request, state.turn});
    std::push_heap(endings_.begin(), endings_.end());
  }

  // As many steps as pass without a change.
  void decode() {
    double count = endings_.front().step - decoded_;
    count = std::min(count, std::floor((limits_.cache_tokens - held_ - reserved_) / decoding_));
    // A request that can't be admitted changes nothing. One that can starts with the next step.
    if (may_send() && !somebody_waits() && running() < limits_.sequences) {
      const double step_us = pace_.step_us({decoding_, context_, 0, 0, 0});
      const double steps = std::ceil((requests_[arrived_].arrival_us - now_us_) / step_us);
      count = std::min(count, steps);
    }
    count = std::max(1.0, count);
    const double context = context_ + decoding_ * (count - 1) / 2;
    pass(pace_.step_us({decoding_, context, 0, 0, 0}), count);
    decoded(count);
  }

  std::span<const ServedRequest> requests_;
  ServerLimits limits_;
  const ServerPace& pace_;
  std::vector<State> states_;
  Moments moments_;
  ServedLoad load_;
  std::size_t arrived_ = 0;
  std::size_t taken_ = 0;
  std::size_t ended_ = 0;
  double now_us_ = 0;
  double full_until_us_ = 0;  // until then as many were in flight as allowed
  std::size_t events_ = 0;
  double steps_ = 0;     // of any kind
  double decoded_ = 0;   // steps in which sequences received a token
  double decoding_ = 0;  // sequences that receive tokens
  double context_ = 0;   // tokens of these
  double held_ = 0;      // tokens in the cache
  double reserved_ = 0;  // tokens of admitted prompts that are still to be read
  std::vector<std::uint32_t> put_back_;
  std::vector<std::uint32_t> reading_;
  std::vector<Admitted> admitted_;
  std::vector<Ending> endings_;
  std::vector<Chunk> chunks_;
};

}  // namespace

ServedLoad simulated_server(std::span<const ServedRequest> requests, const ServerLimits& limits,
                            const ServerPace& pace, std::size_t moments) {
  return SimulatedServer(requests, limits, pace, moments).played();
}

}  // namespace commcost
