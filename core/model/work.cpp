#include "core/model/work.h"

namespace commcost {

Work completed(Work work) {
  if (work.gradient_bytes_per_element == 0) work.gradient_bytes_per_element = work.bytes_per_element;
  return work;
}

}  // namespace commcost
