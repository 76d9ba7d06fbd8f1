#include "core/step/gemm.h"

namespace commcost {

double gemm_us(const Product& product, double bytes_per_element, const ComputeRates& rates) {
  const double operand = rates.operand_bytes > 0 ? rates.operand_bytes : bytes_per_element;
  const double multiplied = product.rows * product.inner + product.inner * product.columns;
  const double bytes = multiplied * operand + product.rows * product.columns * bytes_per_element;
  const double converted =
      operand < bytes_per_element ? product.rows * product.inner * (bytes_per_element + operand) : 0;
  return flops(product) / rates.flops_per_us +
         product.batch * (rates.matrix_traffic_weight * bytes + converted) / rates.hbm_bytes_per_us;
}

double wide_gemm_us(const Product& product, double bytes_per_element, const ComputeRates& rates) {
  ComputeRates wide = rates;
  wide.flops_per_us = rates.wide_flops_per_us;
  wide.operand_bytes = 0;
  return gemm_us(product, bytes_per_element, wide);
}

}  // namespace commcost
