#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/outcome.h"
#include "core/model/shape.h"

namespace commcost {

/// Something in a model's configuration that its shape does not hold, or holds otherwise.
struct ConfigRemark {
  std::string key;   ///< in the configuration
  std::string says;  ///< what is left out of the shape, or taken for what
};

/// What a Hugging Face config.json says of a model.
struct ModelConfig {
  std::string model_type;     ///< as the configuration names its architecture
  ModelShape shape;           ///< completed
  double context_length = 0;  ///< tokens it was made for; 0: not told
  std::vector<ConfigRemark> remarks;
};

/// Longest configuration that is read, bytes.
inline constexpr double longest_config = 1e6;

/// The architectures (model_type) that are understood.
std::vector<std::string_view> config_model_types();

/// Reads a config.json by its model_type, as the transformers library does, or names every problem. Models
/// that also see or hear are read as their text part (text_config). Nothing of it is executed.
Outcome<ModelConfig> read_model_config(std::string_view json);

}  // namespace commcost
