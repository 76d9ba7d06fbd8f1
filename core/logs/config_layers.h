#pragma once

#include <cstdint>

#include "core/logs/config_keys.h"

namespace commcost {

/// Of so many layers of a model with experts, those without: by the list or the rule that the configuration
/// has, `usual` first ones where it has none. A remark where they are not the first.
std::int64_t dense_layers(ConfigKeys& config, std::int64_t layers, std::int64_t usual);

/// Layers with an attention and an MLP, where a configuration lists blocks of one kind each
/// (hybrid_override_pattern, layers_block_type): as many as there are MLPs, which hold most of the weights.
/// 0: it does not.
std::int64_t layers_of_blocks(ConfigKeys& config);

/// Remarks on layers whose attention is priced as what it is not: linear attention, state spaces,
/// convolutions, windows, sparse attention.
void remark_attention(ConfigKeys& config, std::int64_t layers);

/// Remarks on what stands beside attention and MLP in each layer and is left out.
void remark_beside(ConfigKeys& config);

}  // namespace commcost
