#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/model/flops.h"
#include "core/model/parameters.h"
#include "core/parallel/stage_share.h"
#include "core/textbook/playbook_sizes.h"

namespace commcost {

/// The settings of arXiv:2205.05198, table 2.
enum class ActivationSetting : std::uint8_t {
  unsplit,
  tensor,
  tensor_sequence,
  tensor_selective,
  tensor_sequence_selective,
  full,
};
inline constexpr std::string_view activation_setting_names[] = {
    "unsplit", "tensor", "tensor_sequence", "tensor_selective", "tensor_sequence_selective", "full"};

/// Activations that one micro-batch leaves on a GPU, by how they are split and recomputed.
struct ActivationRow {
  ActivationSetting setting;
  double layer_bytes;          ///< of one layer
  double all_layers_bytes;     ///< of all layers, without a pipeline
  double rule_of_thumb_bytes;  ///< of all layers, by the classic shape's formula
};

/// What the fullest GPU keeps at a ZeRO stage, and what one on the stage that sends most sends: the job's
/// step with that ZeRO stage.
struct ZeroRow {
  std::int64_t zero_stage;
  double weights_bytes;
  double gradients_bytes;
  double optimizer_bytes;
  double total_bytes;          ///< of these three
  double bytes_per_parameter;  ///< of these three; parameters before ZeRO divides them
  double memory_bytes;         ///< including activations, logits and the layer being computed
  double sent_bytes_per_gpu;   ///< of gradients and weights, in a step, to its replicas
};

/// Everything that follows from shape, work and layout without a machine.
struct SizesReport {
  std::vector<SizeRow> sizes;
  Parameters parameters;
  LayerFlops layer_flops;          ///< forward, of one layer and one micro-batch
  StepFlops step_flops;            ///< of the whole step
  double rule_of_thumb_flops = 0;  ///< of the step: 6 N a token
  std::vector<ActivationRow> activations;
  std::vector<ZeroRow> zero_stages;
};

/// The report of a completed job without problems.
SizesReport sizes_report(const Job& job);

}  // namespace commcost
