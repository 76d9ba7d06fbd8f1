#pragma once

#include "core/parallel/setting.h"
#include "core/parallel/transfer.h"

namespace commcost {

/// One kind of call before it is counted in bytes.
struct Call {
  Dimension dimension;
  StepPhase phase;
  Part part;
  Payload payload;
  Collective collective;
  double elements = 0;  ///< of the message
  double calls = 0;     ///< each GPU, each step
  HiddenBy hidden_by = HiddenBy::nothing;
  Stages stages = Stages::all;
};

/// Ranks that call together, and the distance between their numbers.
struct StridedGroup {
  double size = 1;
  double stride = 1;
};

/// A setting on its way into a ledger: what the rows of every dimension are made from.
class LedgerWriter {
 public:
  explicit LedgerWriter(const Setting& setting);

  /// Adds a row; none where the group is one rank or nothing is sent.
  void add(const StridedGroup& group, const Call& call);

  const Setting& setting;
  const StageShare share;     ///< what a GPU holds
  const double steps;         ///< micro-batches of a replica
  const double local_tokens;  ///< tokens of a micro-batch on a context rank
  const double hidden;        ///< hidden_size
  const bool training;        ///< whether there is a backward pass
  const StepPhase forward;    ///< the forward pass's name in this mode
  Ledger ledger;

 private:
  double wire_bytes(Payload payload) const;
  double kept_bytes(Payload payload) const;
};

/// The rows of one dimension each, in the order of a ledger.
void add_tensor(LedgerWriter& writer);
void add_vocabulary(LedgerWriter& writer);
void add_data(LedgerWriter& writer);
void add_pipeline(LedgerWriter& writer);
void add_context(LedgerWriter& writer);
void add_expert(LedgerWriter& writer);

/// The ranks that share a layer's matrices.
StridedGroup tensor_group(const Layout& layout);
/// The ranks that share a sequence.
StridedGroup context_group(const Layout& layout);
/// The ranks that hold the same weights, routed experts apart.
StridedGroup data_group(const Layout& layout);
/// The ranks that share a layer's experts.
StridedGroup expert_group(const Layout& layout);
/// The ranks that hold the same experts.
StridedGroup expert_data_group(const Layout& layout);
/// The stages that one replica's activations pass.
StridedGroup pipeline_group(const Layout& layout);
/// The first and the last of them.
StridedGroup pipeline_ends(const Layout& layout);

}  // namespace commcost
