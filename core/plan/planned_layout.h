#pragma once

#include <cstdint>

#include "core/plan/space.h"

namespace commcost {

/// One layout with its time and memory: a row of a plan.
struct PlannedLayout {
  Job job;  ///< as training_step takes it
  StepParts parts;
  double step_time_ms = 0;
  double memory_gib = 0;
  bool is_tight = false;          ///< whether it leaves less memory than the wanted headroom
  std::uint32_t division = 0;     ///< of the GPUs, as its search numbers them: its family
  std::uint32_t combination = 0;  ///< of settings, as all_combinations() numbers them
  std::uint32_t changes = 0;      ///< settings of it that differ from the given ones
};

/// Which of two layouts comes first: the one that leaves headroom, then the faster, then the smaller, then
/// the plainer, by layout before settings. A total order, so that the result does not depend on the order of
/// the search.
bool comes_before(const PlannedLayout& one, const PlannedLayout& other);

/// Which of two tied layouts is simpler to run: it divides a replica in fewer ways, then its pipeline needs
/// fewer chunks, then ZeRO shards less besides the optimizer, then fewer settings are changed, then it leaves
/// more memory. A total order.
bool is_simpler(const PlannedLayout& one, const PlannedLayout& other);

}  // namespace commcost
