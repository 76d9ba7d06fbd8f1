#pragma once

#include <cstdint>

#include "core/model/activations.h"
#include "core/parallel/communication.h"

namespace commcost {

/// What is kept for every parameter; inference keeps only weights.
enum class StateKind : std::uint8_t { weights, gradients, optimizer };

/// Whether ZeRO divides it among replicas: the optimizer's state from stage 1 on, gradients from stage 2 on
/// unless micro-batches are added up whole, weights at stage 3 (arXiv:1910.02054, figure 1).
bool is_sharded(const Layout& layout, StateKind kind);

/// One part of the model on the GPUs of a stage, and who shares it: described only here. Memory, ZeRO's
/// table, the optimizer's work and the messages of replicas are sums over these rows; memory also over those
/// of micro-batches (PassHolding).
struct Holding {
  Part part;
  AmongLayers layers;  ///< the layers that it is part of; all: an end of the model
  Stages stages;       ///< that keep it
  DataGroups ranks;    ///< that keep the same, and among which ZeRO shards it
  double elements;     ///< parameters of one module: a layer, its routed experts, an end of the model
  double whole;        ///< of them, those that every tensor rank keeps whole: norms, added biases, routers
  double modules;      ///< of one copy, on a stage that keeps it
  double copies;       ///< Stage::copies; of an end of the model one
  double parameters;   ///< on a GPU of this stage, in all its copies; 0 where only other stages keep it
};

/// What a GPU of one stage keeps of the model, including what only stages at other places keep.
using Holdings = FixedList<Holding, 5>;

/// Layers, embedding, LM head, and the routed experts, which fewer ranks keep the same.
Holdings holdings_of(const Job& job, const StageShare& share, const Stage& stage);

/// Bytes of weights, gradients and optimizer state on one GPU; served layers' weights in their own type.
struct ModelState {
  double weights = 0;
  double gradients = 0;
  double optimizer = 0;
  double host = 0;  ///< optimizer state in host memory instead

  double total() const { return weights + gradients + optimizer; }
};
ModelState model_state(const Holdings& holdings, const Work& work, const Layout& layout);

/// Parameters whose state a GPU keeps after ZeRO has divided it: an optimizer updates its own.
double parameters_kept(const Holdings& holdings, const Layout& layout, StateKind kind);
/// The share of the optimizer's state that the host keeps and updates, 0 to 1.
double offloaded_optimizer_share(const Work& work);
/// Parameters on a GPU before that division.
double parameters_on_gpu(const Holdings& holdings);
/// Parameters of a layer as ZeRO-3 gathers it, of the stage's larger kind; 0 at other ZeRO stages.
double gathered_parameters(const Holdings& holdings, const Layout& layout);

/// Parameters on one GPU of the stage that keeps most, of a completed job.
double parameters_per_gpu(const Job& job);

/// What is kept of a micro-batch.
enum class PassState : std::uint8_t {
  activations,  ///< until its backward pass; if only some layers are recomputed, those of these
  logits,       ///< until the loss is done with them
  cache,        ///< keys and values, until the answer ends
  working,      ///< while one layer is computed
  whole,        ///< as activations, of the layers that full recomputation leaves alone
};

/// Something that a GPU keeps for one micro-batch.
struct PassHolding {
  PassState kind;
  Part part;
  AmongLayers layers;  ///< in each of which it is kept; all: in none, at the end of the model
  double bytes;        ///< in one layer, or at the end
};

/// Everything that a GPU keeps for one micro-batch of a completed job. Depends on the layout only by the
/// degrees that a layer sees.
using PassHoldings = FixedList<PassHolding, 112>;
PassHoldings pass_holdings(const Job& job);

}  // namespace commcost
