#include "core/parallel/communications.h"

#include "core/parallel/message_parts.h"

namespace commcost {

void add_layer_messages(const Job& job, Communications& list) {
  add_tensor_messages(job, list);
  add_context_messages(job, list);
  add_expert_messages(job, list);
}

void add_update_messages(const Job& job, const StageShare& share, const Holdings& holdings,
                         Communications& list) {
  if (job.work.mode != Mode::training) return;
  add_replicated_messages(job.layout, holdings, list);
  add_data_messages(job.layout, holdings, list);
  add_tied_embedding_message(job, share, list);
}

Communications communications_of(const Job& job, const StageShare& share, const Stage& stage) {
  Communications list;
  add_layer_messages(job, list);
  add_vocabulary_messages(job, list);
  add_boundary_messages(job, list);
  add_update_messages(job, share, holdings_of(job, share, stage), list);
  return list;
}

}  // namespace commcost
