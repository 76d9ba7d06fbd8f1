#include "core/parallel/ranks.h"

namespace commcost {
namespace {

Ranks ranks(std::int64_t size, std::int64_t stride) {
  return {static_cast<double>(size), static_cast<double>(stride)};
}

}  // namespace

Ranks tensor_ranks(const Layout& layout) {
  return ranks(layout.tensor_parallel, 1);
}

Ranks context_ranks(const Layout& layout) {
  return ranks(layout.context_parallel, layout.tensor_parallel);
}

Ranks data_ranks(const Layout& layout) {
  return ranks(layout.data_parallel * layout.context_parallel, layout.tensor_parallel);
}

Ranks expert_ranks(const Layout& layout) {
  return ranks(layout.expert_parallel, layout.tensor_parallel);
}

Ranks expert_data_ranks(const Layout& layout) {
  return ranks(layout.data_parallel * layout.context_parallel / layout.expert_parallel,
               layout.tensor_parallel * layout.expert_parallel);
}

Ranks pipeline_ranks(const Layout& layout) {
  return ranks(layout.pipeline_parallel,
               layout.tensor_parallel * layout.context_parallel * layout.data_parallel);
}

Ranks pipeline_ends(const Layout& layout) {
  const Ranks line = pipeline_ranks(layout);
  return line.size > 1 ? Ranks{2, line.stride * (line.size - 1)} : Ranks{1, 1};
}

}  // namespace commcost
