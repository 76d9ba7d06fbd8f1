#include "core/model/work.h"

namespace commcost {

Work completed(Work work) {
  if (work.gradient_bytes_per_element == 0) work.gradient_bytes_per_element = work.bytes_per_element;
  return work;
}

double operand_bytes(MatmulPrecision precision) {
  switch (precision) {
    case MatmulPrecision::bf16:
    case MatmulPrecision::fp16:
      return 2;
    case MatmulPrecision::fp8:
    case MatmulPrecision::mxfp8:
      return 1;
    case MatmulPrecision::nvfp4:
      return 0.5;
    default:
      return 0;
  }
}

}  // namespace commcost
