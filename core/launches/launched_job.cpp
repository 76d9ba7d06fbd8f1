#include "core/launches/launched_job.h"

#include <algorithm>
#include <numeric>

namespace commcost {

const ModelRow* model_of_shape(const ModelShape& shape, const ModelRow* hint) {
  const auto is = [&](const ModelRow& row) { return completed(row.shape) == shape; };
  if (hint != nullptr && is(*hint)) return hint;
  const auto models = all_models();
  const auto found = std::find_if(models.begin(), models.end(), is);
  return found == models.end() ? nullptr : &*found;
}

std::int64_t launched_gpus_per_node(const LaunchedJob& launched) {
  const std::int64_t gpus = launched_gpus(launched);
  const std::int64_t per_node = launched.job.machine.gpus_per_node;
  return gpus <= per_node ? gpus : std::gcd(gpus, per_node);
}

std::int64_t launched_nodes(const LaunchedJob& launched) {
  return launched_gpus(launched) / launched_gpus_per_node(launched);
}

}  // namespace commcost
