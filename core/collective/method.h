#pragma once

#include <array>
#include <span>
#include <string_view>

#include "core/base/outcome.h"
#include "core/collective/counts.h"
#include "core/collective/kind.h"
#include "core/collective/phase.h"

namespace commcost {

/// An algorithm for a collective: the row that cost, schedule, validation, page and docs read.
struct Method {
  Collective collective;               ///< what it does
  Algorithm algorithm;                 ///< how
  std::array<const Phase*, 4> phases;  ///< one after the other; null where there are fewer
  int (*chunks)(const Group& group);   ///< how many chunks its schedule tells apart
  ClosedForm* counts;                  ///< its closed form, for at least 2 ranks
  int ports;                           ///< messages that a rank may send, or get, in a round; 0: any number
  bool grouped;                        ///< whether group_size matters
  bool pipelined;                      ///< whether pieces matters
  std::string_view form;               ///< its time in words
  std::string_view source;             ///< where that comes from
  std::string_view published;          ///< the source's own form, where the schedule counts something else

  /// Whether a rank never has more than one message under way each way, and no switch adds.
  constexpr bool one_port() const { return ports == 1 && algorithm != Algorithm::in_network; }
};

/// Every method, by collective.
std::span<const Method> all_methods();

/// The method for that collective and algorithm, or null where there is none.
const Method* find_method(Collective collective, Algorithm algorithm);

/// The same, or a problem that lists the collective's algorithms.
Outcome<const Method*> method_for(Collective collective, Algorithm algorithm);

/// A method's closed form; at one rank, where nothing is sent, all zero.
Counts counts_of(const Method& method, const Group& group);

}  // namespace commcost
