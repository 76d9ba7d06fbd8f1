#pragma once

#include "core/model/kernels.h"

namespace commcost {

/// Matrix FLOPs of one layer's forward pass, by what is multiplied (a multiply-add counts two).
struct LayerFlops {
  double query_key_value = 0;   ///< projections to queries, keys and values
  double attention_core = 0;    ///< scores and values
  double attention_output = 0;  ///< projection back to the residual stream
  double mlp = 0;               ///< MLP; with experts: the router, those visited, the shared ones

  double products() const { return query_key_value + attention_output + mlp; }
  double total() const { return products() + attention_core; }
};

/// Matrix FLOPs of a step of the whole model, by phase.
struct StepFlops {
  double forward = 0;    ///< layers and logits
  double backward = 0;   ///< twice the forward pass
  double recompute = 0;  ///< computed again: the layers, or what is selected of them
  double model = 0;      ///< forward and backward: what MFU counts
  double hardware = 0;   ///< what HFU counts: recomputation too, a selectively recomputed core three times
};

/// Model FLOPs of the forward kernels of a layer: 24 b s h^2 + 4 b s^2 h for the classic shape
/// (arXiv:2104.04473, appendix).
LayerFlops layer_flops(const Kernels& kernels);

/// The same of one layer and one micro-batch, unsplit.
LayerFlops layer_flops(const ModelShape& shape, const Work& work, LayerKind kind);

/// Model FLOPs of kernels, by phase.
StepFlops step_flops(const Kernels& kernels);

/// Those of a step over `sequences` sequences: 72 B L s h^2 (1 + s/6h + V/12hL) without recomputation
/// (arXiv:2205.05198, appendix A), 96 B s L h^2 (1 + s/6h + V/16Lh) with all of it (arXiv:2104.04473,
/// equation 3), of that as much as its share of layers computed again. Inference has a forward pass alone,
/// and logits of one token a sequence.
StepFlops step_flops(const ModelShape& shape, const Work& work, double sequences, double repeated_share = 1);

/// Share of the peak, in percent: MFU from model FLOPs, HFU from hardware FLOPs; the two are never compared.
double utilization_percent(double flops, double time_ms, double num_gpus, double peak_tflops);

}  // namespace commcost
