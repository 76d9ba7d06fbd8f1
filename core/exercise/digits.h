#pragma once

namespace commcost {

/// Whether `answer` is `candidate` rounded, or cut off, to `least_digits` (1 to 12) to twelve digits; both >
/// 0, else false.
bool is_shortened(double answer, double candidate, int least_digits);

}  // namespace commcost
