#include "core/parallel/communications.h"

#include "core/parallel/message_parts.h"

namespace commcost {

void add_layer_messages(const Setting& setting, Communications& list) {
  add_tensor_messages(setting, list);
  add_context_messages(setting, list);
  add_expert_messages(setting, list);
}

void add_update_messages(const Setting& setting, const StageShare& share, const Holdings& holdings,
                         Communications& list) {
  if (setting.work.mode != Mode::training) return;
  add_replicated_messages(setting.layout, holdings, list);
  add_data_messages(setting.layout, holdings, list);
  add_tied_embedding_message(setting, share, list);
}

Communications communications_of(const Setting& setting, const StageShare& share, const Stage& stage) {
  Communications list;
  add_layer_messages(setting, list);
  add_vocabulary_messages(setting, list);
  add_boundary_messages(setting, list);
  add_update_messages(setting, share, holdings_of(setting, share, stage), list);
  return list;
}

}  // namespace commcost
