#pragma once

#include "core/model/shape.h"
#include "core/parallel/layout.h"

namespace commcost {

/// Elements of a token that a rank exchanges under context parallelism.
struct ExchangedWidths {
  double queries;          ///< its queries on a tensor rank, and as many of the attention's output
  double keys_and_values;  ///< its keys and values together; under latent attention the latents
};

/// What a token is worth to the context group; under Ulysses every rank ends with whole heads, copies where
/// there are too few (arXiv:2309.14509).
ExchangedWidths exchanged_widths(const ModelShape& shape, const Layout& layout);

/// Over how many tensor ranks the tokens for the experts are shared: with sequence parallelism each sends its
/// own, without it each sends all.
double expert_senders(const Layout& layout);

}  // namespace commcost
