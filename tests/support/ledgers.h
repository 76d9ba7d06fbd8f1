#pragma once

#include <vector>

#include "core/parallel/ledger.h"

namespace commcost::test {

/// What all stages of a completed job send, by the layers of the one that has most, in nodes of eight.
inline std::vector<SentMessage> ledger_of(const Job& job) {
  const StageShare share = stage_share(job);
  constexpr double gpus_of_a_node = 8;
  return ledger_of(job,
                   {share.layers - share.expert_layers, share.expert_layers, true, true, false,
                    static_cast<double>(held_copies(job.layout))},
                   gpus_of_a_node);
}

}  // namespace commcost::test
