#pragma once

namespace commcost {

/// Whether `answer` is `candidate` rounded, or cut off, to three to twelve digits; both > 0, else false.
bool is_shortened(double answer, double candidate);

}  // namespace commcost
