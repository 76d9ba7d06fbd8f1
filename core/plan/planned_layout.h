#pragma once

#include <cstdint>

#include "core/plan/space.h"

namespace commcost {

/// One layout with what it takes: a row of a plan.
struct PlannedLayout {
  Job job;  ///< as training_step takes it
  StepParts parts;
  double step_time_ms = 0;
  double memory_gib = 0;
  bool is_tight = false;          ///< whether it leaves less memory than the headroom that is wanted
  std::uint32_t division = 0;     ///< of the GPUs, as its search numbers them: its family
  std::uint32_t combination = 0;  ///< of settings, as all_combinations() numbers them
  std::uint32_t changes = 0;      ///< settings of it that are not as they were given
};

/// Which of two layouts comes first: the one that leaves headroom, then the faster, of equals the smaller,
/// then the plainer, by layout before settings. An order without ties, so that the result does not depend on
/// the order of the search.
bool comes_before(const PlannedLayout& one, const PlannedLayout& other);

/// Which of two layouts that tie is simpler to run: it divides a replica in fewer ways, then its pipeline
/// needs fewer chunks, then ZeRO shards less beside the optimizer, then fewer settings are changed, then it
/// leaves more memory. An order without ties.
bool is_simpler(const PlannedLayout& one, const PlannedLayout& other);

}  // namespace commcost
