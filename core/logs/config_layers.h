#pragma once

#include <cstdint>

#include "core/logs/config_keys.h"

namespace commcost {

/// The number of layers without experts in a model with experts, by the configuration's list or rule; `usual`
/// first ones if it has none. Remarks if they are not the first.
std::int64_t dense_layers(ConfigKeys& config, std::int64_t layers, std::int64_t usual);

/// Layers with an attention and an MLP, where a configuration lists blocks of one kind each
/// (hybrid_override_pattern, layers_block_type): as many as there are MLPs, which hold most of the weights.
/// 0: it does not.
std::int64_t layers_of_blocks(ConfigKeys& config);

/// Remarks on layers whose attention is priced as something else: linear attention, state spaces,
/// convolutions, windows, sparse attention.
void remark_attention(ConfigKeys& config, std::int64_t layers);

/// Remarks on what each layer has besides attention and MLP and what is therefore left out.
void remark_beside(ConfigKeys& config);

}  // namespace commcost
