#include "core/training/step_lists.h"

namespace commcost {

StepLists::StepLists(const Job& job) {
  const StageShare share = stage_share(job);
  stages = distinct_stages(job, share);
  add_layer_messages(job, of_layers);
  add_vocabulary_messages(job, of_ends);
  add_boundary_messages(job, of_boundaries);
  for (std::size_t at = 0; at < stages.size(); ++at) {
    held[at] = holdings_of(job, share, stages[at]);
    add_update_messages(job, share, held[at], updates[at]);
  }
}

}  // namespace commcost
