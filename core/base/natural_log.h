#pragma once

namespace commcost {

/// The natural logarithm of `value` (> 0, finite), to a few ulp, with the same bits natively and in
/// WebAssembly: the C libraries' own differ in the last one, which is enough to change the outcome of a
/// search.
double natural_log(double value);

/// e to the power of `value`, to a few ulp, with the same bits natively and in WebAssembly.
double natural_exp(double value);

}  // namespace commcost
