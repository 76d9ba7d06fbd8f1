#include "core/model/flops.h"

#include "core/model/recomputation.h"

namespace commcost {
double keys_per_query(const Work& work) {
  const auto sequence = static_cast<double>(work.sequence_length);
  // In decode the one query sees the whole cache, mask or none.
  return work.causal_attention && work.mode != Mode::decode ? sequence / 2 : sequence;
}

LayerFlops layer_flops(const ModelShape& shape, double tokens, double keys, LayerKind kind) {
  const LayerMatrices layer = layer_matrices(shape, kind);
  LayerFlops flops;
  for (const Matrix& matrix : layer) {
    const double product = tokens * matrix.flops();
    switch (matrix.part) {
      case MatrixPart::query_key_value:
        flops.query_key_value += product;
        break;
      case MatrixPart::attention_output:
        flops.attention_output += product;
        break;
      case MatrixPart::router:
      case MatrixPart::mlp_in:
      case MatrixPart::mlp_out:
        flops.mlp += product;
        break;
    }
  }
  flops.attention_core = 2 * tokens * keys * layer.attention.heads * layer.attention.head_width();
  return flops;
}

double logits_flops(const ModelShape& shape, double tokens) {
  return tokens * head_matrix(shape).flops();
}

namespace {

// FLOPs of one pass that selective recomputation does again.
struct RecomputedFlops {
  double attention_core = 0;
  double products = 0;
};

RecomputedFlops recomputed_flops(const ModelShape& shape, const Work& work, double tokens) {
  RecomputedFlops again;
  if (recomputes(work, &Work::recompute_attention_core)) {
    again.attention_core = over_layers(shape, [&](LayerKind kind) {
      return layer_flops(shape, tokens, keys_per_query(work), kind).attention_core;
    });
  }
  again.products = over_layers(shape, [&](LayerKind kind) {
    const LayerMatrices layer = layer_matrices(shape, kind);
    double flops = 0;
    for (const Matrix& matrix : layer)
      flops += recomputed_share(matrix, layer, work) * tokens * matrix.flops();
    return flops;
  });
  return again;
}

}  // namespace

StepFlops step_flops(const ModelShape& shape, const Work& work, double sequences) {
  const bool training = work.mode == Mode::training;
  const double queries =
      sequences * (work.mode == Mode::decode ? 1.0 : static_cast<double>(work.sequence_length));
  const double keys = keys_per_query(work);
  const auto layer = [&](LayerKind kind) { return layer_flops(shape, queries, keys, kind); };
  const double layers = over_layers(shape, [&](LayerKind kind) { return layer(kind).total(); });

  StepFlops flops;
  flops.forward = layers + logits_flops(shape, training ? queries : sequences);
  if (training) {
    flops.backward = 2 * flops.forward;
    flops.recompute = work.recompute == Recompute::full ? layers : 0;
  }
  const RecomputedFlops again = training ? recomputed_flops(shape, work, queries) : RecomputedFlops{};
  flops.recompute += again.attention_core + again.products;
  flops.model = flops.forward + flops.backward;
  flops.hardware = flops.model + flops.recompute + 2 * again.attention_core;
  return flops;
}

double utilization_percent(double flops, double time_ms, double num_gpus, double peak_tflops) {
  return 100 * flops / (time_ms * 1e-3 * num_gpus * peak_tflops * 1e12);
}

}  // namespace commcost
