#pragma once

namespace commcost {

/// How fast an accelerator multiplies and streams, in units of a microsecond.
struct ComputeRates {
  double flops_per_us = 1;           ///< large products of a layer's matrices
  double wide_flops_per_us = 1;      ///< of the attention core and the LM head, which stay in 16 bits
  double flash_flops_per_us = 1;     ///< flash attention
  double operand_bytes = 0;          ///< of what a layer's products multiply; 0: as it is kept
  double hbm_bytes_per_us = 1;       ///< streaming kernels
  double matrix_traffic_weight = 1;  ///< times that a GEMM streams its matrices on top of its FLOPs
  double launch_us = 0;              ///< host time for each kernel
};

/// A product of matrices, rows x inner times inner x columns, `batch` of them.
struct Product {
  double rows = 0;
  double columns = 0;
  double inner = 0;
  double batch = 1;
};

/// FLOPs of the product; a multiply-add counts two.
constexpr double flops(const Product& product) {
  return 2 * product.rows * product.columns * product.inner * product.batch;
}

/// Time of the product, us: FLOPs at the achievable rate, and on top a multiple of the time to stream its
/// three matrices, so that thin products are slow: 1/share + w (peak / HBM) (1/rows + 1/columns + 1/inner)
/// per FLOP. Operands of fewer bytes are converted first: activations read as they are kept, and written.
double gemm_us(const Product& product, double bytes_per_element, const ComputeRates& rates);

/// The same in what the matrices are kept in: the attention core and the LM head.
double wide_gemm_us(const Product& product, double bytes_per_element, const ComputeRates& rates);

}  // namespace commcost
