#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/outcome.h"

namespace commcost {

/// What a model's shape leaves out, or holds as something similar.
enum class LeftOut : std::uint8_t {
  window,            ///< layers of them all
  linear_attention,  ///< the same
  state_space,       ///< the same
  convolution,       ///< the same
  sparse_attention,  ///< the same
  windows,           ///< of layers that are not counted
  selected_tokens,   ///< the same
  single_blocks,     ///< blocks, and how many are Mamba
  moved_dense,       ///< layers of them all
  state_beside,
  own_embeddings,
  shared_cache,  ///< layers
  zero_experts,
  shared_width,  ///< a width, an expert's, and the experts that it is counted as
  low_rank_queries,
  low_rank_output,
  hyper_connections,  ///< streams
  output_gate,
  attention_biases,
  further_tokens,
  text_part,
};

/// The sentence about it, with its numbers.
std::string left_out_words(LeftOut kind, std::span<const std::int64_t> numbers);

/// The same as short text that left_out_of() reads: "linear_attention.36.48".
std::string left_out_code(LeftOut kind, std::span<const std::int64_t> numbers);

/// The sentences that such texts say, with commas between two; a problem of `field` for each that is none.
Outcome<std::vector<std::string>> left_out_of(std::string_view field, std::string_view codes);

}  // namespace commcost
