#pragma once

#include "core/logs/config_keys.h"

namespace commcost {

/// The bytes in which a checkpoint's quantization keeps an element, scales included; 0: as it computes.
struct Quantization {
  double weight_bytes = 0;
  double cache_bytes = 0;
};

/// Reads quantization_config (fp8, mxfp4, compressed-tensors, modelopt, awq, gptq, bitsandbytes) from the
/// configuration whole or from its text part; a remark says what was read.
Quantization read_quantization(const ConfigKeys& whole, ConfigKeys& text);

}  // namespace commcost
