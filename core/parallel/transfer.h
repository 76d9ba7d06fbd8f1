#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/collective/kind.h"

namespace commcost {

/// Which way of spreading the work asks for a transfer.
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

/// When in a step a transfer happens.
enum class StepPhase : std::uint8_t { forward, backward, recompute, optimizer, prefill, decode };
inline constexpr std::string_view phase_names[] = {"forward",   "backward", "recompute",
                                                   "optimizer", "prefill",  "decode"};

/// Which part of the model it serves.
enum class Part : std::uint8_t {
  attention,
  mlp,
  layer,  ///< attention and MLP in one, where they share a sum
  norm,
  embedding,
  lm_head,
  loss,
  layers,    ///< all layers of a stage but their routed experts
  experts,   ///< the routed experts of a stage
  model,     ///< layers, embedding and LM head together, on one stage
  boundary,  ///< between two stages
};
inline constexpr std::string_view part_names[] = {"attention", "mlp",     "layer",   "norm",
                                                  "embedding", "lm_head", "loss",    "layers",
                                                  "experts",   "model",   "boundary"};

/// What it carries; the number of bytes an element takes on the wire follows from it.
enum class Payload : std::uint8_t {
  activations,
  activation_gradients,
  keys_and_values,
  weights,
  weight_gradients,
  loss_terms,  ///< fp32 whatever the rest is
  logits,
};
inline constexpr std::string_view payload_names[] = {"activations", "activation_gradients", "keys_and_values",
                                                     "weights",     "weight_gradients",     "loss_terms",
                                                     "logits"};

/// Which compute may run beside a transfer; nothing: it is on the critical path.
enum class HiddenBy : std::uint8_t { nothing, forward, backward, weight_gradient, input_gradient, attention };
inline constexpr std::string_view hidden_by_names[] = {"nothing",         "forward",        "backward",
                                                       "weight_gradient", "input_gradient", "attention"};

/// Which stages of a pipeline take part.
enum class Stages : std::uint8_t { all, first, last, first_and_last, all_but_first, all_but_last };
inline constexpr std::string_view stages_names[] = {"all",           "first",       "last", "first_and_last",
                                                    "all_but_first", "all_but_last"};

/// One kind of call: what each GPU that takes part sends in a step.
struct Transfer {
  Dimension dimension;
  StepPhase phase;
  Part part;
  Payload payload;
  Collective collective;
  HiddenBy hidden_by;
  Stages stages;
  double group_size;               ///< ranks that take part in a call
  double group_stride;             ///< distance between their numbers, tensor ranks being neighbours
  double message_size_bytes;       ///< as nccl-tests counts it: the whole tensor of a reduction or gathering
  double calls;                    ///< each GPU, each step
  double sent_bytes_per_gpu;       ///< by a ring, all calls
  double quantized_bytes_per_gpu;  ///< memory read and written to change the data type, all calls; 0: not
                                   ///< changed
};

/// Whether nothing hides it.
inline bool on_critical_path(const Transfer& transfer) {
  return transfer.hidden_by == HiddenBy::nothing;
}

/// Whether the only, the first, the last, or an inner stage takes part.
bool takes_part(Stages stages, bool is_first, bool is_last);

/// Every kind of call of a step. Nothing is allocated: a plan evaluates a million of these a second.
class Ledger {
 public:
  static constexpr std::size_t capacity = 64;  ///< more kinds than any layout has

  void add(const Transfer& transfer) {
    if (size_ < capacity) rows_[size_++] = transfer;
  }
  const Transfer* begin() const { return rows_.data(); }
  const Transfer* end() const { return rows_.data() + size_; }
  std::size_t size() const { return size_; }

 private:
  std::array<Transfer, capacity> rows_;
  std::size_t size_ = 0;
};

}  // namespace commcost
