#include "core/model/recomputation.h"

#include <algorithm>

namespace commcost {

bool recomputes_all(const Work& work) {
  return work.recompute == Recompute::full;
}

bool repeats_some_layers(const Work& work) {
  return recomputes_all(work) && work.recomputed_layers > 0;
}

double repeated_share(const Work& work, double layers) {
  if (work.recomputed_layers == 0 || layers <= 0) return 1;
  return std::min(1.0, static_cast<double>(work.recomputed_layers) / layers);
}

bool recomputes(const Work& work, bool Work::*part) {
  return work.recompute == Recompute::selective && work.*part;
}

double recomputed_share(const Matrix& matrix, const LayerMatrices& layer, const Work& work) {
  if (matrix.from_latent && recomputes(work, &Work::recompute_latent_projections)) return 1;
  if (!recomputes(work, &Work::recompute_products)) return 0;
  const bool latent = layer.attention.latents > 0;
  switch (matrix.part) {
    case MatrixPart::query_key_value:
      if (latent) return matrix.from_latent ? 1 : 0;
      return layer.attention.keys / layer.attention.all();
    case MatrixPart::attention_output:
      return latent ? 0 : 1;
    case MatrixPart::mlp_in:
      if (matrix.owner == MatrixOwner::routed_expert) return 1;
      return layer.gated ? 0.5 : 0;
    case MatrixPart::router:
    case MatrixPart::mlp_out:
      break;
  }
  return 0;
}

bool selective_saves_memory(const ModelShape& shape, const Work& work) {
  return (work.recompute_attention_core && !work.flash_attention) || work.recompute_elementwise ||
         work.recompute_products || (work.recompute_latent_projections && shape.kv_rank > 0);
}

bool reads_elementwise(const Matrix& matrix) {
  switch (matrix.part) {
    case MatrixPart::attention_output:
      return false;
    case MatrixPart::mlp_in:
      return matrix.owner != MatrixOwner::routed_expert;
    case MatrixPart::query_key_value:
    case MatrixPart::router:
    case MatrixPart::mlp_out:
      break;
  }
  return true;
}

}  // namespace commcost
