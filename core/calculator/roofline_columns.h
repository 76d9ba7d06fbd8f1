#pragma once

#include <array>

#include "core/base/result.h"
#include "core/compute/roofline.h"
#include "core/hardware/basis.h"

// Columns that rooflines of training and of serving share.
namespace commcost {

inline constexpr ResultField roofline_kernel_columns[] = {
    choice_result<&KernelPoint::kernel>(roofline_kernel_names, "The operation"),
    result<&KernelPoint::flops>("FLOPs; 0 for memory_bound, where they don't count"),
    result<&KernelPoint::hbm_bytes>("Bytes read and written"),
    result<&KernelPoint::time_us>("Its time in a step"),
    result<&KernelPoint::low_us>("Lower end of its range: 80 % of unseen kernels of its kind fall in it"),
    result<&KernelPoint::high_us>("Upper end of the range"),
    choice_result<&KernelPoint::basis>(
        basis_names,
        "Basis of the range: kernels measured on this accelerator, on its generation, or on others"),
    choice_result<&KernelPoint::limit>(kernel_limit_names, "The part that takes most of the time"),
};

/// The results of a Roofline, a base of `Results`.
template <class Results>
inline constexpr auto roofline_results = std::to_array<ResultField>({
    rows_result<&Results::kernels>(roofline_kernel_columns, "Kernels of one layer, on one rank"),
    choice_result<&Results::product_format>(kernel_format_names,
                                            "Precision of the products, and of the weights"),
    result<&Results::peak_tflops>("Matrix peak at the precision of the products"),
    result<&Results::hbm_gb_per_sec>("Bandwidth of the memory"),
    result<&Results::forward_us>("Time of all kernels, one after the other"),
});

}  // namespace commcost
