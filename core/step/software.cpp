#include "core/step/software.h"

namespace commcost {

Software usual_software(const Accelerator& accelerator, const Work& work) {
  const bool old = accelerator.id.starts_with("v100") || accelerator.id.starts_with("a100");
  return old && work.recompute != Recompute::none ? Software::classic : Software::current;
}

void apply(Software software, const Accelerator& accelerator, Work& work, Layout& layout) {
  if (software == Software::usual) software = usual_software(accelerator, work);
  if (software == Software::given) return;
  const bool current = software == Software::current;
  work.flash_attention = current;
  work.dropout = !current;
  work.gradient_bytes_per_element = current ? 4 : work.bytes_per_element;
  layout.regather_input = !current;
  layout.overlap_tensor = true;
  layout.overlap_data = current;
  layout.balanced_stages = current;
  layout.scatter_gather = layout.tensor_parallel > 1;
}

}  // namespace commcost
