#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/outcome.h"
#include "core/logs/config_keys.h"
#include "core/logs/quantization.h"
#include "core/model/shape.h"

namespace commcost {

/// What a Hugging Face config.json says about a model.
struct ModelConfig {
  std::string model_type;     ///< as the configuration names its architecture
  ModelShape shape;           ///< completed
  double context_length = 0;  ///< tokens it was made for; 0: not given
  Quantization quantization;
  std::vector<ConfigRemark> remarks;  ///< what was left out, guessed, or counted as something similar
};

/// Longest configuration that is read, bytes.
inline constexpr double longest_config = 1e6;

/// Reads a config.json by its keys, with the transformers library's defaults for its model_type if that is
/// known, or lists every problem. Models that also see or hear are read as their text part. Nothing in it is
/// executed.
Outcome<ModelConfig> read_model_config(std::string_view json);

}  // namespace commcost
