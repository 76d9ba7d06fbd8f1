#pragma once

#include "core/base/units.h"
#include "core/calculator/common_fields.h"
#include "core/collective/call.h"

// The input fields that the calculations about collectives share.
namespace commcost::calculations {

inline constexpr double most_ranks = 1048576;

// What is shown message by message must fit a page's memory, which limits the ranks, and the pieces of all
// ranks together.
inline constexpr double most_shown_ranks = 1024;
inline constexpr double most_shown_pieces = 64;
inline constexpr int most_shown_cut = 8192;
inline constexpr int few_pieces = 4;

inline constexpr InputField collective_field[] = {
    collective_choice_field<&CollectiveInputs::collective>(collective_names)};

inline constexpr InputField algorithm_field[] = {choice<&MethodInputs::algorithm>(
    algorithm_names, "The algorithm; collective_catalog lists those of each collective")};

constexpr InputField ranks_field(double greatest) {
  return whole<&CollectiveInputs::ranks>(1, greatest, "Number of ranks");
}

constexpr InputField group_size_field(double greatest) {
  return whole<&CollectiveInputs::group_size>(0, greatest,
                                              "Ranks of a node or of a torus's row; must divide the ranks; "
                                              "0: the divisor nearest their square root")
      .in("ranks")
      .or_default(0);
}

constexpr InputField pieces_field(double greatest) {
  return whole<&CollectiveInputs::pieces>(
             0, greatest,
             "Pieces into which a pipeline cuts the message (a double tree cuts each half); 0: the fastest "
             "number, at most 64 in a timeline, 4 in a schedule. Where messages are shown, ranks times "
             "pieces "
             "must be at most 8192")
      .or_default(0);
}

/// The problem if a pipeline has too many pieces to be shown for that many ranks.
inline void check_shown_pieces(const Outcome<PlacedMethod>& placed, Problems& problems) {
  if (!placed || !placed->method->pipelined) return;
  const int ranks = placed->group.ranks;
  const int pieces = placed->group.pieces;
  const int most = most_shown_cut / ranks;
  if (pieces <= most) return;
  problems.push_back(must_be("pieces", ProblemCode::inconsistent,
                             "at most " + text_of(static_cast<double>(most)) + " for ranks (" +
                                 text_of(static_cast<double>(ranks)) + ")",
                             text_of(static_cast<double>(pieces))));
}

/// The group of a schedule that is shown without a message size, its pieces chosen if they are 0.
inline Group shown_group(const PlacedMethod& placed) {
  Group group = placed.group;
  if (group.pieces == 0) group.pieces = few_pieces;
  if (!placed.method->pipelined) group.pieces = 1;
  return group;
}

inline constexpr InputField shown_cut[] = {group_size_field(most_shown_ranks),
                                           pieces_field(most_shown_pieces)};

inline constexpr InputField hockney_fields[] = {
    latency_field<&HockneyInputs::latency_us>(),
    rank_bandwidth_field<&HockneyInputs::bandwidth_gb_per_sec>(),
    real<&HockneyInputs::reduce_gb_per_sec>(0, 1e9, "Reduction rate of a rank (1/gamma); 0: reducing is free")
        .labelled("Reduction rate")
        .or_default(0),
    real<&HockneyInputs::inside_latency_us>(0, 1e9, "Latency within groups, if they have their own links")
        .labelled("Latency within groups")
        .or_default(0),
    real<&HockneyInputs::inside_bandwidth_gb_per_sec>(
        0, 1e9, "Bandwidth within groups; 0: latency and bandwidth as across them")
        .labelled("Bandwidth within groups")
        .or_default(0),
};

}  // namespace commcost::calculations
