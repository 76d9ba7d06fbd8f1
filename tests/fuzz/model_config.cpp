// The reader of configurations: a shape whose every number can be, or sentences.

#include "core/logs/model_config.h"

#include <cmath>
#include <cstdint>

#include "core/model/parameters.h"
#include "fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace commcost;
  using fuzz::require;
  const Outcome<ModelConfig> read = read_model_config({reinterpret_cast<const char*>(data), size});
  if (!read) {
    require(!read.problems().empty());
    for (const Problem& problem : read.problems())
      require(problem.field == "config" && !problem.message.empty());
    return 0;
  }
  const ModelShape& shape = read->shape;
  require(shape.num_layers >= 1 && shape.hidden_size >= 1 && shape.num_heads >= 1 && shape.vocab_size >= 1);
  require(shape.num_kv_heads >= 1 && shape.num_heads % shape.num_kv_heads == 0);
  require(shape.experts_per_token <= shape.num_experts);
  require(completed(shape) == shape);
  const double parameters = parameters_of(shape).total;
  require(std::isfinite(parameters) && parameters > 0);
  require(read->context_length >= 0 && !read->model_type.empty());
  for (const ConfigRemark& remark : read->remarks) require(!remark.key.empty() && !remark.says.empty());
  return 0;
}
