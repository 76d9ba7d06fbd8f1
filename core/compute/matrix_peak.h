#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/hardware/machine.h"
#include "core/model/work.h"

namespace commcost {

/// Dense matrix peak for elements of that size, TFLOP/s: fp8, 16 bits, or tf32, else fp32, else six products
/// of 16 bits.
double matrix_peak_tflops(const Accelerator& accelerator, std::int64_t bytes_per_element);

/// The same for a precision; 0 where the matrix units lack it. Stored: as 16 bits.
double matrix_peak_tflops(const Accelerator& accelerator, MatmulPrecision precision);

/// The same for a step's work: the machine's own peak if that is given.
double matrix_peak_tflops(const Machine& machine, const Work& work);

/// The same for what is multiplied in no fewer than 16 bits, unless everything is kept so: attention core and
/// LM head.
double wide_peak_tflops(const Machine& machine, const Work& work);

/// The precisions that an accelerator multiplies in, by name, widest first.
std::vector<std::string_view> matmul_precisions(const Accelerator& accelerator);

}  // namespace commcost
