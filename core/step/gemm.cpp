#include "core/step/gemm.h"

namespace commcost {

double gemm_us(const Product& product, double bytes_per_element, const ComputeRates& rates) {
  const double elements =
      product.rows * product.inner + product.inner * product.columns + product.rows * product.columns;
  const double bytes = elements * product.batch * bytes_per_element;
  return flops(product) / rates.flops_per_us + rates.matrix_traffic_weight * bytes / rates.hbm_bytes_per_us;
}

}  // namespace commcost
