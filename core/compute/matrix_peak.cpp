#include "core/compute/matrix_peak.h"

namespace commcost {
namespace {

// Where the matrix unit has no 32 bits: XLA's highest precision multiplies six pairs of 16-bit parts.
constexpr double bf16_passes_for_fp32 = 6;

double listed_peak_tflops(const Accelerator& accelerator, const Work& work) {
  return work.matmul_precision == MatmulPrecision::stored
             ? matrix_peak_tflops(accelerator, work.bytes_per_element)
             : matrix_peak_tflops(accelerator, work.matmul_precision);
}

double listed_wide_peak_tflops(const Accelerator& accelerator, const Work& work) {
  return work.matmul_precision == MatmulPrecision::stored
             ? matrix_peak_tflops(accelerator, work.bytes_per_element)
             : accelerator.peak_16_bits_tflops();
}

}  // namespace

double matrix_peak_tflops(const Accelerator& accelerator, std::int64_t bytes_per_element) {
  if (bytes_per_element <= 1 && accelerator.fp8_tflops > 0) return accelerator.fp8_tflops;
  if (bytes_per_element >= 4) {
    if (accelerator.tf32_tflops > 0) return accelerator.tf32_tflops;
    if (accelerator.fp32_tflops > 0) return accelerator.fp32_tflops;
    return accelerator.peak_16_bits_tflops() / bf16_passes_for_fp32;
  }
  return accelerator.peak_16_bits_tflops();
}

double matrix_peak_tflops(const Accelerator& accelerator, MatmulPrecision precision) {
  switch (precision) {
    case MatmulPrecision::nvfp4:
      return accelerator.fp4_tflops;
    case MatmulPrecision::mxfp8:
      return accelerator.scales_blocks() ? accelerator.fp8_tflops : 0;
    case MatmulPrecision::fp8:
      return accelerator.fp8_tflops;
    case MatmulPrecision::fp16:
      return accelerator.fp16_tflops;
    case MatmulPrecision::bf16:
      return accelerator.bf16_tflops;
    case MatmulPrecision::stored:
      break;
  }
  return accelerator.peak_16_bits_tflops();
}

std::vector<std::string_view> matmul_precisions(const Accelerator& accelerator) {
  std::vector<std::string_view> found;
  for (const MatmulPrecision one : {MatmulPrecision::bf16, MatmulPrecision::fp16, MatmulPrecision::fp8,
                                    MatmulPrecision::mxfp8, MatmulPrecision::nvfp4}) {
    if (matrix_peak_tflops(accelerator, one) > 0)
      found.push_back(matmul_precision_names[static_cast<std::size_t>(one)]);
  }
  return found;
}

double matrix_peak_tflops(const Machine& machine, const Work& work) {
  const Accelerator& accelerator = accelerator_of(machine);
  const double listed = listed_peak_tflops(accelerator, work);
  // In this order, the accelerator's own peak gives exactly the listed one, whether stated or not.
  return machine.peak_tflops > 0 ? listed * (machine.peak_tflops / accelerator.peak_16_bits_tflops())
                                 : listed;
}

double wide_peak_tflops(const Machine& machine, const Work& work) {
  const Accelerator& accelerator = accelerator_of(machine);
  return matrix_peak_tflops(machine, work) * listed_wide_peak_tflops(accelerator, work) /
         listed_peak_tflops(accelerator, work);
}

}  // namespace commcost
