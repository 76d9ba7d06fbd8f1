#pragma once

#include "core/collective/kind.h"

namespace commcost {

/// How often a ring goes round in a collective: twice to reduce and then to gather, else once.
constexpr double ring_passes(Collective collective) {
  return collective == Collective::all_reduce || collective == Collective::barrier ? 2 : 1;
}

}  // namespace commcost
