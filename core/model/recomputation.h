#pragma once

#include "core/model/matrices.h"
#include "core/model/work.h"

namespace commcost {

/// Whether the backward pass computes every layer again from its input, and sends its messages again.
bool recomputes_all(const Work& work);

/// Whether full recomputation may leave layers of a stage alone.
bool repeats_some_layers(const Work& work);

/// The share of a stage's layers that full recomputation repeats, 0 to 1.
double repeated_share(const Work& work, double layers);

/// Whether the backward pass computes that part of every layer again, one of Work's recompute_… flags.
bool recomputes(const Work& work, bool Work::*part);

/// Of what a matrix writes, the share that selective recomputation multiplies again: projections up from
/// latents; every other product in the layer's order, as PyTorch's policy by operations counts them: keys,
/// the attention's output, of gate and projection in the second, and routed experts' products, which it does
/// not know (github.com/pytorch/torchtitan, activation_checkpoint.py).
double recomputed_share(const Matrix& matrix, const LayerMatrices& layer, const Work& work);

/// Whether selective recomputation keeps less than no recomputation: the core of flash attention alone, which
/// stores no scores, does not.
bool selective_saves_memory(const ModelShape& shape, const Work& work);

/// Whether a matrix reads the output of a norm or an activation function, rather than what was sent or
/// attended to.
bool reads_elementwise(const Matrix& matrix);

}  // namespace commcost
