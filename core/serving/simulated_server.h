#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace commcost {

/// The work of a server in one step.
struct ServedStep {
  double sequences = 0;  ///< that receive a token
  double context = 0;    ///< tokens of all of these together
  double prompts = 0;    ///< of which a chunk is read
  double tokens = 0;     ///< of these chunks together
  double attended = 0;   ///< sum over the chunks of `ServerPace::attention_us`
};

/// What steps of a server take, us.
class ServerPace {
 public:
  virtual ~ServerPace() = default;
  /// The time of a step, from the start of its kernels to the next one's.
  virtual double step_us(const ServedStep& step) const = 0;
  /// The extra time of a chunk if `before` tokens of its prompt have been read.
  virtual double attention_us(double before, double tokens) const = 0;
  /// From the end of a step until its first tokens are out: the way through further pipeline stages.
  virtual double later_us(const ServedStep& step) const = 0;
};

/// A request to a server.
struct ServedRequest {
  double arrival_us = 0;
  double prompt = 1;  ///< tokens
  double cached = 0;  ///< of these, already read for an earlier request and still kept
  double output = 1;  ///< tokens
};

/// Limits of a server.
struct ServerLimits {
  double sequences = 256;      ///< at once
  double step_tokens = 8192;   ///< of a step: a token for each sequence, and chunks of prompts
  bool chunked = true;         ///< whether prompts are read in chunks, between the tokens of others
  double cache_tokens = 1e18;  ///< that fit into the KV cache
  double in_flight = 0;        ///< requests sent and not yet answered; 0: any number
};

/// The times of a request.
struct ServedTimes {
  double sent_us = 0;   ///< its arrival, or when another's answer made room for it in flight
  double first_us = 0;  ///< its first token
  double end_us = 0;    ///< its last
};

/// The state of a server over a part of the time, means.
struct ServedMoment {
  double end_us = 0;
  double width_us = 0;
  double waiting = 0;
  double running = 0;
  double cache_tokens = 0;
};

/// The outcome of a simulation.
struct ServedLoad {
  std::vector<ServedTimes> times;  ///< of each request
  std::vector<ServedMoment> moments;
  bool finished = false;    ///< whether every request was answered, within some million steps
  double end_us = 0;        ///< the last token of all
  double steps = 0;         ///< taken in all
  double preemptions = 0;   ///< sequences put back in the queue because the cache was full
  double left_waiting = 0;  ///< requests before the last that are in the queue when that one arrives
};

/// Plays requests, in the order of their arrival, through a server with continuous batching: first come,
/// first served; if the cache is full, the youngest sequence goes back to the queue, and its tokens are read
/// again. Every request must fit into the cache by itself. Time is reported in equal parts, the last one
/// shorter: `moments` of them, or up to twice as many.
ServedLoad simulated_server(std::span<const ServedRequest> requests, const ServerLimits& limits,
                            const ServerPace& pace, std::size_t moments);

}  // namespace commcost
