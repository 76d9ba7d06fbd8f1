#pragma once

#include "core/base/outcome.h"
#include "core/collective/group.h"
#include "core/collective/hockney.h"
#include "core/collective/kind.h"
#include "core/collective/method.h"

namespace commcost {

/// Which collective, among how many ranks, and how algorithms with a choice cut it.
struct CollectiveInputs {
  Collective collective = Collective::all_reduce;
  int ranks = 1;  ///< 1 to 2^20
  int group_size =
      0;           ///< ranks of an inner group, a divisor of `ranks`; 0: the one nearest their square root
  int pieces = 0;  ///< pieces of a pipeline; 0: the fastest number
};

/// The same, by a certain algorithm.
struct MethodInputs : CollectiveInputs {
  Algorithm algorithm = Algorithm::ring;
};

/// Links and adders as given by a caller.
struct HockneyInputs {
  double latency_us = 0;            ///< alpha, 0 to 1e9 µs
  double bandwidth_gb_per_sec = 1;  ///< 1 / beta, one way, per rank, 1e-6 to 1e9 GB/s
  double reduce_gb_per_sec = 0;     ///< 1 / gamma, 1e-6 to 1e9 GB/s; 0: adding is free
  double inside_latency_us = 0;     ///< alpha within groups, 0 to 1e9 µs
  double inside_bandwidth_gb_per_sec =
      0;  ///< 1 / beta within groups, 1e-6 to 1e9 GB/s; 0: all as across them
};

/// A method with the ranks that carry it out.
struct PlacedMethod {
  const Method* method;
  Group group;  ///< `pieces` is 0 until they are chosen
};

/// The group for the inputs, its size chosen where it is 0; a problem where it does not divide the ranks.
Outcome<Group> group_for(const CollectiveInputs& inputs);

/// The method and the group, or the problems of both.
Outcome<PlacedMethod> placed_method_for(const MethodInputs& inputs);

/// The machine, or a problem if a bandwidth is between 0 and the least.
Outcome<HockneyMachine> machine_for(const HockneyInputs& inputs);

}  // namespace commcost
