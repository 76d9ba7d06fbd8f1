#pragma once

#include <string_view>

namespace commcost {

/// What a group of ranks does together; names and meanings as in MPI and nccl-tests. The root is rank 0.
enum class Collective {
  all_reduce,      ///< every rank ends with the sum of all vectors
  all_gather,      ///< every rank ends with every rank's block
  reduce_scatter,  ///< every rank ends with its block of the sum
  broadcast,       ///< every rank ends with the root's vector
  reduce,          ///< the root ends with the sum
  gather,          ///< the root ends with every rank's block
  scatter,         ///< every rank ends with its block of the root's vector
  all_to_all,      ///< every rank ends with its block of every rank's vector
  send_receive,    ///< every rank ends with its left neighbour's vector
  barrier,         ///< no rank leaves before every rank has arrived; carries no bytes
};

/// The collectives' names across the boundary, in their order.
inline constexpr std::string_view collective_names[] = {
    "all_reduce", "all_gather", "reduce_scatter", "broadcast",    "reduce",
    "gather",     "scatter",    "all_to_all",     "send_receive", "barrier"};

/// How they do it; method.h lists which algorithm serves which collective.
enum class Algorithm {
  ring,                ///< round a ring; a pipelined chain where there is a root
  recursive_doubling,  ///< exchange with partners at distance 1, 2, 4, ...
  recursive_halving,   ///< exchange halves, quarters, ... at distance p/2, p/4, ...
  rabenseifner,        ///< recursive halving, then recursive doubling (or a gather to the root)
  binomial_tree,       ///< a tree whose root sends to ranks p/2, p/4, ..., 1
  double_binary_tree,  ///< two trees at once, half the message each, in pieces
  bruck,               ///< blocks travel by the bits of their distance
  pairwise,            ///< in round s, rank r sends to rank r + s
  direct,              ///< one shot: everyone sends to everyone at once
  two_shot,            ///< direct reduce-scatter, then direct all-gather
  scatter_all_gather,  ///< binomial scatter, then ring all-gather (van de Geijn)
  dissemination,       ///< each rank passes the news on to rank r + 1, r + 2, r + 4, ...
  two_level,           ///< rings within groups (nodes) and rings across them
  torus_2d,            ///< rings along the rows and the columns of a torus
  in_network,          ///< a switch adds and multicasts (SHARP, NVLS)
};

/// The algorithms' names across the boundary, in their order.
inline constexpr std::string_view algorithm_names[] = {
    "ring",         "recursive_doubling", "recursive_halving",
    "rabenseifner", "binomial_tree",      "double_binary_tree",
    "bruck",        "pairwise",           "direct",
    "two_shot",     "scatter_all_gather", "dissemination",
    "two_level",    "torus_2d",           "in_network"};

/// The name as it crosses the boundary, such as "all_reduce".
constexpr std::string_view name_of(Collective collective) {
  return collective_names[static_cast<int>(collective)];
}

/// The name as it crosses the boundary, such as "ring".
constexpr std::string_view name_of(Algorithm algorithm) {
  return algorithm_names[static_cast<int>(algorithm)];
}

/// Whether the ranks' vectors are added up.
constexpr bool reduces(Collective collective) {
  return collective == Collective::all_reduce || collective == Collective::reduce_scatter ||
         collective == Collective::reduce;
}

}  // namespace commcost
