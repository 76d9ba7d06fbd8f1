#include "core/parallel/exchange.h"

#include <algorithm>

#include "core/parallel/setting.h"

namespace commcost {

ExchangedWidths exchanged_widths(const ModelShape& shape, const Layout& layout) {
  const ModelShape shard = tensor_shard(shape, layout.tensor_parallel);
  const auto head = static_cast<double>(shard.head_size);
  const double queries = static_cast<double>(shard.num_heads) * head;
  // Every tensor rank holds the latents whole.
  if (shard.kv_rank > 0) return {queries, static_cast<double>(shard.kv_rank + shard.rope_head_size)};
  double kv_heads = static_cast<double>(shard.num_kv_heads);
  if (layout.context_scheme == ContextScheme::ulysses) {
    kv_heads = std::max(kv_heads, static_cast<double>(layout.context_parallel));
  }
  return {queries, 2 * kv_heads * head};
}

double expert_senders(const Layout& layout) {
  return layout.sequence_parallel ? static_cast<double>(layout.tensor_parallel) : 1;
}

}  // namespace commcost
