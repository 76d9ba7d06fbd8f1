#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/collective/kind.h"
#include "core/collective/token_exchange.h"
#include "core/model/shape.h"
#include "core/parallel/rank_groups.h"
#include "core/parallel/stage.h"

namespace commcost {

/// Which way of spreading the work causes a message.
enum class Dimension : std::uint8_t {
  tensor,      ///< matrices of a layer shared by ranks
  sequence,    ///< what sequence parallelism adds to that: gradients of norms, inputs gathered again
  vocabulary,  ///< embedding, LM head and loss shared by the tensor ranks
  data,        ///< gradients and weights of replicas
  pipeline,    ///< activations and their gradients from stage to stage
  context,     ///< keys and values of ranks that share a sequence
  expert,      ///< tokens on their way to experts and back
};
inline constexpr std::string_view dimension_names[] = {"tensor",   "sequence", "vocabulary", "data",
                                                       "pipeline", "context",  "expert"};
inline constexpr std::size_t num_dimensions = std::size(dimension_names);

/// When in an iteration a message is sent.
enum class StepPhase : std::uint8_t { forward, backward, recompute, optimizer, prefill, decode };
inline constexpr std::string_view phase_names[] = {"forward",   "backward", "recompute",
                                                   "optimizer", "prefill",  "decode"};

/// Which part of the model it serves.
enum class Part : std::uint8_t {
  attention,
  mlp,             ///< of a dense layer, or the routed experts of a layer
  shared_experts,  ///< of a layer with experts
  layer,           ///< attention and MLP in one, where they share a sum
  norm,            ///< what every tensor rank holds whole: norms, biases added after a sum, routers, latents
  embedding,
  lm_head,
  loss,
  layers,    ///< all layers of a stage but their routed experts
  experts,   ///< the routed experts of a stage
  model,     ///< layers, embedding and LM head together, on one stage
  boundary,  ///< between two stages
};
inline constexpr std::string_view part_names[] = {"attention", "mlp",       "shared_experts", "layer",
                                                  "norm",      "embedding", "lm_head",        "loss",
                                                  "layers",    "experts",   "model",          "boundary"};

/// The message's content; the number of bytes an element takes on the wire follows from it.
enum class Payload : std::uint8_t {
  activations,
  activation_gradients,
  keys_and_values,
  weights,
  weight_gradients,
  loss_terms,  ///< fp32 whatever the rest is
  logits,
  dispatched,  ///< tokens to their experts, or gradients of what these return
  combined,    ///< what experts return, or gradients of their tokens
};
inline constexpr std::string_view payload_names[] = {"activations", "activation_gradients", "keys_and_values",
                                                     "weights",     "weight_gradients",     "loss_terms",
                                                     "logits",      "dispatched",           "combined"};

/// The compute that a message overlaps with; nothing: it is on the critical path.
enum class OverlapsWith : std::uint8_t {
  nothing,
  forward,            ///< the forward pass of a micro-batch
  backward,           ///< the backward pass of a micro-batch, with what it computes again
  weight_gradient,    ///< the weight gradient of the part's column-parallel matrix
  input_gradient,     ///< the input gradient of that matrix
  attention,          ///< the attention core of the same pass
  product,            ///< the products before or after it, piece by piece
  other_micro_batch,  ///< both passes of another micro-batch in the same layer
};
inline constexpr std::string_view overlaps_with_names[] = {"nothing",         "forward",          "backward",
                                                           "weight_gradient", "input_gradient",   "attention",
                                                           "product",         "other_micro_batch"};

/// Which stages of a pipeline send a message, or keep a part of the model.
enum class Stages : std::uint8_t { all, first, last, first_and_last, all_but_first, all_but_last };
inline constexpr std::string_view stages_names[] = {"all",           "first",       "last", "first_and_last",
                                                    "all_but_first", "all_but_last"};

/// How often it is sent.
enum class Per : std::uint8_t {
  layer,        ///< in every layer of its kind, for every micro-batch
  micro_batch,  ///< once a stage for every micro-batch
  boundary,     ///< between two chunks of layers on different stages, for every micro-batch
  iteration,    ///< once a stage
};

/// Which layers send it, if it is sent in every layer.
enum class AmongLayers : std::uint8_t { all, dense, moe };

/// One kind of message of an iteration, as one GPU of a stage sends it: described only here.
struct Communication {
  Dimension dimension;
  StepPhase phase;
  Part part;
  Payload payload;
  Collective collective;
  Ranks ranks;      ///< that call together
  double elements;  ///< of the message, as nccl-tests counts it: the whole vector of a reduction or gathering
  Per per;
  double count;  ///< messages each time
  OverlapsWith overlaps_with;
  Stages stages;
  AmongLayers layers;
  std::optional<TokenExchange> exchange = {};  ///< for tokens that go to experts or back: what sends them
};

/// Whether a stage is one of those.
bool takes_part(Stages stages, const Stage& stage);
/// Whether a stage sends it.
inline bool takes_part(const Communication& message, const Stage& stage) {
  return takes_part(message.stages, stage);
}

/// Whether a layer of that kind sends it, if it is sent in every layer.
bool sent_in(const Communication& message, LayerKind kind);

/// Messages of an iteration with `micro_batches`, on a stage with as many layers that takes part.
double calls(const Communication& message, const Stage& stage, double micro_batches);

/// Every message of an iteration. Nothing is allocated: a plan goes through a million of these a second.
class Communications : public FixedList<Communication, 80> {
 public:
  /// Adds a message, unless its group has one rank, or it is empty, or never sent.
  void add(const Communication& message) {
    if (message.ranks.size > 1 && message.elements > 0 && message.count > 0) FixedList::add(message);
  }
};

}  // namespace commcost
