#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/outcome.h"
#include "core/serving/priced_server.h"
#include "core/serving/serving_load.h"
#include "core/serving/simulated_server.h"

namespace commcost {

/// Requests and their times on one server.
struct PlayedLoad {
  std::vector<ServedRequest> requests;
  ServedLoad load;

  /// Whether fewer than a twentieth of all requests wait when the last one arrives.
  bool keeps_up() const;
};

/// Waiting times of users, ms, ascending.
struct RequestLatencies {
  std::vector<double> first_token;
  std::vector<double> token;    ///< for each request the mean of its further tokens, if it has more than one
  std::vector<double> request;  ///< until the last token
};

RequestLatencies latencies_of(const PlayedLoad& played);

/// The least of ascending values that a given share of them doesn't exceed; 0 if there is none.
double at_share(const std::vector<double>& ascending, double share);

/// Limits of a server.
struct ServerSettings {
  std::int64_t batch_size = 1;   ///< sequences at once, over all stages
  std::int64_t step_tokens = 1;  ///< most of a step
};

/// A deployment whose steps are priced once, for requests at any rate.
class LoadedServer {
 public:
  /// Or every problem of its layout, or a request that its cache can't hold.
  static Outcome<LoadedServer> made(const ServingLoadInputs& inputs);

  /// `requests_per_sec` over all servers, 0: all at once; every step takes `scale` times as long.
  PlayedLoad played(double requests_per_sec, double scale, std::size_t moments);

  /// The same with other settings, none above those it was made with.
  LoadedServer with(const ServerSettings& settings) const;

  /// From then on that many servers side by side, each with its share of the rate.
  void share_among(double replicas);

  const Job& job() const { return job_; }
  double cache_tokens() const { return cache_tokens_; }  ///< of a group of tensor ranks
  double servers() const { return servers_; }            ///< groups of tensor ranks, of all replicas

 private:
  LoadedServer(const ServingLoadInputs& inputs, const Job& job, double cache_tokens);

  ServingLoadInputs inputs_;
  Job job_;
  double cache_tokens_;
  double servers_;
  ServerLimits limits_;
  PricedServer pace_;
};

}  // namespace commcost
