#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/parallel/job.h"

namespace commcost {

// Megatron-LM's string of a pipeline's layers: E the embedding, t a decoder layer, m a layer that predicts
// further tokens, L the loss, | where the next chunk begins, (…)*n and t*n repeated
// (megatron/core/transformer/ pipeline_parallel_layer_layout.py @d98e8a64).

/// That of a job with several stages, as its layers are dealt to them; what a stage lacks, its last chunks
/// lack.
std::string pipeline_string(const Job& job);

/// What such a string says.
struct StringLayers {
  std::int64_t chunks = 1;  ///< of a stage
  std::int64_t first = 0;   ///< decoder layers of the first stage
  double inner = 0;         ///< of those between, their mean where the later have one less
  std::int64_t last = 0;    ///< of the last
};

/// Nothing where it is none for that many stages, or where stages between differ by more.
std::optional<StringLayers> layers_of_stages(std::string_view text, std::int64_t stages);

}  // namespace commcost
