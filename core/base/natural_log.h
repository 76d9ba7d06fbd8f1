#pragma once

namespace commcost {

/// The natural logarithm of `value` (> 0, finite), to some ulp, with the same bits natively and in
/// WebAssembly: the C libraries' own differ in the last one, which is enough to turn a search at a tie.
double natural_log(double value);

}  // namespace commcost
